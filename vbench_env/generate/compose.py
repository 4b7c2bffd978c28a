"""From a sketch to a task: defects that do not disturb each other, one instruction, one task file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from vbench_env.generate.corruptions import CORRUPTIONS, Defect
from vbench_env.generate.corruptions.base import LEAST_SHARE
from vbench_env.generate.instruction import instruction_of
from vbench_env.generate.sketch import Sketch

_PAD = 3.0
_TRIES = 24
"""Defects of one operation that are looked at before another operation is tried."""


def pick_defects(
    sketch: Sketch, count: int, operations: Sequence[str], random: Random, least: float = LEAST_SHARE
) -> list[Defect]:
    """Up to `count` visible defects, of different operations as far as possible."""
    chosen: list[Defect] = []
    sources = {name: CORRUPTIONS.get(name)(sketch, random) for name in operations}
    waiting: list[str] = []
    while sources and len(chosen) < count:
        waiting = [name for name in waiting if name in sources] or random.sample(
            sorted(sources), len(sources)
        )
        name = waiting.pop()
        found = _next(sources[name], chosen, least)
        if found is None:
            del sources[name]
        else:
            chosen.append(found)
    return chosen


def _next(source: Iterator[Defect], chosen: list[Defect], least: float) -> Defect | None:
    for _ in range(_TRIES):
        defect = next(source, None)
        if defect is None:
            return None
        if defect.share >= least and all(apart(defect, other) for other in chosen):
            return defect
    return None


def apart(one: Defect, other: Defect) -> bool:
    """Whether two defects disturb neither each other nor what tells how to repair them."""
    return (
        one.repair.object != other.repair.object
        and one.repair.object not in other.needs
        and other.repair.object not in one.needs
        and not one.claims & other.claims
        and one.repair.named != other.repair.named
        and not one.area.meets(other.area, _PAD)
    )


def task_data(
    sketch: Sketch, defects: Sequence[Defect], distractors: int, random: Random, **given: str
) -> dict[str, Any]:
    """The content of a `task.yaml`, but for the difficulty; `given` are its plain fields."""
    asides = random.sample(sketch.asides, min(distractors, len(sketch.asides)))
    requests = [defect.sentence for defect in defects]
    return {
        **given,
        "instruction": instruction_of(random, sketch.subject, requests, asides),
        "protected": "others",
        "repairs": [_written(defect) for defect in defects],
    }


def _written(defect: Defect) -> dict[str, Any]:
    """A repair as a task file has it."""
    data = defect.repair.model_dump(exclude_none=True)
    if defect.repair.operation in ("insert", "delete"):
        data = {key: value for key, value in data.items() if key not in ("corrupted", "target")}
    elif "corrupted" not in data:
        data["corrupted"] = None
    return data
