"""Scene grammars: functions that draw one scene of their genre with a brush."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from vbench_env.generate.brush import Brush
from vbench_env.registry import Registry

Scene: TypeAlias = Callable[[Brush], None]

SCENES: Registry[Scene] = Registry("genre", "vbench_env.scenes")

ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip

SANS = "Arial, Helvetica, sans-serif"
SERIF = "Georgia, 'Times New Roman', serif"


def ordinal(place: int) -> str:
    """`first` for 0, and so on."""
    return ORDINALS[place]


def between(brush: Brush, least: int, most: int) -> int:
    """A number of things: the more, the larger the plan's size."""
    wanted = least + (most - least) * brush.plan.size
    return max(least, min(most, round(wanted + brush.random.uniform(-0.6, 0.6))))


def slug(text: str) -> str:
    """A name for ids made of a label."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def pick(random: Random, items: tuple[str, ...], count: int) -> list[str]:
    """Some of the items by lot."""
    return random.sample(items, count)
