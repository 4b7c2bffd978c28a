"""Scorecards held against recorded verdicts, field by field."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from vbench_env.report.published import PublishedOutcome
from vbench_env.report.recorded import RecordedCheck
from vbench_env.scoring.scorecard import RepairResult, Scorecard

EQUAL_FIELDS = {
    "reward": "reward",
    "validity_pass": "valid",
    "repair_pass": "repaired",
    "preservation_pass": "preserved",
    "near_pass": "near",
    "source_preservation_pass": "source_preservation",
    "target_match": "target_match",
    "status": "status",
}
"""Recorded field and the scorecard's name of it; they must be equal."""
SHARE_FIELDS = {
    "unintended_change_rate": ("unintended_change_rate", 1e-6),
    "edit_completion": ("edit_completion", 1e-6),
    "repair_progress": ("repair_progress", 0.002),
}
"""Recorded share, the scorecard's name of it, and how far apart they may be."""
CHECK_FIELDS = ("passed", "distance", "tolerance")
CHECK_SHARE, CHECK_LEAST = 0.005, 0.001
"""A recorded distance or tolerance agrees within 0.5 % or 0.001."""


class Disagreement(NamedTuple):
    """A field in which a scorecard differs from the recorded verdict."""

    task_id: str
    model: str
    field: str
    recorded: Any
    found: Any


@dataclass(frozen=True, slots=True)
class FieldAgreement:
    """How often a field agrees; rows that do not record it are not comparable."""

    field: str
    agreeing: int
    comparable: int
    not_comparable: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """Outcomes that agree in every comparable field, and every disagreement."""

    agreeing: int
    total: int
    fields: tuple[FieldAgreement, ...]
    disagreements: tuple[Disagreement, ...]
    not_comparable: int = 0
    """Outcomes that record no verdict at all; they are not part of `total`."""

    @property
    def ok(self) -> bool:
        return self.total > 0 and self.agreeing == self.total

    @property
    def headline(self) -> str:
        return f"{self.agreeing} of {self.total} outcomes agree"

    def to_json(self) -> dict[str, Any]:
        listed = [item._asdict() for item in self.disagreements]
        return {"headline": self.headline, "ok": self.ok, **asdict(self), "disagreements": listed}


class _Compared(NamedTuple):
    field: str
    agrees: bool | None
    """None where the row does not record the field."""
    where: str
    recorded: Any
    found: Any


def agreement(scored: Iterable[tuple[PublishedOutcome, Scorecard]]) -> Agreement:
    """Compare every outcome's scorecard with its recorded verdict."""
    counts: dict[str, list[int]] = {}
    disagreements: list[Disagreement] = []
    agreeing = total = unrecorded = 0
    for outcome, card in scored:
        compared = list(compare(outcome, card))
        for item in compared:
            tally = counts.setdefault(item.field, [0, 0, 0])
            tally[2 if item.agrees is None else 1 - int(item.agrees)] += 1
            if item.agrees is False:
                row = Disagreement(outcome.task_id, outcome.model, item.where, item.recorded, item.found)
                disagreements.append(row)
        comparable = [item.agrees for item in compared if item.agrees is not None]
        total += bool(comparable)
        unrecorded += not comparable
        agreeing += bool(comparable) and all(comparable)
    fields = tuple(FieldAgreement(name, yes, yes + no, gone) for name, (yes, no, gone) in counts.items())
    return Agreement(agreeing, total, fields, tuple(disagreements), unrecorded)


def compare(outcome: PublishedOutcome, card: Scorecard) -> Iterator[_Compared]:
    """Every field of one outcome."""
    recorded = outcome.recorded
    for field, name in EQUAL_FIELDS.items():
        ours, theirs = getattr(card, name), getattr(recorded, field)
        yield _Compared(field, ours == theirs if recorded.has(field) else None, field, theirs, ours)
    for field, (name, slack) in SHARE_FIELDS.items():
        ours, theirs = getattr(card, name), getattr(recorded, field)
        same = ours is not None and theirs is not None and abs(ours - theirs) <= slack
        yield _Compared(field, same if recorded.has(field) else None, field, theirs, ours)
    if recorded.checks is None:
        for field in CHECK_FIELDS:
            yield _Compared(f"check {field}", None, field, None, None)
    else:
        yield from _checks(recorded.checks, card.repairs)


def _checks(checks: tuple[RecordedCheck, ...], repairs: tuple[RepairResult, ...]) -> Iterator[_Compared]:
    found = {(repair.object, repair.property): repair for repair in repairs}
    for check in checks:
        repair = found.pop((check.part, check.attribute), None)
        for field in CHECK_FIELDS:
            where = f"{check.part}.{check.attribute} {field}"
            theirs = getattr(check, field)
            ours = getattr(repair, field) if repair is not None else "no such repair"
            known = field in check.model_fields_set and (theirs is not None or field != "passed")
            agrees = _agrees(theirs, ours) if known else None
            yield _Compared(f"check {field}", agrees, where, theirs, ours)
    for part, attribute in found:
        where = f"{part}.{attribute}"
        yield _Compared("check passed", False, where, "no such check", found[part, attribute].passed)


def _agrees(theirs: Any, ours: Any) -> bool:
    if isinstance(theirs, float) and isinstance(ours, float):
        return math.isclose(theirs, ours, rel_tol=CHECK_SHARE, abs_tol=CHECK_LEAST)
    return bool(theirs == ours)
