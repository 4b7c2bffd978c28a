"""What a run adds up to: pure functions from episode records to counts, in one pass.

A group is one model under one protocol. Controls are tallied like models and listed apart. An episode that
infrastructure left without a verdict is counted as unscored and enters no rate. Memory grows with groups,
tasks and scored episodes (two numbers each), not with what the episodes hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from vbench_env.errors import ConfigError
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.report.statistics import Interval, Mean, Paired, mcnemar, paired_bootstrap
from vbench_env.report.tally import Tally
from vbench_env.scoring.scorecard import Scorecard

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
        self.control = self.control or record.control
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
