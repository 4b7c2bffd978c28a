"""Which event of an episode changed what in each gate: credit for single steps, known after the end only.

Every document of the log is scored as the last one is, so the changes add up: what all events together did to
progress and preservation is the final value less that of the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from vbench_env.events import Log
from vbench_env.scoring.rules import Rules
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.task import Task
from vbench_env.verdict import Judge


@dataclass(frozen=True, slots=True)
class GateChange:
    """What one event changed in the verdict. Repairs are named `object property`, other objects by their label."""

    reward: int
    """Change of the three-gate reward: -1, 0 or 1."""
    valid: int
    repaired: tuple[str, ...]
    """Repairs that pass since then."""
    undone: tuple[str, ...]
    """Repairs that passed until then."""
    repair_progress: float
    damaged: tuple[str, ...]
    """Objects that differ from the target since then, apart from the repairs."""
    restored: tuple[str, ...]
    preservation: float
    """Change of the share of protected objects that are kept."""

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}


def credited(log: Log, judge: Judge, start: str, final: str | None) -> list[dict[str, Any]]:
    """The events of an ended episode, plain JSON types, each with its `GateChange` under `credit`."""
    texts: list[str | None] = [start, *(event.document.text for event in log.events)]
    texts[-1] = final
    changes = gate_changes(judge.task, judge.rules, texts)
    pairs = zip(log.events, changes, strict=True)
    return [{**event.as_dict(), "credit": change.as_dict()} for event, change in pairs]


def gate_changes(task: Task, rules: Rules, texts: Sequence[str | None]) -> list[GateChange]:
    """The changes from each text to the next; equal texts are scored once."""
    from vbench_env.scoring import score

    cards = {text: score(task, text, rules) for text in dict.fromkeys(texts)}
    return [gate_change(cards[a], cards[b]) for a, b in pairwise(texts)]


def gate_change(before: Scorecard, after: Scorecard) -> GateChange:
    """What differs between two verdicts."""
    passed, passes = _passed(before), _passed(after)
    changed, changes = _changed(before), _changed(after)
    return GateChange(
        reward=after.reward - before.reward,
        valid=int(after.valid) - int(before.valid),
        repaired=_less(passes, passed), undone=_less(passed, passes),
        repair_progress=after.repair_progress - before.repair_progress,
        damaged=_less(changes, changed), restored=_less(changed, changes),
        preservation=(after.preservation or 0.0) - (before.preservation or 0.0),
    )  # fmt: skip


def _passed(card: Scorecard) -> list[str]:
    return [f"{repair.object} {repair.property}" for repair in card.repairs if repair.passed]


def _changed(card: Scorecard) -> list[str]:
    return [change.object for change in card.changes]


def _less(these: Sequence[str], those: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(these) if name not in those)
