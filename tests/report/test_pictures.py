"""Pictures for a page, and where rings go."""

from __future__ import annotations

import base64

import pytest

from vbench_env.render import get_renderer
from vbench_env.report.pictures import TALLEST_PX, WIDTH_PX, Places, PxBox, picture_size, rings, take

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 120">{}</svg>'


def test_a_picture_has_the_proportions_of_the_drawing_and_a_largest_size():
    assert picture_size(SVG.format("")) == (WIDTH_PX, WIDTH_PX // 2)
    assert picture_size(SVG.format("").replace("240 120", "100 400")) == (
        WIDTH_PX * TALLEST_PX // 1920,
        TALLEST_PX,
    )
    assert picture_size("no drawing") == (WIDTH_PX, 360)


def test_a_drawing_becomes_a_png_and_anything_else_a_reason():
    renderer = get_renderer()
    shot = take(SVG.format('<rect width="9" height="9"/>'), (48, 24), renderer)
    assert shot.uri is not None and shot.reason is None
    assert base64.b64decode(shot.uri.removeprefix("data:image/png;base64,")).startswith(b"\x89PNG")
    broken = take("<svg", (48, 24), renderer)
    assert broken.uri is None and "malformed" in (broken.reason or "")
    assert take(None, (48, 24), renderer).reason == "There is no drawing: nothing was handed in."


def box(body: str, name: str) -> PxBox | None:
    return Places(SVG.format(body), (480, 240)).box(name)


def test_an_object_is_found_by_id_or_path_with_room_around_it():
    body = '<g transform="translate(10 0)"><rect id="a" x="20" y="30" width="40" height="20"/></g>'
    assert box(body, "a") == PxBox(55, 55, 90, 50)
    assert box(body, "svg/g[1]/rect[1]") == box(body, "a")


def test_a_definition_is_ringed_where_it_is_used():
    body = (
        '<defs><linearGradient id="g"><stop id="s"/></linearGradient><symbol id="y"><rect id="r" width="9"/></symbol>'
        '</defs><rect id="a" x="20" y="30" width="40" height="20" fill="url(#g)"/>'
    )
    assert box(body, "g") == box(body, "s") == box(body, "a")
    assert box(body, "r") is None


@pytest.mark.parametrize(
    ("body", "name"),
    [("", "nobody"), ('<rect id="a" x="900" width="5" height="5"/>', "a"), ('<g id="a"/>', "a"), ("", "svg")],
)
def test_what_is_not_in_the_picture_has_no_place(body, name):
    assert box(body, name) is None


def test_a_drawing_that_cannot_be_read_has_no_places():
    places = Places("<svg", (480, 240))
    assert not places.readable
    assert places.box("a") is None
    assert not Places(None, (480, 240)).readable


def test_rings_keep_inside_and_badges_off_each_other():
    wide = box('<rect id="a" x="-50" y="-50" width="900" height="900"/>', "a")
    assert wide is not None
    assert wide.x > 0 and wide.y > 0 and wide.x + wide.width < 480 and wide.y + wide.height < 240
    found = rings([(str(number), "missed", PxBox(20, 20, 60, 40), False) for number in range(4)], (480, 240))
    assert len({(ring.badge_x, ring.badge_y) for ring in found}) == 4
    assert all(0 < ring.badge_x < 480 and 0 < ring.badge_y < 240 for ring in found)
