"""Traits of tasks by which results are added up."""

from __future__ import annotations

from typing import Literal, get_args

from vbench_env.svg.complexity import complexity, tier
from vbench_env.task import Task

Trait = Literal["genre", "difficulty", "tier"]
TRAITS: tuple[Trait, ...] = get_args(Trait)


def trait_of(task: Task, trait: Trait) -> str:
    """The value of a trait; `tier` is the complexity of the target's code, within fixed bounds."""
    return tier(complexity(task.target_svg)) if trait == "tier" else str(getattr(task, trait))
