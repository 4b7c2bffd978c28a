"""Tasks of all files in a folder: which files, in which order, how many, and which split they belong to."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from vbench_env.errors import ConfigError, TaskError, UnknownName, VBenchError
from vbench_env.generate.corpus import Tally
from vbench_env.generate.files.offers import OFFERS
from vbench_env.generate.files.one import generate_of
from vbench_env.generate.levels import SPLITS, level_of
from vbench_env.generate.make import Generated, Rejected
from vbench_env.seeding import derive_random, derive_seed

SHARES = {"train": 8, "validation": 1, "test": 1}
"""Of ten files, how many belong to a split."""
_PATIENCE = 3
"""Rounds in succession in which a file may give nothing new before it is left out."""


def svg_files(folder: Path) -> list[Path]:
    """The SVG files below a folder, by path."""
    if not folder.is_dir():
        raise ConfigError(f"{folder}: no such folder; name one that holds SVG files")
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".svg" and path.is_file())
    if not found:
        raise ConfigError(f"{folder}: holds no SVG files (*.svg)")
    return found


def split_of(source: bytes) -> str:
    """The split that a file belongs to, by its content: copies are never apart."""
    place = derive_seed("split", hashlib.sha256(source).hexdigest()) % sum(SHARES.values())
    for name, share in SHARES.items():
        if place < share:
            return name
        place -= share
    raise AssertionError("shares add up")


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    name: str

    def content(self) -> bytes:
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise Rejected(f"cannot be read ({error.strerror or error})") from error


def generate_from(
    folder: Path, seed: int, level: int, operations: Sequence[str] | None, tally: Tally, *,
    count: int | None = None, split: str | None = None,
) -> Iterator[Generated]:  # fmt: skip
    """Tasks of the SVG files below `folder`; reasons why files give none go to the tally.

    Args:
        folder: where the files are.
        seed: decides what is corrupted, and the order of the files where a number is asked for.
        level: how many repairs, and of which operations.
        operations: repairs to draw from; those of the level when None.
        tally: is kept while the tasks are taken.
        count: so many tasks, of files by lot, each of them once before one gives another; when None, one task of each
            file, by path.
        split: take only the files of this split.

    Raises:
        ConfigError: an argument names nothing known, or no file is in the split.
        TaskError: the files give fewer tasks than asked for; the message says how many.
    """
    wanted = _operations(level, operations)
    files = _of_split(
        [_File(path, path.relative_to(folder).as_posix()) for path in svg_files(folder)], split, folder
    )
    if count is None:
        for file in files:
            made = _made(file, seed, level, wanted, tally)
            if made is not None:
                tally.count(made)
                yield made
        return
    if count < 1:
        raise ConfigError(f"the number of tasks must be at least 1, not {count}")
    derive_random("files", seed, level).shuffle(files)
    yield from _rounds(files, count, seed, level, wanted, tally)


def _operations(level: int, operations: Sequence[str] | None) -> tuple[str, ...]:
    for name in operations or ():
        if name not in OFFERS:
            raise UnknownName("operation on files", name, OFFERS)
    return tuple(operations or level_of(level).operations or OFFERS)


def _of_split(files: list[_File], split: str | None, folder: Path) -> list[_File]:
    """The files of a split, with those that cannot be read (they are reported)."""
    if split is None:
        return files
    if split not in SPLITS:
        raise ConfigError(f"split must be one of {', '.join(SPLITS)}, not {split!r}")
    found, unread = [], []
    for file in files:
        try:
            if split_of(file.content()) == split:
                found.append(file)
        except Rejected:
            unread.append(file)
    if not found:
        raise ConfigError(
            f"{folder}: none of its {len(files)} SVG files is in the split {split!r}; take another split, or more files"
        )
    return sorted([*found, *unread], key=lambda file: file.name)


def _rounds(
    files: list[_File], count: int, seed: int, level: int, wanted: tuple[str, ...], tally: Tally
) -> Iterator[Generated]:
    """Each file once, then those that bear more once more, until there are as many tasks as asked for."""
    known: set[str] = set()
    failed = {file.name: 0 for file in files}
    number = 0
    while files and tally.tasks < count:
        for file in files:
            own = seed if number == 0 else derive_seed("round", seed, number)
            made = _made(file, own, level, wanted, tally)
            if made is None:
                failed[file.name] = _PATIENCE
            elif {made.task.instruction, made.task.task_id} & known:
                failed[file.name] += 1
                tally.skipped += 1
                tally.draws += 1
            else:
                failed[file.name] = 0
                known |= {made.task.instruction, made.task.task_id}
                tally.count(made)
                yield made
            if tally.tasks == count:
                return
        files = [file for file in files if failed[file.name] < _PATIENCE]
        number += 1
    if tally.tasks < count:
        raise TaskError(
            f"only {tally.tasks} of {count} tasks can be made of these files; take more files, or fewer tasks"
        )


def _made(file: _File, seed: int, level: int, wanted: tuple[str, ...], tally: Tally) -> Generated | None:
    """The task of a file; when there is none the tally says why."""
    start = time.process_time()
    try:
        return generate_of(file.content(), file.name, seed, level, wanted)
    except (Rejected, VBenchError) as error:
        tally.skipped += 1
        tally.draws += 1
        tally.reasons[f"{file.name}: {error}"] += 1
        return None
    finally:
        tally.cpu_s += time.process_time() - start
