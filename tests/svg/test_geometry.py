"""Boxes, matrices between user spaces, and what strokes, markers and `use` do to them."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vbench_env.svg import geometry
from vbench_env.svg.geometry import (
    EMPTY,
    Box,
    Painting,
    box_in,
    boxes_overlap,
    local_box,
    matrix_to,
    painted_box,
)
from vbench_env.svg.paint_extent import computed_painting
from vbench_env.svg.parse import Document, Node, parse
from vbench_env.svg.resolve import Resolved, ResolveOptions, Space
from vbench_env.svg.transform import Matrix
from vbench_env.svg.values import ViewBox

numbers = st.floats(-100, 100, allow_nan=False)
boxes = st.builds(lambda x, y, w, h: Box(x, y, x + abs(w), y + abs(h)), numbers, numbers, numbers, numbers)


def drawing(body: str, attributes: str = 'viewBox="0 0 200 100"') -> Document:
    document = parse(f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{body}</svg>')
    assert document.root is not None
    return document


def node(body: str, attributes: str = 'viewBox="0 0 200 100"') -> Node:
    """The element with id `a`."""
    found = drawing(body, attributes).by_id("a")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('viewBox="0 0 220 140" width="1"', (220, 140)),
        ('width="30" height="40px"', (30, 40)),
        ('width="1in" height="100%"', (96, 100)),
        ('viewBox="0 0 0 5" width="2em"', (100, 100)),
        ("", (100, 100)),
    ],
)
def test_viewport(attributes: str, size: tuple[float, float]) -> None:
    root = drawing("", attributes).root
    assert root is not None
    assert geometry.viewport(root) == size


@pytest.mark.parametrize(
    ("markup", "box"),
    [
        ('<rect id="a" x="1" y="2" width="3" height="4"/>', (1, 2, 4, 6)),
        ('<rect id="a" width="50%" height="50%"/>', (0, 0, 100, 50)),
        ('<rect id="a" width="1mm" height="1"/>', (0, 0, 96 / 25.4, 1)),
        ('<circle id="a" cx="5" cy="6" r="2"/>', (3, 4, 7, 8)),
        ('<ellipse id="a" rx="3"/>', (-3, -3, 3, 3)),
        ('<ellipse id="a" rx="3" ry="1"/>', (-3, -1, 3, 1)),
        ('<ellipse id="a" ry="3"/>', (-3, -3, 3, 3)),
        ('<rect id="a" x="10%" y="10%" width="1" height="1"/>', (20, 10, 21, 11)),
        (
            '<circle id="a" cx="50%" cy="50%" r="20%"/>',
            (100 - 1000**0.5, 50 - 1000**0.5, 100 + 1000**0.5, 50 + 1000**0.5),
        ),
        ('<line id="a" x1="9" y2="4"/>', (0, 0, 9, 4)),
        ('<polygon id="a" points="1,2 5,0 3,9"/>', (1, 0, 5, 9)),
        ('<path id="a" d="M0 0Q50 100 100 0"/>', (0, 0, 100, 50)),
        ('<image id="a" x="1" width="2" height="3"/>', (1, 0, 3, 3)),
        (
            '<g id="a"><rect width="2" height="2" transform="translate(5 5)"/><circle r="1"/></g>',
            (-1, -1, 7, 7),
        ),
        ('<g id="a" transform="scale(9)"><rect width="2" height="2"/></g>', (0, 0, 2, 2)),
        ('<g id="a"><defs><rect width="9" height="9"/></defs><circle r="1"/></g>', (-1, -1, 1, 1)),
        (
            '<use id="a" href="#r" x="10"/><rect id="r" width="2" height="2" transform="scale(3)"/>',
            (10, 0, 16, 6),
        ),
        (
            '<symbol id="s" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5"/></symbol>'
            '<use id="a" href="#s" x="1" width="20" height="40"/>',
            (1, 10, 21, 30),
        ),
        (
            '<symbol id="s"><rect width="99" height="9"/></symbol>'
            '<use id="a" href="#s" width="8" height="4"/>',
            (0, 0, 8, 4),
        ),
        (
            '<svg id="a" x="5" width="10" height="10" viewBox="0 0 1 1"><rect width="9" height=".5"/></svg>',
            (5, 0, 15, 5),
        ),
        (
            '<svg id="a" width="9" height="9" overflow="auto"><rect x="2" width="99" height="9"/></svg>',
            (2, 0, 101, 9),
        ),
        ('<svg id="a" y="1" width="9" height="9"><rect x="2" width="99" height="9"/></svg>', (2, 1, 9, 10)),
        (
            '<svg id="a" style="overflow:visible" width="9" height="9"><rect x="2" width="99" height="9"/></svg>',
            (2, 0, 101, 9),
        ),
        ('<symbol><rect id="a" width="50%" height="50%"/></symbol>', (0, 0, 100, 50)),
        ('<symbol viewBox="0 0 10 10"><rect id="a" width="50%" height="50%"/></symbol>', (0, 0, 5, 5)),
        ('<marker viewBox="0 0 10 10"><rect id="a" width="9" height="9"/></marker>', (0, 0, 9, 9)),
        ('<svg id="a"><rect x="-5" width="999" height="999"/></svg>', (0, 0, 200, 100)),
        (
            '<symbol id="s" overflow="visible"><rect width="99" height="9"/></symbol>'
            '<use id="a" href="#s" x="1" y="2" width="8" height="4"/>',
            (1, 2, 100, 11),
        ),
        (
            '<svg id="s" width="8" height="4"><rect width="99" height="9"/></svg><use id="a" href="#s"/>',
            (0, 0, 8, 4),
        ),
        ('<symbol id="s"><rect width="999" height="999"/></symbol><use id="a" href="#s"/>', (0, 0, 200, 100)),
        (
            '<g id="a"><use href="#r" x="10"/><use href="#r" y="3"/></g><rect id="r" width="2" height="2"/>',
            (0, 0, 12, 5),
        ),
    ],
)
def test_local_box(markup: str, box: tuple[float, ...]) -> None:
    assert local_box(node(markup)) == pytest.approx(box)


@pytest.mark.parametrize(
    "markup",
    [
        '<g id="a"/>',
        '<rect id="a" width="0" height="9"/>',
        '<circle id="a" r="-1"/>',
        '<path id="a" d=""/>',
        '<polyline id="a"/>',
        '<use id="a" href="#gone"/>',
        '<image id="a" width="9" height="0"/>',
        '<foreignObject id="a" width="0" height="9"/>',
    ],
)
def test_what_draws_nothing_is_empty(markup: str) -> None:
    assert local_box(node(markup)) is EMPTY


@pytest.mark.parametrize(
    "markup",
    [
        '<text id="a">hi</text>',
        '<g id="a"><text>hi</text></g>',
        '<path id="a" d="M0 0L"/>',
        '<polygon id="a" points="1 2 3"/>',
        '<rect id="a" width="2em" height="1"/>',
        '<image id="a" href="#"/>',
        '<rect id="a" width="2" height="2" style="x:5px"/>',
        '<g id="a"><rect width="2" height="2" transform="spin(3)"/></g>',
        '<g id="a"><use href="#a"/></g>',
        '<use id="a" href="#b"/><use id="b" href="#a"/>',
        '<linearGradient id="a"/>',
        '<pattern id="p"><rect width="9" height="9"/></pattern><use id="a" href="#p"/>',
    ],
)
def test_what_cannot_be_measured_is_none(markup: str) -> None:
    assert local_box(node(markup)) is None


@pytest.mark.parametrize("name", ["x", "y", "cx", "cy", "r", "rx", "ry", "width", "height", "d", "transform"])
def test_geometry_in_a_style_attribute_is_not_measured(name: str) -> None:
    assert local_box(node(f'<g id="a"><ellipse rx="1" style="fill:red;{name}:5px"/></g>')) is None


def test_a_use_bomb_is_given_up_quickly() -> None:
    levels = "".join(f'<g id="l{i}">{f"""<use href="#l{i - 1}"/>""" * 10}</g>' for i in range(1, 12))
    started = time.process_time()
    assert local_box(node(f'<rect id="l0" width="1" height="1"/>{levels}<use id="a" href="#l11"/>')) is None
    assert time.process_time() - started < 2


def test_deep_nesting_is_measured_or_given_up() -> None:
    deep = "<g>" * 150 + '<rect width="1" height="1"/>' + "</g>" * 150
    assert local_box(node(f'<g id="a">{deep}</g>')) == (0, 0, 1, 1)
    chain = "".join(f'<g id="u{i}"><use href="#u{i + 1}"/></g>' for i in range(400))
    assert local_box(node(f'{chain}<rect id="u400" width="1" height="1"/><use id="a" href="#u0"/>')) is None


@pytest.mark.parametrize("measure", [local_box, painted_box])
@pytest.mark.parametrize(("levels", "measured"), [(geometry.DEPTH, True), (geometry.DEPTH + 1, False)])
def test_the_depth_that_is_measured(
    measure: Callable[[Node], Box | None], levels: int, measured: bool
) -> None:
    """A `use` and what it draws count as two levels."""
    chain = "".join(f'<g id="u{i}"><use href="#u{i + 2}"/></g>' for i in range(0, levels, 2))
    last = levels if levels % 2 == 0 else levels + 1
    inner = f'<rect id="u{last}" width="1" height="1"/>'
    inner = inner if levels % 2 == 0 else f'<g id="u{last}">{inner.replace("id", "name")}</g>'
    assert (measure(node(f'{chain}{inner}<g id="a"><use href="#u2"/></g>')) is not None) is measured


def test_matrices_and_boxes_in_ancestors() -> None:
    document = drawing(
        '<g id="g" transform="translate(10 0)"><svg id="s" x="5" width="20" height="20" viewBox="0 0 10 10">'
        '<rect id="r" width="1" height="1" transform="scale(2)"/></svg></g>'
        '<g id="bad" transform="x"><g id="in"/></g>'
    )
    g, s, r, inside = (document.ids[name][0] for name in ("g", "s", "r", "in"))
    assert matrix_to(r, s) == Matrix(2, 0, 0, 2)
    assert matrix_to(r, g) == Matrix(4, 0, 0, 4, 5, 0)
    assert matrix_to(r) == matrix_to(r, document.root) == Matrix(4, 0, 0, 4, 15, 0)
    assert box_in(r) == (15, 0, 19, 4)
    assert box_in(r, s) == (0, 0, 2, 2)
    assert matrix_to(g, r) is None
    assert matrix_to(inside) is None
    assert box_in(inside) is None


@pytest.mark.parametrize(
    ("preserve", "matrix"),
    [
        ("", Matrix(2, 0, 0, 2, 0, 10)),
        ("none", Matrix(2, 0, 0, 4)),
        ("xMidYMin", Matrix(2, 0, 0, 2)),
        ("xMaxYMax meet", Matrix(2, 0, 0, 2, 0, 20)),
        ("xMidYMid slice", Matrix(4, 0, 0, 4, -10, 0)),
    ],
)
def test_viewbox_matrix(preserve: str, matrix: Matrix) -> None:
    assert geometry.viewbox_matrix(ViewBox(0, 0, 10, 10), 20, 40, preserve) == matrix


def test_a_viewbox_may_begin_anywhere() -> None:
    assert geometry.viewbox_matrix(ViewBox(4, 5, 10, 10), 20, 40, "none") == Matrix(2, 0, 0, 4, -8, -20)


@pytest.mark.parametrize(
    ("markup", "box"),
    [
        ('<rect id="a" width="10" height="10"/>', (0, 0, 10, 10)),
        ('<rect id="a" width="10" height="10" stroke="red" stroke-width="4"/>', (-2, -2, 12, 12)),
        (
            '<g stroke="red"><rect id="a" width="10" height="10" style="stroke-width:2"/></g>',
            (-1, -1, 11, 11),
        ),
        ('<path id="a" d="M0 0H10V10" stroke="red" stroke-width="2"/>', (-4, -4, 14, 14)),
        (
            '<path id="a" d="M0 0H9V9" stroke="red" stroke-width="2" stroke-linejoin="round"/>',
            (-(2**0.5), -(2**0.5), 9 + 2**0.5, 9 + 2**0.5),
        ),
        (
            '<rect id="a" width="10" height="10" transform="translate(5)" stroke="red"/>',
            (4.5, -0.5, 15.5, 10.5),
        ),
        ('<g id="a" stroke="red" stroke-width="2"><rect width="10" height="10"/></g>', (-1, -1, 11, 11)),
        (
            '<rect id="r" width="4" height="4"/><use id="a" href="#r" stroke="red" stroke-width="2"/>',
            (-1, -1, 5, 5),
        ),
        ('<rect id="a" width="9" height="9" style="stroke:red;stroke:none"/>', (0, 0, 9, 9)),
    ],
)
def test_painted_box(markup: str, box: tuple[float, ...]) -> None:
    assert painted_box(node(markup)) == pytest.approx(box)


PATH, RECT = '<path id="a" d="M0 0H10V10"/>', '<rect id="a" width="10" height="10"/>'


@pytest.mark.parametrize(
    ("css", "markup", "box"),
    [
        ("", PATH, (0, 0, 10, 10)),
        ("#a{stroke:red;stroke-width:2}", RECT, (-1, -1, 11, 11)),
        ("#a{stroke:red;stroke-width:2}", PATH, (-4, -4, 14, 14)),
        ("#a{stroke:red;stroke-width:2;stroke-miterlimit:10}", PATH, (-10, -10, 20, 20)),
        (
            "#a{stroke:red;stroke-width:2;stroke-linejoin:bevel;stroke-miterlimit:10}",
            PATH,
            (-(2**0.5), -(2**0.5), 10 + 2**0.5, 10 + 2**0.5),
        ),
        ("#a{stroke-width:2}", RECT, (0, 0, 10, 10)),
        ("#a{marker-mid:url(#m)}", RECT, (0, 0, 10, 10)),
        ("#a{marker-start:url(#m)}", PATH, None),
        ("#a{marker-mid:url(#m)}", PATH, None),
        ("#a{marker-end:url(#m)}", PATH, None),
        ("#a{filter:blur(2px)}", RECT, None),
        ("#a{stroke:red;stroke-width:calc(1px + 1em)}", RECT, None),
        ("#a{stroke-width:calc(1px + 1em)}", RECT, (0, 0, 10, 10)),
        ("#a{display:none}", RECT, EMPTY),
        ("#a{visibility:collapse}", RECT, EMPTY),
        ("#a{visibility:hidden}", RECT, EMPTY),
    ],
)
def test_painted_box_with_style_sheets(css: str, markup: str, box: tuple[float, ...] | None) -> None:
    document = drawing(f"<style>{css}</style>{markup}")
    found = painted_box(
        document.ids["a"][0], computed_painting(Resolved(document, ResolveOptions(), Space()))
    )
    assert found == (None if box is None else pytest.approx(box))


@pytest.mark.parametrize(
    "markup",
    [
        '<text id="a">hi</text>',
        '<rect id="a" width="9" height="9" filter="url(#f)"/>',
        '<path id="a" d="M0 0H9" marker-end="url(#m)"/>',
        '<g filter="url(#f)" id="a"><rect width="9" height="9"/></g>',
        '<path id="a" d="M0 0H9" stroke="red" vector-effect="non-scaling-stroke"/>',
    ],
)
def test_unbounded_painting_is_none(markup: str) -> None:
    assert painted_box(node(markup)) is None


@pytest.mark.parametrize(
    "markup",
    [
        '<rect id="a" width="9" height="9" display="none"/>',
        '<g id="a" display="none"><text>hi</text></g>',
        '<g visibility="hidden"><rect id="a" width="9" height="9"/></g>',
        '<defs id="a"><rect width="9" height="9"/></defs>',
        '<title id="a">x</title>',
    ],
)
def test_what_is_not_painted_is_empty(markup: str) -> None:
    assert painted_box(node(markup)) is EMPTY


@pytest.mark.parametrize(
    "tag",
    "linearGradient radialGradient pattern symbol marker mask clipPath filter style script font view metadata title "
    "desc animate animateMotion animateTransform set".split(),
)
def test_definitions_are_not_painted_where_they_stand(tag: str) -> None:
    assert painted_box(node(f'<{tag} id="a"><rect width="9" height="9"/></{tag}>')) is EMPTY


def test_painting_can_come_from_elsewhere() -> None:
    rect = node('<rect id="a" width="10" height="10"/>')
    assert painted_box(rect, lambda item: Painting(stroke_width=6.0)) == (-3, -3, 13, 13)
    assert painted_box(rect, lambda item: Painting(visible=False)) is EMPTY


@pytest.mark.parametrize(
    ("a", "b", "overlap"),
    [
        (Box(0, 0, 2, 2), Box(1, 1, 3, 3), True),
        (Box(0, 0, 2, 2), Box(2, 0, 3, 2), False),
        (Box(0, 0, 2, 2), Box(1, 1, 1, 1), True),
        (Box(0, 5, 9, 5), Box(0, 5, 9, 5), True),
        (Box(0, 0, 2, 2), None, True),
        (EMPTY, None, False),
        (EMPTY, Box(0, 0, 1, 1), False),
    ],
)
def test_boxes_overlap(a: Box | None, b: Box | None, overlap: bool) -> None:
    assert boxes_overlap(a, b) is overlap
    assert boxes_overlap(b, a) is overlap


@given(boxes, boxes)
def test_union_holds_both_and_intersection_is_in_both(a: Box, b: Box) -> None:
    union, common = a.union(b), a.intersection(b)
    assert union.intersection(a) == a
    assert union.intersection(b) == b
    assert common is EMPTY or (common.intersection(a) == common and common.intersection(b) == common)
    assert a.union(EMPTY) == EMPTY.union(a) == a
