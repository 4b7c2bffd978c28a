"""Mends of files that are not well-formed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vbench_env.importers.base import Row
from vbench_env.importers.corpus import PLAIN, task_of
from vbench_env.importers.derive import Refused
from vbench_env.importers.mending import mends
from vbench_env.scoring import score
from vbench_env.svg.parse import parse
from vbench_env.taskkit.build import derive

TARGET = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<g id="pair"><rect id="a" width="3" height="3" fill="#c33"/>'
    '<rect id="b" x="5" width="3" height="3"/></g><text id="word" y="8">Fish &amp; chips</text></svg>'
)


@pytest.mark.parametrize(
    ("whole", "broken", "owner"),
    [
        ("</svg>", "", "svg"),
        ("</g>", "", "pair"),
        ("&amp;", "&", "word"),
        ('fill="#c33"', 'fill="#c33', "a"),
        ('x="5"', "x=5", "b"),
        ("</text>", "</txt>", "word"),
    ],
)
def test_a_damage_is_a_mend_of_the_smallest_element_around_it(whole: str, broken: str, owner: str) -> None:
    before = TARGET.replace(whole, broken, 1)
    assert parse(before).root is None
    found = mends(before, TARGET)
    assert not isinstance(found, Refused)
    assert [repair.object for repair in found] == [owner]
    damage = found[0].corrupted
    assert TARGET.count(damage["find"]) == 1
    assert TARGET.replace(damage["find"], damage["put"]) == before


def test_damages_apart_are_mends_apart_and_the_task_is_judged_right() -> None:
    before = TARGET.replace('x="5"', "x=5").replace("&amp;", "&")
    row = Row("here", "name", "bugs", "Mend it.", before, TARGET)
    made = task_of(row, "name", "test", PLAIN)
    assert not isinstance(made, Refused)
    task = made[1]
    assert task.kind == "malformed"
    assert [repair.object for repair in task.repairs] == ["b", "word"]
    assert score(task, TARGET).passed
    half = score(task, TARGET.replace('x="5"', 'x="4"'))
    assert not half.repaired and half.edit_completion == 0.5
    assert not score(task, TARGET.replace("#c33", "#3c3")).preserved


def test_another_text_altogether_is_a_global_change() -> None:
    found = mends("<svg><rect></svg>", TARGET)
    assert isinstance(found, Refused) and found.reason == "global-change"


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(TARGET) - 1), st.integers(1, 12), st.sampled_from(["", "<", '"', "&", "</g>"]))
def test_putting_the_damage_of_every_mend_back_gives_the_start(at: int, length: int, new: str) -> None:
    before = TARGET[:at] + new + TARGET[at + length :]
    found = mends(before, TARGET)
    if isinstance(found, Refused):
        assert before == TARGET
        return
    assert derive(TARGET, found) == before
