"""How hard a task shall be: levels as data, and the plan that a seed draws from one."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from vbench_env.errors import ConfigError
from vbench_env.seeding import derive_seed

SPLITS = ("train", "validation", "test")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Level:
    """Curriculum attributes of one level, each as the least and the most that it takes."""

    repairs: Span
    """Defects to repair."""
    distractors: Span
    """Sentences about what is right and must stay."""
    size: tuple[float, float]
    """How much there is in a drawing, from 0 (few things) to 1 (many)."""
    depth: Span
    """Groups round the whole drawing."""
    operations: tuple[str, ...] = ()
    """Operations to draw from; all when empty."""


LEVELS: dict[int, Level] = {
    1: Level((1, 1), (0, 0), (0.0, 0.25), (0, 0), ("recolor", "text", "delete", "opacity", "move", "resize")),
    2: Level((1, 2), (0, 0), (0.1, 0.4), (0, 1)),
    3: Level((2, 3), (0, 1), (0.3, 0.6), (0, 2)),
    4: Level((3, 5), (0, 1), (0.5, 0.8), (1, 3)),
    5: Level((5, 7), (1, 2), (0.7, 1.0), (2, 4)),
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What one task shall be like."""

    repairs: int
    distractors: int
    size: float
    depth: int


def level_of(level: int) -> Level:
    """The level of that number; `ConfigError` lists them."""
    if isinstance(level, bool) or level not in LEVELS:
        raise ConfigError(f"level must be one of {', '.join(map(str, LEVELS))}, not {level!r}")
    return LEVELS[level]


def draw_plan(level: Level, random: Random) -> Plan:
    """A plan by lot, within the level."""
    return Plan(
        random.randint(*level.repairs), random.randint(*level.distractors), random.uniform(*level.size),
        random.randint(*level.depth),
    )  # fmt: skip


def child_seed(split: str, *parts: object) -> int:
    """The seed of a draw. Seeds of different splits differ in their remainder, so they can never be equal."""
    if split not in SPLITS:
        raise ConfigError(f"split must be one of {', '.join(SPLITS)}, not {split!r}")
    return derive_seed("generated", split, *parts) * len(SPLITS) + SPLITS.index(split)
