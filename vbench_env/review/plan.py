"""The plan of a review: which outcomes are judged, what each stands for, and what the scorer says of it.

The plan is the key to the blinding: a reviewer sees lines of `items.jsonl` only, which name no model, run or
verdict. Outcomes whose text is the same for the same task are one item that stands for all of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict, Field

from vbench_env.review.verdicts import Judged, Nearness

Verdict = Literal["PASS", "SIDE_EFFECTS", "NEAR", "PARTIAL", "FAIL", "INVALID"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
"""Verdicts that leave something to look at, best first; without any text (`ERR`) there is nothing to judge."""
Gate = Literal["valid", "repaired", "preserved"]
GATES: tuple[Gate, ...] = ("repaired", "preserved", "valid")
"""In the order in which a person is asked."""


class Stratum(NamedTuple):
    """A kind of outcome."""

    verdict: Verdict
    nearness: Nearness
    flips: bool
    """Whether rule sets disagree on preservation."""

    def __str__(self) -> str:
        flips = ", rule sets disagree" if self.flips else ""
        return f"{self.verdict}, {self.nearness}{flips}"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Origin(_Part):
    """An outcome that an item stands for."""

    source: str
    """Run folder or folder of published outcomes, as given."""
    model: str
    protocol: str = ""
    sample: int = 0
    episode_id: str = ""
    """Empty for a published outcome."""


class PlanItem(_Part):
    """One output to judge."""

    item: str
    """Hash of task and text, sixteen hexadecimal digits."""
    task_id: str
    verdict: Verdict
    nearness: Nearness
    flips: bool
    weight: float
    """Number of outcomes that it stands for: see `weights`."""
    origins: tuple[Origin, ...]
    judged: dict[str, Judged]
    """Verdicts by rule set."""

    @property
    def stratum(self) -> Stratum:
        return Stratum(self.verdict, self.nearness, self.flips)

    @property
    def copies(self) -> int:
        """Outcomes with this very text."""
        return len(self.origins)


class StratumCount(_Part):
    """How many outputs a stratum holds, and how many of them were taken."""

    verdict: Verdict
    nearness: Nearness
    flips: bool
    outcomes: int
    outputs: int
    """Distinct ones."""
    taken: int

    @property
    def stratum(self) -> Stratum:
        return Stratum(self.verdict, self.nearness, self.flips)


class Plan(BaseModel):
    """`plan.json`."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    schema_version: Literal[1] = Field(default=1, alias="schema")
    plan_id: str = ""
    """Hash of the items, the seed and the rules; labels name it."""
    created_at: str
    """UTC, ISO 8601."""
    seed: int
    n: int
    """Items asked for."""
    rules: str
    """Rule set of the verdicts that make the strata."""
    quotas: dict[Verdict, int] = Field(default_factory=dict)
    target: bool = True
    """Whether a reviewer may reveal the target."""
    sources: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What was left out."""
    strata: tuple[StratumCount, ...]
    items: tuple[PlanItem, ...]
    canaries: tuple[str, ...] = ()
    versions: dict[str, str] = Field(default_factory=dict)

    def model_post_init(self, context: object, /) -> None:
        if not self.plan_id:
            parts = [self.rules, self.seed, self.target, sorted(item.item for item in self.items)]
            self.plan_id = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    @property
    def rule_sets(self) -> tuple[str, ...]:
        """Rule sets that every item has a verdict of, the one of the strata first."""
        common = set.intersection(*(set(item.judged) for item in self.items)) if self.items else set()
        return tuple(sorted(common, key=lambda name: (name != self.rules, name)))


class Shown(BaseModel):
    """One line of `items.jsonl`: everything that a reviewer may see of an item."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    item: str
    title: str
    instruction: str
    repairs: tuple[str, ...]
    """The requested repairs in words, in the order of the task."""
    start: str
    output: str
    target: str
    canary: str = ""


def weights(
    strata: Mapping[str, Stratum], copies: Mapping[str, int], outcomes: Mapping[Stratum, int]
) -> dict[str, float]:
    """Outcomes that each item stands for: those of its stratum, shared out by the items' own numbers of copies.

    Args:
        strata: stratum of every item that is there, all of a plan or those judged so far.
        copies: outcomes with the text of each item.
        outcomes: outcomes of each stratum.
    """
    present: dict[Stratum, int] = {}
    for item, stratum in strata.items():
        present[stratum] = present.get(stratum, 0) + copies[item]
    return {item: copies[item] * outcomes[stratum] / present[stratum] for item, stratum in strata.items()}
