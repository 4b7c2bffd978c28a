"""How sure an order is, and which points no other beats."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from vbench_env.report.statistics import CONFIDENCE, RESAMPLES

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Rank(Generic[K]):
    """The place of one entry, 1 the best; ties share the better place.

    Attributes:
        low: best place of the interval over resampled tasks; `high` is the worst.
        first: share of resamples in which it comes first, alone or with others.
    """

    key: K
    value: float
    rank: int
    low: int
    high: int
    first: float


@dataclass(frozen=True, slots=True)
class RankStability(Generic[K]):
    """An order, best first.

    Attributes:
        ranks: the entries.
        tasks: how many all entries have.
        tau: Kendall's tau-b between this order and that of a resample, on average: 1 where no resample changes
            anything; None for fewer than two entries, or where all tie.
    """

    ranks: tuple[Rank[K], ...]
    tasks: int
    tau: float | None


def rank_stability(
    values: Mapping[K, Mapping[str, float]], *, confidence: float = CONFIDENCE, seed: int = 0,
    resamples: int = RESAMPLES,
) -> RankStability[K]:  # fmt: skip
    """Rank entries by their mean over tasks, and again and again over tasks drawn with replacement.

    Args:
        values: mean of every task, by entry; larger is better. Tasks that an entry lacks are left out for all.
        confidence: of the interval of a rank (percentiles).
        seed: of the resampling.
        resamples: how many.
    """
    from scipy.stats import rankdata

    shared = sorted(set.intersection(*(set(found) for found in values.values()))) if values else []
    if not shared:
        return RankStability((), 0, None)
    table = np.array([[found[task] for task in shared] for found in values.values()])
    weights = np.random.default_rng(seed).multinomial(
        len(shared), np.full(len(shared), 1 / len(shared)), resamples
    )
    drawn = (weights @ table.T / len(shared)).round(12)
    means = table.mean(axis=1).round(12)
    ranks = rankdata(-drawn, method="min", axis=1)
    places = rankdata(-means, method="min")
    tail = 100 * (1 - confidence) / 2
    lows, highs = np.percentile(ranks, [tail, 100 - tail], axis=0, method="closest_observation")
    found = [
        Rank(
            key,
            float(means[n]),
            int(places[n]),
            int(lows[n]),
            int(highs[n]),
            float((ranks[:, n] == 1).mean()),
        )
        for n, key in enumerate(values)
    ]
    return RankStability(
        tuple(sorted(found, key=lambda one: (one.rank, str(one.key)))), len(shared), _tau(means, drawn)
    )


def _tau(means: NDArray[np.float64], drawn: NDArray[np.float64], most: int = 500) -> float | None:
    """Mean of Kendall's tau-b with the first resamples, of those in which it is defined."""
    from scipy.stats import kendalltau

    if means.size < 2 or np.ptp(means) == 0:
        return None
    taus = [kendalltau(means, row).statistic for row in drawn[:most] if np.ptp(row)]
    return float(np.mean(taus)) if taus else None


def pareto_front(points: Mapping[K, tuple[float, float]]) -> Sequence[K]:
    """Entries that no other beats: none is as good for less, or better for as much; the cheapest first.

    Args:
        points: cost (less is better) and value (more is better) by entry.
    """
    front: list[K] = []
    best = -np.inf
    for key, (_, value) in sorted(points.items(), key=lambda item: (item[1][0], -item[1][1], str(item[0]))):
        if value > best or (front and points[front[-1]] == points[key]):
            front.append(key)
            best = value
    return front
