"""The controls of any scorer (the paper's Table 2): four candidates per task whose verdict is known.

Doing nothing preserves and repairs nothing; the target passes; the target with one more attribute on a
protected object has every repair and a side effect; a target that breaks off is no document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from rich.table import Table
from rich.text import Text

from vbench_env.scoring.kinds import KINDS
from vbench_env.scoring.rules import Rules, get_rules
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.scoring.scorer import score
from vbench_env.task import Task


def corrupted(task: Task) -> str:
    """The drawing as it was handed out."""
    return task.corrupted_svg


def target(task: Task) -> str:
    """The hidden target."""
    return task.target_svg


def mutated(task: Task) -> str | None:
    """The target with one more change, that no kind of task lets pass; None when it protects nothing."""
    return KINDS.get(task.kind).mutated(task)


def malformed(task: Task) -> str:
    """The target without its last character."""
    return task.target_svg.rstrip()[:-1]


CONTROLS: dict[str, Callable[[Task], str | None]] = {
    "corrupted input": corrupted,
    "target": target,
    "target, one protected mutation": mutated,
    "malformed target": malformed,
}


class PaperRow(NamedTuple):
    """A published row, in percent."""

    full: float
    repair: float
    progress: float
    clean: float
    change_rate: float | None
    valid: float


PAPER: dict[str, PaperRow] = {
    "corrupted input": PaperRow(0, 0, 0, 100, 0, 100),
    "target": PaperRow(100, 100, 100, 100, 0, 100),
    "target, one protected mutation": PaperRow(0, 100, 100, 0, 1.7, 100),
    "malformed target": PaperRow(0, 0, 0, 0, None, 0),
}
"""The published Table 2, over 40 tasks."""


@dataclass(frozen=True, slots=True)
class ControlRow:
    """One control over a corpus, in percent of its tasks."""

    control: str
    tasks: int
    full: float
    repair: float
    progress: float
    clean: float
    """Share whose preservation gate passes."""
    change_rate: float | None
    """Mean unintended-change rate over valid documents; None without one."""
    valid: float
    unexpected: tuple[str, ...] = ()
    """Tasks on which the control's reward is not the known one."""


@dataclass(frozen=True, slots=True)
class Inexpressible:
    """A task that a rule set cannot judge: its target does not pass, or a defect of its start is not seen as such."""

    task_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class ControlTable:
    """Controls over the tasks that the rule set can express, and the others apart."""

    rules: str
    rows: tuple[ControlRow, ...]
    inexpressible: tuple[Inexpressible, ...]

    @property
    def ok(self) -> bool:
        """Whether every control has its known reward, and `surgical` expresses every task."""
        lost = self.inexpressible and self.rules != "published"
        return not lost and not any(row.unexpected for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "ok": self.ok}

    def __rich__(self) -> Table:
        return control_table(self)


def controls(corpus: Iterable[Task], rules: str | Rules = "surgical") -> ControlTable:
    """Score the four controls of every task."""
    chosen = get_rules(rules)
    kept: list[Task] = []
    apart: list[Inexpressible] = []
    for task in corpus:
        reason = _inexpressible(task, chosen)
        if reason is None:
            kept.append(task)
        else:
            apart.append(Inexpressible(task.task_id, reason))
    rows = tuple(_row(name, kept, chosen) for name in CONTROLS) if kept else ()
    return ControlTable(chosen.name, rows, tuple(apart))


def _inexpressible(task: Task, rules: Rules) -> str | None:
    card = score(task, task.target_svg, rules)
    if not card.passed:
        missed = [f"{item.object}.{item.property}" for item in card.repairs if not item.passed]
        faults = [fault.message for fault in card.faults]
        reasons = faults or missed or [card.status]
        more = f", and {len(reasons) - 1} more" if len(reasons) > 1 else ""
        return f"its target does not pass ({reasons[0]}{more})"
    return KINDS.get(task.kind).start_fault(score(task, task.corrupted_svg, rules))


def _row(name: str, tasks: Sequence[Task], rules: Rules) -> ControlRow:
    texts = [(task, CONTROLS[name](task)) for task in tasks]
    cards = [score(task, text, rules) for task, text in texts if text is not None]
    valid = [card.unintended_change_rate or 0.0 for card in cards if card.valid]
    wanted = name == "target"
    return ControlRow(
        control=name,
        tasks=len(cards),
        full=_percent(cards, lambda card: card.reward),
        repair=_percent(cards, lambda card: card.repaired),
        progress=_percent(cards, lambda card: card.repair_progress),
        clean=_percent(cards, lambda card: card.preserved),
        change_rate=100 * sum(valid) / len(valid) if valid else None,
        valid=_percent(cards, lambda card: card.valid),
        unexpected=tuple(str(card.task_id) for card in cards if card.passed != wanted),
    )


def _percent(cards: Sequence[Scorecard], value: Callable[[Scorecard], float]) -> float:
    return 100 * sum(map(value, cards)) / len(cards) if cards else 0.0


def control_table(found: ControlTable, paper: dict[str, PaperRow] | None = None) -> Table:
    """The table, each row followed by the published one where `paper` gives it."""
    apart = [f"{item.task_id}: {item.reason}" for item in found.inexpressible]
    table = Table(
        title=f"Table 2. Controls, % of tasks, rules {found.rules}",
        caption=Text("\n".join(["not expressible and left out:", *apart])) if apart else None,
        caption_justify="left",
    )
    for name in ("control", "tasks", "full", "repair", "progress", "clean", "UCR", "valid"):
        table.add_column(name, justify="left" if name == "control" else "right")
    for row in found.rows:
        figures = (row.full, row.repair, row.progress, row.clean, row.change_rate, row.valid)
        table.add_row(row.control, str(row.tasks), *map(_cell, figures))
        if paper:
            table.add_row("  published", "40", *map(_cell, paper[row.control]), style="dim")
    return table


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"
