"""Whether two pictures look alike to the eye, edges that fall between pixels otherwise aside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CELL_PX = 4
LEVEL = 16.0
"""Cells look different when a channel of their mean colours differs by more than this, of 255."""


def cells_apart(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """Share of the cells of 4 by 4 pixels that look different in two pictures of the same size."""
    apart = np.abs(_cells(one) - _cells(other)).max(axis=2) > LEVEL
    return float(apart.mean())


def _cells(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    height, width = (side // CELL_PX for side in picture.shape[:2])
    cut = picture[: height * CELL_PX, : width * CELL_PX].astype(np.float64)
    return np.asarray(cut.reshape(height, CELL_PX, width, CELL_PX, 3).mean(axis=(1, 3)))
