"""What several samples of a task tell: pass@k, pass^k, and how much of the spread is the model's own dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from vbench_env.errors import ConfigError
from vbench_env.report.statistics import Interval, bootstrap_share


@dataclass(frozen=True, slots=True)
class AtK:
    """Mean over tasks of the chance that any, or all, of k fresh samples pass.

    `tasks` have at least k scored samples, `left_out` have fewer.
    """

    k: int
    rate: Interval
    tasks: int
    left_out: int


def pass_at_k(
    counts: Sequence[tuple[int, int]], k: int, which: Literal["any", "all"] = "any", *, seed: int = 0
) -> AtK | None:
    """pass@k (`any`, Chen et al. 2021) or pass^k (`all`, Yao et al. 2024), unbiased, with a bootstrap over tasks.

    Of n samples with c passes, k drawn without replacement hold none, or nothing but, passes with the probabilities of
    the hypergeometric distribution.

    Args:
        counts: passes and scored samples of every task.
        k: samples that somebody would draw.
        which: whether any of them must pass, or all.
        seed: of the bootstrap.

    Returns:
        None when no task has k samples.
    """
    if k < 1 or any(not 0 <= passed <= total for passed, total in counts):
        raise ConfigError(f"pass@{k} needs a k of at least 1 and counts from 0 to the samples of a task")
    from scipy.stats import hypergeom

    enough = [(passed, total) for passed, total in counts if total >= k]
    if not enough:
        return None
    passed, total = np.array(enough).T
    drawn = hypergeom(total, passed, k)
    chances = np.round(drawn.sf(0) if which == "any" else drawn.pmf(k), 12)
    rate = bootstrap_share(chances, seed=seed)
    assert rate is not None
    return AtK(k, rate, len(enough), len(counts) - len(enough))


@dataclass(frozen=True, slots=True)
class VarianceSplit:
    """One-way random effects: how far values differ between tasks, and between samples of one task.

    Attributes:
        task: variance between tasks; 0 where samples differ more than tasks do.
        decoding: variance between samples of one task.
        tasks: how many there are, with `samples` values in all.
    """

    task: float
    decoding: float
    tasks: int
    samples: int

    @property
    def decoding_share(self) -> float | None:
        """Part of the variance of one value that is decoding, 0 to 1; None where nothing varies."""
        whole = self.task + self.decoding
        return self.decoding / whole if whole else None

    def standard_error(self, samples: int, *, same_tasks: bool = False) -> float:
        """Of the mean over as many tasks with so many samples each; for new tasks like these, or for these alone."""
        decoding = self.decoding / samples
        return float(np.sqrt((decoding if same_tasks else self.task + decoding) / self.tasks))


def variance_split(values: Sequence[Sequence[float]]) -> VarianceSplit | None:
    """Variance components of values grouped by task (analysis of variance; Searle, Casella and McCulloch 1992).

    Tasks may have different numbers of samples. None unless there are two tasks and one of them has two samples.
    """
    groups = [np.asarray(group, dtype=float) for group in values if len(group)]
    sizes = np.array([group.size for group in groups])
    count, tasks = int(sizes.sum()), len(groups)
    if tasks < 2 or count == tasks:
        return None
    means = np.array([group.mean() for group in groups])
    within = sum(float(group.var()) * group.size for group in groups) / (count - tasks)
    between = float(np.sum(sizes * (means - np.concatenate(groups).mean()) ** 2)) / (tasks - 1)
    size = (count - float((sizes**2).sum()) / count) / (tasks - 1)
    return VarianceSplit(max(0.0, (between - within) / size), within, tasks, count)
