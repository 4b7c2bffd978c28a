"""Whether two drawings look the same, for the one kind of task that asks for it.

Pictures are the same when few pixels differ and no spot does: a tolerance for the share of pixels alone would let a
small object disappear. Sizes are widths; the height follows the view box.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vbench_env.errors import InfrastructureError
from vbench_env.render import RenderFailure, RenderRequest, get_renderer
from vbench_env.svg.geometry import viewport
from vbench_env.svg.parse import Document

LEVEL = 4
"""A pixel differs when a channel differs by more than this, of 255."""
SPOT_LEVEL = 16.0
"""Greatest mean difference of a channel in any window of `SPOT_PX` pixels squared."""
SPOT_PX = 5
_OURS = frozenset({"crashed", "unavailable"})


@dataclass(frozen=True, slots=True)
class LookDifference:
    """How two pictures differ: share of pixels, and the mean difference in the worst spot, of 255."""

    width_px: int
    share: float
    spot: float

    def within(self, tolerance: float) -> bool:
        return self.share <= tolerance and self.spot <= SPOT_LEVEL


class Undrawable(ValueError):
    """A drawing that the renderer refuses; the message says why."""


def pixels(svg: str | bytes, size: tuple[int, int]) -> NDArray[np.uint8]:
    """The drawing as pixels, shape (height, width, 3).

    Raises:
        Undrawable: the drawing is at fault.
        InfrastructureError: the renderer is.
    """
    result = get_renderer().render(RenderRequest(svg, *size))
    if not isinstance(result, RenderFailure):
        return result.array()
    if result.kind in _OURS:
        raise InfrastructureError(str(result))
    raise Undrawable(result.message)


def size_of(document: Document, width_px: int) -> tuple[int, int]:
    """Pixels of a picture of that width that shows the whole drawing."""
    assert document.root is not None
    width, height = viewport(document.root)
    return width_px, max(1, min(4096, round(width_px * height / width)))


def look_difference(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> LookDifference:
    """Compare two pictures of one size."""
    apart = np.abs(first.astype(np.int16) - second)
    share = float((apart > LEVEL).any(axis=2).mean())
    return LookDifference(
        first.shape[1], share, max(_worst_mean(apart[..., channel]) for channel in range(3))
    )


def _worst_mean(values: NDArray[np.int16]) -> float:
    """The greatest mean of a window."""
    high, wide = (min(SPOT_PX, side) for side in values.shape)
    total = np.pad(values.astype(np.int64), ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    sums = total[high:, wide:] - total[:-high, wide:] - total[high:, :-wide] + total[:-high, :-wide]
    return float(sums.max() / (high * wide))
