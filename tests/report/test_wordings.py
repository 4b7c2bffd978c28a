"""Robustness over the wording of instructions."""

from __future__ import annotations

import pytest

from vbench_env.report.outcomes import Outcome, Outcomes, Place
from vbench_env.report.traits import TRAITS, values_of
from vbench_env.report.wordings import robustness
from vbench_env.task import load_corpus


def outcomes(**tasks: dict[str, list[int]]) -> Outcomes:
    """Passes of samples by task and wording; progress is half of them."""
    made = Outcomes()
    for task_id, wordings in tasks.items():
        for wording, passes in wordings.items():
            for sample, passed in enumerate(passes):
                made.add(Place(task_id, sample, wording), Outcome(bool(passed), passed / 2))
    return made


def test_rates_spread_and_ends_by_hand() -> None:
    found = robustness(
        outcomes(
            a={"plain": [1, 1], "terse": [1, 1]},
            b={"plain": [1, 0], "terse": [0, 0]},
            c={"plain": [0, 0], "terse": [1, 1]},
            d={"plain": [0, 0], "terse": [0, 0]},
        )
    )
    assert found is not None
    assert found.tasks == 4
    assert {name: (rate.successes, rate.total) for name, rate in found.rates.items()} == {
        "plain": (3, 8),
        "terse": (4, 8),
    }
    assert found.progress == {"plain": pytest.approx(3 / 16), "terse": pytest.approx(1 / 4)}
    assert found.worst is not None and found.worst.value == pytest.approx(1 / 4)
    assert found.best is not None and found.best.value == pytest.approx((1 + 0.5 + 1) / 4)
    assert found.spread is not None and found.spread.value == pytest.approx((0.5 + 1) / 4)
    assert found.progress_spread is not None and found.progress_spread.value == pytest.approx(
        (0.25 + 0.5) / 4
    )
    assert (found.solid, found.fickle) == (1, 2)


def test_tasks_that_lack_a_wording_do_not_count() -> None:
    found = robustness(outcomes(a={"plain": [1], "terse": [1]}, b={"plain": [0]}))
    assert found is not None
    assert found.tasks == 1 and found.rates["plain"].total == 1
    assert robustness(outcomes(a={"plain": [1]})) is None
    assert robustness(outcomes(a={"plain": [1]}, b={"terse": [1]})) is None


def test_every_trait_has_a_value_for_every_task() -> None:
    tasks = {task.task_id: task for task in list(load_corpus("vbench-40"))[:6]}
    for trait in TRAITS:
        assert values_of(tasks, trait).keys() == tasks.keys()
    assert set(values_of(tasks, "tier").values()) <= {"easy", "medium", "hard"}
    assert set(values_of(tasks, "third").values()) == {"simplest", "middle", "most complex"}
