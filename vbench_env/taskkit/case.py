"""A task folder, read and built: what every check of it looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from vbench_env.svg.parse import Document, parse
from vbench_env.task import Task, assemble, read_drawing, read_solutions
from vbench_env.task_file import CORRUPTED_NAME, TARGET_NAME, TaskFile, read_task_file
from vbench_env.taskkit.build import build_task, without_canary
from vbench_env.taskkit.report import Finding


@dataclass(frozen=True, slots=True)
class Case:
    """A task folder, read and built."""

    folder: Path
    data: TaskFile
    task: Task
    target: Document
    corrupted: Document
    built: str

    @property
    def clean(self) -> str:
        """The target without its canary line."""
        return without_canary(self.task.target_svg, self.task.canary)

    @property
    def wordings(self) -> dict[str, str]:
        return {"plain": self.task.instruction, **self.task.paraphrases}


Check = Callable[[Case], Iterator[Finding]]


def read_case(folder: Path) -> Case:
    """Read a task folder; `TaskError` says what cannot be used in it."""
    data = read_task_file(folder)
    target = read_drawing(folder / TARGET_NAME)
    built = build_task(folder, write=False)
    path = folder / CORRUPTED_NAME
    corrupted = read_drawing(path, well_formed=data.goal.well_formed) if path.is_file() else built
    corpus = folder.resolve().parent.name
    task = assemble(data, target, corrupted, corpus, read_solutions(folder, data))
    return Case(folder, data, task, parse(target), parse(corrupted), built)
