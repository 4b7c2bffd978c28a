"""Tasks and corpora.

A task is `(instruction, corrupted drawing, hidden target, repairs, protected objects)`. It lives in a folder
(`task.yaml`, `target.svg`, `corrupted.svg`) or comes from the public Vector-Bench JSON layout. What an agent
may see is `Task.public`; `repr` of a task shows nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

from vbench_env.errors import TaskError, UnknownName
from vbench_env.kind import DEFAULT_KIND, Goal, RepairGoal
from vbench_env.repair import Operation, Repair, infer_operation
from vbench_env.resources import data_root
from vbench_env.svg.parse import parse
from vbench_env.task_file import CORRUPTED_NAME, TARGET_NAME, YAML_NAME, TaskFile, read_task_file

__all__ = [
    "Corpus", "Operation", "PublicTask", "Repair", "Solution", "Task", "corpus_names", "infer_operation",
    "load_corpus", "load_task", "task_from_published",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PublicTask:
    """What an agent may see before the end."""

    task_id: str
    instruction: str
    corrupted_svg: str
    advice: str = ""
    """What the kind of task says beside the request; empty for `repair`."""


@dataclass(frozen=True, slots=True, repr=False)
class Solution:
    """A further drawing that is as right as the target, with its repairs and protected objects."""

    name: str
    target_svg: str
    repairs: tuple[Repair, ...]
    protected: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Task:
    """A task with its hidden part. Treat every field that `public` lacks as a secret of the scorer."""

    task_id: str
    instruction: str
    corrupted_svg: str
    target_svg: str
    repairs: tuple[Repair, ...]
    protected: tuple[str, ...]
    corpus: str = ""
    title: str = ""
    genre: str = ""
    difficulty: str = ""
    licence: str = ""
    author: str = ""
    canary: str = ""
    paraphrases: Mapping[str, str] = field(default_factory=dict)
    kind: str = DEFAULT_KIND
    goal: Goal = field(default_factory=RepairGoal)
    """What the kind asks beside repairs."""
    solutions: tuple[Solution, ...] = ()

    @property
    def public(self) -> PublicTask:
        return PublicTask(self.task_id, self.instruction, self.corrupted_svg, self.goal.advice)

    @property
    def hash(self) -> str:
        """SHA-256 (hex) of everything that the task says, the same in every process and on every system."""
        parts = {name: getattr(self, name) for name in _HASHED}
        parts["repairs"] = [repair.model_dump(mode="json") for repair in self.repairs]
        parts["paraphrases"] = dict(self.paraphrases)
        if self.kind != DEFAULT_KIND:
            parts["kind"] = {self.kind: self.goal.model_dump(mode="json")}
        if self.solutions:
            parts["solutions"] = [_hashable(solution) for solution in self.solutions]
        text = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def __repr__(self) -> str:
        return f"Task({self.task_id!r}, corpus={self.corpus!r})"


def _hashable(solution: Solution) -> list[Any]:
    repairs = [repair.model_dump(mode="json") for repair in solution.repairs]
    return [solution.name, solution.target_svg, repairs, solution.protected]


_HASHED = (
    "task_id", "instruction", "corrupted_svg", "target_svg", "protected", "title", "genre", "difficulty",
    "licence", "author", "canary",
)  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class Corpus(Sequence[Task]):
    """Tasks in the order of their ids."""

    name: str
    tasks: tuple[Task, ...]

    @property
    def hash(self) -> str:
        """SHA-256 (hex) over the ids and hashes of all tasks."""
        lines = sorted(f"{task.task_id} {task.hash}\n" for task in self.tasks)
        return hashlib.sha256("".join(lines).encode("utf-8")).hexdigest()

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(task.task_id for task in self.tasks)

    def task(self, task_id: str) -> Task:
        """The task called `task_id`; `UnknownName` suggests the nearest."""
        for task in self.tasks:
            if task.task_id == task_id:
                return task
        raise UnknownName(f"task of corpus {self.name}", task_id, self.ids)

    @overload
    def __getitem__(self, index: int) -> Task: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Task]: ...
    def __getitem__(self, index: int | slice) -> Task | Sequence[Task]:
        return self.tasks[index]

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[Task]:
        return iter(self.tasks)

    def __repr__(self) -> str:
        return f"Corpus({self.name!r}, {len(self.tasks)} tasks)"


def corpus_names() -> list[str]:
    """Names of the corpora that come with the package."""
    root = data_root("tasks")
    return sorted(path.name for path in root.iterdir() if path.is_dir()) if root.is_dir() else []


def load_task(name: str | Path) -> Task:
    """A task by folder, published JSON file, `corpus/id` or id.

    Raises:
        UnknownName: no such task; the message suggests the nearest.
        TaskError: the task's files cannot be used; the message names file and field.
    """
    path = Path(name)
    if (path / YAML_NAME).is_file() or (path / TARGET_NAME).is_file():
        return _from_folder(path)
    if path.is_file():
        return _from_json(path)
    if isinstance(name, Path):
        raise TaskError(f"{name}: neither a task folder (with {YAML_NAME}) nor a published task (JSON)")
    return _from_folder(find_task(name))


def find_task(name: str) -> Path:
    """Folder of the task `corpus/id` or `id` among the corpora that come with the package."""
    corpus, _, task_id = name.rpartition("/")
    folders = [folder for folder in packaged_tasks() if not corpus or folder.parent.name == corpus]
    found = [folder for folder in folders if folder.name == task_id]
    if len(found) > 1:
        options = ", ".join(f"{folder.parent.name}/{task_id}" for folder in found)
        raise TaskError(f"task {task_id!r} is in several corpora; say which one: {options}")
    if not found:
        raise UnknownName(
            "task", name, (f"{item.parent.name}/{item.name}" if corpus else item.name for item in folders)
        )
    return found[0]


def packaged_tasks() -> list[Path]:
    """Folders of all tasks that come with the package."""
    root = data_root("tasks")
    return [folder for name in corpus_names() for folder in task_folders(root / name)]


def task_folders(corpus: Path) -> list[Path]:
    """Folders of a corpus that hold a task, by name; those whose name starts with a dot are passed over."""
    return sorted(p for p in corpus.iterdir() if (p / YAML_NAME).is_file() and not p.name.startswith("."))


def load_corpus(name: str | Path) -> Corpus:
    """A corpus by name or folder.

    A folder holds task folders, or published tasks as JSON files (a clone of the public repository, whose
    tasks stand under `data/tasks`, is one too).
    """
    path = Path(name)
    if not path.is_dir():
        path = data_root("tasks") / str(name)
        if not path.is_dir() or str(name) not in corpus_names():
            raise UnknownName("corpus", str(name), corpus_names())
    folders = task_folders(path)
    if folders:
        return Corpus(path.resolve().name, tuple(_from_folder(folder) for folder in folders))
    return _published_corpus(path)


def _published_corpus(path: Path) -> Corpus:
    for folder in (path / "data" / "tasks", path / "tasks", path):
        files = sorted(folder.glob("*.json")) if folder.is_dir() else []
        if files:
            return Corpus(path.resolve().name, tuple(_from_json(file) for file in files))
    raise TaskError(f"{path}: holds no tasks; expected folders with {YAML_NAME}, or published tasks (*.json)")


def _from_folder(folder: Path) -> Task:
    data = read_task_file(folder)
    target = read_drawing(folder / TARGET_NAME)
    if not (folder / CORRUPTED_NAME).is_file():
        advice = f"run `vbench-env tasks build {folder}`"
        raise TaskError(f"{folder / CORRUPTED_NAME}: no such file; {advice}")
    corrupted = read_drawing(folder / CORRUPTED_NAME, well_formed=data.goal.well_formed)
    return assemble(data, target, corrupted, folder.resolve().parent.name, read_solutions(folder, data))


def assemble(
    data: TaskFile, target_svg: str, corrupted_svg: str, corpus: str, solutions: Sequence[str] = ()
) -> Task:
    """The task that a checked `task.yaml` and its drawings make; `solutions` are those that it names, in order."""
    repairs = all_repairs(data, target_svg)
    return Task(
        task_id=data.id, instruction=data.instruction, corrupted_svg=corrupted_svg, target_svg=target_svg,
        repairs=repairs, protected=_protected(data, corrupted_svg, target_svg, repairs), corpus=corpus,
        title=data.title, genre=data.genre, difficulty=data.difficulty, licence=data.licence, author=data.author,
        canary=data.canary, paraphrases={str(name): text for name, text in data.paraphrases.items()},
        kind=data.kind, goal=data.goal, solutions=_solutions(data, corrupted_svg, repairs, solutions),
    )  # fmt: skip


def all_repairs(data: TaskFile, target_svg: str) -> tuple[Repair, ...]:
    """The repairs that the goal of a task stands for, and those that it lists."""
    return (*data.goal.repairs(parse(target_svg)), *data.repairs)


def _protected(
    data: TaskFile, start_svg: str, target_svg: str, repairs: tuple[Repair, ...]
) -> tuple[str, ...]:
    return (
        data.goal.protected(start_svg, target_svg, repairs) if data.protected == "others" else data.protected
    )


def _solutions(
    data: TaskFile, start_svg: str, repairs: tuple[Repair, ...], drawings: Sequence[str]
) -> tuple[Solution, ...]:
    found = []
    for file, svg in zip(data.solutions, drawings, strict=True):
        own = file.repairs or tuple(repair.model_copy(update=_READ) for repair in repairs)
        found.append(Solution(file.drawing, svg, own, _protected(data, start_svg, svg, own)))
    return tuple(found)


_READ = {"target": None}
"""A solution's values are read from its drawing."""


