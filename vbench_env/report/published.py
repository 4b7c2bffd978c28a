"""Published outcomes as a folder holds them: tasks, scored texts, and the verdicts recorded with them.

Two layouts are read. A clone of the public repository keeps `data/tasks/*.json` and a file per task of results
under `data/model-results`, where a row's text is `produced_svg`, or `raw_response` when that is null. A plain
folder keeps `tasks/*.json` and `published_outcomes.jsonl`, where the text is `produced`. What a row does not
record stays unrecorded, and is later reported as not comparable.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from vbench_env.errors import TaskError
from vbench_env.report.recorded import Recorded, flat, recorded_of
from vbench_env.task import Task, task_from_published

Layout = Literal["repository", "folder"]

LINES_NAME = "published_outcomes.jsonl"
_ADVICE = (
    "give a clone of the public repository (data/tasks/*.json and data/model-results/*.json) or a folder with "
    f"tasks/*.json and {LINES_NAME}"
)


@dataclass(frozen=True, slots=True)
class PublishedOutcome:
    """The answer of one model to one task; `text` is None where the provider gave nothing."""

    task_id: str
    model: str
    text: str | None
    recorded: Recorded


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A row that cannot be scored: where it stands and why."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Published:
    """Everything that a folder of published outcomes holds."""

    folder: str
    layout: Layout
    tasks: Mapping[str, Task]
    outcomes: tuple[PublishedOutcome, ...]
    skipped: tuple[SkippedRow, ...] = ()


def load_published(folder: str | Path) -> Published:
    """Read a folder of published outcomes.

    Raises:
        TaskError: the folder has neither layout, or a file in it cannot be read; the message says what to give.
    """
    root = Path(folder)
    if not root.is_dir():
        raise TaskError(f"{root}: no such folder; {_ADVICE}")
    if (root / LINES_NAME).is_file():
        return _assembled(root, "folder", root / "tasks", _lines(root / LINES_NAME))
    for base in (root / "data", root):
        if (base / "model-results").is_dir():
            rows = _result_files(base / "model-results")
            return _assembled(root, "repository", base / "tasks", rows)
    raise TaskError(f"{root}: holds no published outcomes; {_ADVICE}")


@dataclass(frozen=True, slots=True)
class _Row:
    place: str
    values: Mapping[str, Any]


def _assembled(root: Path, layout: Layout, task_folder: Path, rows: Iterator[_Row | SkippedRow]) -> Published:
    outcomes: list[PublishedOutcome] = []
    skipped: list[SkippedRow] = []
    tasks = _tasks(task_folder, skipped)
    for row in rows:
        found = row if isinstance(row, SkippedRow) else _outcome(row, tasks)
        if isinstance(found, SkippedRow):
            skipped.append(found)
        else:
            outcomes.append(found)
    if not outcomes:
        reason = f" ({skipped[0].place}: {skipped[0].reason})" if skipped else ""
        raise TaskError(f"{root}: no row of it can be scored{reason}; {_ADVICE}")
    return Published(str(root), layout, tasks, tuple(outcomes), tuple(skipped))


def _tasks(folder: Path, skipped: list[SkippedRow]) -> dict[str, Task]:
    """Tasks by id; one that cannot be used is skipped as long as another can."""
    files = _numbered(folder)
    if not files:
        raise TaskError(f"{folder}: no task files (*.json) in it; {_ADVICE}")
    tasks: dict[str, Task] = {}
    for path in files:
        try:
            task = task_from_published(_json(path))
            tasks[task.task_id] = task
        except TaskError as error:
            skipped.append(SkippedRow(path.name, f"no usable task: {error}"))
    if not tasks:
        raise TaskError(f"{folder / skipped[0].place}: {skipped[0].reason}")
    return tasks


def _numbered(folder: Path) -> list[Path]:
    """`sv_*.json` of a folder, or all its JSON files where none has such a name."""
    return sorted(folder.glob("sv_*.json")) or sorted(folder.glob("*.json"))


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, ValueError) as error:
        raise TaskError(f"{path}: not JSON ({error}); get the file anew") from error


def _lines(path: Path) -> Iterator[_Row | SkippedRow]:
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                place = f"{path.name}:{number}"
                try:
                    found: list[_Row | SkippedRow] = [*_rows(json.loads(line), place, {})]
                except ValueError as error:
                    yield SkippedRow(place, f"not JSON: {error}")
                else:
                    yield from found or [SkippedRow(place, "the line holds no row")]


def _result_files(folder: Path) -> Iterator[_Row | SkippedRow]:
    files = _numbered(folder)
    if not files:
        raise TaskError(f"{folder}: no result files (*.json) in it; {_ADVICE}")
    for path in files:
        count = 0
        for row in _rows(_json(path), path.name, {"task_id": path.stem}):
            count += 1
            yield row
        if not count:
            yield SkippedRow(path.name, "the file holds no rows")


_LISTS = ("results", "outcomes", "rows", "model_results", "models", "runs", "data")
_TEXTS = ("produced", "produced_svg", "raw_response")
_MODELS = ("model", "model_id", "model_name")


def _rows(data: Any, place: str, known: Mapping[str, Any]) -> Iterator[_Row]:
    """Rows of a list, of a mapping that holds one under a usual name, or of a mapping from model to row."""
    if isinstance(data, Sequence) and not isinstance(data, str):
        for number, item in enumerate(data):
            yield from _rows(item, f"{place}[{number}]", known)
        return
    if not isinstance(data, Mapping):
        return
    values = flat(data)
    known = {**known, **_identity(values)}
    if any(name in values for name in (*_TEXTS, "status", "reward")):
        yield _Row(place, {**values, **known})
        return
    listed = [name for name in _LISTS if isinstance(values.get(name), Mapping | list)]
    if listed:
        yield from _rows(values[listed[0]], place, known)
        return
    for name, item in data.items():
        yield from _rows(item, f"{place}[{name!r}]", {**known, "model": name})


def _identity(values: Mapping[str, Any]) -> dict[str, str]:
    """Task and model, where a mapping names them."""
    found = {"task_id": values.get("task_id")}
    found["model"] = next((values[name] for name in _MODELS if values.get(name)), None)
    return {name: value for name, value in found.items() if isinstance(value, str) and value}


def _outcome(row: _Row, tasks: Mapping[str, Task]) -> PublishedOutcome | SkippedRow:
    values = row.values
    task_id, model = values.get("task_id"), values.get("model")
    if not isinstance(task_id, str) or task_id not in tasks:
        return SkippedRow(row.place, f"its task {task_id!r} is not among the tasks of this folder")
    if not isinstance(model, str):
        return SkippedRow(row.place, "it names no model")
    if not any(name in values for name in _TEXTS):
        return SkippedRow(row.place, f"it has no text: none of {', '.join(_TEXTS)}")
    text = next((values[name] for name in _TEXTS if values.get(name) is not None), None)
    if text is not None and not isinstance(text, str):
        return SkippedRow(row.place, f"its text is {type(text).__name__}, not a string")
    return PublishedOutcome(task_id, model, text, recorded_of(values))
