"""Cases: a drawing, what was done to it step by step, and what the verdict has to be.

A case is decided by the audit's seed and its number alone. Its `Plan` is the list of steps with a seed each, so
that steps can be left out and the others do the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Literal

from vbench_env.audit import libraries as libraries
from vbench_env.audit import painted as painted
from vbench_env.audit import repairs as repair_cases
from vbench_env.audit import storage as storage
from vbench_env.audit import structure as structure
from vbench_env.audit.draft import Draft, Part
from vbench_env.audit.mutators import MUTATORS, Site
from vbench_env.audit.rewriters import REWRITERS
from vbench_env.scoring.problem import Problem
from vbench_env.scoring.rules import Rules
from vbench_env.seeding import derive_random
from vbench_env.task import Repair

Kind = Literal["rewritten target", "rewritten start", "route", "mutation", "repair missed"]


@dataclass(slots=True)
class Subject:
    """A drawing to audit; with `start` and `repairs` a task.

    `problem` and the drafts are made when they are first asked for.
    """

    name: str
    target: str | bytes
    rules: Rules
    start: str | bytes | None = None
    repairs: tuple[Repair, ...] = ()
    protected: tuple[str, ...] = ()
    _problem: Problem | None = field(default=None, repr=False)
    _drafts: tuple[Draft, Draft | None] | None = field(default=None, repr=False)

    @property
    def problem(self) -> Problem:
        if self._problem is None:
            self._problem = Problem(self.target, self.start, self.repairs, self.protected, self.rules)
        return self._problem

    def draft(self) -> Draft:
        """A fresh draft of the target."""
        return self._both()[0].copy()

    def start_draft(self) -> Draft:
        """A fresh draft of the start, of the target where there is none."""
        both = self._both()
        return (both[1] or both[0]).copy()

    def _both(self) -> tuple[Draft, Draft | None]:
        if self._drafts is None:
            self._drafts = Draft.of(self.target), None if self.start is None else Draft.of(self.start)
        return self._drafts


@dataclass(frozen=True, slots=True)
class Step:
    """One rewriter, mutator or repair case by name, with the seed of its choices."""

    what: Literal["rewriter", "mutator", "repair"]
    name: str
    seed: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a case does."""

    kind: Kind
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A candidate and what it is: `done` tells each step in words."""

    plan: Plan
    candidate: str | bytes
    done: tuple[str, ...]


def plan_of(seed: int, number: int, subject: Subject) -> Plan:
    """The plan of one case."""
    rng = derive_random("audit", seed, number)
    is_task = subject.start is not None and bool(subject.repairs)
    kinds: list[Kind] = ["rewritten target", "mutation"]
    weights = [45, 45]
    if is_task:
        kinds += ["rewritten start", "route", "repair missed"]
        weights = [35, 40, 5, 8, 12]
    kind = rng.choices(kinds, weights)[0]
    steps = [_step(kind, rng)] if kind not in ("rewritten target", "rewritten start") else []
    extra = rng.randint(1, 5) if not steps else rng.choice((0, 0, 1, 2))
    names = rng.sample(sorted(REWRITERS), extra)
    if kind == "rewritten start" and any(r.property in ("exists", "order") for r in subject.repairs):
        names = [name for name in names if name != "ids renamed"]  # what is out of place is found by its id
    steps += [Step("rewriter", name, rng.getrandbits(48)) for name in names]
    return Plan(kind, tuple(steps))


def _step(kind: Kind, rng: random.Random) -> Step:
    if kind == "mutation":
        return Step("mutator", rng.choice(sorted(MUTATORS)), rng.getrandbits(48))
    names = repair_cases.ROUTES if kind == "route" else repair_cases.MISSES
    return Step("repair", rng.choice(sorted(names)), rng.getrandbits(48))


def build(subject: Subject, plan: Plan) -> Case | None:
    """Carry out a plan; None where a step that matters finds nothing to do."""
    draft = subject.start_draft() if plan.kind == "rewritten start" else subject.draft()
    done: list[str] = []
    for step in plan.steps:
        rng = random.Random(step.seed)
        if step.what == "rewriter":
            if REWRITERS[step.name].rewrite(draft, rng):
                done.append(step.name)
            continue
        if step.what == "mutator":
            said = MUTATORS[step.name].mutate(_site(subject, draft), rng)
        else:
            table = repair_cases.ROUTES if plan.kind == "route" else repair_cases.MISSES
            said = table[step.name](subject, draft, rng)
        if said is None:
            return None
        done.append(f"{step.name}: {said}")
    return Case(plan, draft.text(), tuple(done)) if done else None


def _site(subject: Subject, draft: Draft) -> Site:
    closed: set[Part] = set()
    requested: set[tuple[str, str]] = set()
    for repair in subject.repairs:
        requested.add((repair.object, repair.property))
        part = draft.find(repair.object)
        if repair.property == "exists" and part is not None:
            closed.add(part)
    return Site(draft, frozenset(closed), frozenset(requested))
