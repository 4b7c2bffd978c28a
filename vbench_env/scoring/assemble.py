"""The scorecard of what the gates found."""

from __future__ import annotations

from vbench_env.scoring.diagnostics import changes_of, failure_of, localisation, unnamed_change
from vbench_env.scoring.outcome import Located
from vbench_env.scoring.preservation import Preserved
from vbench_env.scoring.problem import Problem
from vbench_env.scoring.scorecard import Change, RepairResult, Scorecard, Status, ValidityFault
from vbench_env.svg.parse import Document, Fault
from vbench_env.svg.resolve import Resolved

NEAR_PROGRESS = 0.80
"""Least progress of a near miss (valid, preserved, at most one repair missed)."""


def no_text(problem: Problem, task_id: str | None) -> Scorecard:
    """The scorecard of an answer without any text: status ERR."""
    fault = ValidityFault(kind="empty", message="there is no text at all")
    return _blank(problem, "ERR", (fault,), task_id)


def unreadable(problem: Problem, faults: list[Fault], task_id: str | None) -> Scorecard:
    """The scorecard of text that is no readable document, or more than is read."""
    return _blank(problem, "INVALID", _listed(faults), task_id)


def _blank(
    problem: Problem, status: Status, faults: tuple[ValidityFault, ...], task_id: str | None
) -> Scorecard:
    repairs = tuple(
        RepairResult(object=r.object, operation=r.operation, property=r.property, passed=False, corrupted=r.corrupted,
                     target=r.target, comparison="none")
        for r in problem.repairs
    )  # fmt: skip
    return Scorecard(
        task_id=task_id, rules=problem.rules.name, reward=0, valid=False, repaired=False, preserved=False,
        status=status, preservation=0.0, unintended_change_rate=1.0, faults=faults, repairs=repairs,
    )  # fmt: skip


MAX_FAULTS = 100
"""Faults listed at most."""


def _listed(faults: list[Fault]) -> tuple[ValidityFault, ...]:
    return tuple(map(_fault, faults[:MAX_FAULTS]))


def _fault(fault: Fault) -> ValidityFault:
    return ValidityFault(
        kind=fault.kind, message=fault.message, place=fault.place, limit=fault.limit, line=fault.line
    )


def assemble(
    problem: Problem, candidate: Document, resolved: Resolved | None, faults: list[Fault], located: list[Located],
    preserved: Preserved, task_id: str | None,
) -> Scorecard:  # fmt: skip
    """The scorecard of a readable document."""
    valid = not faults
    changes: tuple[Change, ...] = ()
    if not preserved.same:
        found = changes_of(problem, candidate, resolved, located)
        changes = found or (unnamed_change(problem, candidate),)
    repairs = tuple(_result(problem, item, valid, changes) for item in located)
    passed = sum(result.passed for result in repairs)
    total = len(repairs)
    repaired = passed == total and valid
    same = preserved.same and valid
    progress = _progress(located) if valid else 0.0
    count = len(problem.protected_nodes)
    rate = len(preserved.changed) / count if count else 0.0
    near = valid and same and not repaired and total - passed <= 1 and progress >= NEAR_PROGRESS
    precision, recall = localisation(repairs, changes)
    return Scorecard(
        task_id=task_id,
        rules=problem.rules.name,
        reward=int(valid and repaired and same),
        valid=valid,
        repaired=repaired,
        preserved=same,
        status=_status(valid, repaired, same, near, passed),
        near=near,
        edit_completion=passed / total if total else 1.0,
        repair_progress=progress,
        preservation=1.0 - rate,
        unintended_change_rate=rate,
        source_preservation=preserved.source_same and valid,
        target_match=preserved.target_match and valid,
        faults=_listed(faults),
        repairs=repairs,
        changes=changes,
        localisation_precision=precision,
        localisation_recall=recall,
    )


def rejudged(
    card: Scorecard, repairs: tuple[RepairResult, ...], *, preserved: bool | None = None
) -> Scorecard:
    """A scorecard with other results of its repairs, and what follows from them.

    Args:
        card: the one to start from.
        repairs: every result, in the order of the task.
        preserved: the preservation gate where it is another.
    """
    same = card.preserved if preserved is None else preserved
    passed, total = sum(result.passed for result in repairs), len(repairs)
    repaired = card.valid and passed == total
    progress = sum(result.progress or 0.0 for result in repairs) / total if total and card.valid else 0.0
    near = card.valid and same and not repaired and total - passed <= 1 and progress >= NEAR_PROGRESS
    precision, recall = localisation(repairs, card.changes)
    return card.model_copy(update={
        "repairs": repairs, "preserved": same, "repaired": repaired, "reward": int(repaired and same), "near": near,
        "edit_completion": passed / total if total else 1.0, "repair_progress": progress,
        "status": card.status if card.status == "ERR" else _status(card.valid, repaired, same, near, passed),
        "localisation_precision": precision, "localisation_recall": recall,
    })  # fmt: skip


def _progress(located: list[Located]) -> float:
    if not located:
        return 1.0
    return sum(item.outcome.progress or 0.0 for item in located) / len(located)


def _status(valid: bool, repaired: bool, preserved: bool, near: bool, passed: int) -> Status:
    if not valid:
        return "INVALID"
    if repaired:
        return "PASS" if preserved else "SIDE_EFFECTS"
    if near:
        return "NEAR"
    return "PARTIAL" if passed else "FAIL"


def _result(problem: Problem, item: Located, valid: bool, changes: tuple[object, ...]) -> RepairResult:
    repair, outcome = item.repair, item.outcome
    passed = outcome.passed and valid
    return RepairResult(
        object=repair.object,
        operation=repair.operation,
        property=repair.property,
        passed=passed,
        distance=outcome.distance,
        tolerance=outcome.tolerance,
        baseline=outcome.baseline,
        unit=outcome.unit,
        progress=outcome.progress if valid else 0.0,
        comparison=outcome.comparison,
        corrupted=outcome.corrupted if outcome.corrupted is not None else repair.corrupted,
        target=outcome.target if outcome.target is not None else repair.target,
        found=outcome.found,
        failure=None if outcome.passed else failure_of(problem, item, changes),
    )
