"""How much the wording of an instruction matters: rates by wording, and how far one task's wordings are apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vbench_env.report.outcomes import Outcomes, Series
from vbench_env.report.statistics import Interval, Rate, bootstrap_mean, bootstrap_share, wilson


@dataclass(frozen=True, slots=True)
class Robustness:
    """A group in several wordings, over the tasks that were played in all of them.

    Attributes:
        rates: share of episodes passed, by wording.
        progress: mean progress, by wording.
        tasks: tasks that have a verdict in every wording.
        spread: share passed in a task's best wording less that in its worst, mean over tasks.
        progress_spread: the same of mean progress.
        worst: share passed in a task's worst wording, mean over tasks: what one can count on.
        best: share passed in a task's best wording, mean over tasks.
        solid: tasks passed every time in every wording.
        fickle: tasks passed in one wording at least and failed in another.
    """

    rates: Mapping[str, Rate]
    progress: Mapping[str, float]
    tasks: int
    spread: Interval | None
    progress_spread: Interval | None
    worst: Interval | None
    best: Interval | None
    solid: int
    fickle: int


def robustness(outcomes: Outcomes) -> Robustness | None:
    """Robustness over wordings; None with fewer than two of them, or where no task has all of them."""
    names = outcomes.wordings
    by_task: dict[str, dict[str, Series]] = {}
    for (task_id, wording), series in outcomes.series.items():
        if series.counts[1]:
            by_task.setdefault(task_id, {})[wording] = series
    whole = [found for found in by_task.values() if len(found) == len(names)]
    if len(names) < 2 or not whole:
        return None
    shares = np.array([[passed / total for passed, total in _counts(found, names)] for found in whole])
    means = np.array([[float(found[name].values.mean()) for name in names] for found in whole])
    best, worst = shares.max(axis=1), shares.min(axis=1)
    totals = {name: np.sum([_counts(found, (name,))[0] for found in whole], axis=0) for name in names}
    return Robustness(
        rates={name: wilson(int(passed), int(total)) for name, (passed, total) in totals.items()},
        progress=dict(zip(names, means.mean(axis=0).tolist(), strict=True)), tasks=len(whole),
        spread=bootstrap_mean(best - worst), progress_spread=bootstrap_mean(np.ptp(means, axis=1)),
        worst=bootstrap_share(worst), best=bootstrap_share(best), solid=int((worst == 1).sum()),
        fickle=int(((best > 0) & (worst < best)).sum()),
    )  # fmt: skip


def _counts(found: Mapping[str, Series], names: tuple[str, ...]) -> list[tuple[int, int]]:
    return [found[name].counts for name in names]
