"""Counts that grow by one episode at a time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields

from vbench_env.experiments.record import EpisodeRecord
from vbench_env.report.failing import failing
from vbench_env.report.statistics import Mean, Rate, wilson
from vbench_env.scoring.scorecard import RepairResult, Scorecard


@dataclass(slots=True)
class OperationTally:
    """Requested repairs of one operation."""

    passed: int = 0
    total: int = 0
    progress: Mean = field(default_factory=Mean)

    def add(self, repair: RepairResult) -> None:
        self.total += 1
        self.passed += repair.passed
        self.progress.add(repair.progress or 0.0)

    def take(self, other: OperationTally) -> None:
        self.total += other.total
        self.passed += other.passed
        self.progress.take(other.progress)


@dataclass(slots=True)
class Tally:
    """Counts over the episodes of a group, or of a group on one task.

    Attributes:
        episodes: scored and unscored ones.
        scored: episodes with a verdict; the denominator of every rate.
        statuses: how scored episodes ended; every one has one status.
        progress: mean repair progress, 0 for an invalid drawing.
        progress_valid: the same over valid drawings only.
        ucr: unintended change rate of valid drawings, every drawing counting alike (macro).
        changed: protected objects that valid drawings changed, and `watched`, how many there were (pooled).
        cut_off: scored episodes with an answer that was cut off; `full_finished` passes and `progress_finished` are
            of the others.
        cost: dollars of the episodes whose every price is known; `unpriced` counts the rest.
        failures: failures of infrastructure, by kind.
        missed: failure class of every missed repair; `changes`: subtype of every unrequested change.
        failing: class of every scored episode that failed.
    """

    episodes: int = 0
    scored: int = 0
    full: int = 0
    near: int = 0
    repaired: int = 0
    preserved: int = 0
    valid: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    progress: Mean = field(default_factory=Mean)
    progress_valid: Mean = field(default_factory=Mean)
    ucr: Mean = field(default_factory=Mean)
    changed: float = 0.0
    watched: int = 0
    precision: Mean = field(default_factory=Mean)
    recall: Mean = field(default_factory=Mean)
    cut_off: int = 0
    full_finished: int = 0
    progress_finished: Mean = field(default_factory=Mean)
    cost: Mean = field(default_factory=Mean)
    unpriced: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    wall_s: Mean = field(default_factory=Mean)
    failures: Counter[str] = field(default_factory=Counter)
    stop_reasons: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)
    failing: Counter[str] = field(default_factory=Counter)
    operations: dict[str, OperationTally] = field(default_factory=dict)

    def add(self, record: EpisodeRecord, card: Scorecard | None, protected: int | None = None) -> None:
        """Count one episode. `protected` is the number of protected objects of its task."""
        self.episodes += 1
        self._add_effort(record)
        self.stop_reasons[record.stop_reason] += 1
        if card is None:
            self.failures[record.error.kind if record.error else "unknown"] += 1
            return
        self.scored += 1
        self.full += card.reward
        self.near += card.near
        self.repaired += card.repaired
        self.preserved += card.preserved
        self.statuses[card.status] += 1
        self.progress.add(card.repair_progress)
        if record.cut_off:
            self.cut_off += 1
        else:
            self.full_finished += card.reward
            self.progress_finished.add(card.repair_progress)
        self._add_repairs(card)
        if (found := failing(card, record.cut_off, record.stop_reason)) is not None:
            self.failing[found.kind] += 1
        if card.valid:
            self._add_valid(card, protected)

    def _add_effort(self, record: EpisodeRecord) -> None:
        self.calls += len(record.calls)
        usage = record.usage or {}
        self.prompt_tokens += usage.get("prompt_tokens", 0)
        self.completion_tokens += usage.get("completion_tokens", 0)
        self.wall_s.add(record.wall_s)
        if record.cost_usd is None:
            self.unpriced += 1
        else:
            self.cost.add(record.cost_usd)

    def _add_valid(self, card: Scorecard, protected: int | None) -> None:
        self.valid += 1
        self.progress_valid.add(card.repair_progress)
        if card.unintended_change_rate is not None:
            self.ucr.add(card.unintended_change_rate)
            if protected is not None:
                self.changed += card.unintended_change_rate * protected
                self.watched += protected
        for mean, value in (
            (self.precision, card.localisation_precision),
            (self.recall, card.localisation_recall),
        ):
            if value is not None:
                mean.add(value)

    def _add_repairs(self, card: Scorecard) -> None:
        for repair in card.repairs:
            self.operations.setdefault(repair.operation, OperationTally()).add(repair)
            if not repair.passed:
                self.missed[repair.failure or "invalid"] += 1
        self.changes.update(change.subtype for change in card.changes)

    def take(self, other: Tally) -> None:
        """Count what another tally has counted."""
        for item in fields(self):
            mine, theirs = getattr(self, item.name), getattr(other, item.name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            elif isinstance(mine, Mean):
                mine.take(theirs)
            elif isinstance(mine, dict):
                for name, tally in theirs.items():
                    mine.setdefault(name, OperationTally()).take(tally)
            else:
                setattr(self, item.name, mine + theirs)

    @property
    def unscored(self) -> int:
        return self.episodes - self.scored

    @property
    def full_rate(self) -> Rate:
        """Share of scored episodes that passed all three gates."""
        return wilson(self.full, self.scored)

    @property
    def finished_rate(self) -> Rate:
        """The same over episodes in which no answer was cut off."""
        return wilson(self.full_finished, self.scored - self.cut_off)

    @property
    def cut_off_rate(self) -> Rate:
        """Share of scored episodes with an answer that was cut off."""
        return wilson(self.cut_off, self.scored)

    @property
    def tokens(self) -> int:
        """Input and output tokens, as far as providers counted them."""
        return self.prompt_tokens + self.completion_tokens

    def gate_rate(self, gate: str) -> Rate:
        """Share of scored episodes that are `valid`, `repaired`, `preserved` or `near`."""
        return wilson(int(getattr(self, gate)), self.scored)

    @property
    def ucr_pooled(self) -> float | None:
        """Changed protected objects over all protected objects; None where their number is not known."""
        return self.changed / self.watched if self.watched else None
