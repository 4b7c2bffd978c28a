"""Measures of other benchmarks, and SWE-bench's tests, over the episodes of a run."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from vbench_env.errors import ConfigError
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.experiments.store import RunFolder
from vbench_env.measures import MEASURES, PLAIN, Drawings, Settings, Value
from vbench_env.measures.swe import Graded, grade
from vbench_env.report.aggregate import GroupKey
from vbench_env.report.played import load_tasks
from vbench_env.task import Task
from vbench_env.taskkit.build import without_canary


class Sum(NamedTuple):
    """Numbers added up, and how many episodes gave none."""

    total: float = 0.0
    episodes: int = 0
    missing: int = 0

    def with_(self, value: float | None) -> Sum:
        if value is None:
            return self._replace(missing=self.missing + 1)
        return Sum(self.total + value, self.episodes + 1, self.missing)

    @property
    def mean(self) -> float | None:
        return self.total / self.episodes if self.episodes else None


@dataclass(slots=True)
class Tests:
    """Answers of a group as tests: how many were applied and resolved, and the tests that passed of all."""

    answers: int = 0
    applied: int = 0
    resolved: int = 0
    fixed: int = 0
    to_fix: int = 0
    kept: int = 0
    to_keep: int = 0

    def take(self, graded: Graded) -> None:
        self.answers += 1
        self.applied += graded.applied
        self.resolved += graded.resolved
        fixed, kept = graded.fixed, graded.pass_to_pass
        self.fixed, self.to_fix = self.fixed + fixed[0], self.to_fix + fixed[1]
        self.kept, self.to_keep = self.kept + kept[0], self.to_keep + kept[1]


class MeasuredEpisode(NamedTuple):
    """One episode: its measures by name, and its tests."""

    record: EpisodeRecord
    values: dict[str, Value]
    graded: Graded


@dataclass(slots=True)
class Measured:
    """A run measured, by group. `skipped` are scored episodes whose task is no longer what was played."""

    names: tuple[str, ...]
    sums: dict[GroupKey, dict[str, Sum]] = field(default_factory=dict)
    tests: dict[GroupKey, Tests] = field(default_factory=dict)
    controls: set[GroupKey] = field(default_factory=set)
    skipped: int = 0

    def take(self, episode: MeasuredEpisode) -> None:
        record = episode.record
        key = GroupKey(record.model, record.protocol)
        if record.control:
            self.controls.add(key)
        sums = self.sums.setdefault(key, dict.fromkeys(self.names, Sum()))
        for name, value in episode.values.items():
            sums[name] = sums[name].with_(value.value)
        self.tests.setdefault(key, Tests()).take(episode.graded)

    @property
    def groups(self) -> list[GroupKey]:
        """Models first, then controls, each by name."""
        return sorted(self.sums, key=lambda key: (key in self.controls, key))


def measure_run(
    folder: str | Path,
    names: Sequence[str] = PLAIN,
    settings: Settings | None = None,
    *,
    table: Path | None = None,
    told: Callable[[], None] = lambda: None,
) -> Measured:
    """Measure every scored episode of a run.

    Args:
        folder: the run.
        names: measures.
        settings: how they are taken.
        table: CSV file to write, a row for each episode.
        told: called after each episode.

    Raises:
        ConfigError: no run folder, or none of its tasks can be loaded as it was played.
        UnknownName: no such measure.
    """
    run = RunFolder(folder)
    tasks, note = load_tasks(run.manifest)
    if not tasks:
        raise ConfigError(note or f"{folder}: none of its tasks can be loaded")
    chosen = settings or Settings()
    measures = [MEASURES.get(name) for name in names]
    found = Measured(tuple(measure.name for measure in measures))

    def episodes() -> Iterator[MeasuredEpisode]:
        for record in run.episodes():
            task = tasks.get(record.task_id)
            if record.score is None or task is None:
                found.skipped += record.score is not None
                continue
            drawings = Drawings(
                None if record.final_svg is None else _plain(record.final_svg, task),
                _plain(task.target_svg, task),
                task.corrupted_svg,
                chosen.width_px,
            )
            values = {measure.name: measure.take(drawings, chosen) for measure in measures}
            episode = MeasuredEpisode(record, values, graded_record(record, task))
            found.take(episode)
            told()
            yield episode

    if table is None:
        for _ in episodes():
            pass
    else:
        _write(table, found.names, episodes())
    return found


def _plain(text: str, task: Task) -> str:
    """A drawing without the line that marks hidden data, which is no part of an answer."""
    return without_canary(text, task.canary) if task.canary else text


def graded_record(record: EpisodeRecord, task: Task) -> Graded:
    """An episode as tests; where patches were its answers, one of them has to fit, or another call has to edit."""
    assert record.score is not None
    patches = [event for event in record.events if _is_patch(event)]
    edited = record.final_svg not in (None, task.corrupted_svg)
    applied = not patches or edited or any(event.get("error") is None for event in patches)
    return grade(record.score, len(task.protected), applied=applied)


def _is_patch(event: dict[str, object]) -> bool:
    action, error = event.get("action"), event.get("error")
    called = isinstance(action, dict) and action.get("tool") == "apply_patch"
    return called or (isinstance(error, dict) and error.get("kind") == "patch_failed")


def _write(path: Path, names: Sequence[str], episodes: Iterator[MeasuredEpisode]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        tests = ("applied", "resolved", "fail_to_pass", "of", "pass_to_pass", "of_protected")
        writer.writerow(("episode", "task", "model", "protocol", "sample", "wording", *names, *tests))
        for record, values, graded in episodes:
            numbers = ("" if values[name].value is None else f"{values[name].value:.6g}" for name in names)
            place = (
                record.episode_id,
                record.task_id,
                record.model,
                record.protocol,
                record.sample,
                record.wording,
            )
            flags = int(graded.applied), int(graded.resolved), *graded.fixed, *graded.pass_to_pass
            writer.writerow((*place, *numbers, *flags))
