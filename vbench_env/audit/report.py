"""What an audit says."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

CONFIDENCE = 0.95


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Tally(_Record):
    """Wrong verdicts of one direction, with the Clopper-Pearson interval of their share (95 %)."""

    wrong: int
    cases: int
    low: float
    high: float

    @classmethod
    def of(cls, wrong: int, cases: int) -> Tally:
        """The interval for `wrong` of `cases`; from 0 to 1 without a case."""
        if cases == 0:
            return cls(wrong=0, cases=0, low=0.0, high=1.0)
        from scipy.stats import beta

        tail = (1 - CONFIDENCE) / 2
        low = float(beta.ppf(tail, wrong, cases - wrong + 1)) if wrong else 0.0
        high = float(beta.ppf(1 - tail, wrong + 1, cases - wrong)) if wrong < cases else 1.0
        return cls(wrong=wrong, cases=cases, low=low, high=high)

    def __str__(self) -> str:
        return f"{self.wrong} of {self.cases} ({100 * self.low:.3f} to {100 * self.high:.3f} %)"


class Finding(_Record):
    """A verdict that is wrong, with a reproduction as small as it was made."""

    case: int
    drawing: str
    trouble: str
    said: str
    done: tuple[str, ...]
    target: str
    candidate: str


class Disagreement(_Record):
    """Cases of which picture and verdict part; without a reason it is a finding."""

    verdict: str
    step: str
    reason: str
    cases: int
    example: str


class ProgramTally(_Record):
    """What a program of other people made of the drawings, with one set of its options.

    Pairs that render equal have to pass, pairs that do not have to fail; pairs that the program restructured, or of
    which the picture proves nothing, are not counted.
    """

    program: str
    options: str
    same_passed: int
    same_rejected: int
    other_rejected: int
    other_accepted: int
    not_counted: int
    unread: int


class AuditReport(_Record):
    """The result of an audit. `seconds` is wall-clock time, `scoring_seconds` the CPU time of the scorer."""

    config: dict[str, Any]
    drawings: int
    cases: int
    seconds: float
    scoring_seconds: float
    rejects: Tally
    accepts: Tally
    without_effect: tuple[str, ...]
    """Mutations that two equal pictures prove to change nothing; they are not counted."""
    steps: dict[str, int]
    findings: tuple[Finding, ...]
    pictures: int
    disagreements: tuple[Disagreement, ...]
    programs: tuple[ProgramTally, ...] = ()

    @property
    def unexplained(self) -> tuple[Disagreement, ...]:
        """Accepted cases of which the picture differs and nothing says why."""
        return tuple(row for row in self.disagreements if not row.reason)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings and not self.unexplained

    def summary(self) -> str:
        """Three lines."""
        rate = self.cases / self.seconds if self.seconds else 0.0
        return (
            f"{self.cases} cases over {self.drawings} drawings in {self.seconds:.1f} s "
            f"({rate:.0f} cases/s; scoring alone {1000 * self.scoring_seconds / max(1, self.cases):.2f} ms a case)\n"
            f"false rejects: {self.rejects}\nfalse accepts: {self.accepts}"
        )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.summary())
        if self.without_effect:
            yield Text(f"not counted, proved to be without effect: {len(self.without_effect)}, such as")
            yield from (Text(f"  {line}") for line in self.without_effect[:8])
        yield from self._pictures()
        yield from self._programs()
        for finding in self.findings[:20]:
            yield Text(
                f"{finding.trouble}: {finding.drawing}, case {finding.case}: {'; '.join(finding.done)}"
            )
            yield Text(f"  {finding.said}")
            if len(finding.target) < 1500:
                yield Text(f"  target     {finding.target}\n  candidate  {finding.candidate}")
        if len(self.findings) > 20:
            yield Text(f"and {len(self.findings) - 20} more findings; --json lists all")

    def _programs(self) -> RenderResult:
        if not self.programs:
            return
        titles = ("program", "options", "equal: passed", "rejected", "not equal: rejected", "accepted")
        table = Table(*titles, "not counted", "no picture", title="drawings written by other programs")
        for row in self.programs:
            counts = (row.same_passed, row.same_rejected, row.other_rejected, row.other_accepted)
            shown = (*counts, row.not_counted, row.unread)
            table.add_row(row.program, row.options, *map(str, shown))
        yield table

    def _pictures(self) -> RenderResult:
        if not self.disagreements:
            yield Text(f"pictures: {self.pictures} compared, all agree with the verdict")
            return
        table = Table(
            "verdict", "step", "cases", "why", "example", title=f"pictures: {self.pictures} compared"
        )
        for row in self.disagreements:
            table.add_row(row.verdict, row.step, str(row.cases), row.reason or "UNEXPLAINED", row.example)
        yield table
