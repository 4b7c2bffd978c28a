"""Calls of an episode in flight, written down before anything reads them.

`calls/<episode id>.jsonl` holds one line an attempt: the number of the call in its episode, the digest of
what was asked, the request as sent (first attempt only) and the attempt. When the episode has its row, the
file goes. When the process dies first, the next one finds the answers here and does not pay for them again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from vbench_env.agent import CallRecord
from vbench_env.experiments.pictures import PictureStore
from vbench_env.experiments.reply import call_record


@dataclass(slots=True)
class EarlierCall:
    """One call that an earlier process made or tried."""

    digest: str
    request: dict[str, Any] = field(default_factory=dict)
    attempts: list[dict[str, Any]] = field(default_factory=list)

    @property
    def answered(self) -> bool:
        return bool(self.attempts) and "response" in self.attempts[-1] and "error" not in self.attempts[-1]

    def record(self) -> CallRecord:
        """The call as a record, answered or not."""
        return call_record(self.request, self.attempts)


class CallJournal:
    """The journal of one episode; used by the one thread that plays it."""

    def __init__(self, path: Path, pictures: PictureStore) -> None:
        self.path, self._pictures = path, pictures
        mend_tail(path)
        self._earlier = read_journal(path)

    def earlier(self, number: int, digest: str) -> EarlierCall | None:
        """What is known of call `number`, if it asked the same. One that differs makes the rest worthless."""
        found = self._earlier.get(number)
        if found is None or found.digest != digest:
            self._earlier = {n: call for n, call in self._earlier.items() if n < number}
            return None
        return found

    def write(
        self, number: int, digest: str, request: Mapping[str, Any] | None, attempt: Mapping[str, Any]
    ) -> None:
        """Append one attempt and see it to the disk."""
        line = {"call": number, "digest": digest, "request": request, "attempt": attempt}
        append_line(self.path, self._pictures.json(line))


def read_journal(path: Path) -> dict[int, EarlierCall]:
    """Calls by number. A torn last line is as if it had not been written."""
    calls: dict[int, EarlierCall] = {}
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        try:
            entry = json.loads(line)
            number, digest = int(entry["call"]), str(entry["digest"])
            request, attempt = entry["request"], dict(entry["attempt"])
        except (ValueError, KeyError, TypeError):
            continue
        if number not in calls or calls[number].digest != digest:
            calls[number] = EarlierCall(digest)
        calls[number].request = request or calls[number].request
        calls[number].attempts.append(attempt)
    return calls


def append_line(path: Path, line: bytes) -> None:
    """Append a line and see it to the disk before returning."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())


def mend_tail(path: Path) -> None:
    """Drop what a kill tore off the end of a file of lines, or close the last line when it is whole."""
    if not path.is_file() or not path.stat().st_size:
        return
    with path.open("rb+") as file:
        start = _last_line_start(file)
        file.seek(start)
        line = file.read()
        if line.endswith(b"\n"):
            return
        if _is_json(line):
            file.write(b"\n")
        else:
            file.truncate(start)
        file.flush()
        os.fsync(file.fileno())


def _last_line_start(file: IO[bytes]) -> int:
    """Offset of the last line, read backwards in blocks; a line end that closes the file does not count."""
    end = file.seek(0, os.SEEK_END) - 1
    while end > 0:
        begin = max(0, end - 65_536)
        file.seek(begin)
        found = file.read(end - begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
