"""A run folder on disk.

    manifest.json      what the run is
    episodes.jsonl     one finished episode a line, appended by one writer, on disk before the next is begun
    calls/             answers of episodes in flight (see `journal`)
    pictures/          PNGs by content
    run.lock           held while a process writes

A line that a kill tore is as if it had not been written. A later line of the same key supersedes an earlier
one, except that a result is never superseded by a failure of infrastructure.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import filelock
import numpy as np
from pydantic import ValidationError

from vbench_env.errors import ConfigError
from vbench_env.experiments.journal import CallJournal, append_line, mend_tail
from vbench_env.experiments.manifest import Manifest, refuse_differences
from vbench_env.experiments.pictures import PictureStore
from vbench_env.experiments.record import EpisodeRecord

__all__ = ["EpisodeRecord", "RowPlace", "RunFolder", "RunWriter"]

_HEAD = re.compile(rb'^\{"schema":\d+,"episode_id":"([^"]+)","reward_valid":(true|false),')


@dataclass(frozen=True, slots=True)
class RowPlace:
    """Where the row of an episode stands in `episodes.jsonl`."""

    offset: int
    owed: bool


class RunFolder:
    """Reads a run folder, also while another process writes to it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.pictures = PictureStore(self.path / "pictures")

    @property
    def episodes_path(self) -> Path:
        return self.path / "episodes.jsonl"

    def journal_path(self, episode_id: str) -> Path:
        return self.path / "calls" / f"{episode_id}.jsonl"

    @property
    def manifest(self) -> Manifest:
        """The manifest; `ConfigError` when this is no run folder."""
        path = self.path / "manifest.json"
        try:
            return Manifest.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            raise ConfigError(f"{self.path} is no run folder: it has no manifest.json") from None
        except ValidationError as error:
            raise ConfigError(f"{path} cannot be read: {error.errors()[0]['msg']}") from error

    def index(self) -> dict[str, RowPlace]:
        """Place of the row that counts, by episode id, in order of writing. Reads no whole row."""
        found: dict[str, RowPlace] = {}
        for episode_id, offset, valid in self._rows():
            known = found.get(episode_id)
            if known is None or known.owed or valid:
                found[episode_id] = RowPlace(offset, not valid)
        return found

    def done(self) -> set[str]:
        """Ids of the episodes that have a result."""
        return {episode_id for episode_id, place in self.index().items() if not place.owed}

    def episodes(self) -> Iterator[EpisodeRecord]:
        """Every episode once, owed ones too, in order of writing; one record in memory at a time."""
        offsets = self._offsets()
        if not offsets:
            return
        with self.episodes_path.open("rb") as file:
            for offset in offsets:
                file.seek(offset)
                try:
                    yield EpisodeRecord.model_validate_json(file.readline())
                except ValidationError as error:
                    where = f"{self.episodes_path} at byte {offset}"
                    raise ConfigError(
                        f"{where}: not a record of this version: {error.errors()[0]}"
                    ) from error

    def _offsets(self) -> array[int]:
        """Where the rows start that count, in order of writing; a few bytes a row, however many there are."""
        ids, offsets, valid = array("Q"), array("q"), array("b")
        for episode_id, offset, good in self._rows():
            ids.append(int.from_bytes(hashlib.blake2b(episode_id.encode(), digest_size=8).digest(), "big"))
            offsets.append(offset)
            valid.append(good)
        if not ids:
            return offsets
        keys, places = np.frombuffer(ids, np.uint64), np.frombuffer(offsets, np.int64)
        order = np.lexsort((places, np.frombuffer(valid, np.int8), keys))
        last = np.append(keys[order][1:] != keys[order][:-1], True)
        return array("q", np.sort(places[order][last]).tobytes())

    def _rows(self) -> Iterator[tuple[str, int, bool]]:
        """Id, place and validity of every whole row."""
        if not self.episodes_path.is_file():
            return
        offset = 0
        with self.episodes_path.open("rb") as file:
            for line in file:
                if head := _head(line):
                    yield head[0], offset, head[1]
                offset += len(line)


def _head(line: bytes) -> tuple[str, bool] | None:
    """Id and `reward_valid` of a row; None for a torn one. Rows of our own are not parsed whole for that."""
    if (head := _HEAD.match(line)) and line.endswith(b"}\n"):
        return head[1].decode(), head[2] == b"true"
    try:
        row = json.loads(line)
        return str(row["episode_id"]), bool(row["reward_valid"])
    except (ValueError, KeyError, TypeError):
        return None


class RunWriter(RunFolder):
    """The one writer of a run folder. Holds the lock until `close`."""

    def __init__(self, path: str | Path, manifest: Manifest, *, resume: bool) -> None:
        """Lock a folder for a run; `begin` starts it.

        Raises:
            ConfigError: another process writes here; the folder holds a run and `resume` is false; or it is
                a run of something else, in which case the message names the differences.
        """
        super().__init__(path)
        self._made = not self.path.exists()
        self.path.mkdir(parents=True, exist_ok=True)
        self._lock = filelock.FileLock(self.path / "run.lock")
        try:
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            raise ConfigError(
                f"another process is writing to {self.path}; wait for it or choose another folder"
            ) from None
        try:
            self._check(manifest, resume)
        except BaseException:
            self.close()
            raise

    def _tidy(self) -> None:
        """Take the lock away where nothing was begun: a start that was refused leaves nothing behind."""
        if not (self.path / "manifest.json").is_file():
            with suppress(OSError):
                (self.path / "run.lock").unlink()
                if self._made:
                    self.path.rmdir()

    def _check(self, manifest: Manifest, resume: bool) -> None:
        if (self.path / "manifest.json").is_file():
            if not resume:
                advice = "resume it (--resume) or choose another folder (--out)"
                raise ConfigError(f"{self.path} already holds a run; {advice}")
            refuse_differences(self.manifest, manifest)
            mend_tail(self.episodes_path)
        elif strangers := sorted(p.name for p in self.path.iterdir() if p.name != "run.lock"):
            advice = "choose an empty or new folder (--out)"
            raise ConfigError(
                f"{self.path} is no run folder and holds other files ({strangers[0]}); {advice}"
            )

    def begin(self, manifest: Manifest) -> None:
        """Write the manifest of a run that starts here; clear away journals that a kill left behind."""
        done = self.done()
        for journal in (self.path / "calls").glob("*.jsonl"):
            if journal.stem in done:
                journal.unlink()
        path = self.path / "manifest.json"
        if not path.is_file():
            part = path.with_suffix(".part")
            part.write_text(manifest.model_dump_json(by_alias=True, indent=2), encoding="utf-8")
            os.replace(part, path)

    def journal(self, episode_id: str) -> CallJournal:
        """The calls of an episode that is about to be played."""
        return CallJournal(self.journal_path(episode_id), self.pictures)

    def append(self, record: EpisodeRecord) -> None:
        """Write a row and see it to the disk. Then its calls, which it holds, need no journal any more."""
        append_line(self.episodes_path, self.pictures.json(record))
        if not record.owed:
            self.journal_path(record.episode_id).unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the folder."""
        self._lock.release()
        self._tidy()

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
