"""Accepted sets: ranges, intervals, choices, free names, and further reference solutions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from vbench_env.accept import Accept
from vbench_env.errors import TaskError
from vbench_env.scoring import judge, score
from vbench_env.task import Repair, Solution, Task

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">{}</svg>'
ROW = (
    '<rect id="first" x="10" width="30" height="40" fill="#c33"/>'
    '<rect id="second" x="60" width="30" height="40" fill="#36c"/>'
)


def passes(prop: str, start: Any, target: Any, found: Any, accept: dict[str, Any], tag: str = "path") -> bool:
    """Whether a value of one object passes, with what is accepted beside the target."""
    shapes = {"text": '<text id="a" y="20">{}</text>', "path": '<path id="a" d="M0 0H9V9" {}/>'}
    kept = shapes["text" if prop == "text" else "path"]

    def drawn(value: Any) -> str:
        return SVG.format(kept.format(value if prop == "text" else f'{prop}="{value}"'))

    operation: Any = {"text": "text", "fill": "recolor", "transform": "rotate"}.get(prop, "restroke")
    repair = Repair(object="a", operation=operation, property=prop, corrupted=start, accept=accept)
    return judge(drawn(target), drawn(found), corrupted_svg=drawn(start), repairs=[repair]).passed


@pytest.mark.parametrize(
    ("prop", "accept", "right", "wrong"),
    [
        ("stroke-width", {"range": [4, 9]}, [4, 6.5, 9, 2], [3.9, 9.1, 30]),
        ("stroke-width", {"interval": 3}, [5, 0.5, 2], [5.1, 30]),
        ("stroke-width", {"interval": [8, 1]}, [7, 8.5, 9, 2], [5, 9.5]),
        ("stroke-width", {"choice": [5, "11px"]}, [5, "5px", 11, 2], [5.5, 12]),
        ("stroke-width", {"choice": [5], "range": [8, 9]}, [5, 8.5], [6]),
        ("fill", {"choice": ["navy", "#36c"]}, ["#000080", "rgb(51,102,204)", "#d00"], ["#3366ff", "teal"]),
        ("fill", {"interval": ["#3366cc", 20]}, ["#36c", "#3a6ac8", "#d00"], ["navy", "#3366cc80"]),
        ("fill", {"interval": 40}, ["#e22", "#b00"], ["#36c"]),
        ("stroke-dasharray", {"interval": 2}, ["6 4", "5 5", "4,4", "6"], ["7.5", "9 4", "6 4 6"]),
        ("stroke-linecap", {"choice": ["round"]}, ["round", "square"], ["butt"]),
        ("transform", {"range": [40, 50]}, ["rotate(45)", "rotate(30)"], ["rotate(60)"]),
        ("text", {"choice": ["Harbor"]}, ["Harbor", "Harbour"], ["harbor", "Haven"]),
    ],
)
def test_what_is_accepted_is_right_and_nothing_else(
    prop: str, accept: dict[str, Any], right: list[Any], wrong: list[Any]
) -> None:
    values = {
        "stroke-width": (30, 2), "fill": ("#888", "#d00"), "stroke-dasharray": ("1 9", "5 4"),
        "stroke-linecap": ("butt", "square"), "transform": ("rotate(90)", "rotate(30)"), "text": ("Hrbaour", "Harbour"),
    }  # fmt: skip
    start, target = values[prop]
    assert [value for value in right if not passes(prop, start, target, value, accept)] == []
    assert [value for value in wrong if passes(prop, start, target, value, accept)] == []


def test_an_accepted_position_may_be_reached_by_a_move() -> None:
    repair = Repair(
        object="first", operation="move", property="x", corrupted=90, target=10, accept={"range": [20, 30]}
    )
    moved = ROW.replace('x="10"', 'x="10" transform="translate(15)"')
    start = ROW.replace('x="10"', 'x="90"')
    card = judge(SVG.format(ROW), SVG.format(moved), corrupted_svg=SVG.format(start), repairs=[repair])
    assert card.passed
    assert card.repairs[0].comparison == "accepted"


def test_a_long_list_is_compared_whole() -> None:
    points = " ".join(f"{n},{n * n % 17}" for n in range(60))
    other = points + " 99,99"
    repair = Repair(
        object="a", operation="reshape", property="points", corrupted="0,0 1,1", accept={"choice": [other]}
    )

    def drawn(value: str) -> str:
        return SVG.format(f'<polyline id="a" points="{value}"/>')

    assert judge(drawn(points), drawn(other), corrupted_svg=drawn("0,0 1,1"), repairs=[repair]).passed
    wrong = drawn(other.replace("99,99", "99,9"))
    assert not judge(drawn(points), wrong, corrupted_svg=drawn("0,0 1,1"), repairs=[repair]).passed


@pytest.mark.parametrize(
    ("accept", "message"),
    [
        ({}, "give range, interval or choice"),
        ({"range": [9, 1]}, "range is"),
        ({"interval": 0}, "greater than 0"),
        ({"interval": ["red", -1]}, "greater than 0"),
        ({"choice": []}, "at least 1"),
        ({"choices": [1]}, "not permitted"),
    ],
)
def test_what_is_no_accepted_set_is_refused(accept: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Accept.model_validate(accept)


def test_an_accepted_set_of_unknown_form_is_the_mistake_of_the_task() -> None:
    with pytest.raises(TaskError, match="accept of stroke-width of 'a'"):
        passes("stroke-width", 30, 2, 9, {"between": [1, 2]})


class TestFreeNames:
    """The agent names what it makes: ids are no keys."""

    TARGET = SVG.format(
        '<defs><linearGradient id="dusk"><stop offset="0" stop-color="#f80"/></linearGradient></defs>'
        + ROW.replace('fill="#36c"', 'fill="url(#dusk)"')
    )
    START = SVG.format("<defs/>" + ROW)
    REPAIRS = (
        Repair(object="dusk", operation="insert", property="exists", corrupted=False, target=True),
        Repair(object="second", operation="recolor", property="fill", corrupted="#36c"),
    )

    def test_an_inserted_definition_may_have_any_name_that_its_users_know(self) -> None:
        renamed = self.TARGET.replace("dusk", "sunset-1")
        assert judge(self.TARGET, renamed, corrupted_svg=self.START, repairs=self.REPAIRS).passed

    def test_a_reference_to_a_name_that_is_not_there_is_invalid(self) -> None:
        broken = self.TARGET.replace('id="dusk"', 'id="sunset"')
        card = judge(self.TARGET, broken, corrupted_svg=self.START, repairs=self.REPAIRS)
        assert not card.valid

    def test_an_inserted_object_may_have_any_name(self) -> None:
        target = SVG.format(ROW)
        start = SVG.format(ROW[: ROW.index('<rect id="second"')])
        repair = Repair(object="second", operation="insert", property="exists", corrupted=False, target=True)
        for name in ('id="second"', 'id="another"', ""):
            candidate = target.replace('id="second"', name)
            assert judge(target, candidate, corrupted_svg=start, repairs=[repair]).passed, name

    def test_a_name_that_is_taken_is_no_name(self) -> None:
        target = SVG.format(ROW)
        start = SVG.format(ROW[: ROW.index('<rect id="second"')])
        repair = Repair(object="second", operation="insert", property="exists", corrupted=False, target=True)
        twice = target.replace('id="second"', 'id="first"')
        assert not judge(target, twice, corrupted_svg=start, repairs=[repair]).passed


class TestSolutions:
    """Make the two rectangles match: either may change."""

    FIRST = SVG.format(ROW.replace('fill="#36c"', 'fill="#c33"'))
    OTHER = SVG.format(ROW.replace('fill="#c33"', 'fill="#36c"'))

    @pytest.fixture
    def task(self) -> Task:
        own = (Repair(object="first", operation="recolor", property="fill", corrupted="#c33"),)
        return Task(
            "match", "Make both match.", SVG.format(ROW), self.FIRST,
            (Repair(object="second", operation="recolor", property="fill", corrupted="#36c"),), ("first",),
            solutions=(Solution("other.svg", self.OTHER, own, ("second",)),),
        )  # fmt: skip

    def test_each_of_them_passes(self, task: Task) -> None:
        first, other = score(task, self.FIRST), score(task, self.OTHER)
        assert (first.passed, first.reference) == (True, "target")
        assert (other.passed, other.reference) == (True, "other.svg")

    def test_without_it_the_other_fails(self, task: Task) -> None:
        assert not score(replace(task, solutions=()), self.OTHER).passed

    def test_a_mixture_passes_nowhere(self, task: Task) -> None:
        swapped = SVG.format(ROW.replace("#36c", "#x").replace("#c33", "#36c").replace("#x", "#c33"))
        assert not score(task, swapped).passed

    def test_a_miss_is_told_against_the_nearest(self, task: Task) -> None:
        near = self.OTHER.replace("</svg>", '<circle id="dot" r="3"/></svg>')
        card = score(task, near)
        assert (card.reference, card.status) == ("other.svg", "SIDE_EFFECTS")
        assert [change.object for change in card.changes] == ["dot"]

    def test_the_start_is_told_against_the_target(self, task: Task) -> None:
        card = score(task, task.corrupted_svg)
        assert (card.reference, card.status) == ("target", "FAIL")

    def test_solutions_are_part_of_the_hash(self, task: Task) -> None:
        assert task.hash != replace(task, solutions=()).hash
