"""What a run adds up to: pure functions from episode records to counts, in one pass.

A group is one model under one protocol. Controls are tallied like models and listed apart. An episode that
infrastructure left without a verdict is counted as unscored and enters no rate. Memory grows with groups and
tasks, and by nine bytes with every scored episode, not with what the episodes hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from vbench_env.errors import ConfigError
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.report.outcomes import Outcome, Outcomes, Pairs, Place
from vbench_env.report.statistics import (
    Interval,
    Paired,
    cohen_d,
    mcnemar,
    odds_ratio,
    paired_bootstrap,
    sign_flip,
)
from vbench_env.report.tally import Tally
from vbench_env.scoring.scorecard import Scorecard

STATUSES = ("PASS", "SIDE_EFFECTS", "NEAR", "PARTIAL", "FAIL", "INVALID", "ERR")
"""From best to worst."""


class GroupKey(NamedTuple):
    """One model under one protocol."""

    model: str
    protocol: str


@dataclass(slots=True)
class Group:
    """One model under one protocol, with its tallies."""

    key: GroupKey
    control: bool
    rules: str
    """Rule set of the verdicts."""
    total: Tally = field(default_factory=Tally)
    tasks: dict[str, Tally] = field(default_factory=dict)
    outcomes: Outcomes = field(default_factory=Outcomes)
    """By task, sample and wording."""

    @property
    def repeats(self) -> bool:
        """Whether a task was played more than once."""
        return any(tally.scored > 1 for tally in self.tasks.values())

    def add(self, record: EpisodeRecord, card: Scorecard | None, protected: int | None) -> None:
        """Count one episode of this group."""
        self.control = self.control or record.control
        self.total.add(record, card, protected)
        self.tasks.setdefault(record.task_id, Tally()).add(record, card, protected)
        if card is not None:
            place = Place(record.task_id, record.sample, record.wording)
            self.outcomes.add(place, Outcome(bool(card.reward), card.repair_progress))


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
    """Two groups on the episodes that both have a verdict of.

    Attributes:
        passes: pass by pass, exact McNemar, as if every episode were a task of its own.
        passed: difference of the share passed, mean over tasks.
        progress: difference of mean progress, mean over tasks.
        p_value: of the difference passed; signs flipped by task where tasks have several samples, which are no tasks of
            their own, else exact McNemar.
        odds: odds of passing alone, first to second.
        effect: difference of progress over its standard deviation between tasks (Cohen's d_z).
        tasks: tasks with a shared episode.
    """

    first: GroupKey
    second: GroupKey
    passes: Paired
    passed: Interval | None
    progress: Interval | None
    p_value: float
    odds: Interval | None
    effect: float | None
    tasks: int


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
    """Compare two groups: passes by exact McNemar on episodes, rates and progress by a bootstrap over tasks."""
    return compare_outcomes(first.key, first.outcomes, second.key, second.outcomes)


def compare_outcomes(first: GroupKey, ones: Outcomes, second: GroupKey, others: Outcomes) -> Comparison:
    """The same for any two sets of outcomes."""
    pairs = Pairs.of(ones, others)
    passes = mcnemar(pairs.passes[0].tolist(), pairs.passes[1].tolist())
    tasks = len(pairs.task_passes[0])
    p_value = passes.p_value if passes.pairs == tasks else sign_flip(_differences(pairs.task_passes))
    return Comparison(
        first, second, passes, paired_bootstrap(*pairs.task_passes), paired_bootstrap(*pairs.task_progress),
        p_value, odds_ratio(passes), cohen_d(_differences(pairs.task_progress)), tasks,
    )  # fmt: skip


def _differences(sides: tuple[list[float], list[float]]) -> list[float]:
    return [one - other for one, other in zip(*sides, strict=True)]


def comparisons(results: Results, most: int | None = 12) -> list[Comparison]:
    """Every model against every other under the same protocol, and every protocol of the same model."""
    found: list[Comparison] = []
    for first, second in combinations(results.models, 2):
        if len(found) == most:
            break
        if first.key.model == second.key.model or first.key.protocol == second.key.protocol:
            found.append(compare(first, second))
    return found
