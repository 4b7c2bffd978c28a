"""Intervals, tests and effect sizes for rates and for two runs of the same tasks. SciPy computes them all."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vbench_env.errors import ConfigError

CONFIDENCE = 0.95
RESAMPLES = 9999


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of `total` and its Wilson interval, each 0 to 1; None where there is nothing to take a share of."""

    successes: int
    total: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Paired:
    """Two runs of the same episodes.

    Attributes:
        pairs: episodes that both have.
        both: passed by both.
        only_first: passed by the first alone.
        only_second: passed by the second alone.
        p_value: exact McNemar, two-sided.
    """

    pairs: int
    both: int
    only_first: int
    only_second: int
    p_value: float

    @property
    def neither(self) -> int:
        return self.pairs - self.both - self.only_first - self.only_second


@lru_cache(maxsize=4096)
def wilson(successes: int, total: int, confidence: float = CONFIDENCE) -> Rate:
    """The share of successes with its Wilson score interval (Wilson 1927, no continuity correction)."""
    if total < 0 or not 0 <= successes <= total:
        raise ConfigError(f"{successes} successes of {total} are no share; give counts from 0 to the total")
    if total == 0:
        return Rate(0, 0, None, None, None)
    from scipy.stats import binomtest

    interval = binomtest(successes, total).proportion_ci(confidence, method="wilson")
    return Rate(successes, total, successes / total, float(interval.low), float(interval.high))


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Paired:
    """Compare two runs pass by pass (McNemar 1947, exact: a binomial test on the discordant pairs)."""
    if len(first) != len(second):
        raise ConfigError(
            f"{len(first)} and {len(second)} outcomes are no pairs; give one of each per episode"
        )
    from scipy.stats import binomtest

    pairs = list(zip(map(bool, first), map(bool, second), strict=True))
    only_first, only_second = pairs.count((True, False)), pairs.count((False, True))
    discordant = only_first + only_second
    p_value = float(binomtest(only_first, discordant, 0.5).pvalue) if discordant else 1.0
    return Paired(len(pairs), pairs.count((True, True)), only_first, only_second, p_value)


def paired_bootstrap(
    first: Sequence[float], second: Sequence[float], *, confidence: float = CONFIDENCE, seed: int = 0
) -> Interval | None:
    """Mean of `first - second` over the pairs with a bias-corrected accelerated bootstrap interval (Efron 1987).

    Resamples pairs, never the two sides apart. None without pairs; of one pair, or of equal differences, the
    interval is a point.
    """
    if len(first) != len(second):
        raise ConfigError(f"{len(first)} and {len(second)} values are no pairs; give one of each per task")
    differences = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    return bootstrap_mean(differences, confidence=confidence, seed=seed)


def bootstrap_mean(
    values: Sequence[float] | NDArray[np.float64], *, confidence: float = CONFIDENCE, seed: int = 0
) -> Interval | None:
    """The mean with its bias-corrected accelerated bootstrap interval (Efron 1987).

    None without values; of one value, or of equal ones, the interval is a point.
    """
    array = np.asarray(values, dtype=float)
    if not array.size:
        return None
    value = float(array.mean())
    if np.ptp(array) == 0:
        return Interval(value, value, value)
    low, high = _bootstrapped(array, "BCa", confidence, seed)
    if not np.isfinite((low, high)).all():
        low, high = _bootstrapped(array, "percentile", confidence, seed)
    return Interval(value, low, high)


def bootstrap_share(values: Sequence[float] | NDArray[np.float64], *, seed: int = 0) -> Interval | None:
    """The mean of shares, one a task, with its bootstrap interval over tasks.

    Where every task says 0, or every task 1, drawing tasks again tells nothing: then Wilson's interval for none, or
    all, of so many tasks.
    """
    found = bootstrap_mean(values, seed=seed)
    if found is None or found.low < found.high or found.value not in (0.0, 1.0):
        return found
    total = len(values)
    rate = wilson(round(found.value * total), total)
    assert rate.low is not None
    assert rate.high is not None
    return Interval(found.value, rate.low, rate.high)


def _bootstrapped(
    values: NDArray[np.float64], method: str, confidence: float, seed: int
) -> tuple[float, float]:
    """Bounds of the mean; not a number where the acceleration of BCa is undefined.

    The correction of the bias counts resamples that equal the mean, which the last bits of a sum must not decide.
    """
    from scipy.stats import bootstrap

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        interval = bootstrap(
            (values,), _rounded_mean, n_resamples=RESAMPLES, confidence_level=confidence, method=method,
            random_state=np.random.default_rng(seed),
        ).confidence_interval  # fmt: skip
    return float(interval.low), float(interval.high)


def _rounded_mean(values: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    return np.asarray(np.round(np.mean(values, axis=axis), 12))


def sign_flip(differences: Sequence[float], *, seed: int = 0) -> float:
    """Two-sided p-value of a mean difference of zero: the differences as likely with the other sign (Fisher 1935).

    One difference a task, so that the samples of a task do not pass for tasks. Exact while all signs can be tried,
    and then, with one episode a task, the same as exact McNemar; else from random signs.
    """
    from scipy.stats import permutation_test

    values = np.asarray([value for value in differences if value], dtype=float)
    if values.size < 2:
        return 1.0
    found = permutation_test(
        (values,), np.mean, permutation_type="samples", vectorized=True, n_resamples=RESAMPLES, batch=1000,
        random_state=np.random.default_rng(seed),
    )  # fmt: skip
    return min(1.0, float(found.pvalue))


def odds_ratio(pairs: Paired, confidence: float = CONFIDENCE) -> Interval | None:
    """Odds of a pass by the first alone to one by the second alone, with the exact interval (Clopper, Pearson 1934).

    The effect size that belongs to McNemar's test; infinite where only one side ever passed alone, None where
    neither did.
    """
    from scipy.stats import binomtest

    discordant = pairs.only_first + pairs.only_second
    if not discordant:
        return None
    share = binomtest(pairs.only_first, discordant).proportion_ci(confidence, method="exact")
    return Interval(*(_odds(float(p)) for p in (pairs.only_first / discordant, share.low, share.high)))


def _odds(share: float) -> float:
    return share / (1 - share) if share < 1 else float("inf")


def cohen_d(differences: Sequence[float]) -> float | None:
    """Mean of paired differences over their standard deviation (Cohen 1988, d_z); None where that is 0."""
    from scipy.stats import ttest_1samp

    values = np.asarray(differences, dtype=float)
    if values.size < 2 or np.ptp(values) == 0:
        return None
    return float(ttest_1samp(values, 0.0).statistic / np.sqrt(values.size))


def adjusted(p_values: Sequence[float]) -> list[float]:
    """P-values for several comparisons at once, false discovery rate held (Benjamini and Hochberg 1995)."""
    if not p_values:
        return []
    from scipy.stats import false_discovery_control

    return [float(value) for value in false_discovery_control(p_values)]


@dataclass(slots=True)
class Mean:
    """A mean that grows by one value at a time; None while it is empty."""

    total: float = 0.0
    count: int = 0

    def add(self, value: float) -> None:
        self.total += value
        self.count += 1

    def take(self, other: Mean) -> None:
        """Add all values of another mean."""
        self.total += other.total
        self.count += other.count

    @property
    def value(self) -> float | None:
        return self.total / self.count if self.count else None
