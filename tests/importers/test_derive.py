"""Repairs from two drawings."""

from __future__ import annotations

import pytest

from vbench_env.importers import Refused, derive
from vbench_env.importers.derive import operation_of
from vbench_env.scoring import judge
from vbench_env.task import load_corpus

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
BODY = (
    '<rect id="wall" x="10" y="40" width="60" height="50" fill="#c33"/><circle id="sun" cx="80" cy="20" r="9"/>'
    '<g id="door"><rect x="30" y="60" width="10" height="30"/><text id="sign" x="30" y="55">Open</text></g>'
)


def drawing(body: str = BODY) -> str:
    return f"{HEAD}{body}</svg>"


def changed(*pairs: tuple[str, str]) -> str:
    body = BODY
    for old, new in pairs:
        assert old in body
        body = body.replace(old, new)
    return drawing(body)


def told(before: str, target: str) -> list[tuple[str, str, str]]:
    found = derive(before, target)
    assert not isinstance(found, Refused), found
    return [(repair.object, repair.operation, repair.property) for repair in found]


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (("#c33", "#33c"), ("wall", "recolor", "fill")),
        (('cx="80"', 'cx="60"'), ("sun", "move", "cx")),
        (('r="9"', 'r="14"'), ("sun", "resize", "r")),
        (('r="9"', 'r="9" opacity="0.4"'), ("sun", "opacity", "opacity")),
        (('r="9"', 'r="9" stroke="red"'), ("sun", "recolor", "stroke")),
        (('r="9"', 'r="9" stroke-dasharray="2 2" stroke="red"'), ("sun", "restroke", "stroke-dasharray")),
        (('id="door"', 'id="door" transform="rotate(20)"'), ("door", "rotate", "transform")),
        (('id="door"', 'id="door" transform="translate(9 0)"'), ("door", "move", "transform")),
        (('id="door"', 'id="door" transform="scale(1.5)"'), ("door", "resize", "transform")),
        ((">Open<", ">Shut<"), ("sign", "text", "text")),
        (('<circle id="sun" cx="80" cy="20" r="9"/>', ""), ("sun", "delete", "exists")),
        (('<g id="door">', '<path id="roof" d="M5 40L40 9L75 40Z"/><g id="door">'), ("roof", "insert", "exists")),
    ],
)  # fmt: skip
def test_each_kind_of_difference_becomes_a_repair(
    pair: tuple[str, str], expected: tuple[str, str, str]
) -> None:
    assert expected in told(drawing(), changed(pair))


def test_a_swap_of_neighbours_is_a_reordering() -> None:
    first, second = (
        '<rect id="a" width="50" height="50"/>',
        '<rect id="b" width="40" height="40" fill="red"/>',
    )
    found = told(drawing(first + second), drawing(second + first))
    assert [item[1:] for item in found] == [("reorder", "order")]


def test_the_same_said_otherwise_is_no_repair() -> None:
    before = changed(("#c33", "rgb(204,51,51)"), ('x="10"', 'x="10.0"'))
    assert derive(before, drawing()) == Refused("no-op", "start and target say the same")
    assert told(before, changed(('cy="20"', 'cy="50"'))) == [("sun", "move", "cy")]


def test_objects_that_a_style_sheet_paints_get_repairs_of_their_own() -> None:
    boxes = (
        "<rect id='a' class='k' width='9' height='9'/><rect id='b' class='k' x='20' width='9' height='9'/>"
    )
    sheet = "<style>.k{fill:%s}</style>" + boxes
    assert told(drawing(sheet % "red"), drawing(sheet % "blue")) == [
        ("a", "recolor", "fill"),
        ("b", "recolor", "fill"),
    ]


def test_a_group_that_hands_a_colour_on_is_one_repair() -> None:
    assert told(drawing(), changed(('id="door"', 'id="door" fill="navy"'))) == [("door", "recolor", "fill")]


def test_what_is_derived_explains_the_whole_difference() -> None:
    target = changed(("#c33", "#33c"), ('r="9"', 'r="14"'), (">Open<", ">Shut<"))
    repairs = derive(drawing(), target)
    assert isinstance(repairs, tuple)
    start = judge(target, drawing(), corrupted_svg=drawing(), repairs=repairs)
    assert start.preserved and start.edit_completion == 0
    assert judge(target, target, corrupted_svg=drawing(), repairs=repairs).passed


@pytest.mark.parametrize(
    ("before", "target", "reason"),
    [
        (drawing()[:-6], drawing(), "malformed-start"),
        (drawing(), drawing()[:-6], "malformed-target"),
        (drawing(), f"{HEAD}<g>{BODY}</g></svg>", "restructured"),
        (drawing(), changed(("<circle", "<ellipse"), ("r=", "rx=")), "restructured"),
        (drawing(), changed(('id="sun"', "")), "not-expressible"),
        (drawing(), changed(('id="sun"', 'id="sun" data-kind="star"')), "not-expressible"),
        (
            drawing("<style>@media print{rect{fill:red}}</style>" + BODY),
            drawing("<style>@media print{rect{fill:blue}}</style>" + BODY),
            "style-sheet",
        ),
    ],
)
def test_what_cannot_be_scored_is_refused_with_its_reason(before: str, target: str, reason: str) -> None:
    found = derive(before, target)
    assert isinstance(found, Refused)
    assert found.reason == reason
    assert found.detail


def test_objects_that_nothing_tells_apart_are_refused() -> None:
    dots = "".join(f'<circle cx="{x}" cy="5" r="2" fill="red"/>' for x in range(5))
    fewer = dots.replace('<circle cx="1" cy="5" r="2" fill="red"/>', "").replace('cx="3"', 'cx="40"')
    found = derive(drawing(dots), drawing(fewer))
    assert isinstance(found, Refused) and found.reason == "unnamed"


def test_many_differences_are_a_global_change() -> None:
    dots = "".join(f'<circle cx="{x}" cy="5" r="2" fill="%s"/>' for x in range(30))
    before, after = (drawing(dots.replace("%s", fill)) for fill in ("red", "blue"))
    found = derive(before, after)
    assert isinstance(found, Refused) and found.reason == "global-change"
    more = derive(before, after, most=30)
    assert len(more) == 30


def test_the_repairs_of_shipped_tasks_are_found_again() -> None:
    for task in list(load_corpus("vbench-40"))[::6]:
        found = derive(task.corrupted_svg, task.target_svg)
        assert not isinstance(found, Refused)
        placed = {(repair.object, repair.property) for repair in found if repair.operation != "reorder"}
        wanted = {
            (repair.object, repair.property) for repair in task.repairs if repair.operation != "reorder"
        }
        assert placed == wanted
        assert len(found) == len(task.repairs)


@pytest.mark.parametrize(
    ("name", "before", "after", "operation"),
    [
        ("fill", "red", "url(#shade)", "relink"),
        ("fill", "url(#shade)", "red", "recolor"),
        ("clip-path", None, "url(#c)", "relink"),
        ("viewBox", "0 0 9 9", "0 0 5 9", "resize"),
        ("transform", "nonsense", "rotate(9)", "move"),
    ],
)  # fmt: skip
def test_operations_follow_what_the_values_are(name: str, before: str, after: str, operation: str) -> None:
    assert operation_of(name, before, after) == operation
