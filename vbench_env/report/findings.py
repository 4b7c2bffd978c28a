"""What a run allows to say beyond its counts: pairs, ranks, repeated samples, cost, breakdowns. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from vbench_env.report.aggregate import (
    Comparison,
    Group,
    GroupKey,
    Results,
    compare,
    compare_outcomes,
)
from vbench_env.report.ranking import RankStability, pareto_front, rank_stability
from vbench_env.report.repeated import AtK, VarianceSplit, pass_at_k, variance_split
from vbench_env.report.statistics import adjusted
from vbench_env.report.tally import Tally
from vbench_env.report.wordings import Robustness, robustness

By = Literal["models", "protocols", "wordings"]
Effort = Literal["usd", "tokens"]
BY: tuple[By, ...] = ("models", "protocols", "wordings")


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that is found. `traits` adds every group up by a trait of its tasks, where one was given."""

    results: Results
    pairs: list[Pair]
    ranks: dict[str, RankStability[str]]
    repeated: dict[GroupKey, Repeated]
    fronts: dict[Effort, list[GroupKey]]
    traits: dict[GroupKey, dict[str, Tally]]
    wordings: dict[GroupKey, Robustness] = field(default_factory=dict)
    """Groups that played tasks in several wordings."""


def findings_of(
    results: Results, by: tuple[By, ...] = BY, traits: Mapping[str, str] | None = None
) -> Findings:
    """All findings about results; `by` chooses the kinds of pairs, `traits` is a trait of every task by its id."""
    broken = {group.key: breakdown(group, traits) for group in results.groups} if traits else {}
    repeated = {group.key: repeated_of(group) for group in results.models}
    return Findings(
        results, pairs_of(results, by), ranks_of(results), repeated, fronts_of(results), broken, wordings_of(results)
    )  # fmt: skip


def wordings_of(results: Results) -> dict[GroupKey, Robustness]:
    """How much wordings matter to each group that played tasks in several."""
    found = {group.key: robustness(group.outcomes) for group in results.models}
    return {key: one for key, one in found.items() if one is not None}


@dataclass(frozen=True, slots=True)
class Pair:
    """A comparison, with its p-value corrected for the number of those made with it."""

    by: By
    comparison: Comparison
    p_adjusted: float


def pairs_of(results: Results, by: tuple[By, ...] = BY) -> list[Pair]:
    """Models under one protocol, protocols of one model, wordings of one group; the smallest p-value first.

    The false discovery rate is held over all of them together.
    """
    found = [(kind, comparison) for kind in by for comparison in _PAIRS[kind](results)]
    corrected = adjusted([comparison.p_value for _, comparison in found])
    pairs = [Pair(kind, comparison, p) for (kind, comparison), p in zip(found, corrected, strict=True)]
    return sorted(
        pairs, key=lambda pair: (pair.by, pair.p_adjusted, pair.comparison.first, pair.comparison.second)
    )


def _models(results: Results) -> Iterator[Comparison]:
    for first, second in combinations(results.models, 2):
        if first.key.protocol == second.key.protocol:
            yield compare(first, second)


def _protocols(results: Results) -> Iterator[Comparison]:
    for first, second in combinations(results.models, 2):
        if first.key.model == second.key.model:
            yield compare(first, second)


def _wordings(results: Results) -> Iterator[Comparison]:
    for group in results.models:
        for first, second in combinations(group.outcomes.wordings, 2):
            keys = [GroupKey(group.key.model, f"{group.key.protocol}, {name}") for name in (first, second)]
            yield compare_outcomes(keys[0], group.outcomes.only(first), keys[1], group.outcomes.only(second))


_PAIRS = {"models": _models, "protocols": _protocols, "wordings": _wordings}


def ranks_of(results: Results) -> dict[str, RankStability[str]]:
    """How sure the order of models is, by the share of episodes passed, under every protocol with several models."""
    by_protocol: dict[str, dict[str, dict[str, float]]] = {}
    for group in results.models:
        rates = {name: tally.full_rate.value for name, tally in group.tasks.items()}
        found = {name: rate for name, rate in rates.items() if rate is not None}
        by_protocol.setdefault(group.key.protocol, {})[group.key.model] = found
    return {name: rank_stability(models) for name, models in sorted(by_protocol.items()) if len(models) > 1}


@dataclass(frozen=True, slots=True)
class Repeated:
    """What the samples of a group tell. `any` is pass@k and `all` pass^k, for the same numbers k.

    `passed` and `progress` split their variance into task and decoding; a task in another wording counts as another
    task, so that decoding is the model's own dice alone.
    """

    any: tuple[AtK, ...]
    all: tuple[AtK, ...]
    passed: VarianceSplit | None
    progress: VarianceSplit | None


def repeated_of(group: Group) -> Repeated:
    """pass@k, pass^k and variances of a group, k being 1, 2, 4, ... and the number of samples that all tasks have."""
    series = list(group.outcomes.series.values())
    counts = [one.counts for one in series if one.counts[1]]
    most = min((total for _, total in counts), default=0)
    ks = sorted({k for k in (1, 2, 4, 8, 16, 32, 64, most) if 0 < k <= most})
    found = {which: [pass_at_k(counts, k, which) for k in ks] for which in _WHICH}
    passes = [[1.0] * passed + [0.0] * (total - passed) for passed, total in counts]
    return Repeated(
        any=tuple(one for one in found["any"] if one is not None),
        all=tuple(one for one in found["all"] if one is not None),
        passed=variance_split(passes), progress=variance_split([one.values.tolist() for one in series]),
    )  # fmt: skip


_WHICH: tuple[Literal["any", "all"], ...] = ("any", "all")


def fronts_of(results: Results) -> dict[Effort, list[GroupKey]]:
    """Groups that no other beats at a lower price, in dollars and in tokens an episode, the cheapest first.

    Groups without a verdict are left out, and, of the front in dollars, those that call no model and those of which a
    price is unknown.
    """
    usd: dict[GroupKey, tuple[float, float]] = {}
    tokens: dict[GroupKey, tuple[float, float]] = {}
    for group in results.models:
        tally, rate = group.total, group.total.full_rate.value
        if rate is None:
            continue
        paid = tally.calls or tally.tokens or tally.cost.value
        if paid and tally.cost.value is not None and not tally.unpriced:
            usd[group.key] = tally.cost.value, rate
        if tally.tokens:
            tokens[group.key] = tally.tokens / tally.episodes, rate
    return {"usd": list(pareto_front(usd)), "tokens": list(pareto_front(tokens))}


def breakdown(group: Group, traits: Mapping[str, str]) -> dict[str, Tally]:
    """A group added up by a trait of its tasks (genre, difficulty); tasks without one are left out."""
    found: dict[str, Tally] = {}
    for task_id, tally in group.tasks.items():
        if trait := traits.get(task_id):
            found.setdefault(trait, Tally()).take(tally)
    return dict(sorted(found.items()))
