"""What a verdict has to be, and findings where it is not."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Literal

from vbench_env.audit.cases import Case, Subject, build
from vbench_env.audit.mutators import MUTATORS, Mutator
from vbench_env.audit.pixels import share_changed
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.scoring.scorer import score_problem

Trouble = Literal["false reject", "false accept", "wrong gate", "wrong subtype", "exception", "slow"]
SLOW_S = 2.0
"""Seconds of CPU after which a verdict counts as slow."""
EFFECT_PX = 512


@dataclass(frozen=True, slots=True)
class Judged:
    """A case with its verdict, which took `seconds` of CPU.

    `trouble` names what is wrong with it, `without_effect` a mutation that has none.
    """

    case: Case
    card: Scorecard | None
    seconds: float
    trouble: Trouble | None = None
    said: str = ""
    without_effect: bool = False


def judged(subject: Subject, case: Case) -> Judged:
    """Score one case and hold the verdict against what was done."""
    problem, started = subject.problem, time.thread_time()
    try:
        card = score_problem(problem, case.candidate)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        return Judged(case, None, time.thread_time() - started, "exception", said)
    seconds = time.thread_time() - started
    trouble, said, idle = _trouble(subject, case, card)
    if trouble is None and seconds > SLOW_S:
        trouble, said = "slow", f"{seconds:.1f} s"
    return Judged(case, card, seconds, trouble, said, idle)


def _trouble(subject: Subject, case: Case, card: Scorecard) -> tuple[Trouble | None, str, bool]:
    kind = case.plan.kind
    if kind in ("rewritten target", "route"):
        return ("false reject", explain(card), False) if card.reward == 0 else (None, "", False)
    if kind == "rewritten start":
        if card.reward == 1:
            return "false accept", "the start passes", False
        return (None, "", False) if card.valid and card.preserved else ("false reject", explain(card), False)
    if kind == "repair missed":
        return ("false accept", "a missed repair passes", False) if card.reward == 1 else (None, "", False)
    return _mutation_trouble(subject, case, card)


def _mutation_trouble(subject: Subject, case: Case, card: Scorecard) -> tuple[Trouble | None, str, bool]:
    done = MUTATORS[case.plan.steps[0].name]
    if card.reward == 1:
        if done.painted and _without_effect(subject, case):
            return None, "", True
        return "false accept", "a change passes", False
    if card.preserved:
        return "wrong gate", explain(card), False
    if not card.valid:
        return (
            (None, "", False) if done.invalid or _may_dangle(card) else ("wrong gate", explain(card), False)
        )
    return _subtype_trouble(case, card, done)


def _without_effect(subject: Subject, case: Case) -> bool:
    """Whether two pictures prove that the mutation alone, not written otherwise, changes nothing."""
    alone = build(subject, replace(case.plan, steps=case.plan.steps[:1]))
    return alone is not None and share_changed(subject.target, alone.candidate, EFFECT_PX) == 0.0


def _subtype_trouble(case: Case, card: Scorecard, done: Mutator) -> tuple[Trouble | None, str, bool]:
    found = {change.subtype for change in card.changes}
    if len(case.plan.steps) > 1 or not done.subtypes or found & done.subtypes:
        return None, "", False
    return "wrong subtype", f"{sorted(found)} for {sorted(done.subtypes)}", False


def _may_dangle(card: Scorecard) -> bool:
    """Whether the document is invalid because a change broke a reference or a value."""
    return all(
        fault.kind in ("reference", "id", "number", "color", "viewbox", "limit") for fault in card.faults
    )


def explain(card: Scorecard) -> str:
    """Why a scorecard says no, in one line."""
    parts = [f"invalid: {fault.message}" for fault in card.faults[:2]]
    parts += [
        f"{r.object} {r.property} missed ({r.comparison}, {r.found})" for r in card.repairs if not r.passed
    ][:2]
    parts += [f"{c.object} {c.subtype} {c.detail}: {c.before} -> {c.after}" for c in card.changes[:2]]
    return "; ".join(parts)[:400] or card.status
