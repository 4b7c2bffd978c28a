"""Outlines and boxes: mirrored, completed, measured."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vbench_env.svg.path_data import bounds
from vbench_env.svg.transform import Matrix
from vbench_env.taskkit.outlines import (
    Unfit,
    completed,
    mapped,
    mirror,
    read_outline,
    reversed_path,
    vertices,
    with_vertex,
    write_outline,
)
from vbench_env.taskkit.scene import Scene, Unfounded

PATHS = [
    "M0 0L10 5L7 20Z",
    "M0 0C10 0 20 10 20 20S0 40 0 40",
    "M1 2A5 9 30 0 1 8 9Q1 1 2 2",
    "M0 0h5v6l-2 3z",
]


@pytest.mark.parametrize("data", PATHS)
def test_mirroring_twice_gives_the_outline_back(data: str) -> None:
    outline = read_outline("d", data)
    twice = mapped(mapped(outline, mirror(True, 7)), mirror(True, 7)) if "A" not in data else outline
    assert write_outline("d", twice) == write_outline("d", outline)


@pytest.mark.parametrize("data", PATHS[1:3])
def test_turning_a_path_round_keeps_what_it_draws(data: str) -> None:
    outline = read_outline("d", data)
    back = reversed_path(outline)
    assert vertices(back) == vertices(outline)[::-1]
    assert bounds(back) == pytest.approx(bounds(outline))


def test_arcs_need_a_map_that_keeps_angles() -> None:
    arc = read_outline("d", "M0 0A5 9 30 0 1 8 9")
    assert mapped(arc, mirror(True, 0))[1].args == (5, 9, 150, 0, 0, -8, 9)
    with pytest.raises(Unfit, match="stretched; use curves"):
        mapped(arc, Matrix(a=2))


@pytest.mark.parametrize(
    ("data", "at", "keep", "whole"),
    [
        ("M310 230H280V180L300 160H310L340 215V230Z", 310, "left",
         "M310 230L280 230L280 180L300 160L310 160L320 160L340 180L340 230L310 230Z"),
        ("M0 0L10 10L20 5", 10, "left", "M0 0L10 10L20 0"),
        ("M0 5L10 10L20 0", 10, "right", "M0 0L10 10L20 0"),
        ("M0 0L4 10 10 10Z", 5, "left", "M5 5L0 0L4 10L5 10L6 10L10 0L5 5Z"),
    ],
)  # fmt: skip
def test_an_outline_is_completed_from_its_half(data: str, at: float, keep: str, whole: str) -> None:
    assert write_outline("d", completed(read_outline("d", data), True, at, keep)) == whole


def test_a_curve_across_the_line_is_cut_there() -> None:
    whole = completed(read_outline("d", "M0 0C10 0 20 10 20 20S0 40 0 40Z"), False, 20, "top")
    left, top, right, bottom = bounds(whole) or (0, 0, 0, 0)
    assert (left, top, bottom) == pytest.approx((0, 0, 40))
    assert right == pytest.approx(20)


@given(st.lists(st.tuples(st.integers(-90, -1), st.integers(0, 90)), min_size=1, max_size=6))
def test_a_completed_outline_is_its_own_mirror_image(points: list[tuple[int, int]]) -> None:
    data = "M0 95 L" + " ".join(f"{x} {y}" for x, y in points) + " L0 -5 L30 40Z"
    whole = completed(read_outline("d", data), True, 0, "left")
    image = {(round(-x, 6), round(y, 6)) for x, y in vertices(whole)}
    assert image == {(round(x, 6), round(y, 6)) for x, y in vertices(whole)}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("M0 0L1 1M2 2L3 3", "of one piece"),
        ("M20 0L30 1L20 9Z", "does not cross the mirror line"),
        ("M0 10A15 9 0 0 1 20 10L10 0Z", "an arc crosses the mirror line"),
    ],
)
def test_outlines_that_have_no_half(data: str, message: str) -> None:
    with pytest.raises(Unfit, match=message):
        completed(read_outline("d", data), True, 10, "left")


def test_outlines_that_cannot_be_read_say_so() -> None:
    with pytest.raises(Unfit, match=r"path data cannot be read: .* at character 1"):
        read_outline("d", "oops")
    with pytest.raises(Unfit, match="list of points cannot be read"):
        read_outline("points", "1,2,3")


def test_a_vertex_is_replaced_by_its_number() -> None:
    outline = read_outline("points", "0,0 5,5 9,0")
    assert write_outline("points", with_vertex(outline, 1, 1, 7.5)) == "0.0,0.0 5.0,7.5 9.0,0.0"
    with pytest.raises(Unfit, match="has no vertex 3; it has 3, counted from 0"):
        with_vertex(outline, 3, 0, 1)


SCENE = Scene(
    """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" font-size="9">
<style>.wide { width: 30px } #slim { opacity: .5 !important }</style>
<defs><symbol id="sym" viewBox="0 0 10 20"><rect width="10" height="20"/></symbol>
<g id="tree" transform="scale(2)"><circle r="3"/></g></defs>
<g id="turned" transform="translate(50 20) rotate(45)"><rect id="square" x="-5" y="-5" width="10" height="10"/></g>
<rect id="slim" class="wide" x="1" y="2" width="3" height="4" style="opacity:.9"/>
<use id="scaled" href="#sym" x="10" y="10" width="20" height="20"/><use id="doubled" href="#tree" x="60" y="30"/>
<text id="word" x="12" y="40">Hi <tspan id="bit">all</tspan></text><path id="empty" d=""/>
<ellipse id="oval" cx="30" cy="20" rx="8" ry="2" transform="rotate(90 30 20)"/>
<line id="line" x1="5" x2="1" y1="7" y2="9"/>
</svg>"""
)


@pytest.mark.parametrize(
    ("name", "box"),
    [
        (
            "square",
            (50 - 5 * math.sqrt(2), 20 - 5 * math.sqrt(2), 50 + 5 * math.sqrt(2), 20 + 5 * math.sqrt(2)),
        ),
        ("slim", (1, 2, 31, 6)),
        ("scaled", (15, 10, 25, 30)),
        ("doubled", (54, 24, 66, 36)),
        ("word", (12, 40, 12, 40)),
        ("oval", (28, 12, 32, 28)),
        ("line", (1, 7, 5, 9)),
        ("drawing", (0, 0, 100, 50)),
    ],
)
def test_painted_boxes_on_the_drawing(name: str, box: tuple[float, ...]) -> None:
    assert SCENE.box(name) == pytest.approx(box)


def test_computed_properties() -> None:
    assert SCENE.text("slim", "opacity") == ".5"
    assert SCENE.number("slim", "width") == 30
    assert SCENE.text("bit", "font-size") == "9"
    assert SCENE.text("square", "fill") == "black"
    assert SCENE.text("word", "text") == "Hi all"
    assert SCENE.rotation("square") == pytest.approx(45)


def test_what_cannot_be_measured_says_so() -> None:
    with pytest.raises(Unfounded, match="'empty' paints nothing"):
        SCENE.box("empty")
    with pytest.raises(Unfounded, match="'slim' has no r; name another"):
        SCENE.number("slim", "r")
    with pytest.raises(Unfounded, match="the drawing has no rotation"):
        SCENE.measure("drawing", "rotation")
    with pytest.raises(Unfounded, match="fill of 'slim' is 'black', not a number"):
        SCENE.number("slim", "fill")
