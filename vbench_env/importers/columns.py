"""Rows as mappings: which column is the start, which the target, which the instruction.

Names are compared in lower case with `_` between words, so `OriginalSVG`, `original-svg` and `original_svg` are one.
The first column of `BEFORE` that is there is the start, and the first of `TARGET` that is another one is the target: a
row with `bug_svg` and `original_svg` goes from the bug to the original, one with `original_svg` and `edited_svg` from
the original to the edit. Where no name is known, patterns decide among the columns that hold a drawing.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from vbench_env.importers.base import Row
from vbench_env.importers.derive import Refused
from vbench_env.svg import encoding as codec
from vbench_env.svg.extract import extract_svg, svg_start

BEFORE = (
    "bug_svg", "buggy_svg", "bugged_svg", "svg_with_bug", "error_svg", "erroneous_svg", "corrupted_svg", "broken_svg",
    "initial_svg", "before_svg", "before", "original_svg", "source_svg", "input_svg", "query_svg", "svg_code", "svg",
    "input", "source", "original", "code",
)  # fmt: skip
TARGET = (
    "editing_target_svg", "target_svg", "fixed_svg", "ground_truth_svg", "ground_truth", "edited_svg", "correct_svg",
    "optimized_svg", "optimised_svg", "after_svg", "after", "answer_svg", "expected_svg", "output_svg", "reference_svg",
    "gt_svg", "target", "answer", "expected", "output", "reference", "solution", "original_svg", "original",
)  # fmt: skip
INSTRUCTION = (
    "editing_prompt", "edit_prompt", "instruction", "edit_instruction", "editing_instruction", "prompt", "question",
    "query", "command", "bug_description", "error_description", "description", "text",
)  # fmt: skip
_WORDED = frozenset(INSTRUCTION)
_DRAWINGS = frozenset((*BEFORE, *TARGET))
_WRONG = re.compile(r"(?:bug|error|broken|corrupt|fault|wrong|damaged)(?!.*(?:fix|free|correct))")
"""Columns of a drawing with a mistake, whatever else the row calls original."""
_EARLIER = re.compile(r"before|source|input|initial|original|start")
_LATER = re.compile(
    r"target|fixed|correct|truth|answer|after|edited|modified|optimi[sz]ed|expected|output|result|new"
)
_ASKING = re.compile(r"instruction|prompt|question|query|command|request")
NAME = ("task_id", "id", "name", "uid", "filename", "file_name", "file", "key")

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\s\-.]+")
_FENCE = re.compile(r"```[\w+-]*\s*```|```[\w+-]*")
_LABEL = re.compile(r"(?:\A|\n)[^\n:]{0,40}(?:svg|code|source|input)[^\n:]{0,20}:\s*\Z", re.IGNORECASE)
"""A last line such as `SVG code:`, which announces the drawing."""
_LINES = re.compile(r"\s*\{[^\n]*\}[ \t\r]*\n\s*\{")
"""The beginning of a file that has an object on every line, whatever its name ends with."""
_MOST_FILE_BYTES = 512_000_000
_DEPTH = 8
"""Groups around a row."""


def named(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with its columns' names in one spelling."""
    return {_WORD.sub("_", str(key)).lower().strip("_"): value for key, value in row.items()}


def row_of(data: Mapping[str, Any], source: str, name: str, group: str, folder: Path) -> Row:
    """A row from a mapping; what is missing in it makes it a refused one.

    Args:
        data: columns and values; a value may be a drawing, an answer that holds one, the name of a file beside, or
            a mapping with such a value.
        source: where the row is, for people.
        name: what the row is called where no column says so.
        group: kind of task.
        folder: where files that are named lie.
    """
    columns = named(data)
    drawn = {
        key: found
        for key, value in columns.items()
        if key not in _WORDED and (found := drawing_in(value, folder))
    }
    first = _first(drawn, _WRONG, BEFORE, _EARLIER)
    before = drawn.pop(first) if first else None
    last = _first(drawn, None, TARGET, _LATER) or (next(iter(drawn)) if before and len(drawn) == 1 else None)
    target = drawn[last] if last else None
    words = [key for key in columns if key not in INSTRUCTION and _ASKING.search(key)]
    instruction = next(
        (str(columns[key]) for key in (*INSTRUCTION, *words) if _is_text(columns.get(key))), ""
    )
    if svg_start(instruction) is not None:
        before = before or extract_svg(instruction)
        instruction = without_drawing(instruction)
    called = next((str(columns[key]) for key in NAME if _is_name(columns.get(key))), name)
    row = Row(source, called, group, instruction.strip(), before, target, columns=tuple(columns))
    if before and target:
        return row
    empty = [key for key in columns if key in _DRAWINGS and key not in drawn and key != first]
    return _incomplete(row, [key for key in empty if key not in _WORDED])


def _first(
    drawn: Mapping[str, str], sooner: re.Pattern[str] | None, names: Sequence[str], later: re.Pattern[str]
) -> str | None:
    """The column that a pattern finds, else the first of some names, else what another pattern finds."""
    if sooner is not None and (found := next((key for key in drawn if sooner.search(key)), None)):
        return found
    exact = next((key for key in names if key in drawn), None)
    return exact or next((key for key in drawn if later.search(key)), None)


def _incomplete(row: Row, empty: Sequence[str]) -> Row:
    absent = " and ".join(
        what for what, there in (("start", row.before), ("target", row.target)) if not there
    )
    told = f"no drawing in {', '.join(empty)}" if empty else f"no column with the {absent}"
    return replace(row, refused=Refused("missing", f"{told}{shown(row)}"))


