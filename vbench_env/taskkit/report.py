"""What validation says: findings with advice, and the figures of a task or corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    `check` is a stable name (`schema`, `build`, `score`, `undo`, `visible`, `wording`, `named`, `evidence`, `ids`,
    `hidden`, `protected`, `difficulty`, `published`, `corpus`, `accept`, `solutions`, `saving`); `repair` is the
    repair's place in the list.
    """

    level: Level
    check: str
    message: str
    advice: str = ""
    repair: int | None = None

    def __str__(self) -> str:
        place = f" repairs[{self.repair}]" if self.repair is not None else ""
        advice = f"; {self.advice}" if self.advice else ""
        return f"{self.level} {self.check}{place}: {self.message}{advice}"


@dataclass(frozen=True, slots=True)
class Figures:
    """What a task is made of.

    `styled` counts repairs on objects with cascaded or inherited properties, or under a transform; `points` is
    the difficulty by the formula of `difficulty`.
    """

    repairs: int
    operations: Mapping[str, int]
    evidence: Mapping[str, int]
    protected: int
    styled: int
    objects: int
    lookalikes: float
    depth: float
    characters: int
    points: float
    difficulty: str


@dataclass(frozen=True, slots=True)
class Report:
    """The findings on one task; `ok` means that no error is among them."""

    task_id: str
    findings: tuple[Finding, ...]
    figures: Figures | None = None
    published: str | None = None
    """`expressible`, or why the rule set `published` cannot express the task; None for one that cannot be read."""
    visible: tuple[float, ...] = ()
    """Share of pixels at 800 px width that each defect changes."""

    @property
    def ok(self) -> bool:
        return not any(finding.level == "error" for finding in self.findings)

    @property
    def expressible(self) -> bool:
        """Whether the rule set `published` can express the task."""
        return self.published == "expressible"

    def lines(self) -> list[str]:
        """The report for people, one finding a line."""
        return [f"{self.task_id}: {finding}" for finding in self.findings]


@dataclass(frozen=True, slots=True)
class CorpusReport:
    """The reports on all tasks of a corpus, findings on the corpus itself, and its figures."""

    name: str
    reports: tuple[Report, ...]
    findings: tuple[Finding, ...] = ()
    hash: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return all(report.ok for report in self.reports) and not any(
            f.level == "error" for f in self.findings
        )


def corpus_figures(reports: Sequence[Report]) -> dict[str, Any]:
    """Sums and means over the tasks that have figures, as plain data."""
    found = [report.figures for report in reports if report.figures is not None]
    operations: Counter[str] = Counter()
    evidence: Counter[str] = Counter()
    for figures in found:
        operations.update(figures.operations)
        evidence.update(figures.evidence)
    repairs = sum(figures.repairs for figures in found)
    count = max(1, len(found))
    return {
        "tasks": len(found),
        "repairs": repairs,
        "repairs_mean": round(repairs / count, 2),
        "operations": dict(sorted(operations.items())),
        "evidence": dict(sorted(evidence.items())),
        "protected_mean": round(sum(figures.protected for figures in found) / count, 2),
        "styled_repairs": sum(figures.styled for figures in found),
        "difficulty": dict(sorted(Counter(figures.difficulty for figures in found).items())),
        "published_expressible": sum(report.expressible for report in reports),
    }
