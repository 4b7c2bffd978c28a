"""Ranks under resampled tasks against exact probabilities, and the front against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from vbench_env.report.ranking import pareto_front, rank_stability


def test_the_chance_to_come_first_is_that_of_the_binomial_distribution():
    tasks = [f"t{n}" for n in range(9)]
    first = {task: float(n < 6) for n, task in enumerate(tasks)}
    second = {task: float(n >= 6) for n, task in enumerate(tasks)}
    found = rank_stability({"a": first, "b": second})
    assert [(one.key, one.rank) for one in found.ranks] == [("a", 1), ("b", 2)]
    assert found.ranks[0].first == pytest.approx(binom.sf(4, 9, 6 / 9), abs=0.015)
    assert found.ranks[1].first == pytest.approx(binom.cdf(4, 9, 6 / 9), abs=0.015)
    assert found.tau == pytest.approx(binom.sf(4, 9, 6 / 9) - binom.cdf(4, 9, 6 / 9), abs=0.1)


def test_a_clear_order_is_stable_and_equal_entries_share_a_place():
    tasks = [f"t{n}" for n in range(30)]
    values = {
        name: dict.fromkeys(tasks, value) for name, value in (("low", 0.1), ("mid", 0.5), ("also", 0.5))
    }
    values["high"] = dict.fromkeys(tasks, 0.9)
    found = rank_stability(values)
    assert [(one.key, one.rank, one.low, one.high) for one in found.ranks] == [
        ("high", 1, 1, 1), ("also", 2, 2, 2), ("mid", 2, 2, 2), ("low", 4, 4, 4),
    ]  # fmt: skip
    assert found.tau == pytest.approx(1.0)


def test_noise_has_wide_ranks_and_is_the_same_every_time():
    draw = np.random.default_rng(0)
    values = {n: {f"t{t}": float(draw.integers(2)) for t in range(20)} for n in range(5)}
    found = rank_stability(values)
    assert max(one.high - one.low for one in found.ranks) >= 3
    assert found == rank_stability(values)
    assert sum(one.first for one in found.ranks) >= 1


def test_only_tasks_that_all_have_count():
    found = rank_stability({"a": {"x": 1.0, "y": 0.0}, "b": {"x": 0.5, "z": 1.0}})
    assert found.tasks == 1
    assert [one.key for one in found.ranks] == ["a", "b"]
    assert rank_stability({"a": {"x": 1.0}, "b": {"y": 1.0}}).ranks == ()
    assert rank_stability({}).tau is None
    assert rank_stability({"a": {"x": 1.0}}).tau is None


def test_the_front_holds_what_no_other_point_beats():
    draw = np.random.default_rng(1)
    points = {n: (float(c), float(v)) for n, (c, v) in enumerate(draw.integers(0, 8, (40, 2)))}

    def beaten(key: int) -> bool:
        cost, value = points[key]
        return any(c <= cost and v >= value and (c, v) != (cost, value) for c, v in points.values())

    front = pareto_front(points)
    assert set(front) == {key for key in points if not beaten(key)}
    assert [points[key] for key in front] == sorted(points[key] for key in front)
    assert list(pareto_front({})) == []
