"""What a plan keeps of a scorecard: gates, reasons, and how far every measured repair is."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from vbench_env.report import words
from vbench_env.scoring.rules import RULE_SETS
from vbench_env.scoring.scorecard import RepairResult, Scorecard
from vbench_env.scoring.tolerance import family

Nearness = Literal["inside", "beyond", "clear"]
"""Of the repair closest to its threshold: distance over tolerance in [0.5, 1], in (1, 2], or anything else."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Measured(_Part):
    """One requested repair as the scorer measured it."""

    object: str
    operation: str
    property: str
    family: str
    """Row of the tolerance table, or `inserted`."""
    passed: bool
    distance: float | None = None
    tolerance: float | None = None


class Judged(_Part):
    """The verdict of one rule set."""

    status: str
    reward: int
    valid: bool
    repaired: bool
    preserved: bool
    reasons: dict[str, str] = Field(default_factory=dict)
    """Why a gate fails, in words, by gate."""
    repairs: tuple[Measured, ...] = ()

    def gate(self, name: str) -> bool:
        """What the scorer says of a gate, or of all three together (`all`)."""
        return bool(self.reward) if name == "all" else bool(getattr(self, name))


def ratio_of(repair: Measured) -> float | None:
    """Distance over tolerance; None of an exact check."""
    if repair.distance is None or not repair.tolerance:
        return None
    return repair.distance / repair.tolerance


def judged_of(card: Scorecard) -> Judged:
    """What a plan keeps of a scorecard."""
    return Judged(
        status=card.status, reward=card.reward, valid=card.valid, repaired=card.repaired,
        preserved=card.preserved, reasons=_reasons(card),
        repairs=tuple(_measured(repair, card.rules) for repair in card.repairs),
    )  # fmt: skip


def _measured(repair: RepairResult, rules: str) -> Measured:
    known = RULE_SETS.get(rules.partition("+")[0])
    row = family(repair.property, known.tolerances if known else "extended").name
    return Measured(
        object=repair.object, operation=repair.operation, property=repair.property, passed=repair.passed,
        family="inserted" if repair.comparison.startswith("inserted") else row,
        distance=repair.distance, tolerance=repair.tolerance,
    )  # fmt: skip


def _reasons(card: Scorecard) -> dict[str, str]:
    found: dict[str, str] = {}
    if not card.valid:
        found["valid"] = card.faults[0].message if card.faults else "not valid"
    if not card.repaired:
        missed = [repair for repair in card.repairs if not repair.passed]
        found["repaired"] = _counted([_missed(repair) for repair in missed], "no repair could be measured")
    if not card.preserved:
        changes = [f"{change.object}: {words.SUBTYPE[change.subtype].lower()} {change.detail}".rstrip()
                   for change in card.changes]  # fmt: skip
        found["preserved"] = _counted(changes, "nothing of it could be read")
    return found


def _missed(repair: RepairResult) -> str:
    text = f"{repair.object} {repair.property}: {words.outcome(repair)}"
    if repair.distance is None or not repair.tolerance:
        return text
    return f"{text} ({words.number(repair.distance / repair.tolerance)} of the tolerance)"


def _counted(texts: list[str], otherwise: str) -> str:
    if not texts:
        return otherwise
    return texts[0] + (f" and {len(texts) - 1} more" if len(texts) > 1 else "")


def nearness_of(card: Scorecard) -> Nearness:
    """Where the repair closest to its threshold stands; closeness is that of the logarithms of both."""
    ratios = [r.distance / r.tolerance for r in card.repairs if r.distance and r.tolerance]
    if not ratios:
        return "clear"
    closest = min(ratios, key=lambda ratio: max(ratio, 1 / ratio))
    if 0.5 <= closest <= 1:
        return "inside"
    return "beyond" if 1 < closest <= 2 else "clear"
