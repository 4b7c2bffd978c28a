"""Move, scale and rotate: the object lands where it should, by the least invasive edit."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import PLAIN, SVG
from vbench_env.svg.geometry import matrix_to
from vbench_env.svg.transform import parse_transform
from vbench_env.svg.transform_edit import moved, origin, rotated, scaled
from vbench_env.tools import ToolContext, ToolResult, call_tool
from vbench_env.tools.address import resolve
from vbench_env.tools.boxes import canvas_box

BODY = """<g transform="translate(10 20) rotate(30) scale(2)">
  <rect id="rect" x="1" y="2" width="30" height="10" rx="2"/>
  <rect id="px" x="1px" y="2" width="30" height="10"/>
  <rect id="percent" x="10%" y="2" width="30" height="10"/>
  <circle id="circle" cx="5" r="3"/>
  <ellipse id="ellipse" cx="5" cy="5" rx="3" ry="2"/>
  <line id="line" x1="0" y1="0" x2="5" y2="5"/>
  <polygon id="polygon" points="0,0 10,0 10,10"/>
  <path id="path" d="M0 0h5v5z"/>
  <g id="group"><rect width="5" height="6"/></g>
  <use id="use" href="#path" x="3"/>
  <image id="image" width="4" height="4"/>
  <svg id="nested" x="2" y="3" width="10" height="10" viewBox="0 0 5 5"><rect id="inside" width="2" height="2"/></svg>
  <rect id="turned" width="5" height="5" transform="rotate(45)"/>
  <rect id="shifted" width="5" height="5" transform="translate( 3 , 4 ) rotate(45)"/>
  <rect id="styled" width="5" height="5" style="x:3px"/>
