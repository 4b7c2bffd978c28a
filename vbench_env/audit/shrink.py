"""Smaller reproductions: fewer steps, and a smaller drawing, that show the same trouble."""

from __future__ import annotations

from dataclasses import replace

from vbench_env.audit.cases import Plan, Subject, build
from vbench_env.audit.draft import Draft
from vbench_env.audit.verdicts import Judged, judged

MAX_TRIES = 200


class _Shrinker:
    def __init__(self, subject: Subject, plan: Plan, trouble: str) -> None:
        self.subject, self.plan, self.trouble = subject, plan, trouble
        self.best: Judged | None = None
        self.tries = 0

    def works(self, subject: Subject, plan: Plan) -> bool:
        """Whether the trouble is still there."""
        self.tries += 1
        try:
            case = build(subject, plan)
            found = judged(subject, case) if case is not None else None
        except Exception:
            return False
        if found is None or found.trouble != self.trouble:
            return False
        self.subject, self.plan, self.best = subject, plan, found
        return True

    def fewer_steps(self) -> None:
        for step in self.plan.steps:
            rest = tuple(other for other in self.plan.steps if other is not step)
            if rest and (step.what == "rewriter"):
                self.works(self.subject, replace(self.plan, steps=rest))

    def without_task(self) -> None:
        if self.plan.kind in ("rewritten target", "mutation"):
            self.works(Subject(self.subject.name, self.subject.target, self.subject.rules), self.plan)

    def smaller(self) -> None:
        """Drop parts of the target, large ones first, while the trouble stays."""
        if self.subject.repairs or self.subject.start is not None:
            return
        number = 1
        while self.tries < MAX_TRIES:
            draft = Draft.of(self.subject.target)
            parts = sorted(draft.parts()[1:], key=lambda part: -sum(1 for _ in part.iter()))
            if number > len(parts):
                return
            parts[number - 1].remove()
            if not self.works(Subject(self.subject.name, draft.text(), self.subject.rules), self.plan):
                number += 1


def shrunk(subject: Subject, found: Judged) -> tuple[Subject, Judged]:
    """The smallest reproduction that was found, as (drawing, verdict)."""
    shrinker = _Shrinker(subject, found.case.plan, found.trouble or "")
    shrinker.fewer_steps()
    shrinker.without_task()
    shrinker.smaller()
    return shrinker.subject, shrinker.best or found
