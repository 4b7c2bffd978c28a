from __future__ import annotations

import pytest

from vbench_env.render import Frame, RenderRequest, frame_of
from vbench_env.render.viewport import viewport_of
from vbench_env.svg.parse import parse


def root(attributes: str):
    return parse(f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}/>').root


def framed(attributes: str, size=(100, 100), region=None) -> Frame:
    frame = frame_of(root(attributes), RenderRequest("", *size, region))
    assert isinstance(frame, Frame)
    return frame


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('viewBox="0 0 20 10"', (20, 10)),
        ('viewBox="0 0 20 10" width="40"', (40, 20)),
        ('viewBox="0 0 20 10" height="1in"', (192, 96)),
        ('viewBox="0 0 20 10" width="100%" height="50"', (100, 50)),
        ('width="30" height="40"', (30, 40)),
        ('width="30"', (30, 150)),
        ("", (300, 150)),
        ('width="72pt" height="25.4mm" viewBox="0 0 1 1"', (96, 96)),
        ('viewBox="0 0 0 10" width="7" height="7"', (7, 7)),
    ],
)
def test_a_missing_side_follows_the_view_box(attributes, size):
    viewport = viewport_of(root(attributes))
    assert (viewport.width, viewport.height) == pytest.approx(size)


@pytest.mark.parametrize(
    ("aspect", "box"),
    [
        ("xMidYMid", (0, -5, 20, 20)),
        ("xMinYMin meet", (0, 0, 20, 20)),
        ("xMaxYMax", (0, -10, 20, 20)),
        ("none", (0, 0, 20, 10)),
        ("xMinYMax slice", (0, 0, 10, 10)),
        ("xMaxYMid slice", (10, 0, 10, 10)),
    ],
)
def test_the_viewport_in_user_units_follows_preserve_aspect_ratio(aspect, box):
    viewport = viewport_of(root(f'width="50" height="50" viewBox="0 0 20 10" preserveAspectRatio="{aspect}"'))
    assert viewport.user_box == pytest.approx(box)


def test_a_point_of_the_drawing_is_found_in_the_picture():
    frame = framed('viewBox="10 20 200 100"', (400, 400))
    assert frame.to_px(10, 20) == pytest.approx((0, 100))
    assert frame.to_px(210, 120) == pytest.approx((400, 300))
    zoomed = framed('viewBox="10 20 200 100"', (400, 400), (110, 70, 50, 50))
    assert zoomed.to_px(135, 95) == pytest.approx((200, 200))


def test_what_is_shown_is_the_part_of_the_region_inside_the_drawing():
    assert framed('viewBox="0 0 20 10"').shown_px == pytest.approx((0, 25, 100, 50))
    beyond = framed('viewBox="0 0 10 10"', region=(5.0, 5.0, 10.0, 10.0))
    assert beyond.shown_px == pytest.approx((0, 0, 50, 50))
    assert framed('viewBox="0 0 10 10"', region=(50.0, 5.0, 10.0, 10.0)).shown_px[2] == 0
