"""What a kind of task is to `validate`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vbench_env.registry import Registry
from vbench_env.taskkit.case import Case, Check
from vbench_env.taskkit.report import Finding

Look = Callable[[Case], tuple[tuple[float, ...], list[Finding]]]
"""From a case to the share of pixels that each of its repairs changes, and what cannot be seen."""


def no_look(case: Case) -> tuple[tuple[float, ...], list[Finding]]:
    """Where there is nothing to see."""
    return (), []


@dataclass(frozen=True, slots=True)
class KindChecks:
    """The checks of a kind: those without pictures, in order, and the look at its defects."""

    checks: tuple[Check, ...]
    look: Look = no_look


CHECKS: Registry[KindChecks] = Registry("task kind")