def read_solutions(folder: Path, data: TaskFile) -> list[str]:
    """The drawings of the further solutions that a task names."""
    return [read_drawing(folder / file.drawing) for file in data.solutions]


def read_drawing(path: Path, *, well_formed: bool = True) -> str:
    """Text of an SVG file of a task, line ends as `\\n`; `TaskError` when it is missing or unreadable."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise TaskError(f"{path}: no such file; a task needs {TARGET_NAME} and {CORRUPTED_NAME}") from error
    except UnicodeDecodeError as error:
        raise TaskError(f"{path}: byte {error.start} is not UTF-8; save the drawing as UTF-8") from error
    document = parse(text)
    if document.root is None and well_formed:
        reason = document.faults[0].message if document.faults else "no root element"
        raise TaskError(f"{path}: {reason}; the drawing must be well-formed XML")
    return text


def _from_json(path: Path) -> Task:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise TaskError(f"{path}: not JSON ({error}); expected a published task") from error
    try:
        return task_from_published(data)
    except TaskError as error:
        raise TaskError(f"{path}: {error}") from error


_PUBLISHED_TEXTS = ("task_id", "instruction", "initial_svg", "target_svg")


def task_from_published(mapping: Mapping[str, Any]) -> Task:
    """A task from the public Vector-Bench JSON layout.

    Args:
        mapping: `task_id`, `instruction`, `initial_svg`, `target_svg`, `expected_diff` (a list of
            `{part, attribute, before, after}`) and `should_preserve` (ids or paths); other keys are ignored.
    """
    if not isinstance(mapping, Mapping):
        raise TaskError(f"a published task is a JSON object, not {type(mapping).__name__}")
    for name in _PUBLISHED_TEXTS:
        if not isinstance(mapping.get(name), str):
            raise TaskError(f"{name}: a published task needs this text")
    changes, preserve = mapping.get("expected_diff"), mapping.get("should_preserve", ())
    if not isinstance(changes, list):
        raise TaskError("expected_diff: a published task needs this list of {part, attribute, before, after}")
    if not isinstance(preserve, list | tuple) or not all(isinstance(item, str) for item in preserve):
        raise TaskError("should_preserve: must be a list of ids or paths")
    texts = [mapping[name] for name in _PUBLISHED_TEXTS]
    return Task(
        task_id=texts[0], instruction=texts[1], corrupted_svg=texts[2], target_svg=texts[3],
        repairs=tuple(Repair.from_published(change) for change in changes), protected=tuple(preserve),
        corpus="vector-bench", title=str(mapping.get("title", "")), genre=str(mapping.get("category", "")),
        difficulty=str(mapping.get("difficulty", "")),
    )  # fmt: skip
