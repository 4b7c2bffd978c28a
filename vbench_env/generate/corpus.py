"""Many tasks at once: as task folders, as JSON lines, and the figures of how it went."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vbench_env.errors import ConfigError, TaskError
from vbench_env.generate.make import Generated, generate
from vbench_env.seeding import derive_seed
from vbench_env.task import Task
from vbench_env.task_file import CORRUPTED_NAME, TARGET_NAME, YAML_NAME
from vbench_env.taskkit.variant.yaml_text import yaml_text


@dataclass(frozen=True, slots=True)
class Order:
    """Which tasks are wanted; `seed` decides the seeds of all of them."""

    count: int
    seed: int
    level: int = 2
    split: str = "train"
    genre: str | None = None
    operations: tuple[str, ...] | None = None


@dataclass(slots=True)
class Tally:
    """What a batch came to."""

    tasks: int = 0
    draws: int = 0
    skipped: int = 0
    """Seeds left out: no valid task, or one that says the same as an earlier one."""
    reasons: Counter[str] = field(default_factory=Counter)
    genres: Counter[str] = field(default_factory=Counter)
    operations: Counter[str] = field(default_factory=Counter)
    cpu_s: float = 0.0
    lines: list[str] = field(default_factory=list)

    @property
    def hash(self) -> str:
        """SHA-256 (hex) over ids and hashes of the tasks, as a corpus of them has it."""
        return hashlib.sha256("".join(sorted(self.lines)).encode("utf-8")).hexdigest()

    @property
    def share(self) -> float:
        """Tasks of all draws."""
        return self.tasks / self.draws if self.draws else 0.0

    @property
    def rate(self) -> float:
        """Tasks a second of processor time."""
        return self.tasks / self.cpu_s if self.cpu_s else 0.0

    def count(self, made: Generated) -> None:
        self.tasks += 1
        self.draws += made.attempts
        self.reasons.update(made.rejected)
        self.genres[made.task.genre] += 1
        self.operations.update(repair.operation for repair in made.task.repairs)
        self.lines.append(f"{made.task.task_id} {made.task.hash}\n")


def generate_many(order: Order, tally: Tally) -> Iterator[Generated]:
    """The tasks of an order, one by one; `tally` is kept while they are taken.

    Within a batch no two tasks have the same drawing or the same instruction.
    """
    if order.count < 1:
        raise ConfigError(f"the number of tasks must be at least 1, not {order.count}")
    seen: set[str] = set()
    number = 0
    while tally.tasks < order.count:
        if tally.skipped > 2 * order.count + 20:
            raise TaskError(_poor(order, tally))
        start = time.process_time()
        made = _made(order, derive_seed("batch", order.seed, number), tally)
        tally.cpu_s += time.process_time() - start
        number += 1
        if made is None:
            continue
        marks = {made.task.instruction, made.task.target_svg}
        if marks & seen:
            tally.skipped += 1
            tally.draws += made.attempts
            continue
        seen |= marks
        tally.count(made)
        yield made


def _made(order: Order, seed: int, tally: Tally) -> Generated | None:
    try:
        return generate(seed, order.level, order.split, order.genre, order.operations)
    except TaskError as error:
        tally.skipped += 1
        tally.reasons[str(error)] += 1
        return None


def _poor(order: Order, tally: Tally) -> str:
    reason = tally.reasons.most_common(1)[0][0] if tally.reasons else "too many are equal"
    return f"only {tally.tasks} of {order.count} tasks can be made like this ({reason}); ask for other ones"


def write_folder(made: Iterable[Generated], out: Path) -> None:
    """Write each task as a folder of `out`, as `tasks validate` and `load_corpus` read it."""
    out.mkdir(parents=True, exist_ok=True)
    for item in made:
        folder = out / item.task.task_id
        folder.mkdir(exist_ok=True)
        files = {
            TARGET_NAME: item.task.target_svg,
            CORRUPTED_NAME: item.task.corrupted_svg,
            YAML_NAME: yaml_text(_ordered(item.data)),
        }
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")


_KEYS = (
    "id",
    "title",
    "genre",
    "difficulty",
    "licence",
    "author",
    "canary",
    "instruction",
    "protected",
    "repairs",
)


def _ordered(data: Any) -> dict[str, Any]:
    return {key: data[key] for key in _KEYS}


def write_lines(made: Iterable[Generated], out: Path) -> None:
    """Write each task as one JSON object a line."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8", newline="\n") as file:
        for item in made:
            file.write(json.dumps(as_json(item.task), ensure_ascii=False) + "\n")


def as_json(task: Task) -> dict[str, Any]:
    """A task as plain data, hidden part included."""
    return {
        "task_id": task.task_id, "task_hash": task.hash, "title": task.title, "genre": task.genre,
        "difficulty": task.difficulty, "licence": task.licence, "author": task.author, "canary": task.canary,
        "instruction": task.instruction, "corrupted_svg": task.corrupted_svg, "target_svg": task.target_svg,
        "repairs": [repair.model_dump(mode="json") for repair in task.repairs], "protected": list(task.protected),
    }  # fmt: skip


def drained(made: Iterable[Generated]) -> None:
    """Make the tasks and keep none."""
    for _ in made:
        pass


__all__: Sequence[str] = (
    "Order", "Tally", "as_json", "drained", "generate_many", "write_folder", "write_lines",
)  # fmt: skip
