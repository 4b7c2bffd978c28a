"""Agreement beyond chance, and weighted shares, with intervals. statsmodels and SciPy compute them.

statsmodels is an extra (`pip install "vbench-env[review]"`) and is imported when a kappa is asked for.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from vbench_env.errors import ConfigError
from vbench_env.report.statistics import CONFIDENCE, Interval

RESAMPLES = 1999
FEW = 30
"""Below this number of outcomes an interval is called rough."""
ROUGH = "few outcomes: the interval is rough"
_PERFECT = "no disagreement, so that there is no interval"
_ONE_LABEL = "one of them always gave the same label; then kappa is 0 whatever the other says"


@dataclass(frozen=True, slots=True)
class Kappa:
    """A kappa over `n` outcomes. `value` is None where it is not defined, `low` and `high` where they are not."""

    n: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A weighted share with its interval, each 0 to 1, and the number of outcomes that it is worth."""

    value: float
    low: float
    high: float
    effective: float


def cohen(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    categories: Sequence[Hashable],
    weights: Literal["quadratic"] | None = None,
) -> Kappa:
    """Cohen's kappa of two raters of the same outcomes, with its large-sample interval.

    Args:
        first: labels of one rater.
        second: labels of the other, in the same order.
        categories: all labels; in their order where weights are given.
        weights: None for the plain kappa (Cohen 1960); quadratic weights for ordered labels (Cohen 1968).

    Raises:
        ConfigError: the labels are no pairs, or statsmodels is not installed.
    """
    if len(first) != len(second):
        raise ConfigError(f"{len(first)} and {len(second)} labels are no pairs; give one of each per outcome")
    places = {category: place for place, category in enumerate(categories)}
    table = np.zeros((len(places), len(places)))
    for one, other in zip(first, second, strict=True):
        table[places[one], places[other]] += 1
    if not first or len({*first, *second}) < 2:
        return Kappa(len(first), note="both gave one and the same label" if first else "nothing in common")
    with np.errstate(divide="ignore", invalid="ignore"):  # of tests of the kappa that are not used
        result = _statsmodels("inter_rater").cohens_kappa(table, wt=weights)
    value = float(result.kappa)
    if list(first) == list(second):
        return Kappa(len(first), value, note=_PERFECT)
    if len({*first}) == 1 or len({*second}) == 1:  # its variance is 0, or what rounding leaves of it
        return Kappa(len(first), 0.0, note=_ONE_LABEL)
    half = -_normal_quantile((1 - CONFIDENCE) / 2) * float(result.std_kappa)
    return Kappa(len(first), value, max(-1.0, value - half), min(1.0, value + half), _rough(len(first)))


def fleiss(rows: Sequence[Sequence[Hashable]], categories: Sequence[Hashable], seed: int = 0) -> Kappa:
    """Fleiss' kappa of any number of raters (Fleiss 1971), with a percentile bootstrap interval over outcomes.

    Args:
        rows: for each outcome the labels that it got, the same number for each.
        categories: all labels.
        seed: of the bootstrap.

    Raises:
        ConfigError: some outcomes have more labels than others, or statsmodels is not installed.
    """
    if len({len(row) for row in rows}) > 1:
        raise ConfigError("Fleiss' kappa needs the same number of labels for every outcome")
    if not rows or len(rows[0]) < 2:
        return Kappa(len(rows), note="nothing in common")
    counts = np.array([[Counter(row)[category] for category in categories] for row in rows], dtype=float)
    if np.count_nonzero(counts.sum(axis=0)) < 2:
        return Kappa(len(rows), note="all gave one and the same label")
    kappa = _statsmodels("inter_rater").fleiss_kappa
    if all(len(set(row)) == 1 for row in rows):
        return Kappa(len(rows), float(kappa(counts)), note=_PERFECT)

    def of(places: NDArray[np.intp]) -> float:
        sample = counts[places]
        return float(kappa(sample)) if np.count_nonzero(sample.sum(axis=0)) > 1 else math.nan

    interval = bootstrapped(of, len(rows), seed)
    return Kappa(len(rows), interval.value, interval.low, interval.high, _rough(len(rows)))


def weighted_share(hits: Sequence[bool], weights: Sequence[float]) -> Estimate | None:
    """The share of hits among all that the weights stand for; None without outcomes.

    The interval is Wilson's for the effective number of outcomes, the squared sum of the weights over the sum of
    their squares (Kish 1965): a few outcomes that stand for many say little, even when they all agree.
    """
    if not hits:
        return None
    confidence = _statsmodels("proportion").proportion_confint
    value = float(np.average(np.asarray(hits, dtype=float), weights=weights))
    effective = sum(weights) ** 2 / sum(weight**2 for weight in weights)
    low, high = confidence(value * effective, effective, 1 - CONFIDENCE, method="wilson")
    return Estimate(value, float(low), float(high), effective)


def bootstrapped(
    statistic: Callable[[NDArray[np.intp]], float], size: int, seed: int, *, resamples: int = RESAMPLES
) -> Interval:
    """A statistic of outcomes given by their places, and the percentiles of its bootstrap (Efron 1979).

    Resamples in which it is not a number are left out.
    """
    from scipy.stats import bootstrap

    places = np.arange(size)
    value = statistic(places)
    if size < 2:
        return Interval(value, value, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: Any = bootstrap(
            (places,), statistic, n_resamples=resamples, vectorized=False, method="percentile",
            random_state=np.random.default_rng(seed),
        ).bootstrap_distribution  # fmt: skip
    tail = 50 * (1 - CONFIDENCE)
    kept = found[np.isfinite(found)]
    low, high = np.percentile(kept, [tail, 100 - tail]) if kept.size else (value, value)
    return Interval(value, float(low), float(high))


def _rough(n: int) -> str:
    return ROUGH if n < FEW else ""


def _normal_quantile(share: float) -> float:
    from scipy.stats import norm

    return float(norm.ppf(share))


def _statsmodels(name: str) -> ModuleType:
    """A module of `statsmodels.stats`, imported when it is needed."""
    try:
        return import_module(f"statsmodels.stats.{name}")
    except ImportError as error:
        text = "this needs statsmodels, which is not installed; run: pip install 'vbench-env[review]'"
        raise ConfigError(text) from error
