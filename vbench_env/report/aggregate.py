"""What a run adds up to: pure functions from episode records to counts, in one pass.

A group is one model under one protocol. Controls are tallied like models and listed apart. An episode that
infrastructure left without a verdict is counted as unscored and enters no rate. Memory grows with groups,
tasks and scored episodes (two numbers each), not with what the episodes hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from vbench_env.errors import ConfigError
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.report.statistics import (
    Interval,
    Mean,
    Paired,
    Rate,
    mcnemar,
    paired_bootstrap,
    wilson,
)
from vbench_env.scoring.scorecard import RepairResult, Scorecard

STATUSES = ("PASS", "SIDE_EFFECTS", "NEAR", "PARTIAL", "FAIL", "INVALID", "ERR")
"""From best to worst."""


class GroupKey(NamedTuple):
    """One model under one protocol."""

    model: str
    protocol: str


class Outcome(NamedTuple):
    """What a comparison needs of a scored episode."""

    passed: bool
    progress: float


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
        cut_off: scored episodes with an answer that was cut off; `full_finished` passes are among the others.
        cost: dollars of the episodes whose every price is known; `unpriced` counts the rest.
        failures: failures of infrastructure, by kind.
        missed: failure class of every missed repair; `changes`: subtype of every unrequested change.
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
        self.cut_off += bool(record.cut_off)
        self.full_finished += card.reward if not record.cut_off else 0
        self._add_repairs(card)
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

    def gate_rate(self, gate: str) -> Rate:
        """Share of scored episodes that are `valid`, `repaired`, `preserved` or `near`."""
        return wilson(int(getattr(self, gate)), self.scored)

    @property
    def ucr_pooled(self) -> float | None:
        """Changed protected objects over all protected objects; None where their number is not known."""
        return self.changed / self.watched if self.watched else None


@dataclass(slots=True)
class Group:
    """One model under one protocol, with its tallies."""

    key: GroupKey
    control: bool
    rules: str
    """Rule set of the verdicts."""
    total: Tally = field(default_factory=Tally)
    tasks: dict[str, Tally] = field(default_factory=dict)
    outcomes: dict[tuple[str, int], Outcome] = field(default_factory=dict)
    """By task and sample."""

    def add(self, record: EpisodeRecord, card: Scorecard | None, protected: int | None) -> None:
        """Count one episode of this group."""
        self.total.add(record, card, protected)
        self.tasks.setdefault(record.task_id, Tally()).add(record, card, protected)
        if card is not None:
            outcome = Outcome(bool(card.reward), card.repair_progress)
            self.outcomes[(record.task_id, record.sample)] = outcome


@dataclass(frozen=True, slots=True)
class Results:
    """A run added up. `models` and `controls` come best first."""

    models: tuple[Group, ...]
    controls: tuple[Group, ...]
    tasks: tuple[str, ...]

    @property
    def groups(self) -> tuple[Group, ...]:
        return (*self.models, *self.controls)

    @property
    def operations(self) -> tuple[str, ...]:
        """Operations that were asked for, in order of the alphabet."""
        return tuple(sorted({name for group in self.groups for name in group.total.operations}))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two groups on the episodes that both have a verdict of."""

    first: GroupKey
    second: GroupKey
    passes: Paired
    progress: Interval | None
    """Difference of mean progress per task."""


def card_of(record: EpisodeRecord, rules: str | None = None) -> Scorecard | None:
    """The verdict under a rule set, by default the headline of the run; None for an unscored episode.

    Raises:
        ConfigError: there is a verdict, but none under these rules.
    """
    if rules is None or record.score is None:
        return record.score
    found = record.scorecards.get(rules)
    if found is None:
        known = ", ".join(sorted(record.scorecards))
        raise ConfigError(f"this run holds no verdicts under the rules {rules!r}; choose one of: {known}")
    return found


def aggregate(
    records: Iterable[EpisodeRecord], *, rules: str | None = None, protected: Mapping[str, int] | None = None
) -> Results:
    """Add up episodes.

    Args:
        records: each episode once, in any order; read in one pass.
        rules: rule set of the verdicts; None takes each record's headline.
        protected: number of protected objects by task id, for the pooled unintended change rate.
    """
    groups: dict[GroupKey, Group] = {}
    tasks: dict[str, None] = {}
    sizes = protected or {}
    for record in records:
        key = GroupKey(record.model, record.protocol)
        group = groups.get(key)
        if group is None:
            group = groups[key] = Group(key, record.control, rules or record.rules)
        group.add(record, card_of(record, rules), sizes.get(record.task_id))
        tasks.setdefault(record.task_id)
    ranked = sorted(groups.values(), key=_rank)
    return Results(
        models=tuple(group for group in ranked if not group.control),
        controls=tuple(group for group in ranked if group.control),
        tasks=tuple(sorted(tasks)),
    )


def _rank(group: Group) -> tuple[float, float, GroupKey]:
    """Best first: full successes, then progress, then the name."""
    full, progress = group.total.full_rate.value, group.total.progress.value
    return (-1.0 if full is None else full) * -1, -(progress or 0.0), group.key


def compare(first: Group, second: Group) -> Comparison:
    """Compare two groups: passes by exact McNemar on episodes, progress by a bootstrap over tasks."""
    shared = sorted(set(first.outcomes) & set(second.outcomes))
    ones, others = ([group.outcomes[place] for place in shared] for group in (first, second))
    passes = mcnemar([one.passed for one in ones], [other.passed for other in others])
    means: dict[str, tuple[Mean, Mean]] = {}
    for (task_id, _), one, other in zip(shared, ones, others, strict=True):
        pair = means.setdefault(task_id, (Mean(), Mean()))
        pair[0].add(one.progress)
        pair[1].add(other.progress)
    values = [[mean.value or 0.0 for mean in side] for side in zip(*means.values(), strict=True)] or [[], []]
    return Comparison(first.key, second.key, passes, paired_bootstrap(values[0], values[1]))


def comparisons(results: Results, most: int = 12) -> list[Comparison]:
    """Every model against every other under the same protocol, and every protocol of the same model."""
    found: list[Comparison] = []
    for place, first in enumerate(results.models):
        for second in results.models[place + 1 :]:
            if first.key.model == second.key.model or first.key.protocol == second.key.protocol:
                found.append(compare(first, second))
                if len(found) == most:
                    return found
    return found
