"""What a measure is: a name, a direction, and a number for a candidate beside its target.

Measures say how far a drawing is from another one; they never decide a verdict. Each follows its published
definition; where the published code departs from that, `Settings.as_published` computes what the code does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vbench_env.errors import ConfigError, InfrastructureError
from vbench_env.registry import Registry
from vbench_env.render import RenderFailure, RenderRequest, get_renderer
from vbench_env.svg.geometry import viewport
from vbench_env.svg.parse import parse

Pixels = NDArray[np.uint8]
Which = Literal["candidate", "target", "start"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How measures are taken.

    Attributes:
        width_px: width of the pictures that raster measures compare; the height follows the target's viewBox.
        as_published: compute what the published code does, its faults included.
        weights: folder or file of the weights of a model, by the measure's name.
    """

    width_px: int = 256
    as_published: bool = False
    weights: Mapping[str, Path] = field(default_factory=dict)

    def weights_of(self, name: str) -> Path:
        """Where the weights of a measure are.

        Raises:
            ConfigError: the user named none, or there are none.
        """
        path = self.weights.get(name)
        if path is None:
            raise ConfigError(
                f"measure {name} needs weights of yours: --weights {name}=PATH; none come with the package"
            )
        if not path.exists():
            raise ConfigError(f"--weights {name}={path}: no such file or folder")
        return path


@dataclass(frozen=True)
class Drawings:
    """A candidate with its target and, where a measure looks at it, the start."""

    candidate: str | None
    target: str
    start: str | None = None
    width_px: int = 256

    @cached_property
    def size_px(self) -> tuple[int, int]:
        root = parse(self.target).root
        width, height = viewport(root) if root is not None else (1.0, 1.0)
        return self.width_px, max(1, min(4096, round(self.width_px * height / width)))

    @cached_property
    def _pictures(self) -> dict[Which, Pixels | str]:
        return {}

    def picture(self, which: Which) -> Pixels | str:
        """Pixels of shape (height, width, 3) on white, in the size of the target, or why there are none."""
        if which not in self._pictures:
            svg: str | None = getattr(self, which)
            self._pictures[which] = f"there is no {which}" if svg is None else _drawn(svg, self.size_px)
        return self._pictures[which]


def _drawn(svg: str, size_px: tuple[int, int]) -> Pixels | str:
    result = get_renderer().render(RenderRequest(svg, *size_px))
    if not isinstance(result, RenderFailure):
        return result.array()
    if result.kind in ("crashed", "unavailable"):
        raise InfrastructureError(str(result))
    return result.message


@dataclass(frozen=True, slots=True)
class Value:
    """What a measure found: its number and those that it is made of, or why there is none."""

    value: float | None
    parts: Mapping[str, float] = field(default_factory=dict)
    reason: str = ""


def nothing(reason: str) -> Value:
    """No number, and why."""
    return Value(None, {}, reason)


@dataclass(frozen=True, slots=True)
class Measure:
    """A named measure.

    Attributes:
        name: as on the command line.
        about: what it measures, in a line.
        better: which end is good.
        take: measures a candidate; a candidate that is no drawing gives a `Value` with a reason.
        source: whose definition it follows.
        fault: what `as_published` does otherwise; empty where the published code does what it says.
        needs: the start, pictures, an optional extra, or weights, for the list of measures.
    """

    name: str
    about: str
    better: Literal["higher", "lower"]
    take: Callable[[Drawings, Settings], Value]
    source: str
    fault: str = ""
    needs: str = ""


MEASURES: Registry[Measure] = Registry("measure", "vbench_env.measures")


def pictures(drawings: Drawings, *which: Which) -> list[Pixels] | Value:
    """The pictures of several drawings, or the reason why one of them is missing."""
    found: list[Pixels] = []
    for name in which:
        picture = drawings.picture(name)
        if isinstance(picture, str):
            return nothing(
                picture if picture.startswith("there is no") else f"the {name} cannot be drawn: {picture}"
            )
        found.append(picture)
    return found
