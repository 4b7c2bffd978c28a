"""How far two pictures differ, in pixels. For evidence and for people; a verdict never looks at pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vbench_env.errors import ConfigError
from vbench_env.render.base import Picture

CHANGED_LEVEL = 8
"""A pixel has changed when a channel differs by more than this, of 255."""
_WINDOW = 7

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PictureDifference:
    """`changed` and each of `regions` are shares of pixels, 0 to 1; `mse` is on channels scaled to 0 to 1;
    `ssim` is the mean structural similarity of luminance, 1 for equal pictures."""

    changed: float
    mse: float
    ssim: float
    regions: dict[str, float]


def changed_pixels(first: Picture | Pixels, second: Picture | Pixels) -> Mask:
    """Which pixels changed, shape (H, W)."""
    one, other = _pair(first, second)
    mask: Mask = (np.abs(one.astype(np.int16) - other) > CHANGED_LEVEL).any(axis=2)
    return mask


def box_mask(shape: tuple[int, int], box: tuple[float, float, float, float]) -> Mask:
    """Pixels (H, W) that a box (x, y, width, height in pixels) touches."""
    mask = np.zeros(shape, dtype=np.bool_)
    x, y, width, height = box
    left, top = max(0, int(np.floor(x))), max(0, int(np.floor(y)))
    mask[top : max(0, int(np.ceil(y + height))), left : max(0, int(np.ceil(x + width)))] = True
    return mask


def compare(
    first: Picture | Pixels, second: Picture | Pixels, regions: Mapping[str, Mask] | None = None
) -> PictureDifference:
    """Compare two pictures of the same size, as a whole and inside masks of shape (H, W)."""
    one, other = _pair(first, second)
    changed = changed_pixels(one, other)
    shares = {
        name: float(changed[mask].mean()) if mask.any() else 0.0 for name, mask in (regions or {}).items()
    }
    mse = float(np.mean(((one.astype(np.float32) - other) / 255.0) ** 2))
    return PictureDifference(float(changed.mean()), mse, ssim(one, other), shares)


def ssim(first: Picture | Pixels, second: Picture | Pixels) -> float:
    """Mean structural similarity of luminance over 7x7 windows (Wang et al. 2004, uniform weights)."""
    one, other = (pixels @ np.array([0.2126, 0.7152, 0.0722]) for pixels in _pair(first, second))
    mean_one, mean_other = _means(one), _means(other)
    spread_one = _means(one * one) - mean_one**2
    spread_other = _means(other * other) - mean_other**2
    together = _means(one * other) - mean_one * mean_other
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    top = (2 * mean_one * mean_other + c1) * (2 * together + c2)
    return float(np.mean(top / ((mean_one**2 + mean_other**2 + c1) * (spread_one + spread_other + c2))))


def _means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of each window, from sums along both axes."""
    height, width = (min(_WINDOW, side) for side in values.shape)
    total = np.pad(values, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    sums = (
        total[height:, width:] - total[:-height, width:] - total[height:, :-width] + total[:-height, :-width]
    )
    return np.asarray(sums / (height * width))


def _pair(first: Picture | Pixels, second: Picture | Pixels) -> tuple[Pixels, Pixels]:
    one, other = (item.array() if isinstance(item, Picture) else item for item in (first, second))
    if one.shape != other.shape:
        raise ConfigError(
            f"pictures of shape {one.shape} and {other.shape} cannot be compared; draw them in one size"
        )
    return one, other
