"""Checks of the kind `style`: rules whose every object counts, can be seen together and is determined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vbench_env.errors import VBenchError
from vbench_env.kind import DEFAULT_KIND, RepairGoal, StyleGoal
from vbench_env.scoring import score
from vbench_env.taskkit import checks
from vbench_env.taskkit.build import derive
from vbench_env.taskkit.case import Case
from vbench_env.taskkit.kinds.base import KindChecks
from vbench_env.taskkit.references import accepts, solutions
from vbench_env.taskkit.report import Finding
from vbench_env.taskkit.visibility import LEAST_SHARE, WIDTH_PX, Unseen, defect_masks
from vbench_env.taskkit.wording import says

Span = tuple[int, int]


def spans(case: Case) -> list[Span]:
    """Where the repairs of each rule begin and end among those of the task; a listed repair stands by itself."""
    assert isinstance(case.task.goal, StyleGoal)
    found, at = [], 0
    for rule in case.task.goal.rules:
        size = len(rule.objects(case.target))
        found.append((at, at + size))
        at += size
    return [*found, *((place, place + 1) for place in range(at, len(case.task.repairs)))]


def named(case: Case) -> Iterator[Finding]:
    """Does the instruction say what each rule is about?"""
    for start, _ in spans(case):
        words = case.task.repairs[start].named or ""
        if not words or not says(case.task.instruction, words):
            message = f"the words {words!r} do not stand in the instruction"
            yield Finding("error", "named", message, "quote the instruction", start)


def many(case: Case) -> Iterator[Finding]:
    """Is a rule about several objects?"""
    for start, end in spans(case):
        if end - start < 2 and _ruled(case, start):
            message = f"the rule picks out {case.task.repairs[start].object!r} alone"
            yield Finding("error", "schema", message, "list it under `repairs`", start)


def _ruled(case: Case, place: int) -> bool:
    return place < len(case.task.repairs) - len(case.data.repairs)


def undo(case: Case) -> Iterator[Finding]:
    """Does undoing a rule, or one object of it, fail just that?"""
    for start, end in spans(case):
        for places in {(start, end), (start, start + 1), (end - 1, end)}:
            wanted = list(range(*places))
            try:
                card = score(
                    case.task, derive(case.clean, case.task.repairs[places[0] : places[1]], shared=True)
                )
            except VBenchError as error:
                yield Finding("error", "undo", str(error), "", start)
                continue
            failed = [place for place, result in enumerate(card.repairs) if not result.passed]
            if failed != wanted or not card.preserved or not card.valid:
                names = ", ".join(case.task.repairs[place].object for place in failed) or "no check"
                message = f"undoing {len(wanted)} of the objects fails {names}: {checks.why(card)}"
                yield Finding("error", "undo", message, "rules must not depend on each other", start)


def singly(case: Case) -> Case:
    """The same case with every object judged by itself, whatever the others of its rule get."""
    return replace(case, task=replace(case.task, kind=DEFAULT_KIND, goal=RepairGoal()))


def accepted(case: Case) -> Iterator[Finding]:
    """Does a drawing with each of the accepted values pass?"""
    yield from accepts(singly(case))


def evidence(case: Case) -> Iterator[Finding]:
    """Does the evidence of a rule lead to the value of each of its objects?"""
    yield from checks.evidence(singly(case))


def look(case: Case) -> tuple[tuple[float, ...], list[Finding]]:
    """The share of pixels that each object changes, and rules that cannot be seen."""
    findings: list[Finding] = []
    try:
        masks = list(defect_masks(case.task))
    except Unseen as error:
        return (), [Finding("error", "visible", f"no picture to look at: {error}", "make it render")]
    for start, end in spans(case):
        share = float(np.logical_or.reduce(masks[start:end]).mean())
        if share < LEAST_SHARE:
            message = (
                f"the rule changes {share:.3%} of the pixels at {WIDTH_PX} px, less than {LEAST_SHARE:.2%}"
            )
            findings.append(Finding("error", "visible", message, "make the edit larger", start))
    hidden = [place for place, mask in enumerate(masks) if not mask.any()]
    findings += [
        Finding(
            "error", "visible", f"{case.task.repairs[place].object!r} changes no pixel", "leave it out", place
        )
        for place in hidden
    ]
    return tuple(float(mask.mean()) for mask in masks), findings


STYLE = KindChecks(
    (
        checks.fresh, checks.hidden, checks.ids, checks.wording, named, many, checks.scores, undo, accepted,
        solutions, evidence,
    ),
    look,
)  # fmt: skip
