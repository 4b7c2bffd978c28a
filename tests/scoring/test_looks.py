"""What two pictures of one size differ by: the share of pixels, and the worst spot."""

from __future__ import annotations

import numpy as np
import pytest

from vbench_env.scoring.pictures import SPOT_LEVEL, look_difference


def gray(height: int, width: int, level: int = 100) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.full((height, width, 3), level, dtype=np.uint8)


@pytest.mark.parametrize(
    ("rows", "columns", "by", "share", "spot", "alike"),
    [
        (0, 0, 0, 0.0, 0.0, True),
        (20, 30, 4, 0.0, 4.0, True),
        (20, 30, 5, 1.0, 5.0, False),
        (1, 1, 100, 1 / 600, 4.0, True),
        (2, 2, 100, 4 / 600, 16.0, True),
        (2, 3, 100, 6 / 600, 24.0, False),
        (5, 5, 40, 25 / 600, 40.0, False),
        (1, 30, 50, 30 / 600, 10.0, False),
    ],
)
@pytest.mark.parametrize("channel", [0, 1, 2])
def test_share_and_spot(
    rows: int, columns: int, by: int, share: float, spot: float, alike: bool, channel: int
) -> None:
    one, other = gray(20, 30), gray(20, 30)
    top = min(7, 20 - rows)
    other[top : top + rows, :columns, channel] += np.uint8(by)
    found = look_difference(one, other)
    assert (found.width_px, found.share, found.spot) == (30, pytest.approx(share), pytest.approx(spot))
    assert look_difference(other, one) == found
    assert found.within(0.01) is alike


def test_a_picture_smaller_than_a_spot_is_one() -> None:
    one, other = gray(2, 3), gray(2, 3)
    other[0, 0] += np.uint8(60)
    assert look_difference(one, other).spot == pytest.approx(10.0)


def test_a_small_object_that_disappears_is_seen_in_a_large_picture() -> None:
    one, other = gray(400, 400, 255), gray(400, 400, 255)
    other[10:14, 10:14] = 0
    found = look_difference(one, other)
    assert found.share < 0.001
    assert found.spot > SPOT_LEVEL
    assert not found.within(0.01)