</g>"""
TEXT = f'<svg xmlns="{SVG}" viewBox="0 0 100 100">{BODY}</svg>'
MOVABLE = ["rect", "px", "percent", "circle", "ellipse", "line", "polygon", "path", "group", "use", "image", "nested",
           "inside", "turned", "shifted"]  # fmt: skip
TRANSFORMABLE = [name for name in MOVABLE if name != "nested"]


def call(tool: str, name: str, text: str = TEXT, **arguments: Any) -> ToolResult:
    result = call_tool(ToolContext.begin(text), tool, {"object": name, **arguments})
    assert result.error is None, result.error
    return result


def corners(result: ToolResult, name: str) -> tuple[float, ...]:
    placed = canvas_box(resolve(result.document, name))
    assert placed is not None
    return tuple(placed.box)


@pytest.mark.parametrize("name", MOVABLE)
def test_an_object_moves_by_the_distance_on_the_canvas(name: str) -> None:
    before = corners(ToolResult("", ToolContext.begin(TEXT).document), name)
    after = corners(call("move", name, dx=7, dy=-3), name)
    assert after == pytest.approx([a + b for a, b in zip(before, (7, -3, 7, -3), strict=True)], abs=1e-5)


@pytest.mark.parametrize("name", TRANSFORMABLE)
@pytest.mark.parametrize("about", ["center", [20, 30]])
def test_a_scaled_object_keeps_its_fixed_point_and_grows(name: str, about: Any) -> None:
    before = corners(ToolResult("", ToolContext.begin(TEXT).document), name)
    after = corners(call("scale", name, sx=1.5, about=about), name)
    x, y = about if isinstance(about, list) else ((before[0] + before[2]) / 2, (before[1] + before[3]) / 2)
    fixed = (x, y, x, y)
    assert after == pytest.approx([p + 1.5 * (v - p) for v, p in zip(before, fixed, strict=True)], abs=1e-4)


@pytest.mark.parametrize("name", TRANSFORMABLE)
def test_a_rotated_object_turns_about_its_centre(name: str) -> None:
    document = ToolContext.begin(TEXT).document
    before = matrix_to(resolve(document, name).node)
    placed = canvas_box(resolve(document, name))
    result = call("rotate", name, degrees=25)
    after = matrix_to(resolve(result.document, name).node)
    assert before is not None
    assert after is not None
    assert placed is not None
    turn = parse_transform(f"rotate(25 {placed.center[0]} {placed.center[1]})")
    assert turn is not None
    assert after == pytest.approx(turn @ before, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("wall", 'rect wall: x "5" -> "6.5", y "10" -> "8"'),
        ("roof", 'polygon roof: points "0,10 20,0 40,10" -> "1.5,8 21.5,-2 41.5,8"'),
        ("sun", 'circle sun: cx "80" -> "81.5", cy "15" -> "13"'),
        ("house", 'g house: transform "translate(10 20)" -> "translate(11.5 18)"'),
        ("smoke", 'path smoke: transform (none) -> "translate(1.5 -2)"'),
        ("label", 'text label: x "10" -> "11.5", y "95" -> "93"'),
    ],
)
def test_a_move_changes_what_says_the_position(name: str, change: str) -> None:
    assert call("move", name, PLAIN, dx=1.5, dy=-2).text == change


def test_a_move_along_one_axis_leaves_the_other_attribute_alone() -> None:
    assert call("move", "sun", PLAIN, dx=1, dy=0).text == 'circle sun: cx "80" -> "81"'


def test_text_moves_with_every_part_that_has_a_place_of_its_own() -> None:
    text = f'<svg xmlns="{SVG}"><text id="t" x="1 2 3"><tspan id="s" x="5" y="6">a</tspan><tspan>b</tspan></text></svg>'
    moved_text = call("move", "t", text, dx=1, dy=2).document.text
    assert '<text id="t" x="2 3 4" y="2"><tspan id="s" x="6" y="8">a</tspan><tspan>b</tspan>' in moved_text
    assert '<tspan id="s" x="6" y="8">' in call("move", "s", text, dx=1, dy=2).document.text


@pytest.mark.parametrize(
    ("name", "sx", "sy", "change"),
    [
        ("sun", 2, None, 'circle sun: r "8" -> "16"'),
        (
            "wall",
            2,
            0.5,
            'rect wall: x "5" -> "-10", y "10" -> "15", width "30" -> "60", height "20" -> "10"',
        ),
        ("sun", 2, 1, 'circle sun: transform (none) -> "translate(-80 0) scale(2 1)"'),
        ("sun", -1, 1, 'circle sun: transform (none) -> "translate(160 0) scale(-1 1)"'),
        ("house", 2, None, 'g house: transform "translate(10 20)" -> "translate(-10 5) scale(2)"'),
        ("roof", 2, None, 'polygon roof: points "0,10 20,0 40,10" -> "-20,15 20,-5 60,15"'),
        ("roof", 1, 2, 'polygon roof: points "0,10 20,0 40,10" -> "0,15 20,-5 40,15"'),
        ("pond", 3, 1, 'ellipse pond: rx "3" -> "9"'),
        ("pond", 2, 3, 'ellipse pond: rx "3" -> "6", ry "2" -> "6"'),
        ("round", 2, 3, 'ellipse round: transform (none) -> "translate(-40 -100) scale(2 3)"'),
        ("stamp", 2, None, 'image stamp: x "10" -> "8", y "10" -> "8", width "4" -> "8", height "4" -> "8"'),
        (
            "soft",
            2,
            None,
            'rect soft: x "0" -> "-5", y "0" -> "-5", width "10" -> "20", height "10" -> "20", '
            'rx "2" -> "4", ry "1" -> "2"',
        ),
        ("ray", 2, None, 'line ray: x1 "0" -> "-5", y1 "0" -> "-5", x2 "10" -> "15", y2 "10" -> "15"'),
    ],
)
def test_a_scale_changes_what_says_the_size(name: str, sx: float, sy: float | None, change: str) -> None:
    more = (
        '<ellipse id="pond" cx="40" cy="50" rx="3" ry="2"/><ellipse id="round" cx="40" cy="50" rx="3"/>'
        '<image id="stamp" x="10" y="10" width="4" height="4"/><line id="ray" x1="0" y1="0" x2="10" y2="10"/>'
        '<rect id="soft" x="0" y="0" width="10" height="10" rx="2" ry="1"/></svg>'
    )
    assert call("scale", name, PLAIN.replace("</svg>", more), sx=sx, sy=sy).text == change


@pytest.mark.parametrize(
    ("text", "function", "arguments", "expected"),
    [
        ("", moved, ((1, 2),), "translate(1 2)"),
        ("translate(3,4) scale(2)", moved, ((1, 2),), "translate(4,6) scale(2)"),
        ("translate(3)", moved, ((1, 0),), "translate(4)"),
        ("translate(3)", moved, ((1, 2),), "translate(4 2)"),
        (" rotate(5)", moved, ((1, 2),), "translate(1 2) rotate(5)"),
        ("scale(2)", scaled, ((2, 2), (0, 0)), "scale(4)"),
        ("translate(40 40) scale(0.5)", scaled, ((2, 2), (40, 40)), "translate(40 40) scale(1)"),
        ("translate(40 40) scale(0.5)", scaled, ((2, 1), (0, 0)), "translate(80 40) scale(1 0.5)"),
        ("skewX(5)", scaled, ((2, 2), (0, 0)), "scale(2) skewX(5)"),
        ("rotate(10 5 5)", rotated, (20, (5, 5)), "rotate(30 5 5)"),
        ("rotate(10)", rotated, (20, (0, 0)), "rotate(30)"),
        ("rotate(10)", rotated, (20, (1, 0)), "rotate(20 1 0) rotate(10)"),
        ("translate(3 4) rotate(10) scale(2)", rotated, (20, (3, 4)), "translate(3 4) rotate(30) scale(2)"),
    ],
)
def test_transforms_change_by_as_few_numbers_as_can_be(
    text: str, function: Any, arguments: Any, expected: str
) -> None:
    assert function(text, *arguments) == expected


_FUNCTION = st.sampled_from(
    ["translate(3 4)", "translate(-5)", "scale(2)", "scale(.5,3)", "rotate(30)", "rotate(20 5 6)", "skewX(10)",
     "matrix(1 0 .5 2 3 4)"]
)  # fmt: skip
_POINT = st.tuples(st.integers(-9, 9), st.integers(-9, 9))


@given(
    st.lists(_FUNCTION, max_size=4).map(" ".join),
    _POINT,
    st.sampled_from([0.5, 2, -1]),
    st.integers(-200, 200),
)
def test_edited_transforms_do_what_they_should(
    text: str, point: tuple[int, int], factor: float, angle: int
) -> None:
    old = parse_transform(text)
    assert old is not None
    x, y = point
    for new, outer in (
        (moved(text, point), f"translate({x} {y})"),
        (scaled(text, (factor, 2), point), f"translate({x} {y}) scale({factor} 2) translate({-x} {-y})"),
        (rotated(text, angle, point), f"rotate({angle} {x} {y})"),
    ):
        matrix, wanted = parse_transform(new), parse_transform(outer)
        assert matrix is not None
        assert wanted is not None
        assert matrix == pytest.approx(wanted @ old, abs=1e-3)
    assert math.dist(origin("translate(1 2) translate(3) rotate(4)"), (4, 2)) == 0


@pytest.mark.parametrize(
    ("tool", "name", "arguments", "kind", "words"),
    [
        ("move", "svg", {"dx": 1, "dy": 1}, "not_applicable", "root element cannot be placed"),
        ("scale", "rect", {"sx": 0}, "bad_arguments", "use delete_element"),
        ("move", "sky", {"dx": 1, "dy": 1}, "not_applicable", "linearGradient sky takes no transform"),
        ("move", "where", {"dx": 1, "dy": 1}, "not_applicable", "tspan where takes no transform"),
        (
            "rotate",
            "sky",
            {"degrees": 3},
            "not_applicable",
            r"the box of linearGradient sky is not known; give about",
        ),
        ("move", "bad", {"dx": 1, "dy": 1}, "not_applicable", "the transform of rect bad is not valid"),
        ("move", "css", {"dx": 1, "dy": 1}, "not_applicable", "CSS sets the transform of rect css"),
        ("move", "flat", {"dx": 1, "dy": 1}, "not_applicable", "flattens rect flat to nothing"),
        ("move", "huge", {"dx": 1e9, "dy": 1}, "not_applicable", "too large to be drawn"),
    ],
)
def test_what_cannot_be_placed_is_refused(
    tool: str, name: str, arguments: Any, kind: str, words: str
) -> None:
    extra = (
        '<rect id="bad" transform="turn(5)"/><rect id="css" style="transform:none"/>'
        '<g transform="scale(0 1)"><rect id="flat"/></g><g transform="scale(.0001)"><rect id="huge"/></g></svg>'
    )
    result = call_tool(ToolContext.begin(PLAIN.replace("</svg>", extra)), tool, {"object": name, **arguments})
    assert result.error is not None
    assert result.error.kind == kind
    assert re.search(words, result.error.message)
