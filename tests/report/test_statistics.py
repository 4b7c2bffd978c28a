"""Intervals and tests against published tables and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vbench_env.errors import ConfigError
from vbench_env.report.statistics import Interval, Mean, adjusted, mcnemar, paired_bootstrap, wilson


@pytest.mark.parametrize(
    ("successes", "total", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_intervals_of_newcombe_1998_table_1(successes, total, low, high):
    rate = wilson(successes, total)
    assert rate.value == pytest.approx(successes / total)
    assert (rate.low, rate.high) == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))


def test_wilson_follows_the_closed_form_at_another_confidence():
    z, n, p = 1.6448536269514722, 40, 0.3
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    rate = wilson(12, 40, 0.90)
    assert rate.low == pytest.approx((middle - half) / (1 + z * z / n))
    assert rate.high == pytest.approx((middle + half) / (1 + z * z / n))


def test_nothing_of_nothing_has_no_rate():
    assert wilson(0, 0).value is None
    assert wilson(0, 0).low is None


def test_impossible_counts_are_refused():
    with pytest.raises(ConfigError, match="5 successes of 4 are no share; give counts from 0 to the total"):
        wilson(5, 4)


def test_mcnemar_is_a_binomial_test_on_the_discordant_pairs():
    first = [True] * 10 + [False] * 2 + [True] * 5 + [False] * 3
    second = [False] * 10 + [True] * 2 + [True] * 5 + [False] * 3
    found = mcnemar(first, second)
    assert (found.pairs, found.both, found.only_first, found.only_second, found.neither) == (20, 5, 10, 2, 3)
    assert found.p_value == pytest.approx(2 * (1 + 12 + 66) / 2**12)


def test_mcnemar_without_discordant_pairs_finds_nothing():
    assert mcnemar([True, False], [True, False]).p_value == 1.0
    assert mcnemar([], []).p_value == 1.0


def test_unpaired_outcomes_are_refused():
    with pytest.raises(ConfigError, match="2 and 1 outcomes are no pairs"):
        mcnemar([True, False], [True])
    with pytest.raises(ConfigError, match="1 and 2 values are no pairs"):
        paired_bootstrap([1.0], [1.0, 2.0])


def test_the_bootstrap_agrees_with_the_normal_interval_of_a_large_sample():
    second = np.random.default_rng(5).normal(0.0, 1.0, 400)
    first = second + np.random.default_rng(6).normal(0.3, 0.5, 400)
    differences = first - second
    error = differences.std(ddof=1) / math.sqrt(400)
    found = paired_bootstrap(first, second)
    assert found is not None
    assert found.value == pytest.approx(differences.mean())
    assert found.low == pytest.approx(differences.mean() - 1.96 * error, abs=0.15 * error)
    assert found.high == pytest.approx(differences.mean() + 1.96 * error, abs=0.15 * error)


def test_the_bootstrap_looks_at_pairs_not_at_the_spread_of_the_sides():
    found = paired_bootstrap([0.0, 10.0, 20.0, 30.0], [-1.0, 9.0, 19.0, 29.0])
    assert found == Interval(1.0, 1.0, 1.0)


def test_the_bootstrap_is_the_same_every_time_and_none_without_pairs():
    first, second = [1.0, 0.0, 1.0, 0.5], [0.0, 0.0, 1.0, 0.2]
    assert paired_bootstrap(first, second) == paired_bootstrap(first, second)
    assert paired_bootstrap([], []) is None


def test_adjusted_p_values_reject_the_four_of_benjamini_and_hochberg_1995():
    p_values = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
                0.5719, 0.6528, 0.7590, 1.0]  # fmt: skip
    assert [value <= 0.05 for value in adjusted(p_values)] == [True] * 4 + [False] * 11
    assert adjusted([0.01, 0.02, 0.5]) == pytest.approx([0.03, 0.03, 0.5])
    assert adjusted([]) == []


def test_a_mean_of_nothing_is_none():
    mean = Mean()
    assert mean.value is None
    mean.add(1.0)
    mean.add(0.0)
    assert mean.value == 0.5
