"""One read-only copy of a corpus for all environments of a process."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from vbench_env.resources import data_root
from vbench_env.task import Corpus, load_corpus

Stamp = tuple[int, int]


def shared_corpus(name: str | Path) -> Corpus:
    """`load_corpus`, kept for the last few folders as long as no file in them changes."""
    path = Path(name)
    folder = path if path.is_dir() else data_root("tasks") / str(name)
    if not folder.is_dir():
        return load_corpus(name)
    return _kept(str(name), str(folder.resolve()), _stamp(folder))


def _stamp(folder: Path) -> Stamp:
    """How many files and folders there are, and when the last of them changed (ns)."""
    times = [
        os.stat(Path(root, name)).st_mtime_ns
        for root, folders, files in os.walk(folder)
        for name in (*folders, *files)
        if not name.startswith(".")
    ]
    return len(times), max(times, default=0)


@lru_cache(maxsize=4)
def _kept(name: str, folder: str, stamp: Stamp) -> Corpus:
    return load_corpus(name)
