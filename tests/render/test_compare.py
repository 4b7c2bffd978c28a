from __future__ import annotations

import numpy as np
import pytest
from hostile_documents import svg

from vbench_env.errors import ConfigError
from vbench_env.render import render_picture
from vbench_env.render.compare import box_mask, changed_pixels, compare, ssim


def grey(level: int, size: int = 10) -> np.ndarray:
    return np.full((size, size, 3), level, dtype=np.uint8)


def test_a_pixel_has_changed_when_a_channel_differs_by_more_than_eight():
    first, second = grey(100), grey(100)
    second[0, 0, 2] = 109
    second[0, 1, 0] = 92
    assert np.argwhere(changed_pixels(first, second)).tolist() == [[0, 0]]
    assert compare(first, second).changed == 0.01


def test_equal_pictures_have_no_error_and_full_similarity():
    picture = render_picture(svg('<circle r="50" fill="teal"/>'), 64)
    difference = compare(picture, picture)
    assert (difference.changed, difference.mse) == (0.0, 0.0)
    assert difference.ssim == pytest.approx(1.0)


def test_black_against_white_is_the_largest_error():
    difference = compare(grey(0), grey(255))
    assert (difference.changed, difference.mse) == (1.0, 1.0)
    assert difference.ssim < 0.001


def test_similarity_falls_with_distortion():
    noise = np.random.default_rng(0).integers(0, 255, (32, 32, 3), dtype=np.uint8)
    mild = np.clip(noise.astype(int) + 10, 0, 255).astype(np.uint8)
    assert 1 > ssim(noise, mild) > ssim(noise, np.rot90(noise))


def test_regions_are_compared_on_their_own():
    first, second = grey(0), grey(0)
    second[:5, :5] = 200
    masks = {"hit": box_mask((10, 10), (0, 0, 4.5, 5)), "half": box_mask((10, 10), (0, 0, 10, 5)),
             "miss": box_mask((10, 10), (6, 6, 9, 9)), "outside": box_mask((10, 10), (50, 50, 5, 5))}  # fmt: skip
    assert compare(first, second, masks).regions == {"hit": 1.0, "half": 0.5, "miss": 0.0, "outside": 0.0}


def test_pictures_of_two_sizes_are_the_callers_mistake():
    with pytest.raises(ConfigError, match="cannot be compared; draw them in one size"):
        compare(grey(0, 10), grey(0, 11))


def test_small_pictures_are_compared_too():
    assert compare(grey(9, 1), grey(9, 1)).ssim == pytest.approx(1.0)
