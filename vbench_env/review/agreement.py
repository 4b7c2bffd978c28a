"""What the labels say: people against the scorer, people among themselves, and which outcomes to look at.

People's answer to a gate is that of the majority of those who said yes or no; a tie is no answer. `unsure` is
counted and enters no kappa. `all` is the three gates together, people's against the reward.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from statistics import median
from typing import Any

from vbench_env.errors import ConfigError
from vbench_env.report.statistics import wilson
from vbench_env.review.findings import AgainstScorer, Agreement, Among, Confusion, Look, Pair, ReviewerRow
from vbench_env.review.labels import Judgement
from vbench_env.review.plan import GATES
from vbench_env.review.statistics import Kappa, cohen, fleiss, weighted_share
from vbench_env.review.study import Study, majority
from vbench_env.review.thresholds import repair_labels, suggestions

SUBJECTS = (*GATES, "all")
"""What is compared: each gate, and all of them together."""
SCORES = (0, 1, 2, 3, 4)


def agreement_of(
    studies: Sequence[Study], rules: str | None = None, reviewers: Sequence[str] = (), seed: int = 0
) -> Agreement:
    """Everything that the labels of some reviews say.

    Args:
        studies: reviews; an outcome of one is none of another.
        rules: headline rule set; None takes that of the first plan.
        reviewers: only these; all by default.
        seed: of the bootstraps.

    Raises:
        ConfigError: an unknown reviewer or rule set, or statsmodels is not installed.
    """
    studies = [_only(study, reviewers) for study in studies]
    rule_sets = _rule_sets(studies, rules)
    tables = _Tables(studies, rule_sets, seed)
    outcomes = [judged for study in studies for judged in study.items]
    if not outcomes:
        raise ConfigError("nothing is judged yet by these reviewers")
    population = sum(row.outcomes for study in studies for row in study.plan.strata)
    names = sorted({name for study in studies for name in study.labels})
    return Agreement(
        rules=rule_sets[0], outcomes=len(outcomes), population=population,
        covered=sum(study.covered for study in studies) / population,
        reviewers=tuple(_reviewer(studies, name) for name in names),
        confusions=tuple(tables.confusion(r, gate) for r in rule_sets for gate in SUBJECTS),
        against=tuple(tables.against(n, r, gate) for n in names for r in rule_sets for gate in SUBJECTS),
        pairs=tuple(tables.pair(*two, s) for two in combinations(names, 2) for s in (*SUBJECTS, "score")),
        among=tuple(tables.among(names, gate) for gate in SUBJECTS) if len(names) > 1 else (),
        suggestions=tuple(suggestions(tables.repair_labels(), seed)), look_at=tuple(_looks(studies, rule_sets[0])),
        notes=tuple(note for study in studies for note in study.plan.notes),
    )  # fmt: skip


def _only(study: Study, reviewers: Sequence[str]) -> Study:
    if not reviewers:
        return study
    unknown = [name for name in reviewers if name not in study.labels]
    if unknown:
        raise ConfigError(
            f"no labels of {unknown[0]!r}; there are some of: {', '.join(study.labels) or 'nobody'}"
        )
    return Study(study.plan, {name: study.labels[name] for name in reviewers})


def _rule_sets(studies: Sequence[Study], rules: str | None) -> list[str]:
    """Rule sets that all plans have verdicts of, the headline first."""
    common = set.intersection(*(set(study.plan.rule_sets) for study in studies))
    headline = rules or studies[0].plan.rules
    if headline not in common:
        raise ConfigError(
            f"no verdicts under the rules {headline!r}; choose one of: {', '.join(sorted(common))}"
        )
    return sorted(common, key=lambda name: (name != headline, name))


def _reviewer(studies: Sequence[Study], name: str) -> ReviewerRow:
    own = [study.labels[name] for study in studies if name in study.labels]
    latest = [judgement for labels in own for judgement in labels.latest.values()]
    looks = [labels.looked(item) for labels in own for item in labels.latest]
    return ReviewerRow(
        reviewer=name, judged=len(latest), seconds=median(j.duration_s for j in latest),
        unsure={gate: sum(j.gate(gate) == "unsure" for j in latest) for gate in GATES},
        target=sum("target" in look for look in looks), source=sum("source" in look for look in looks),
        difference=sum("difference" in look for look in looks),
    )  # fmt: skip


class _Tables:
    """Labels and verdicts side by side, over all studies."""

    def __init__(self, studies: Sequence[Study], rule_sets: Sequence[str], seed: int) -> None:
        self._rows = [(item, study.judgements(item.item)) for study in studies for item in study.items]
        self._weights = [weight for study in studies for weight in study.weights]
        self._headline, self._seed = rule_sets[0], seed

    def confusion(self, rules: str, gate: str) -> Confusion:
        people = [majority(judgements.values(), gate) for _, judgements in self._rows]
        scorer = [item.judged[rules].gate(gate) for item, _ in self._rows]
        both = [(one, other) for one, other in zip(people, scorer, strict=True) if one is not None]
        hits = [one == other for one, other in both]
        kept = [w for one, w in zip(people, self._weights, strict=True) if one is not None]
        return Confusion(
            rules, gate, both.count((True, True)), both.count((True, False)), both.count((False, True)),
            both.count((False, False)), len(people) - len(both), wilson(sum(hits), len(hits)),
            weighted_share(hits, kept), _cohen(both),
        )  # fmt: skip

    def against(self, reviewer: str, rules: str, gate: str) -> AgainstScorer:
        said = [(item, judgements.get(reviewer)) for item, judgements in self._rows]
        both = [
            (judgement.gate(gate) == "yes", item.judged[rules].gate(gate))
            for item, judgement in said if judgement is not None and judgement.gate(gate) != "unsure"
        ]  # fmt: skip
        return AgainstScorer(reviewer, rules, gate, _cohen(both))

    def pair(self, first: str, second: str, subject: str) -> Pair:
        labels = [
            (_label(rows.get(first), subject), _label(rows.get(second), subject)) for _, rows in self._rows
        ]
        both = [(one, other) for one, other in labels if one is not None and other is not None]
        ones, others = [one for one, _ in both], [other for _, other in both]
        share = wilson(sum(one == other for one, other in both), len(both))
        if subject == "score":
            return Pair(first, second, subject, share, cohen(ones, others, SCORES, "quadratic"))
        return Pair(first, second, subject, share, cohen(ones, others, ("yes", "no")))

    def among(self, names: Sequence[str], gate: str) -> Among:
        rows = [[_label(judgements.get(name), gate) for name in names] for _, judgements in self._rows]
        whole = [row for row in rows if None not in row]
        return Among(gate, len(names), fleiss(whole, ("yes", "no"), self._seed))

    def repair_labels(self) -> list[Any]:
        return [
            label for item, judgements in self._rows
            for label in repair_labels(item.judged[self._headline], judgements.values())
        ]  # fmt: skip


def _cohen(both: Sequence[tuple[bool, bool]]) -> Kappa:
    return cohen([one for one, _ in both], [other for _, other in both], (True, False))


def _label(judgement: Judgement | None, subject: str) -> Any:
    """A label for a kappa; None where there is none."""
    if judgement is None:
        return None
    if subject == "score":
        return judgement.score
    answer = judgement.gate(subject)
    return None if answer == "unsure" else answer


def _looks(studies: Sequence[Study], rules: str) -> list[Look]:
    """Outcomes to look at: most reviewers against the scorer first, then by gates, weight and name."""
    found = [look for study in studies for look in _disagreements(study, rules)]
    return sorted(found, key=lambda k: (-k.people, -len(k.gates), -len(k.split), -k.weight, k.item))


def _disagreements(study: Study, rules: str) -> Iterator[Look]:
    for item, weight in zip(study.items, study.weights, strict=True):
        judgements, judged = study.judgements(item.item), item.judged[rules]
        gates = [g for g in GATES if majority(judgements.values(), g) not in (None, judged.gate(g))]
        split = [g for g in GATES if {"yes", "no"} <= {j.gate(g) for j in judgements.values()}]
        if gates or split:
            yield Look(
                item=item.item, task_id=item.task_id, gates=tuple(gates), split=tuple(split), weight=weight,
                people=max((_against(judgements.values(), g, judged.gate(g)) for g in gates), default=0),
                answers={name: ", ".join(f"{g} {j.gate(g)}" for g in GATES) for name, j in judgements.items()},
                comments={name: j.comment for name, j in judgements.items() if j.comment},
                verdicts={name: verdict.status for name, verdict in item.judged.items()},
                reasons={g: text for g, text in judged.reasons.items() if g in (*gates, *split)},
                origins=item.origins,
            )  # fmt: skip


def _against(judgements: Iterable[Judgement], gate: str, verdict: bool) -> int:
    """Reviewers who say the opposite of the scorer."""
    return sum(judgement.gate(gate) == ("no" if verdict else "yes") for judgement in judgements)
