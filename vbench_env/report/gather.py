"""Runs read into counts and rows, in one pass, and further as they grow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from vbench_env.errors import ConfigError
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.experiments.store import RunFolder
from vbench_env.report.aggregate import Group, GroupKey, Results, card_of
from vbench_env.report.rows import Row, row_of

Progress = Callable[[int, int], None]
"""Called with the number of episodes done and the number of all."""


class Gatherer:
    """Episodes of one run or of several, added up.

    Episodes that two runs both played are told apart by the names of the runs, added to those of the models.

    Args:
        runs: run folders, finished or not.
        rules: rule set of the verdicts; None takes the headline of each record.

    Raises:
        ConfigError: no run folder.
    """

    def __init__(self, runs: Sequence[RunFolder], rules: str | None) -> None:
        self.runs, self.rules = tuple(runs), rules
        self.protected: Mapping[str, int] = {}
        """Number of protected objects by task id, for the pooled unintended change rate."""
        self.rows: dict[tuple[int, str], Row] = {}
        self._groups: dict[GroupKey, Group] = {}
        self._offsets = [0 for _ in self.runs]
        self._marks = run_marks(self.runs)

    def update(self, progress: Progress | None = None) -> bool:
        """Read what came since the last time; whether anything did."""
        if not self.rows:
            return self._read_all(progress)
        grown = False
        for number, run in enumerate(self.runs):
            for offset, line in _lines(run.episodes_path, self._offsets[number]):
                self._offsets[number] = offset + len(line)
                try:
                    record = EpisodeRecord.model_validate_json(line)
                except ValidationError:
                    continue  # a line that a kill tore
                known = self.rows.get((number, record.episode_id))
                if known is not None and (known.status == "UNSCORED" or record.reward_valid):
                    self._start_again()
                    return self._read_all(progress)
                if known is None:
                    self._add(number, offset, record)
                    grown = True
        return grown

    def _start_again(self) -> None:
        self.rows.clear()
        self._groups.clear()

    def _read_all(self, progress: Progress | None) -> bool:
        places = [
            (number, place.offset)
            for number, run in enumerate(self.runs)
            for place in sorted(run.index().values(), key=lambda place: place.offset)
        ]
        for done, (number, offset) in enumerate(places, start=1):
            record, end = _read(self.runs[number], offset)
            self._add(number, offset, record)
            self._offsets[number] = end
            if progress is not None:
                progress(done, len(places))
        return bool(places)

    def _add(self, number: int, offset: int, record: EpisodeRecord) -> None:
        record = self._marked(number, record)
        card = card_of(record, self.rules)
        key = GroupKey(record.model, record.protocol)
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = Group(key, record.control, self.rules or record.rules)
        group.add(record, card, self.protected.get(record.task_id))
        self.rows[number, record.episode_id] = row_of(record, card, number, offset)

    def _marked(self, number: int, record: EpisodeRecord) -> EpisodeRecord:
        return marked(record, self._marks[number])

    def record(self, row: Row) -> EpisodeRecord:
        """The whole record of a row."""
        return self._marked(row.run, _read(self.runs[row.run], row.offset)[0])

    @property
    def results(self) -> Results:
        """Everything so far, groups best first."""
        ranked = sorted(self._groups.values(), key=_rank)
        return Results(
            models=tuple(group for group in ranked if not group.control),
            controls=tuple(group for group in ranked if group.control),
            tasks=tuple(sorted({row.task_id for row in self.rows.values()})),
        )


def run_marks(runs: Sequence[RunFolder]) -> list[str]:
    """What is added to the names of models of each run, where two runs played the same episodes."""
    ids = [set(run.index()) for run in runs] if len(runs) > 1 else []
    shared = any(ids[one] & ids[other] for one in range(len(ids)) for other in range(one))
    names = [run.path.resolve().name for run in runs]
    if not shared:
        return ["" for _ in names]
    twice = len(set(names)) < len(names)
    return [f" ({name}{f', {number}' if twice else ''})" for number, name in enumerate(names, start=1)]


def marked(record: EpisodeRecord, mark: str) -> EpisodeRecord:
    """The record with `mark` after the name of its model."""
    return record.model_copy(update={"model": record.model + mark}) if mark else record


def _rank(group: Group) -> tuple[float, float, GroupKey]:
    full, progress = group.total.full_rate.value, group.total.progress.value
    return -(-1.0 if full is None else full), -(progress or 0.0), group.key


def _read(run: RunFolder, offset: int) -> tuple[EpisodeRecord, int]:
    """The record that starts at a byte, and where it ends."""
    with run.episodes_path.open("rb") as file:
        file.seek(offset)
        line = file.readline()
    try:
        return EpisodeRecord.model_validate_json(line), offset + len(line)
    except ValidationError as error:
        where = f"{run.episodes_path} at byte {offset}"
        raise ConfigError(f"{where}: not a record of this version: {error.errors()[0]}") from error


def _lines(path: Path, offset: int) -> Iterator[tuple[int, bytes]]:
    """Whole lines from a byte on, each with where it starts."""
    if not path.is_file() or path.stat().st_size <= offset:
        return
    with path.open("rb") as file:
        file.seek(offset)
        for line in file:
            if not line.endswith(b"\n"):
                return
            yield offset, line
            offset += len(line)


def file_name(text: str, longest: int = 60) -> str:
    """A name that every file system takes; the same text has the same name."""
    from vbench_env.events import sha256

    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-")[:longest]
    return plain if plain == text else f"{plain or 'x'}-{sha256(text)[:8]}"
