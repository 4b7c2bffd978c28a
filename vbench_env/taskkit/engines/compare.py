"""Every drawing in every engine at one size: how much of the picture differs from the default engine's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vbench_env.render import RenderFailure, RenderRequest, get_renderer
from vbench_env.render.compare import changed_pixels
from vbench_env.render.renderer import unavailable
from vbench_env.task import Task
from vbench_env.taskkit.build import without_canary
from vbench_env.taskkit.engines import chromium
from vbench_env.taskkit.engines.features import PROBE_PX, lacking, used_features
from vbench_env.taskkit.look import cells_apart
from vbench_env.taskkit.visibility import picture_size

Pixels = NDArray[np.uint8]
Drawing = Callable[[str, tuple[int, int]], Pixels | str]
DEFAULT = "resvg"
WIDTH_PX = 800


@dataclass(frozen=True, slots=True)
class Difference:
    """How far an engine's picture is from the default engine's; None without a picture.

    `changed` and `changed_without_text` are shares of pixels; `apart` is the share of cells of 4 by 4 pixels
    that look different, texts aside, so that edges between pixels do not count. `lacks` names the features of
    the drawing that the engine does not know; `reason` says why there is no picture.
    """

    engine: str
    changed: float | None
    changed_without_text: float | None
    apart: float | None
    lacks: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One drawing: what the default engine lacks of it, and how the others differ."""

    task_id: str
    lacks: tuple[str, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """All drawings of a corpus in all engines at hand.

    `missing` says why an engine could not be asked.
    """

    corpus: str
    width_px: int
    engines: tuple[str, ...]
    missing: dict[str, str]
    rows: tuple[Row, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def engines() -> tuple[dict[str, Drawing], dict[str, str]]:
    """The engines at hand, the default one first, and why others are not."""
    found: dict[str, Drawing] = {}
    missing: dict[str, str] = {}
    for name in (DEFAULT, "cairosvg"):
        reason = unavailable(name)
        if reason is None:
            found[name] = _rendered(name)
        else:
            missing[name] = reason
    program = chromium.find_chromium()
    if program is not None:
        found["chromium"] = lambda svg, size: chromium.draw(program, svg, size)
    else:
        missing["chromium"] = f"not installed (looked for {', '.join(chromium.NAMES)})"
    return found, missing


def _rendered(name: str) -> Drawing:
    renderer = get_renderer(name)

    def drawing(svg: str, size: tuple[int, int]) -> Pixels | str:
        picture = renderer.render(RenderRequest(svg, *size))
        return str(picture) if isinstance(picture, RenderFailure) else picture.array()

    return drawing


def compare_engines(
    tasks: Sequence[Task], corpus: str, step: Callable[[], None] = lambda: None, width_px: int = WIDTH_PX
) -> Agreement:
    """Draw every target in every engine at hand.

    Args:
        tasks: whose targets to draw.
        corpus: name for the result.
        step: called after each task.
        width_px: of the pictures.
    """
    found, missing = engines()
    unknown = {name: set(lacking(_probing(draw))) for name, draw in found.items()}
    rows = []
    for task in tasks:
        rows.append(_row(task, found, unknown, width_px))
        step()
    return Agreement(corpus, width_px, tuple(found), missing, tuple(rows))


def _probing(draw: Drawing) -> Callable[[str], Pixels | str]:
    return lru_cache(maxsize=None)(lambda svg: draw(svg, (PROBE_PX, PROBE_PX)))


def _row(task: Task, found: dict[str, Drawing], unknown: dict[str, set[str]], width_px: int) -> Row:
    svg = without_canary(task.target_svg, task.canary)
    size = picture_size(svg, width_px)
    texts = {False: svg, True: without_text(svg)}
    used = used_features(svg)
    base = {bare: found[DEFAULT](text, size) for bare, text in texts.items()}
    differences = []
    for name, draw in found.items():
        lacks = tuple(feature for feature in used if feature in unknown[name])
        if name == DEFAULT:
            own = lacks
            continue
        pictures = {bare: draw(text, size) for bare, text in texts.items()}
        reason = next((item for item in pictures.values() if isinstance(item, str)), "")
        shares = {bare: _share(base[bare], pictures[bare]) for bare in texts}
        apart = _share(base[True], pictures[True], cells_apart)
        differences.append(Difference(name, shares[False], shares[True], apart, lacks, reason))
    return Row(task.task_id, own, tuple(differences))


def _changed(one: Pixels, other: Pixels) -> float:
    return float(changed_pixels(one, other).mean())


def _share(
    one: Pixels | str, other: Pixels | str, measure: Callable[[Pixels, Pixels], float] = _changed
) -> float | None:
    if isinstance(one, str) or isinstance(other, str) or one.shape != other.shape:
        return None
    return round(measure(one, other), 5)


def without_text(svg: str) -> str:
    """The drawing without its texts, whose letters depend on fonts."""
    return re.sub(r"<((?:\w+:)?text)\b[^>]*(?:/>|>.*?</\1\s*>)", "", svg, flags=re.DOTALL)
