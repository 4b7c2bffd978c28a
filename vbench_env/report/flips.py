"""Why two rule sets judge an outcome differently: the fault, repair or change that explains each flipped gate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from vbench_env.scoring.scorecard import Change, RepairResult, Scorecard

GATES = ("valid", "repaired", "preserved")


class GateFlip(NamedTuple):
    """One gate of one outcome on which two rule sets disagree."""

    gate: str
    before: bool
    after: bool
    reason: str


class OutcomeFlip(NamedTuple):
    """An outcome whose reward or a gate flips."""

    task_id: str
    model: str
    reward_before: int
    reward_after: int
    status_before: str
    status_after: str
    gates: tuple[GateFlip, ...]

    @property
    def decisive(self) -> bool:
        """Whether the reward flips."""
        return self.reward_before != self.reward_after


def outcome_flip(task_id: str, model: str, before: Scorecard, after: Scorecard) -> OutcomeFlip | None:
    """The flip between two scorecards of one outcome; None where all gates agree."""
    gates = tuple(gate_flips(before, after))
    if not gates:
        return None
    return OutcomeFlip(task_id, model, before.reward, after.reward, before.status, after.status, gates)


def gate_flips(before: Scorecard, after: Scorecard) -> Iterator[GateFlip]:
    """Every gate that differs, with what explains it in the scorecard where the gate fails."""
    for gate in GATES:
        old, new = getattr(before, gate), getattr(after, gate)
        if old != new:
            failing, other = (before, after) if new else (after, before)
            yield GateFlip(gate, old, new, f"{_reason(gate, failing, other)} ({failing.rules})")


def _reason(gate: str, failing: Scorecard, passing: Scorecard) -> str:
    if not failing.valid:
        return f"invalid: {failing.faults[0].message}" if failing.faults else "invalid"
    if gate == "repaired":
        return _repair(failing, passing)
    if failing.changes:
        first, more = failing.changes[0], len(failing.changes) - 1
        return _change(first) + (f" and {more} more" if more else "")
    return "something outside the repairs differs"


def _repair(failing: Scorecard, passing: Scorecard) -> str:
    passed = {(r.object, r.property) for r in passing.repairs if r.passed}
    missed = [r for r in failing.repairs if not r.passed]
    found = next((r for r in missed if (r.object, r.property) in passed), missed[0] if missed else None)
    return "a repair is missed" if found is None else _missed(found)


def _missed(repair: RepairResult) -> str:
    where = f"{repair.object}.{repair.property}"
    if repair.distance is None or repair.tolerance is None:
        return f"{where} missed: {repair.found!r} instead of {repair.target!r}"
    return f"{where} missed: distance {repair.distance:.4g} over tolerance {repair.tolerance:.4g}"


def _change(change: Change) -> str:
    values = f": {change.before} -> {change.after}" if change.before or change.after else ""
    return f"{change.subtype} of {change.object}, {change.detail}{values}"
