"""How verdicts depend on choices: tolerances scaled, and each switch of the rules varied alone (Table 4).

Tolerances are scaled in two ways. *Distances* takes the distances of the verdicts at hand and asks whether they
are within `min(k * t, 0.9 * delta)`; the second route of a path is not tried again, and checks without a
distance stay as they are. *Re-scored* judges every outcome again with scaled tolerances.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Group
from rich.table import Table
from rich.text import Text

from vbench_env.report.samples import Sample, samples_of
from vbench_env.scoring.rules import Rules, get_rules
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.scoring.scorer import score
from vbench_env.scoring.tolerance import CORRUPTION_SHARE, SLACK
from vbench_env.task import Task

FACTORS = (0.5, 1.0, 1.5)
MAX_EXAMPLES = 3
GATES = ("reward", "valid", "repaired", "preserved")
_NO_SWITCHES = frozenset({"name", "limits", "tolerance_scale"})

Progress = Callable[[int, int], None]
"""Called with what is done and what there is to do."""


class Measured(NamedTuple):
    """One check of a repair: the published words `distance`, `tolerance`, `baseline` (delta)."""

    passed: bool
    distance: float | None
    tolerance: float | None
    baseline: float | None


class Judged(NamedTuple):
    """What a scaled tolerance needs to know of one outcome."""

    valid: bool
    preserved: bool
    checks: tuple[Measured, ...]


def judged(card: Scorecard) -> Judged:
    """A scorecard as input of `distances_row`."""
    checks = tuple(Measured(r.passed, r.distance, r.tolerance, r.baseline) for r in card.repairs)
    return Judged(card.valid, card.preserved, checks)


@dataclass(frozen=True, slots=True)
class ToleranceRow:
    """Outcomes that pass with tolerances scaled by `factor`."""

    factor: float
    how: typing.Literal["distances", "re-scored"]
    full: int
    repaired: int
    outcomes: int


PAPER_TOLERANCES: tuple[ToleranceRow, ...] = (
    ToleranceRow(0.5, "distances", 11, 13, 1360),
    ToleranceRow(1.0, "distances", 32, 44, 1360),
    ToleranceRow(1.5, "distances", 46, 67, 1360),
    ToleranceRow(0.5, "re-scored", 13, 15, 1360),
    ToleranceRow(1.0, "re-scored", 32, 44, 1360),
    ToleranceRow(1.5, "re-scored", 64, 87, 1360),
)
"""The published Table 4, and what a true re-scoring of the same outcomes gives."""


class Flip(NamedTuple):
    """An outcome whose verdict at a gate a switch changes."""

    task_id: str
    label: str
    gate: str
    before: bool
    after: bool


@dataclass(frozen=True, slots=True)
class SwitchRow:
    """One switch of the rules varied alone: how many outcomes change at each gate."""

    switch: str
    value: str
    reward: int
    valid: int
    repaired: int
    preserved: int
    examples: tuple[Flip, ...]
    """The first few, those that change the reward before others."""


@dataclass(frozen=True, slots=True)
class SensitivityTable:
    """Rows over tolerance factors, and over switches."""

    rules: str
    outcomes: int
    tolerances: tuple[ToleranceRow, ...]
    switches: tuple[SwitchRow, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        switches = [{**asdict(row), "examples": [e._asdict() for e in row.examples]} for row in self.switches]
        return {**asdict(self), "switches": switches}

    def __rich__(self) -> Group:
        tables = [tolerance_table(self.tolerances, self.rules)]
        if self.switches:
            tables.append(switch_table(self))
        return Group(*tables, *self.notes)


def variations(rules: Rules) -> list[tuple[str, Any]]:
    """Every switch with each of its other values."""
    found: list[tuple[str, Any]] = []
    for name, field in Rules.model_fields.items():
        if name in _NO_SWITCHES:
            continue
        values = (False, True) if field.annotation is bool else typing.get_args(field.annotation)
        found += [(name, value) for value in values if value != getattr(rules, name)]
    return found


def sensitivity(
    outcomes: Iterable[Sample | tuple[Task, str | bytes | None]],
    rules: str | Rules = "surgical",
    *,
    factors: Sequence[float] = FACTORS,
    switches: bool = True,
    progress: Progress | None = None,
) -> SensitivityTable:
    """Judge outcomes again under scaled tolerances and varied switches.

    Args:
        outcomes: `Sample` values or pairs of task and text.
        rules: the rule set that is varied.
        factors: of the tolerances.
        switches: whether to vary every switch too.
        progress: called after each pass over the outcomes.
    """
    base, samples = get_rules(rules), [Sample(*item) for item in outcomes]
    varied = variations(base) if switches else []
    passes = _Passes(1 + sum(factor != 1 for factor in factors) + len(varied), progress)
    cards = passes.score(samples, base)
    rows = [distances_row(factor, map(judged, cards)) for factor in factors]
    for factor in factors:
        again = cards if factor == 1 else passes.score(samples, base.vary(tolerance_scale=factor))
        rows.append(rescored_row(factor, again))
    changed = tuple(
        switch_row(name, value, samples, cards, passes.score(samples, base.vary(**{name: value})))
        for name, value in varied
    )
    return SensitivityTable(base.name, len(samples), tuple(rows), changed)


def sensitivity_of(
    source: str | Path, rules: str | Rules = "surgical", *, progress: Progress | None = None
) -> SensitivityTable:
    """`sensitivity` of a run folder or a folder of published outcomes."""
    samples = samples_of(source)
    table = sensitivity(samples.found, rules, progress=progress)
    return replace(table, notes=samples.notes)


class _Passes:
    def __init__(self, total: int, progress: Progress | None) -> None:
        self.done, self.total, self.progress = 0, total, progress

    def score(self, samples: Sequence[Sample], rules: Rules) -> list[Scorecard]:
        known: dict[tuple[int, str | bytes | None], Scorecard] = {}
        for sample in samples:
            key = id(sample.task), sample.text
            if key not in known:
                known[key] = score(sample.task, sample.text, rules)
        cards = [known[id(sample.task), sample.text] for sample in samples]
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)
        return cards


def distances_row(factor: float, outcomes: Iterable[Judged]) -> ToleranceRow:
    """Passes by the distances at hand against `min(k * t, 0.9 * delta)`."""
    full = repaired = total = 0
    for outcome in outcomes:
        total += 1
        if outcome.valid and all(within_scaled(check, factor) for check in outcome.checks):
            repaired += 1
            full += outcome.preserved
    return ToleranceRow(factor, "distances", full, repaired, total)


def within_scaled(check: Measured, factor: float) -> bool:
    """Whether a check passes with its tolerance scaled; as it is where it has no distance."""
    if check.distance is None or check.tolerance is None:
        return check.passed
    limit = factor * check.tolerance
    if check.baseline:
        limit = min(limit, CORRUPTION_SHARE * check.baseline)
    return check.distance <= limit + SLACK


def rescored_row(factor: float, cards: Sequence[Scorecard]) -> ToleranceRow:
    """Passes of outcomes that were judged with tolerances scaled by `factor`."""
    full, repaired = sum(card.passed for card in cards), sum(card.repaired for card in cards)
    return ToleranceRow(factor, "re-scored", full, repaired, len(cards))


def switch_row(
    name: str, value: Any, samples: Sequence[Sample], before: Sequence[Scorecard], after: Sequence[Scorecard]
) -> SwitchRow:
    """What changes from one judgement of the samples to another."""
    flips = [
        Flip(sample.task.task_id, sample.label, gate, bool(getattr(old, gate)), bool(getattr(new, gate)))
        for sample, old, new in zip(samples, before, after, strict=True)
        for gate in GATES
        if getattr(old, gate) != getattr(new, gate)
    ]
    counts = {gate: sum(flip.gate == gate for flip in flips) for gate in GATES}
    examples = sorted(flips, key=lambda flip: GATES.index(flip.gate))[:MAX_EXAMPLES]
    return SwitchRow(switch=name, value=str(value), **counts, examples=tuple(examples))


def tolerance_table(
    rows: Iterable[ToleranceRow], rules: str, beside: Iterable[ToleranceRow] = (), whose: str = "published",
    title: str = "Tolerances scaled",
) -> Table:  # fmt: skip
    """Passes by scaled tolerances, each row followed by that of `beside`, which are `published` or `recorded` ones."""
    table = Table(title=f"{title}, rules {rules}")
    for name in ("tolerance", "how", "full", "all repairs", "outcomes"):
        table.add_column(name, justify="left" if name == "how" else "right")
    known = {(row.factor, row.how): row for row in beside}
    for row in rows:
        cells = (str(row.full), str(row.repaired), str(row.outcomes))
        table.add_row(f"x {row.factor:g}", row.how, *cells)
        theirs = known.get((row.factor, row.how))
        if theirs:
            cells = (str(theirs.full), str(theirs.repaired), str(theirs.outcomes))
            table.add_row("", f"  {whose}", *cells, style="dim")
    return table


def switch_table(found: SensitivityTable) -> Table:
    """One row per switch value: outcomes whose verdict changes."""
    table = Table(title=f"Switches varied alone from {found.rules}: outcomes of {found.outcomes} that change")
    for name in ("switch", "value", *GATES, "examples"):
        table.add_column(name, justify="right" if name in GATES else "left", overflow="fold")
    for row in found.switches:
        counts = (str(getattr(row, gate)) for gate in GATES)
        shown = "; ".join(
            f"{flip.task_id} {flip.label} {flip.gate} {'lost' if flip.before else 'gained'}".replace(
                "  ", " "
            )
            for flip in row.examples
        )
        table.add_row(row.switch, row.value, *counts, Text(shown))
    return table
