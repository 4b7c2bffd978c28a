"""Traits of tasks by which results are added up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from vbench_env.svg.complexity import FIXED, TIERS, complexity, thirds, tier
from vbench_env.task import Task
from vbench_env.task_file import DIFFICULTIES

Trait = Literal["kind", "genre", "difficulty", "tier", "third"]
TRAITS: tuple[Trait, ...] = get_args(Trait)

_THIRDS = dict(zip(TIERS, ("simplest", "middle", "most complex"), strict=True))
_ORDER = {name: place for place, name in enumerate((*DIFFICULTIES, *_THIRDS.values()))}


def in_order(value: str) -> tuple[int, str]:
    """Sorts values of a trait: what has an order by it, the rest by the alphabet."""
    return _ORDER.get(value, len(_ORDER)), value


def values_of(tasks: Mapping[str, Task], trait: Trait) -> dict[str, str]:
    """A trait of tasks by their ids, as far as they have one.

    `tier` is the complexity of the target's code within fixed bounds, `third` where it stands among these tasks.
    """
    if trait in ("kind", "genre", "difficulty"):
        return {name: value for name, task in tasks.items() if (value := str(getattr(task, trait)))}
    counts = {name: complexity(task.target_svg) for name, task in tasks.items()}
    if trait == "tier":
        return {name: tier(count, FIXED) for name, count in counts.items()}
    bounds = thirds(list(counts.values()))
    return {name: _THIRDS[tier(count, bounds)] for name, count in counts.items()}
