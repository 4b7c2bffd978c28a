"""pass@k and variance components against published code, published tables and statsmodels."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from statsmodels.formula.api import mixedlm, ols

from vbench_env.errors import ConfigError
from vbench_env.report.repeated import pass_at_k, variance_split

LOOMS = [[98, 97, 99, 96], [91, 90, 93, 92], [96, 95, 97, 95], [95, 96, 99, 98]]
"""Strength of fabric from four looms: Montgomery, Design and Analysis of Experiments, the random-effects example."""


def humaneval(n: int, c: int, k: int) -> float:
    """pass@k as the code of Chen et al. 2021 computes it."""
    if n - c < k:
        return 1.0
    return float(1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1)))


@pytest.mark.parametrize(("n", "c"), [(5, 0), (5, 2), (5, 5), (10, 1), (200, 37)])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_pass_at_k_is_that_of_the_published_code(n, c, k):
    found = pass_at_k([(c, n)], k)
    assert found is not None
    assert found.rate.value == pytest.approx(humaneval(n, c, k))


@pytest.mark.parametrize(("n", "c", "k"), [(4, 3, 1), (4, 3, 2), (4, 3, 4), (8, 6, 3), (8, 2, 3)])
def test_any_and_all_are_what_counting_all_draws_gives(n, c, k):
    draws = list(combinations([True] * c + [False] * (n - c), k))
    for which, wanted in (("any", any), ("all", all)):
        found = pass_at_k([(c, n)], k, which)
        assert found is not None
        assert found.rate.value == pytest.approx(sum(map(wanted, draws)) / len(draws))
    found = pass_at_k([(c, n)], k, "all")
    assert found is not None
    assert found.rate.value == pytest.approx(math.comb(c, k) / math.comb(n, k))


def test_the_mean_is_over_tasks_with_enough_samples():
    found = pass_at_k([(3, 3), (0, 3), (1, 3), (1, 1)], 2)
    assert found is not None
    assert (found.tasks, found.left_out) == (3, 1)
    assert found.rate.value == pytest.approx((1 + 0 + 2 / 3) / 3)
    assert 0 <= found.rate.low < found.rate.value < found.rate.high <= 1
    assert pass_at_k([(1, 1)], 2) is None
    assert pass_at_k([], 1) is None


@pytest.mark.parametrize("which", ["any", "all"])
@pytest.mark.parametrize(("passed", "bounds"), [(0, (0.0, 0.2153)), (3, (0.7847, 1.0))])
def test_where_every_task_says_the_same_the_interval_is_that_of_so_many_tasks(which, passed, bounds):
    found = pass_at_k([(passed, 3)] * 14, 3, which)
    assert found is not None
    assert found.rate.value == passed / 3
    assert (found.rate.low, found.rate.high) == pytest.approx(bounds, abs=1e-4)


def test_any_of_one_and_all_of_one_have_one_interval():
    for seed in range(12):
        counts = [(int(passed), 3) for passed in np.random.default_rng(seed).integers(0, 4, 14)]
        one, other = (pass_at_k(counts, 1, which) for which in ("any", "all"))
        assert one == other


@pytest.mark.parametrize(("counts", "k"), [([(1, 1)], 0), ([(2, 1)], 1), ([(-1, 1)], 1)])
def test_impossible_counts_are_refused(counts, k):
    with pytest.raises(ConfigError, match="needs a k of at least 1 and counts from 0"):
        pass_at_k(counts, k)


def test_the_variance_components_of_montgomerys_looms():
    found = variance_split(LOOMS)
    assert found is not None
    assert found.task == pytest.approx(6.96, abs=0.005)
    assert found.decoding == pytest.approx(1.90, abs=0.005)
    assert found.decoding_share == pytest.approx(1.90 / 8.86, abs=0.001)
    assert (found.tasks, found.samples) == (4, 16)


def frame(values: list[list[float]]) -> pd.DataFrame:
    return pd.DataFrame(
        [(str(n), value) for n, group in enumerate(values) for value in group], columns=["task", "y"]
    )


def test_balanced_components_are_those_of_restricted_likelihood():
    draw = np.random.default_rng(3)
    values = [list(draw.normal(centre, 0.7, 4)) for centre in draw.normal(0, 1.5, 25)]
    found, fitted = variance_split(values), mixedlm("y ~ 1", frame(values), groups="task").fit(reml=True)
    assert found is not None
    assert found.task == pytest.approx(float(fitted.cov_re.iloc[0, 0]), rel=1e-3)
    assert found.decoding == pytest.approx(fitted.scale, rel=1e-3)


def test_unbalanced_components_come_from_the_mean_squares_of_statsmodels():
    draw = np.random.default_rng(4)
    values = [
        list(draw.normal(centre, 1, size)) for centre, size in zip(range(6), (1, 2, 3, 4, 5, 6), strict=True)
    ]
    table = sm.stats.anova_lm(ols("y ~ C(task)", frame(values)).fit())
    size = (21 - sum(n * n for n in range(1, 7)) / 21) / 5
    found = variance_split(values)
    assert found is not None
    assert found.decoding == pytest.approx(table["mean_sq"]["Residual"])
    assert found.task == pytest.approx((table["mean_sq"]["C(task)"] - table["mean_sq"]["Residual"]) / size)


def test_more_samples_help_only_against_decoding():
    found = variance_split([[0, 1, 1], [1, 1, 1], [0, 0, 0], [0, 0, 1]])
    assert found is not None
    many = found.standard_error(10**9)
    assert found.standard_error(3) > many == pytest.approx(math.sqrt(found.task / 4))
    assert found.standard_error(3, same_tasks=True) == pytest.approx(math.sqrt(found.decoding / 3 / 4))


def test_what_cannot_be_split_is_none_and_no_variance_is_negative():
    assert variance_split([[1, 0]]) is None
    assert variance_split([[1], [0]]) is None
    assert variance_split([]) is None
    alike = variance_split([[0, 1], [1, 0], [0, 1]])
    assert alike is not None
    assert (alike.task, alike.decoding_share) == (0.0, 1.0)
    still = variance_split([[1, 1], [1, 1]])
    assert still is not None
    assert still.decoding_share is None
