"""Episodes as rows of a list: a few words and numbers each, so that very many fit into memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vbench_env.experiments.record import EpisodeRecord
from vbench_env.report.failing import failing
from vbench_env.scoring.scorecard import Scorecard


@dataclass(frozen=True, slots=True)
class Row:
    """One episode.

    Attributes:
        run: number of its run, and `offset`, where its record starts there.
        name: of its page, unique in the site.
        repairs: whether each requested repair was made, in order.
        changes: how many things changed without being asked; None without a verdict.
        cut_off: whether an answer was cut off.
        cost_usd: None when it is unknown.
        failing: class of its failure, and `evidence`, what shows it; None and empty when it passed or has no verdict.
    """

    run: int
    offset: int
    name: str
    episode_id: str
    model: str
    protocol: str
    task_id: str
    sample: int
    wording: str
    control: bool
    status: str
    reward: int | None
    progress: float | None
    ucr: float | None
    repairs: tuple[bool, ...]
    changes: int | None
    turns: int
    calls: int
    tokens: int
    cost_usd: float | None
    wall_s: float
    cut_off: bool
    stop_reason: str
    failing: str | None = None
    evidence: str = ""

    @property
    def group(self) -> tuple[str, str]:
        return self.model, self.protocol

    @property
    def order(self) -> tuple[str, str, str, int, str, str]:
        """Neighbours of a list: by group, then by task."""
        return self.model, self.protocol, self.task_id, self.sample, self.wording, self.name


def row_of(record: EpisodeRecord, card: Scorecard | None, run: int, offset: int) -> Row:
    """The row of a record with the verdict to show."""
    usage = record.usage or {}
    failed = None if card is None else failing(card, record.cut_off, record.stop_reason)
    return Row(
        run=run, offset=offset, name=f"{record.episode_id}{f'-{run + 1}' if run else ''}",
        episode_id=record.episode_id, model=record.model, protocol=record.protocol, task_id=record.task_id,
        sample=record.sample, wording=str(getattr(record, "wording", "plain")), control=record.control,
        status="UNSCORED" if card is None else card.status, reward=None if card is None else card.reward,
        progress=None if card is None else card.repair_progress,
        ucr=None if card is None else card.unintended_change_rate,
        repairs=() if card is None else tuple(repair.passed for repair in card.repairs),
        changes=None if card is None else len(card.changes),
        turns=int(record.events[-1].get("turn", 0)) if record.events else 0, calls=len(record.calls),
        tokens=usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0), cost_usd=record.cost_usd,
        wall_s=record.wall_s, cut_off=bool(record.cut_off), stop_reason=record.stop_reason,
        failing=None if failed is None else failed.kind, evidence="" if failed is None else failed.evidence,
    )  # fmt: skip


def neighbours(rows: Sequence[Row]) -> dict[str, tuple[Row | None, Row | None]]:
    """The row before and the row after each, by name, in the order of lists and within one group."""
    ordered = sorted(rows, key=lambda row: row.order)
    found: dict[str, tuple[Row | None, Row | None]] = {}
    for place, row in enumerate(ordered):
        before = ordered[place - 1] if place else None
        after = ordered[place + 1] if place + 1 < len(ordered) else None
        found[row.name] = (
            before if before is not None and before.group == row.group else None,
            after if after is not None and after.group == row.group else None,
        )
    return found
