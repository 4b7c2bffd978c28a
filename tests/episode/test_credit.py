"""Credit for single steps: what each event changed in each gate."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vbench_env import Episode, Task, score

RIGHT_PLACE = {"tool": "set_attribute", "args": {"object": "sun", "name": "cx", "value": "70"}}
RIGHT_COLOUR = {"tool": "set_attribute", "args": {"object": "sun", "name": "fill", "value": "#ffb703"}}
WRONG_COLOUR = {"tool": "set_attribute", "args": {"object": "sun", "name": "fill", "value": "#3a5a40"}}
DAMAGE = {"tool": "set_attribute", "args": {"object": "sky", "name": "fill", "value": "#000000"}}
BREAK = {"tool": "set_attribute", "args": {"object": "sail", "name": "d", "value": "not a path"}}
UNDO = {"tool": "undo", "args": {}}
SUBMIT = {"tool": "submit", "args": {}}


def played(task: Task, *actions: dict[str, Any]) -> Episode:
    episode = Episode(task, "interactive-text")
    for action in actions:
        episode.step(action)
    return episode


def credits(task: Task, *actions: dict[str, Any]) -> list[dict[str, Any]]:
    return [event["credit"] for event in played(task, *actions, SUBMIT).credited()]


def test_there_is_no_credit_before_the_end(task: Task) -> None:
    episode = played(task, RIGHT_PLACE)
    assert episode.credited() == []
    assert all("credit" not in event for event in episode.events)


def test_an_event_that_makes_a_repair_pass_gets_the_credit_for_it(task: Task) -> None:
    place, colour, submit = credits(task, RIGHT_PLACE, RIGHT_COLOUR)
    assert place["repaired"] == ["sun cx"] and place["reward"] == 0
    assert place["repair_progress"] == pytest.approx(0.5)
    assert colour["repaired"] == ["sun fill"] and colour["reward"] == 1
    assert not any(submit.values())


def test_an_event_that_undoes_a_repair_is_charged_with_it(task: Task) -> None:
    _, wrong, _ = credits(task, RIGHT_COLOUR, WRONG_COLOUR)
    assert wrong["undone"] == ["sun fill"] and wrong["repair_progress"] == pytest.approx(-0.5)


def test_damage_and_its_undoing_are_told_by_object(task: Task) -> None:
    damage, undo, _ = credits(task, DAMAGE, UNDO)
    assert damage["damaged"] == ["sky"] and damage["preservation"] == pytest.approx(-1 / 3)
    assert undo["restored"] == ["sky"] and undo["preservation"] == pytest.approx(1 / 3)


def test_an_event_that_makes_the_document_invalid_says_so(task: Task) -> None:
    broken, undo, _ = credits(task, BREAK, UNDO)
    assert broken["valid"] == -1 and undo["valid"] == 1


def test_a_mistake_changes_nothing(task: Task) -> None:
    episode = played(task)
    episode.step("no action at all")
    episode.step(SUBMIT)
    assert not any(value for event in episode.credited() for value in event["credit"].values())


def test_a_single_answer_has_the_whole_credit(task: Task) -> None:
    episode = Episode(task, "single-shot")
    episode.step(task.target_svg)
    [event] = episode.credited()
    assert event["credit"]["reward"] == 1 and len(event["credit"]["repaired"]) == 2


def test_credited_events_are_the_events_and_plain_json(task: Task) -> None:
    episode = played(task, RIGHT_PLACE, DAMAGE, SUBMIT)
    credited = json.loads(json.dumps(episode.credited()))
    assert [{name: event[name] for name in event if name != "credit"} for event in credited] == episode.events


@given(
    actions=st.lists(
        st.sampled_from([RIGHT_PLACE, RIGHT_COLOUR, WRONG_COLOUR, DAMAGE, BREAK, UNDO]), max_size=5
    )
)
@settings(deadline=None, max_examples=25)
def test_credits_add_up_to_the_verdict(task: Task, actions: list[dict[str, Any]]) -> None:
    episode = played(task, *actions, SUBMIT)
    parts = [event["credit"] for event in episode.credited()]
    before, after = score(task, task.corrupted_svg), episode.scorecards["surgical"]
    for name in ("repair_progress", "preservation", "reward", "valid"):
        first, last = (float(getattr(card, name) or 0) for card in (before, after))
        assert sum(part[name] for part in parts) == pytest.approx(last - first)
