"""Tolerances that people's labels suggest: where, on the axis of distance over tolerance, acceptance ends.

For each family of tolerances the factor is sought that separates repairs people accept from those they reject best:
the largest difference between the share of accepted repairs within it and the share of rejected ones within it
(Youden 1950), which does not depend on how many of either were sampled. Of equally good factors the one nearest
to 1, the present tolerance, is taken. A person's label is about one repair when the person says so: all are
accepted where every repair is said to be made; where some are not, those marked are rejected and the others accepted;
without marks nothing is known of any single one, unless there is only one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vbench_env.review.labels import Judgement
from vbench_env.review.statistics import bootstrapped
from vbench_env.review.verdicts import Judged, ratio_of

LEAST_OF_EACH = 5
"""Accepted and rejected repairs of a family that a suggestion needs."""
CLOSE = 2.0
"""Ratios from 1/2 to 2 are those that tell where acceptance ends."""
RESAMPLES = 999


class RepairLabel(NamedTuple):
    """One repair of one outcome: how far it is, in tolerances, and whether people accept it."""

    family: str
    ratio: float
    accepted: bool


@dataclass(frozen=True, slots=True)
class Separation:
    """Factors that separate best: at least `low`, less than `high`; `youden` is 1 for a perfect separation."""

    low: float
    high: float
    youden: float

    @property
    def factor(self) -> float:
        """The factor nearest to 1 among them, or the middle of them where 1 is not."""
        if self.low <= 1 < self.high:
            return 1.0
        if math.isinf(self.high):
            return self.low
        return math.sqrt(self.low * self.high) if self.low else self.high / 2


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What the labels of one family say.

    Attributes:
        family: row of the tolerance table, or `inserted`.
        accepted: accepted repairs, and `rejected` ones, of all outcomes judged.
        close: repairs within a factor of 2 of their tolerance.
        errors_now: labels on the wrong side of the present tolerance.
        errors: labels on the wrong side of the suggested one; None without a suggestion.
        factor: by which to multiply the tolerances of the family; None without a suggestion.
        low: end of the bootstrap interval of the factor, as is `high`.
        best: factors that separate equally well, the second None where there is no upper end.
        note: what to make of it.
    """

    family: str
    accepted: int
    rejected: int
    close: int
    errors_now: int
    errors: int | None = None
    factor: float | None = None
    low: float | None = None
    high: float | None = None
    best: tuple[float, float | None] | None = None
    note: str = ""


def repair_labels(judged: Judged, judgements: Iterable[Judgement]) -> list[RepairLabel]:
    """Labels of the measured repairs of one outcome, by majority; a tie says nothing.

    An invalid drawing has none: no repair of it counts, however near it is.
    """
    if not judged.valid:
        return []
    votes: dict[int, list[bool]] = {}
    for judgement in judgements:
        for place, accepted in _said(judgement, len(judged.repairs)):
            votes.setdefault(place, []).append(accepted)
    found = []
    for place, repair in enumerate(judged.repairs):
        ratio, yes = ratio_of(repair), votes.get(place, [])
        if ratio is not None and 2 * sum(yes) != len(yes):
            found.append(RepairLabel(repair.family, ratio, 2 * sum(yes) > len(yes)))
    return found


def _said(judgement: Judgement, repairs: int) -> list[tuple[int, bool]]:
    """What one judgement says of single repairs, by place."""
    if judgement.repaired == "yes":
        return [(place, True) for place in range(repairs)]
    if judgement.repaired == "no" and (judgement.missed or repairs == 1):
        missed = set(judgement.missed) or {1}
        return [(place, place + 1 not in missed) for place in range(repairs)]
    return []


def suggestions(labels: Sequence[RepairLabel], seed: int = 0) -> list[Suggestion]:
    """One suggestion for each family that has labels, those with the most labels first."""
    families: dict[str, list[RepairLabel]] = {}
    for label in labels:
        families.setdefault(label.family, []).append(label)
    ordered = sorted(families, key=lambda name: (-len(families[name]), name))
    return [suggest(name, families[name], seed) for name in ordered]


def suggest(family: str, labels: Sequence[RepairLabel], seed: int = 0) -> Suggestion:
    """What the labels of one family say of its tolerance."""
    ratios = np.array([label.ratio for label in labels], dtype=float)
    accepted = np.array([label.accepted for label in labels], dtype=bool)
    yes, no = int(accepted.sum()), int((~accepted).sum())
    close = int(((ratios >= 1 / CLOSE) & (ratios <= CLOSE)).sum())
    now = _errors(ratios, accepted, 1.0)
    if min(yes, no) < LEAST_OF_EACH:
        return Suggestion(family, yes, no, close, now, note="too few labels")
    best = separation(ratios, accepted)

    def of(places: NDArray[np.intp]) -> float:
        drawn = accepted[places]
        return separation(ratios[places], drawn).factor if 0 < drawn.sum() < drawn.size else math.nan

    ends = (best.low, None if math.isinf(best.high) else best.high)
    interval = bootstrapped(of, len(labels), seed, resamples=RESAMPLES)
    return Suggestion(
        family, yes, no, close, now, _errors(ratios, accepted, best.factor), best.factor,
        interval.low, interval.high, ends, _verdict(interval.low, interval.high, best.youden, close),
    )  # fmt: skip


def separation(ratios: NDArray[np.float64], accepted: NDArray[np.bool_]) -> Separation:
    """The factors that separate best, and of several stretches of them the one nearest to 1.

    Args:
        ratios: distance over tolerance of each repair, shape (n,).
        accepted: whether it is accepted, shape (n,); at least one is and one is not.
    """
    cuts = np.concatenate(([0.0], np.unique(ratios[ratios > 0]), [math.inf]))
    inside = ratios[None, :] <= cuts[:-1, None]
    youden = inside[:, accepted].mean(axis=1) - inside[:, ~accepted].mean(axis=1)
    best = np.flatnonzero(youden >= youden.max() - 1e-12)
    stretches = [Separation(float(cuts[i]), float(cuts[i + 1]), float(youden[i])) for i in best]
    return min(stretches, key=lambda stretch: abs(math.log(max(stretch.factor, 1e-9))))


def _errors(ratios: NDArray[np.float64], accepted: NDArray[np.bool_], factor: float) -> int:
    return int(((ratios <= factor) != accepted).sum())


def _verdict(low: float, high: float, youden: float, close: int) -> str:
    if youden <= 0:
        return "distance tells nothing"
    if close < LEAST_OF_EACH:
        return "hardly any near"
    if low <= 1 <= high:
        return "no reason to change"
    return "people accept more" if low > 1 else "people accept less"
