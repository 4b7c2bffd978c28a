"""One task from one seed.

    task = generate_task(7, level=3)

A seed gives the same task in every process. What is drawn is checked in full but for pictures; a draw that fails
is replaced by the next one of the same seed, so every task that comes out is valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from vbench_env.errors import ConfigError, TaskError
from vbench_env.generate import brush
from vbench_env.generate.check import problems
from vbench_env.generate.compose import pick_defects, task_data
from vbench_env.generate.corruptions import CORRUPTIONS
from vbench_env.generate.levels import Plan, child_seed, draw_plan, level_of
from vbench_env.generate.palette import draw_palette
from vbench_env.generate.scenes import SCENES
from vbench_env.generate.sketch import Sketch
from vbench_env.seeding import derive_seed
from vbench_env.svg.parse import parse
from vbench_env.task import Task, assemble
from vbench_env.task_file import TaskFile, parse_task_file
from vbench_env.taskkit.build import canary_line, derive
from vbench_env.taskkit.difficulty import measure_difficulty

VERSION = 1
"""Of the generator: equal seeds give equal tasks within a version."""
CORPUS = "generated"
CANARY = "vbench-env canary 7d1f0a52-93c4-4b58-8a7e-2c6f5e1b9d30"
AUTHOR, LICENCE = "The vbench-env generator", "CC0-1.0"
ATTEMPTS = 48
"""Draws of one seed before it is given up."""
_PATIENCE = 12
"""Draws after which, where operations are chosen by the caller, a drawing may bear fewer defects than planned."""


@dataclass(frozen=True, slots=True)
class Generated:
    """A task with its file content and how it came about."""

    task: Task
    data: Mapping[str, Any]
    """Content of its `task.yaml`."""
    attempts: int
    """Draws that it took."""
    rejected: tuple[str, ...] = field(default=())
    """Why the earlier draws were not taken."""


class Rejected(ValueError):
    """Why a draw is not taken."""


def generate_task(
    seed: int,
    level: int = 2,
    split: str = "train",
    genre: str | None = None,
    operations: Sequence[str] | None = None,
) -> Task:
    """The task of a seed.

    Args:
        seed: any whole number.
        level: 1 (easiest) to 5.
        split: `train`, `validation` or `test`; no seed gives one task in two of them.
        genre: of the drawing; drawn by lot when None.
        operations: repairs to draw from; those of the level when None. Where drawings do not bear as many of
            these as the level says, the task has fewer.

    Raises:
        ConfigError: an argument names nothing known; the message lists what is.
        TaskError: the seed leads to no valid task with these arguments.
    """
    return generate(seed, level, split, genre, operations).task


def generate(
    seed: int,
    level: int = 2,
    split: str = "train",
    genre: str | None = None,
    operations: Sequence[str] | None = None,
) -> Generated:
    """As `generate_task`, with the task's file and the draws that it took."""
    wanted = level_of(level)
    names = tuple(sorted(set(operations))) if operations else wanted.operations or tuple(CORRUPTIONS.names())
    genres = [genre] if genre is not None else SCENES.names()
    for name in names:
        CORRUPTIONS.get(name)
    rejected: list[str] = []
    for attempt in range(ATTEMPTS):
        number = child_seed(split, VERSION, int(seed), level, genre, operations and names, attempt)
        random = Random(number)
        try:
            scene = random.choice(genres)
            plan = draw_plan(wanted, random)
            sketch = draw_sketch(scene, plan, random)
            least = 1 if operations and attempt >= _PATIENCE else plan.repairs
            task, data = finish(sketch, plan, names, random, _name(scene, number), least)
        except Rejected as error:
            rejected.append(str(error))
            continue
        return Generated(task, data, attempt + 1, tuple(rejected))
    reasons = "; ".join(dict.fromkeys(rejected))
    raise TaskError(f"seed {seed} leads to no valid task of level {level} ({reasons}); try another one")


def draw_sketch(genre: str, plan: Plan, random: Random) -> Sketch:
    """A clean drawing of a genre."""
    scene = SCENES.get(genre)
    hand = brush.Brush(genre, random, draw_palette(random), brush.Plan(plan.size, plan.depth))
    scene(hand)
    return hand.sketch()


def _name(genre: str, number: int) -> str:
    """A name that says nothing of the seed."""
    return f"{genre}-{derive_seed('name', number):016x}"


def finish(
    sketch: Sketch, plan: Plan, operations: Sequence[str], random: Random, name: str, least: int
) -> tuple[Task, dict[str, Any]]:
    """Corrupt a sketch, `least` times at least, and check what comes of it; `Rejected` says what is wrong."""
    defects = pick_defects(sketch, plan.repairs, operations, random)
    if len(defects) < least:
        raise Rejected(f"{sketch.genre} bears {len(defects)} of {plan.repairs} defects")
    title = f"{sketch.title} ({name[-6:]})"
    fixed = {"genre": sketch.genre, "licence": LICENCE, "author": AUTHOR, "canary": CANARY}
    data = task_data(sketch, defects, plan.distractors, random, id=name, title=title, **fixed)
    task, file = assembled(sketch.svg, data)
    found = next(problems(file, task), None)
    if found is not None:
        raise Rejected(found)
    return task, data


def assembled(svg: str, data: dict[str, Any]) -> tuple[Task, TaskFile]:
    """The task that a drawing and file content make; the difficulty is measured and noted in `data`."""
    target = svg.rstrip("\n") + "\n"
    whole = target + canary_line(data["canary"]) + "\n"
    try:
        file = parse_task_file({**data, "difficulty": "easy"}, "generated task")
        corrupted = derive(target, file.repairs)
        task = assemble(file, whole, corrupted, CORPUS)
    except TaskError as error:
        raise Rejected(str(error)) from error
    if parse(corrupted).root is None:
        raise Rejected("the corrupted drawing is not well-formed")
    data["difficulty"] = measure_difficulty(task).level
    file = file.model_copy(update={"difficulty": data["difficulty"]})
    return assemble(file, whole, corrupted, CORPUS), file


__all__ = ["ConfigError", "Generated", "generate", "generate_task"]
