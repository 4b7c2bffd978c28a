"""What the check of one requested repair found, and what the mask owes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from vbench_env.svg.parse import Node
from vbench_env.task import Repair


@dataclass(frozen=True, slots=True)
class Outcome:
    """A measured repair. Distances are in `unit`; `baseline` is the corrupted value's distance (delta)."""

    passed: bool
    distance: float | None = None
    tolerance: float | None = None
    baseline: float | None = None
    progress: float | None = 0.0
    comparison: str = "exact"
    unit: str = "user units"
    corrupted: Any = None
    target: Any = None
    found: Any = None


@dataclass(slots=True)
class Located:
    """A requested repair with its object in both trees, and what the mask takes out for it.

    Attributes:
        target: the object in the target (None for a requested deletion).
        candidate: the object in the candidate, where it is found.
        masked: property names freed on the pair.
        overrides: declared properties that the candidate's object takes from the target, so that descendants
            inherit what was requested.
        removed: elements that leave both trees.
        inside: pairs of descendants, and the names that are freed on them too.
    """

    repair: Repair
    target: Node | None = None
    candidate: Node | None = None
    masked: frozenset[str] = frozenset()
    overrides: Mapping[str, Any] = field(default_factory=dict)
    removed: tuple[Node, ...] = ()
    inside: tuple[tuple[Node, Node, frozenset[str]], ...] = ()
    outcome: Outcome = Outcome(False)


def apart(located: Iterable[Located]) -> list[tuple[Node, Node]]:
    """Pairs of subtrees that left both trees together: inserted and reordered objects."""
    return [
        (item.target, item.candidate)
        for item in located
        if item.removed and item.target is not None and item.candidate is not None
    ]


def exact(passed: bool, **values: Any) -> Outcome:
    """The outcome of a check that has no distance."""
    return Outcome(passed, progress=1.0 if passed else 0.0, unit="none", **values)
