"""Verdicts of a group, kept small: nine bytes an episode, whatever the episode held."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vbench_env.experiments.record import PLAIN

_MISSING = -1


class Place(NamedTuple):
    """Which episode of a group it is."""

    task_id: str
    sample: int
    wording: str = PLAIN


class Outcome(NamedTuple):
    """What a comparison needs of a scored episode."""

    passed: bool
    progress: float


@dataclass(slots=True)
class Series:
    """The samples of one task in one wording, by number."""

    passed: array[int] = field(default_factory=lambda: array("b"))
    progress: array[float] = field(default_factory=lambda: array("d"))

    def put(self, sample: int, outcome: Outcome) -> bool:
        """Keep an outcome; whether it is the first of that number."""
        short = sample + 1 - len(self.passed)
        if short > 0:
            self.passed.extend([_MISSING] * short)
            self.progress.extend([math.nan] * short)
        new = self.passed[sample] == _MISSING
        self.passed[sample], self.progress[sample] = outcome.passed, outcome.progress
        return new

    def get(self, sample: int) -> Outcome | None:
        if not 0 <= sample < len(self.passed) or self.passed[sample] == _MISSING:
            return None
        return Outcome(bool(self.passed[sample]), self.progress[sample])

    def arrays(self) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
        """Passes (-1 where there is none) and progress (not a number), by sample."""
        return np.frombuffer(self.passed, np.int8), np.frombuffer(self.progress, np.float64)

    @property
    def counts(self) -> tuple[int, int]:
        """Passes, and scored samples."""
        passed = self.arrays()[0]
        return int((passed == 1).sum()), int((passed != _MISSING).sum())

    @property
    def values(self) -> NDArray[np.float64]:
        """Progress of the scored samples."""
        progress = self.arrays()[1]
        return progress[~np.isnan(progress)]


class Outcomes(Mapping[Place, Outcome]):
    """Outcomes by task, sample and wording."""

    def __init__(self) -> None:
        self.series: dict[tuple[str, str], Series] = {}
        """By task and wording."""
        self._count = 0

    def add(self, place: Place, outcome: Outcome) -> None:
        """Keep an outcome in place of an earlier one."""
        series = self.series.setdefault((place.task_id, place.wording), Series())
        self._count += series.put(place.sample, outcome)

    def only(self, wording: str) -> Outcomes:
        """The outcomes in one wording, as if there were no other."""
        chosen = Outcomes()
        for (task_id, worded), series in self.series.items():
            if worded == wording:
                chosen.series[task_id, PLAIN] = series
                chosen._count += series.counts[1]
        return chosen

    @property
    def wordings(self) -> tuple[str, ...]:
        """Wordings in which there is an outcome."""
        return tuple(dict.fromkeys(wording for _, wording in self.series))

    def __getitem__(self, place: Place) -> Outcome:
        task_id, sample, wording = Place(*place)
        series = self.series.get((task_id, wording))
        found = None if series is None else series.get(sample)
        if found is None:
            raise KeyError(place)
        return found

    def __iter__(self) -> Iterator[Place]:
        for (task_id, wording), series in self.series.items():
            for sample, passed in enumerate(series.passed):
                if passed != _MISSING:
                    yield Place(task_id, sample, wording)

    def __len__(self) -> int:
        return self._count


@dataclass(frozen=True, slots=True)
class Pairs:
    """Two groups on the episodes that both have: passes by episode, means by task.

    A task counts once, whatever its samples and wordings.
    """

    passes: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    task_passes: tuple[list[float], list[float]]
    """Share of its shared episodes that each side passed, by task."""
    task_progress: tuple[list[float], list[float]]

    @classmethod
    def of(cls, first: Outcomes, second: Outcomes) -> Pairs:
        by_task: dict[str, list[tuple[NDArray[np.float64], ...]]] = {}
        for place, one in sorted(first.series.items()):
            if (other := second.series.get(place)) is not None:
                by_task.setdefault(place[0], []).append(_shared(one, other))
        tasks = [
            tuple(np.concatenate(parts) for parts in zip(*found, strict=True)) for found in by_task.values()
        ]
        tasks = [task for task in tasks if task[0].size]
        whole = [np.concatenate([task[n] for task in tasks]) if tasks else np.zeros(0) for n in (0, 1)]
        means = [[float(task[n].mean()) for task in tasks] for n in range(4)]
        return cls((whole[0] > 0, whole[1] > 0), (means[0], means[1]), (means[2], means[3]))


def _shared(one: Series, other: Series) -> tuple[NDArray[np.float64], ...]:
    """Passes and passes, progress and progress of the samples that both have."""
    size = min(len(one.passed), len(other.passed))
    (passed, progress), (passed_other, progress_other) = (
        (found[:size] for found in series.arrays()) for series in (one, other)
    )
    both = (passed != _MISSING) & (passed_other != _MISSING)
    return (
        passed[both].astype(float),
        passed_other[both].astype(float),
        progress[both],
        progress_other[both],
    )
