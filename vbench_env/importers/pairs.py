"""`pairs`: drawings before and after, with an instruction, from anywhere.

Three layouts, mixed as you like: a file of rows (`.jsonl`, `.json`, `.csv`; columns as in `importers.columns`), a
folder for each task (`before.svg`, `target.svg`, `instruction.txt`), or files side by side that share a name
(`x.before.svg`, `x.target.svg`, `x.txt`; `_` and `-` do as well as the dot).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from vbench_env.errors import ConfigError
from vbench_env.importers.base import IMPORTERS, Importer, Row
from vbench_env.importers.columns import lacking, read_text, rows_of_file

TABLES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")
_ROLES = {
    "before": "before", "original": "before", "source": "before", "input": "before", "start": "before",
    "corrupted": "before", "initial": "before", "buggy": "before",
    "target": "target", "after": "target", "edited": "target", "output": "target", "answer": "target",
    "fixed": "target", "expected": "target", "ground_truth": "target",
    "instruction": "instruction", "prompt": "instruction", "editing_prompt": "instruction", "edit": "instruction",
}  # fmt: skip
_SPLIT = re.compile(
    r"^(?:(.*?)[._-])?(" + "|".join(sorted(_ROLES, key=len, reverse=True)) + r")(?:[._-]svg)?$", re.IGNORECASE
)
_TEXTS = (".txt", ".md")


def rows(source: Path) -> Iterator[Row]:
    """Rows of a file, or of all files below a folder."""
    if source.is_file():
        if source.suffix.lower() not in TABLES:
            raise ConfigError(f"{source}: give a folder, or a file of rows ({', '.join(TABLES)})")
        yield from rows_of_file(source, source, source.stem)
        return
    if not source.is_dir():
        raise ConfigError(f"{source}: no such folder or file")
    files = sorted(path for path in source.rglob("*") if path.is_file() and not path.name.startswith("."))
    tables = [path for path in files if path.suffix.lower() in TABLES]
    parts = _by_task(source, files)
    if not tables and not parts:
        raise ConfigError(
            f"{source}: neither drawings such as before.svg and target.svg, nor rows ({', '.join(TABLES)})"
        )
    for path in tables:
        yield from rows_of_file(path, source, _group(path.relative_to(source).parent, path.stem))
    for key, found in parts.items():
        yield _row(key, found)


def _group(parent: Path, otherwise: str) -> str:
    return "-".join(parent.parts) or otherwise


def _by_task(root: Path, files: list[Path]) -> dict[str, dict[str, Path]]:
    """Files by task and role; a text without a role beside drawings is the instruction."""
    found: dict[str, dict[str, Path]] = defaultdict(dict)
    for path in files:
        match, suffix = _SPLIT.match(path.stem), path.suffix.lower()
        if suffix not in (".svg", *_TEXTS) or (match is None and suffix == ".svg"):
            continue
        name, role = (match[1] or "", _ROLES[match[2].lower()]) if match else (path.stem, "instruction")
        if (role == "instruction") == (suffix == ".svg"):
            continue
        found[(path.parent.relative_to(root) / name).as_posix()].setdefault(role, path)
    return {key: one for key, one in sorted(found.items()) if set(one) != {"instruction"}}


def _row(key: str, files: dict[str, Path]) -> Row:
    group, _, name = key.rpartition("/")
    texts = {role: read_text(path) for role, path in files.items()}
    return Row(
        source=key, name=name or key, group=group.replace("/", "-") or "pairs",
        instruction=(texts.get("instruction") or "").strip(), before=texts.get("before"),
        target=texts.get("target"), refused=lacking(texts, ("before", "target", "instruction")),
    )  # fmt: skip


IMPORTERS.add(
    "pairs", Importer("pairs", "before, target and instruction: folders, files side by side, or rows", rows)
)
