"""What an analysis of labels finds, as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from vbench_env.report.statistics import Rate
from vbench_env.review.plan import Origin
from vbench_env.review.statistics import Estimate, Kappa
from vbench_env.review.thresholds import Suggestion


@dataclass(frozen=True, slots=True)
class ReviewerRow:
    """How much one reviewer did, and with what in view."""

    reviewer: str
    judged: int
    unsure: dict[str, int]
    """Outcomes left unsure, by gate."""
    seconds: float
    """Median time for an outcome."""
    target: int
    """Outcomes whose target was revealed."""
    difference: int
    source: int


@dataclass(frozen=True, slots=True)
class Confusion:
    """People's majority against one rule set on one gate.

    Attributes:
        both_yes: outcomes that both let pass; `only_people` and `only_scorer` only one of them; `both_no` neither.
        undecided: outcomes of which people say nothing: a tie, or all unsure.
        share: outcomes on which they agree, of those judged, with its Wilson interval.
        estimate: the same of all outcomes that were there to choose from, by the weights.
    """

    rules: str
    gate: str
    both_yes: int
    only_people: int
    only_scorer: int
    both_no: int
    undecided: int
    share: Rate
    estimate: Estimate | None
    kappa: Kappa


@dataclass(frozen=True, slots=True)
class AgainstScorer:
    """One reviewer against one rule set on one gate."""

    reviewer: str
    rules: str
    gate: str
    kappa: Kappa


@dataclass(frozen=True, slots=True)
class Pair:
    """Two reviewers on a gate, or on the score (quadratic weights)."""

    first: str
    second: str
    subject: str
    share: Rate
    """Outcomes with the same label."""
    kappa: Kappa


@dataclass(frozen=True, slots=True)
class Among:
    """All reviewers together on a gate, over the outcomes that each of them decided."""

    gate: str
    reviewers: int
    kappa: Kappa


@dataclass(frozen=True, slots=True)
class Look:
    """An outcome on which people and the scorer, or people among themselves, disagree.

    Attributes:
        gates: where the majority differs from the headline rules, and `split` where reviewers differ.
        answers: what each reviewer said, as `repaired no, preserved yes, valid yes`.
        verdicts: status by rule set.
        reasons: why the headline rules fail a gate, by gate.
    """

    item: str
    task_id: str
    gates: tuple[str, ...]
    split: tuple[str, ...]
    people: int
    weight: float
    answers: dict[str, str]
    comments: dict[str, str]
    verdicts: dict[str, str]
    reasons: dict[str, str]
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Everything that the labels say."""

    rules: str
    """Headline rule set."""
    outcomes: int
    """Judged by somebody."""
    population: int
    """Outcomes that there were to choose from."""
    covered: float
    """Share of them in strata of which something is judged; estimates speak of these."""
    reviewers: tuple[ReviewerRow, ...]
    confusions: tuple[Confusion, ...]
    against: tuple[AgainstScorer, ...]
    pairs: tuple[Pair, ...]
    among: tuple[Among, ...]
    suggestions: tuple[Suggestion, ...]
    look_at: tuple[Look, ...]
    notes: tuple[str, ...] = ()

    def kappa(self, gate: str, rules: str | None = None) -> Kappa:
        """People's majority against a rule set, by default the headline."""
        wanted = (rules or self.rules, gate)
        return next(row.kappa for row in self.confusions if (row.rules, row.gate) == wanted)

    def to_json(self) -> dict[str, Any]:
        looks = [{**asdict(look), "origins": [o.model_dump() for o in look.origins]} for look in self.look_at]
        return {**asdict(self), "look_at": looks}
