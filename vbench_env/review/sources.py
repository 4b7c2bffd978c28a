"""Outcomes to judge: the episodes of run folders, or published outcomes, each with its verdicts.

Read as a stream, twice: once to count what there is, once to fetch what was chosen. Control agents are left
out of a run that has others.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from vbench_env.errors import ConfigError
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.report.published import Published, load_published
from vbench_env.review.plan import Origin
from vbench_env.scoring import score
from vbench_env.scoring.rules import RULE_SETS
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.task import Task, load_corpus


@dataclass(frozen=True)
class Outcome:
    """An answer to a task. `recorded` holds the verdicts of a run; a published outcome is scored when asked."""

    task: Task
    task_hash: str
    text: str
    origin: Origin
    recorded: dict[str, Scorecard] = field(default_factory=dict)

    @cached_property
    def item(self) -> str:
        """Sixteen hexadecimal digits; the same for the same text to the same task."""
        text = self.text.encode("utf-8", "surrogatepass")
        return hashlib.sha256(f"{self.task_hash}\n".encode() + text).hexdigest()[:16]

    @cached_property
    def cards(self) -> dict[str, Scorecard]:
        """Verdicts by rule set."""
        return self.recorded or {name: score(self.task, self.text, name) for name in RULE_SETS}


class Sources:
    """All outcomes of some folders, in a fixed order."""

    def __init__(self, paths: Sequence[str | Path]) -> None:
        """Look at the folders.

        Raises:
            ConfigError: no folder is given, or the tasks of a run cannot be loaded as they were.
            TaskError: a folder is neither a run nor holds published outcomes; the message says what to give.
        """
        if not paths:
            raise ConfigError("no run is given; name a run folder or a folder of published outcomes")
        self.paths = tuple(str(path) for path in paths)
        self._readers = [_reader(Path(path), str(path)) for path in paths]
        self._skipped: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Outcome]:
        self._skipped = Counter()
        for reader in self._readers:
            yield from reader.outcomes(self._skipped)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the last reading left out."""
        return tuple(f"{count} {what} left out" for what, count in self._skipped.items())


def _reader(path: Path, name: str) -> _Run | _PublishedFolder:
    if (path / "manifest.json").is_file():
        return _Run(path, name)
    return _PublishedFolder(load_published(path), name)


@dataclass(frozen=True)
class _PublishedFolder:
    data: Published
    name: str

    @cached_property
    def _hashes(self) -> dict[str, str]:
        return {task_id: task.hash for task_id, task in self.data.tasks.items()}

    def outcomes(self, skipped: Counter[str]) -> Iterator[Outcome]:
        if self.data.skipped:
            skipped["rows that cannot be scored"] += len(self.data.skipped)
        for outcome in self.data.outcomes:
            if not (outcome.text or "").strip():
                skipped["outcomes without a text"] += 1
                continue
            task_id, text = outcome.task_id, outcome.text or ""
            origin = Origin(source=self.name, model=outcome.model)
            yield Outcome(self.data.tasks[task_id], self._hashes[task_id], text, origin)


class _Run:
    def __init__(self, path: Path, name: str) -> None:
        from vbench_env.experiments.store import RunFolder

        self.name, self._folder = name, RunFolder(path)
        corpus = load_corpus(self._folder.manifest.config.corpus)
        self._tasks = {task.hash: task for task in corpus}
        self._controls_only = all(record.control for record in self._folder.episodes())

    def outcomes(self, skipped: Counter[str]) -> Iterator[Outcome]:
        for record in self._folder.episodes():
            task = self._tasks.get(record.task_hash)
            reason = self._left_out(record, task)
            if reason is not None:
                skipped[reason] += 1
            elif task is not None and record.final_svg is not None:
                yield Outcome(
                    task, record.task_hash, record.final_svg, self._origin(record), record.scorecards
                )

    def _left_out(self, record: EpisodeRecord, task: Task | None) -> str | None:
        if record.control and not self._controls_only:
            return "episodes of control agents"
        if record.owed:
            return "episodes without a verdict"
        if not (record.final_svg or "").strip():
            return "outcomes without a text"
        return "episodes of tasks that have changed" if task is None else None

    def _origin(self, record: EpisodeRecord) -> Origin:
        return Origin(
            source=self.name, model=record.model, protocol=record.protocol, sample=record.sample,
            episode_id=record.episode_id,
        )  # fmt: skip
