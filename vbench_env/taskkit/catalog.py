"""Lists, details and pictures of tasks, as plain data for a command line or a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from vbench_env.task import Task, load_corpus, load_task, packaged_tasks
from vbench_env.taskkit.sheet import task_picture, task_sheet


class TaskLine(NamedTuple):
    """One task in a list; it says nothing that an agent may not know but the number of repairs."""

    corpus: str
    task_id: str
    title: str
    genre: str
    difficulty: str
    repairs: int
    protected: int


def list_tasks(corpus: str | Path | None = None) -> list[TaskLine]:
    """The tasks of a corpus (name or folder), or of all corpora that come with the package."""
    tasks = (
        list(load_corpus(corpus)) if corpus is not None else [load_task(path) for path in packaged_tasks()]
    )
    return [
        TaskLine(t.corpus, t.task_id, t.title, t.genre, t.difficulty, len(t.repairs), len(t.protected))
        for t in tasks
    ]  # fmt: skip


def task_details(task: Task | str | Path, *, hidden: bool = False) -> dict[str, Any]:
    """What there is to know of a task, as JSON-like data.

    Args:
        task: a task, its folder or its name.
        hidden: with the part that agents must not see: repairs with evidence, protected objects.
    """
    task = task if isinstance(task, Task) else load_task(task)
    details: dict[str, Any] = {
        "task_id": task.task_id, "corpus": task.corpus, "title": task.title, "genre": task.genre,
        "difficulty": task.difficulty, "licence": task.licence, "author": task.author, "hash": task.hash,
        "kind": task.kind, "instruction": task.instruction, "paraphrases": dict(task.paraphrases),
        "repairs": len(task.repairs), "protected": len(task.protected),
        "characters": len(task.corrupted_svg),
    }  # fmt: skip
    if hidden:
        details["repairs"] = [repair.model_dump(mode="json", exclude_none=True) for repair in task.repairs]
        details["protected"] = list(task.protected)
    return details


def render_task(task: Task | str | Path, out: str | Path, width_px: int = 800) -> list[Path]:
    """Write `<id>-corrupted.png`, `<id>-target.png` and `<id>-sheet.png` into the folder `out`.

    Raises:
        InfrastructureError: the renderer cannot draw it; the message says why.
    """
    task = task if isinstance(task, Task) else load_task(task)
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    pictures = {
        "corrupted": task_picture(task, "corrupted", width_px),
        "target": task_picture(task, "target", width_px),
        "sheet": task_sheet(task, width_px),
    }
    paths = [out / f"{task.task_id}-{name}.png" for name in pictures]
    for path, png in zip(paths, pictures.values(), strict=True):
        path.write_bytes(png)
    return paths
