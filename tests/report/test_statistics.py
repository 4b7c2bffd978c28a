"""Intervals, tests and effect sizes against published tables, closed forms and statsmodels."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.contingency_tables import mcnemar as exact_mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from vbench_env.errors import ConfigError
from vbench_env.report.statistics import (
    Interval,
    Mean,
    adjusted,
    cohen_d,
    mcnemar,
    odds_ratio,
    paired_bootstrap,
    sign_flip,
    wilson,
)


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


@pytest.mark.parametrize(
    ("both", "first", "second", "neither"), [(5, 10, 2, 3), (0, 1, 0, 4), (59, 6, 16, 80)]
)
def test_mcnemar_is_that_of_statsmodels(both, first, second, neither):
    ones = [True] * both + [True] * first + [False] * (second + neither)
    others = [True] * both + [False] * first + [True] * second + [False] * neither
    table = [[both, first], [second, neither]]
    assert mcnemar(ones, others).p_value == pytest.approx(exact_mcnemar(table, exact=True).pvalue)


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


def test_sign_flips_of_single_episodes_are_exact_mcnemar():
    first = [True] * 9 + [False] * 2 + [True] * 4
    second = [False] * 9 + [True] * 2 + [True] * 4
    differences = [float(one) - float(other) for one, other in zip(first, second, strict=True)]
    assert sign_flip(differences) == pytest.approx(mcnemar(first, second).p_value)


def test_sign_flips_are_what_trying_all_signs_gives():
    differences = [0.5, -0.25, 1.0, 0.75, 0.0, 0.3, -0.1]
    seen = abs(sum(differences))
    signs = list(itertools.product([1, -1], repeat=len(differences)))
    sums = [abs(sum(s * d for s, d in zip(sign, differences, strict=True))) for sign in signs]
    assert sign_flip(differences) == pytest.approx(sum(total >= seen - 1e-12 for total in sums) / len(signs))
    assert sign_flip([]) == sign_flip([0.0, 0.0]) == sign_flip([1.0]) == 1.0


def test_sign_flips_of_many_tasks_agree_with_the_paired_t_test():
    differences = np.random.default_rng(8).normal(0.15, 1.0, 300)
    assert sign_flip(list(differences)) == pytest.approx(
        scipy.stats.ttest_1samp(differences, 0).pvalue, abs=0.01
    )


def test_samples_of_a_task_do_not_pass_for_tasks():
    """Ten samples of three tasks: every sample of two tasks better says less than twenty tasks would."""
    assert mcnemar([True] * 20 + [False] * 10, [False] * 30).p_value < 1e-5
    assert sign_flip([1.0, 1.0, 0.0]) == pytest.approx(0.5)


def test_the_odds_ratio_is_that_of_the_discordant_pairs_with_the_interval_of_statsmodels():
    found = odds_ratio(mcnemar([True] * 30 + [False] * 12, [False] * 30 + [True] * 12))
    low, high = proportion_confint(30, 42, method="beta")
    assert found is not None
    assert found.value == pytest.approx(30 / 12)
    assert (found.low, found.high) == pytest.approx((low / (1 - low), high / (1 - high)))
    one_sided = odds_ratio(mcnemar([True] * 3, [False] * 3))
    assert one_sided is not None
    assert one_sided.value == one_sided.high == math.inf
    assert odds_ratio(mcnemar([True], [True])) is None


def test_the_effect_size_is_the_standardised_mean_difference():
    differences = np.random.default_rng(2).normal(0.4, 1.3, 50)
    described = DescrStatsW(differences, ddof=1)
    assert cohen_d(list(differences)) == pytest.approx(described.mean / described.std)
    assert cohen_d([0.5]) is None
    assert cohen_d([0.5, 0.5]) is None


def test_adjusted_p_values_are_those_of_statsmodels():
    p_values = list(np.random.default_rng(9).uniform(0, 0.2, 25))
    assert adjusted(p_values) == pytest.approx(list(multipletests(p_values, method="fdr_bh")[1]))