def shown(row: Row) -> str:
    """The columns of a row, for a message about one that is missing."""
    return f"; columns: {', '.join(row.columns[:12])}" if row.columns else ""


def drawing_in(value: Any, folder: Path) -> str | None:
    """The drawing that a value is, holds or names; None where there is none."""
    if isinstance(value, Mapping):
        inner = named(value)
        found = (drawing_in(inner.get(key), folder) for key in ("svg", "svg_code", "code", "content", "path"))
        return next((one for one in found if one), None)
    if not isinstance(value, str):
        return None
    if (at := svg_start(value)) is not None:
        return extract_svg(value) if at else value
    if value.lstrip().startswith("<"):
        return value
    if len(value) < 300 and value.strip().lower().endswith(".svg"):
        return _beside(value.strip(), folder)
    return None


def _beside(name: str, folder: Path) -> str | None:
    """A file below `folder`; names that lead out of it are not followed."""
    path = (folder / name).resolve()
    if folder.resolve() not in path.parents or not path.is_file():
        return None
    return read_text(path)


def read_text(path: Path) -> str | None:
    """A text file in the encoding that it is marked with or declares, line ends as they are; None where it is none."""
    try:
        text, encoding = codec.decode(path.read_bytes())
    except OSError:
        return None
    return None if encoding == codec.UNKNOWN else text.removeprefix("\ufeff")


def lacking(texts: Mapping[str, str | None], wanted: Sequence[str]) -> Refused | None:
    """Why files make no row: one of these that is there is no text (None), or one of `wanted` is not there or empty."""
    if unread := [role for role, text in texts.items() if text is None]:
        told = f"the bytes of the {' and the '.join(unread)} are no text in UTF-8 or in an encoding that they name"
        return Refused("unreadable", told)
    empty = [role for role in wanted if not (texts.get(role) or "").strip()]
    return Refused("missing", f"no {' and no '.join(empty)}, or nothing in it") if empty else None


def without_drawing(text: str) -> str:
    """A prompt without the drawing in it, the fence around that and the line that announces it."""
    svg = extract_svg(text)
    bare = text.replace(svg, "", 1) if svg else text
    return _LABEL.sub("", _FENCE.sub("", bare).strip()).strip()


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_name(value: Any) -> bool:
    return (isinstance(value, str) and 0 < len(value.strip()) <= 120) or type(value) is int


def rows_of_file(path: Path, root: Path, group: str) -> Iterator[Row]:
    """Rows of a JSON, JSONL, CSV or TSV file; a file or line that cannot be read is a refused row."""
    where = path.relative_to(root).as_posix() if path != root else path.name
    text = read_text(path) if path.stat().st_size <= _MOST_FILE_BYTES else None
    suffix = path.suffix.lower()
    if text is None:
        told = "its bytes are no text in UTF-8 or in an encoding that it names, or it is too large"
        yield Row(where, path.stem, group, refused=Refused("unreadable", told))
    elif not text.strip():
        yield Row(where, path.stem, group, refused=Refused("unreadable", "the file is empty"))
    elif suffix in (".csv", ".tsv"):
        yield from _csv_rows(text, where, path, group)
    elif suffix in (".jsonl", ".ndjson") or _LINES.match(text):
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield from _json_rows(line, f"{where}:{number}", f"{path.stem}-{number}", group, path.parent)
    else:
        yield from _json_rows(text, where, path.stem, group, path.parent)


def _csv_rows(text: str, where: str, path: Path, group: str) -> Iterator[Row]:
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    number = 0
    for number, data in enumerate(csv.DictReader(StringIO(text, newline=""), delimiter=delimiter), 1):
        plain = {str(key): value for key, value in data.items() if key is not None}
        yield row_of(plain, f"{where}:{number}", f"{path.stem}-{number}", group, path.parent)
    if not number:
        yield Row(where, path.stem, group, refused=Refused("unreadable", "no row under the names of columns"))


def _json_rows(text: str, where: str, name: str, group: str, folder: Path) -> Iterator[Row]:
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        yield Row(where, name, group, refused=Refused("unreadable", f"not JSON: {error}"))
        return
    yield from _found(data, where, name, group, folder)


def _found(data: Any, where: str, name: str, group: str, folder: Path, depth: int = 0) -> Iterator[Row]:
    """Rows in a list of rows, a mapping of names to rows, or groups of these; `Refused` where there is no row."""
    if isinstance(data, Mapping) and _is_row(data, folder):
        yield row_of(data, where, name, group, folder)
        return
    items: list[tuple[str, Any]] = []
    if isinstance(data, Mapping):
        items = [(str(key), value) for key, value in data.items() if isinstance(value, list | dict)]
    elif isinstance(data, list):
        items = [(str(place), value) for place, value in enumerate(data)]
    if not items or depth > _DEPTH:
        yield Row(where, name, group, refused=Refused("unreadable", "holds no row with drawings"))
        return
    for key, value in items:
        yield from _found(value, f"{where}[{key}]", f"{name}-{key}", group, folder, depth + 1)


def _is_row(data: Mapping[str, Any], folder: Path) -> bool:
    """Whether a mapping is a row, and no group of rows.

    A value of it holds a drawing, a known column holds a text, or two known columns hold mappings with a drawing each.
    """
    columns = named(data)
    known = {*_DRAWINGS, *INSTRUCTION}
    if any(
        isinstance(value, str) and (key in known or svg_start(value) is not None)
        for key, value in columns.items()
    ):
        return True
    return (
        sum(key in _DRAWINGS and drawing_in(value, folder) is not None for key, value in columns.items()) > 1
    )
