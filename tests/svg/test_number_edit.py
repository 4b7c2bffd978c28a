"""Edits of single numbers in path data and lists."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vbench_env.svg.document import Refusal
from vbench_env.svg.number_edit import (
    handles,
    move_point,
    number_spans,
    number_text,
    replace_numbers,
    segments,
)
from vbench_env.svg.path_data import parse_path


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1 + 0.2, "0.3"), (-0.0000001, "0"), (10.0, "10"), (1e7, "10000000"), (-2.50, "-2.5")],
)
def test_numbers_are_written_plainly(value: float, text: str) -> None:
    assert number_text(value) == text


@pytest.mark.parametrize("value", [1e12, -1e300, math.inf, math.nan])
def test_a_number_that_cannot_be_drawn_is_refused(value: float) -> None:
    with pytest.raises(Refusal, match="too large to be drawn"):
        number_text(value)


def test_numbers_that_would_run_together_are_kept_apart() -> None:
    text = "1.5.5-3"
    assert replace_numbers(text, zip(number_spans(text), [2.0, 7.0, -4.0], strict=True)) == "2  7-4"


def test_compact_arc_flags_are_no_numbers_to_run_into() -> None:
    assert move_point("M0 0a1 1 0 01.5.5", 2, "end", 12, 0.5).text == "M0 0a1 1 0 01 12 .5"


def test_an_absolute_end_point_moves_alone() -> None:
    assert move_point("M10,10 L20 20 L30 30", 2, "end", 25, None).text == "M10,10 L25 20 L30 30"


def test_relative_commands_after_a_moved_point_stay_in_place() -> None:
    moved = move_point("M10 10l5 0 0 5c1 1 2 2 3 .5z m1 1 h5", 2, "end", 16, 11)
    assert moved.text == "M10 10l6 1 -1 4c1 1 2 2 3 .5z m1 1 h5"
    assert (moved.old, moved.new) == ((15, 10), (16, 11))


def test_the_subpath_after_a_closed_one_stays_when_its_start_moves() -> None:
    assert move_point("M10 10h5v5zm1 1h5", 1, "end", 9, 10).text == "M9 10h6v5zm2 1h5"


def test_the_rest_moves_along_when_asked_to() -> None:
    assert move_point("M10 10l5 0 0 5", 2, "end", 16, 10, keep_rest=False).text == "M10 10l6 0 0 5"


@pytest.mark.parametrize(
    ("d", "number", "handle", "text"),
    [
        ("M0 0C1 1 2 2 3 3", 2, "control2", "M0 0C1 1 9 2 3 3"),
        ("M1 1s1 1 2 2", 2, "control2", "M1 1s8 1 2 2"),
        ("M0 0Q1 1 2 2", 2, "control1", "M0 0Q9 1 2 2"),
        ("M0 0A5 5 0 0 1 8 8", 2, "end", "M0 0A5 5 0 0 1 9 8"),
        ("M0 0H5V6", 2, "end", "M0 0H9V6"),
    ],
)
def test_each_kind_of_point_moves(d: str, number: int, handle: str, text: str) -> None:
    assert move_point(d, number, handle, 9, None).text == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("d", "number", "handle", "y", "kind", "words"),
    [
        ("M0 0L1 1", 3, "end", 1, "not_found", "has 2 commands"),
        ("M0 0L1 1z", 3, "end", 1, "not_applicable", "is z, whose points are: none"),
        ("M0 0L1 1", 2, "control1", 1, "not_applicable", "whose points are: end"),
        ("M0 0H1", 2, "end", 1, "not_applicable", "only x can change"),
    ],
)
def test_points_that_are_not_there_are_refused(
    d: str, number: int, handle: str, y: float, kind: str, words: str
) -> None:
    with pytest.raises(Refusal, match=words) as caught:
        move_point(d, number, handle, None, y)  # type: ignore[arg-type]
    assert caught.value.kind == kind


_NUMBER = st.integers(-40, 40).map(lambda value: number_text(value / 4))
_COMMAND = st.one_of(
    st.tuples(st.sampled_from("MmLlTt"), st.lists(_NUMBER, min_size=2, max_size=2)),
    st.tuples(st.sampled_from("Cc"), st.lists(_NUMBER, min_size=6, max_size=6)),
    st.tuples(st.sampled_from("QqSs"), st.lists(_NUMBER, min_size=4, max_size=4)),
    st.tuples(st.sampled_from("Zz"), st.just([])),
    st.tuples(
        st.sampled_from("Aa"), st.tuples(_NUMBER, _NUMBER).map(lambda p: ["3", "2", "0", "0", "1", *p])
    ),
)


@given(st.lists(_COMMAND, min_size=1, max_size=7), st.data())
def test_moving_an_end_point_moves_nothing_else(
    commands: list[tuple[str, list[str]]], data: st.DataObject
) -> None:
    d = "M1 2" + "".join(letter + " ".join(numbers) for letter, numbers in commands)
    before = segments(d)
    number = data.draw(st.integers(1, len(before)))
    if before[number - 1].letter in "Zz":
        return
    moved = move_point(d, number, "end", 7.5, -3.25)
    after = segments(moved.text)
    for place, (old, new) in enumerate(zip(before, after, strict=True), 1):
        expected = dict(handles(old))
        if place == number:
            expected["end"] = (7.5, -3.25)
        if place != number or old.letter.isupper():
            found = handles(new)
            assert list(found) == list(expected)
            assert all(math.dist(found[name], point) < 1e-5 for name, point in expected.items())
        else:
            assert new.end == pytest.approx((7.5, -3.25))
    parse_path(moved.text)
