"""`svgenius`: the JSON files of the editing tasks, below `src/tasks/editing/`.

The kind of task (bug fixing, code optimisation, style editing) is read off the path, else off the row. Bug fixing and
optimisation ask for the same thing in every row, so that a row without words of its own gets those of `_WORDS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from vbench_env.errors import ConfigError
from vbench_env.importers.base import IMPORTERS, Importer, Row, Want
from vbench_env.importers.columns import rows_of_file

_PLACES = ("src/tasks/editing", "tasks/editing", "editing", ".")
_KINDS = (
    ("bug-fixing", re.compile(r"bug|fix|error", re.IGNORECASE)),
    ("code-optimization", re.compile(r"optimi|compress", re.IGNORECASE)),
    ("style-editing", re.compile(r"style|edit", re.IGNORECASE)),
)
_WORDS = {
    "bug-fixing": "The code of this drawing has a mistake. Repair it and leave everything else as it is.",
    "code-optimization": "Make the code of this drawing smaller; it must look the same.",
}


def rows(source: Path) -> Iterator[Row]:
    """Rows of every JSON file of the editing tasks."""
    root = next((source / place for place in _PLACES if (source / place).is_dir()), source)
    files = sorted([*root.rglob("*.json"), *root.rglob("*.jsonl")]) if root.is_dir() else []
    if not files:
        raise ConfigError(f"{source}: no JSON files below {_PLACES[0]}; give the folder of a clone")
    for path in files:
        for row in rows_of_file(path, root, ""):
            yield _sorted(row)


def _sorted(row: Row) -> Row:
    """The row with its kind, and the words of that kind where it has none."""
    group = next((name for name, pattern in _KINDS if pattern.search(f"{row.source} {row.name}")), "editing")
    words = row.instruction or _WORDS.get(group, "")
    want: Want = "optimise" if group == "code-optimization" else "repair"
    return replace(row, group=group, instruction=words, want=want)


IMPORTERS.add("svgenius", Importer("svgenius", "SVGenius: JSON below src/tasks/editing/ of a clone", rows))
