"""What becomes of a set of outcomes: the paper's decomposition, and the same per model.

The figures need only the verdicts, so they are computed the same way from scorecards and from recorded verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from vbench_env.report.published import PublishedOutcome
from vbench_env.report.recorded import Recorded
from vbench_env.scoring.scorecard import Scorecard


class Verdicts(NamedTuple):
    """The verdicts on one outcome, wherever they come from."""

    model: str
    task_id: str
    status: str
    passed: bool
    valid: bool
    repaired: bool
    preserved: bool
    near: bool
    source_preserved: bool
    target_match: bool
    progress: float
    change_rate: float
    answered: bool
    """Whether there is any text."""
    length_limited: bool


def scored_verdicts(outcome: PublishedOutcome, card: Scorecard) -> Verdicts:
    """The verdicts of a scorecard; whether an answer was cut off is as recorded."""
    rate = card.unintended_change_rate
    return Verdicts(
        outcome.model, outcome.task_id, card.status, card.passed, card.valid, card.repaired, card.preserved,
        card.near, card.source_preservation, card.target_match, card.repair_progress,
        1.0 if rate is None else rate, outcome.text is not None, outcome.recorded.finish_reason == "length",
    )  # fmt: skip


_NEEDED = (
    "status", "reward", "validity_pass", "repair_pass", "preservation_pass", "near_pass",
    "source_preservation_pass", "target_match", "repair_progress", "unintended_change_rate",
)  # fmt: skip


def recorded_verdicts(outcome: PublishedOutcome) -> Verdicts | None:
    """The recorded verdicts; None where the row lacks one of them."""
    r: Recorded = outcome.recorded
    if not all(r.has(name) for name in _NEEDED):
        return None
    return Verdicts(
        outcome.model, outcome.task_id, str(r.status), bool(r.reward), bool(r.validity_pass),
        bool(r.repair_pass), bool(r.preservation_pass), bool(r.near_pass), bool(r.source_preservation_pass),
        bool(r.target_match), r.repair_progress or 0.0, r.unintended_change_rate or 0.0,
        outcome.text is not None, r.finish_reason == "length",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Counts of outcomes, and shares in [0, 1]."""

    outcomes: int
    passed: int
    near: int
    repaired: int
    """Every requested repair made, in a valid document."""
    preserved: int
    source_preserved: int
    target_match: int
    side_effects: int
    """All repairs, but something else changed."""
    valid_incomplete: int
    """Valid documents that miss a repair."""
    invalid_or_missing: int
    progress: float | None
    """Mean repair progress over all outcomes."""
    progress_valid: float | None
    change_rate_pooled: float | None
    """Mean unintended-change rate over all valid outcomes."""
    change_rate_macro: float | None
    """The mean over models of each model's mean."""
    validity: float | None
    length_limited: float | None
    provider_errors: float | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


PAPER = Decomposition(
    outcomes=1360, passed=32, near=14, repaired=44, preserved=270, source_preserved=269, target_match=1,
    side_effects=12, valid_incomplete=690, invalid_or_missing=626, progress=0.275, progress_valid=0.509,
    change_rate_pooled=0.024, change_rate_macro=0.020, validity=0.540, length_limited=0.378,
    provider_errors=0.030,
)  # fmt: skip
"""The published figures, of 34 models on 40 tasks."""


def mean(values: Iterable[float]) -> float | None:
    """The mean; None of nothing."""
    found = list(values)
    return sum(found) / len(found) if found else None


def decompose(rows: Sequence[Verdicts]) -> Decomposition:
    """The figures of a set of outcomes."""

    def count(condition: Callable[[Verdicts], bool]) -> int:
        return sum(map(condition, rows))

    valid = [row for row in rows if row.valid]
    return Decomposition(
        outcomes=len(rows),
        passed=count(lambda row: row.passed),
        near=count(lambda row: row.near),
        repaired=count(lambda row: row.repaired),
        preserved=count(lambda row: row.preserved),
        source_preserved=count(lambda row: row.source_preserved),
        target_match=count(lambda row: row.target_match),
        side_effects=count(lambda row: row.repaired and not row.preserved),
        valid_incomplete=count(lambda row: row.valid and not row.repaired),
        invalid_or_missing=count(lambda row: not row.valid),
        progress=mean(row.progress for row in rows),
        progress_valid=mean(row.progress for row in valid),
        change_rate_pooled=mean(row.change_rate for row in valid),
        change_rate_macro=mean(filter(lambda rate: rate is not None, map(_change_rate, by_model(valid)))),  # type: ignore[arg-type]
        validity=mean(row.valid for row in rows),
        length_limited=mean(row.length_limited for row in rows),
        provider_errors=mean(not row.answered for row in rows),
    )


def _change_rate(group: tuple[str, list[Verdicts]]) -> float | None:
    return mean(row.change_rate for row in group[1])


def by_model(rows: Iterable[Verdicts]) -> list[tuple[str, list[Verdicts]]]:
    """The outcomes of each model, models in the order in which they appear."""
    groups: dict[str, list[Verdicts]] = {}
    for row in rows:
        groups.setdefault(row.model, []).append(row)
    return list(groups.items())


@dataclass(frozen=True, slots=True)
class ModelRow:
    """The figures of one model, with its outcomes and passes as the row records them."""

    model: str
    figures: Decomposition


def leaderboard(rows: Iterable[Verdicts]) -> tuple[ModelRow, ...]:
    """Models by passes, then near misses, repairs, progress; equal ones by name."""
    found = [ModelRow(model, decompose(group)) for model, group in by_model(rows)]
    return tuple(sorted(found, key=_rank))


def _rank(row: ModelRow) -> tuple[float | str, ...]:
    figures = row.figures
    return (-figures.passed, -figures.near, -figures.repaired, -(figures.progress or 0.0), row.model)
