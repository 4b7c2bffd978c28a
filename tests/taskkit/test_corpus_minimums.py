"""The packaged corpus holds what it promises, as soon as it is complete."""

from __future__ import annotations

from collections import Counter
from typing import Any, get_args

import pytest

from vbench_env.repair import Operation
from vbench_env.task import load_corpus, packaged_tasks
from vbench_env.taskkit.report import Report, corpus_figures
from vbench_env.taskkit.validate import task_figures

SIZE = 40
COMPLETE = sum(folder.parent.name == "vbench-40" for folder in packaged_tasks()) >= SIZE
pytestmark = pytest.mark.skipif(not COMPLETE, reason=f"vbench-40 has fewer than {SIZE} tasks so far")


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    folders = [folder for folder in packaged_tasks() if folder.parent.name == "vbench-40"]
    return corpus_figures([Report(folder.name, (), task_figures(folder)) for folder in folders])


def test_ten_genres_have_four_tasks_each() -> None:
    corpus = load_corpus("vbench-40")
    assert len(corpus) == SIZE
    assert list(Counter(task.genre for task in corpus).values()) == [4] * 10


def test_there_are_enough_repairs_of_every_operation(figures: dict[str, Any]) -> None:
    assert figures["repairs"] >= 202
    assert figures["repairs_mean"] >= 5.05
    assert min(figures["operations"].get(name, 0) for name in get_args(Operation) if name != "mend") >= 10
    assert all(3 <= len(task.repairs) <= 9 for task in load_corpus("vbench-40"))


def test_there_is_enough_to_preserve(figures: dict[str, Any]) -> None:
    assert figures["protected_mean"] >= 60.55
    assert figures["styled_repairs"] >= 100


def test_ten_tasks_are_hard_and_thirty_very_hard(figures: dict[str, Any]) -> None:
    assert figures["difficulty"] == {"hard": 10, "very hard": 30}


def test_every_instruction_has_three_wordings() -> None:
    assert all(set(task.paraphrases) == {"terse", "chatty"} for task in load_corpus("vbench-40"))
