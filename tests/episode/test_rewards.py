"""What the kinds of reward promise, proved on small tasks by trying every sequence of actions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vbench_env import Episode, Repair, Task, score
from vbench_env.verdict import progress

Action = dict[str, Any]
SUBMIT: Action = {"tool": "submit", "args": {}}
UNDO: Action = {"tool": "undo", "args": {}}


def put(thing: str, name: str, value: str) -> Action:
    return {"tool": "set_attribute", "args": {"object": thing, "name": name, "value": value}}


DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><rect id="wall" width="60" height="40" fill="#eee"/>'
    '<rect id="door" x="10" y="10" width="12" height="30" fill="#a33"/><circle id="lamp" cx="40" cy="12" r="5" '
    'fill="#fc3"/></svg>'
)


def small(name: str, corrupted: str, *repairs: Repair) -> Task:
    return Task(name, "Put it right.", corrupted, DRAWING, repairs, ("wall",))


COLOUR = small(
    "colour", DRAWING.replace("#a33", "#3a3"),
    Repair(object="door", operation="recolor", property="fill", corrupted="#3a3", target="#a33"),
)  # fmt: skip
TWO = small(
    "two", DRAWING.replace('cx="40"', 'cx="30"').replace('r="5"', 'r="9"'),
    Repair(object="lamp", operation="move", property="cx", corrupted="30", target="40"),
    Repair(object="lamp", operation="resize", property="r", corrupted="9", target="5"),
)  # fmt: skip
EXTRA = small(
    "extra", DRAWING.replace("</svg>", '<circle id="spot" cx="5" cy="5" r="2"/></svg>'),
    Repair(
        object="spot", operation="delete", property="exists", corrupted=True, target=False, parent="svg",
        element='<circle id="spot" cx="5" cy="5" r="2"/>',
    ),
)  # fmt: skip
CASES: dict[str, tuple[Task, list[Action]]] = {
    "colour": (COLOUR, [put("door", "fill", "#a33"), put("door", "fill", "#a73"), put("wall", "fill", "#000"), UNDO]),
    "two": (TWO, [put("lamp", "cx", "40"), put("lamp", "cx", "36"), put("lamp", "r", "5"), put("wall", "x", "3")]),
    "extra": (EXTRA, [{"tool": "delete_element", "args": {"object": "spot"}},
                      {"tool": "delete_element", "args": {"object": "door"}}, UNDO]),
}  # fmt: skip
TURNS = 3


class Search:
    """Values of all states that can be reached, found by trying every action in each."""

    def __init__(self, actions: Sequence[Action], gamma: float) -> None:
        self.actions, self.gamma = (*actions, SUBMIT), gamma
        self.table: dict[tuple[str, ...], tuple[float, frozenset[int], str]] = {}

    def value(self, episode: Episode, path: tuple[str, ...] = ()) -> float:
        if episode.done:
            return 0.0
        returns = []
        for number, action in enumerate(self.actions):
            branch = episode.fork()
            reward = branch.step(action).reward
            returns.append(reward + self.gamma * self.value(branch, (*path, str(number))))
        best = max(returns)
        choices = frozenset(n for n, found in enumerate(returns) if found > best - 1e-9)
        self.table[path] = (best, choices, episode.document)
        return best


def searched(case: str, reward: str, gamma: float) -> Search:
    task, actions = CASES[case]
    search = Search(actions, gamma)
    search.value(Episode(task, "interactive-text", reward=reward, gamma=gamma, max_turns=TURNS))
    return search


@pytest.mark.parametrize("gamma", [1.0, 0.9])
@pytest.mark.parametrize("case", CASES)
def test_shaping_leaves_the_best_actions_and_the_best_return_as_they_are(case: str, gamma: float) -> None:
    """In every state: the same best actions, and the same best return but for the state's own potential."""
    plain, shaped = searched(case, "gates", gamma), searched(case, "shaped", gamma)
    assert plain.table.keys() == shaped.table.keys() and len(plain.table) > 12
    potential = _potentials(CASES[case][0], plain)
    for path, (best, choices, document) in plain.table.items():
        value, chosen, _ = shaped.table[path]
        assert value == pytest.approx(best - potential[document], abs=1e-9)
        assert chosen == choices


def _potentials(task: Task, search: Search) -> dict[str, float]:
    documents = {document for _, _, document in search.table.values()}
    return {document: progress(score(task, document)) for document in documents}


@pytest.mark.parametrize("case", CASES)
def test_the_best_return_of_progress_is_that_of_the_gates(case: str) -> None:
    assert searched(case, "progress", 1.0).table[()][0] == searched(case, "gates", 1.0).table[()][0] == 1.0


MOVES = st.lists(
    st.sampled_from(CASES["two"][1] + [UNDO, put("lamp", "cx", "30"), put("lamp", "r", "9")]), max_size=8
)


def returned(actions: Sequence[Action], reward: str) -> tuple[list[float], str]:
    episode = Episode(TWO, "interactive-text", reward=reward)
    rewards = [episode.step(action).reward for action in [*actions, SUBMIT]]
    return rewards, episode.document


@given(MOVES)
@settings(deadline=None, max_examples=40)
def test_progress_is_paid_once_for_the_last_document_whatever_led_to_it(actions: list[Action]) -> None:
    rewards, document = returned(actions, "progress")
    assert not any(rewards[:-1])
    assert rewards[-1] == progress(score(TWO, document)) <= 1.0


@given(MOVES)
@settings(deadline=None, max_examples=40)
def test_going_to_and_fro_earns_nothing_under_shaping(actions: list[Action]) -> None:
    rewards, document = returned(actions, "shaped")
    start = progress(score(TWO, TWO.corrupted_svg))
    assert sum(rewards) == pytest.approx(score(TWO, document).reward - start)


def test_a_circle_earns_nothing_before_its_end_either() -> None:
    there, back = put("lamp", "cx", "40"), put("lamp", "cx", "30")
    step = partial(Episode(TWO, "interactive-text", reward="shaped").step)
    first, second = step(there).reward, step(back).reward
    assert first > 0 and first + second == pytest.approx(0.0)
