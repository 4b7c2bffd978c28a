"""Published outcomes scored anew, side by side with the verdicts recorded with them and the published tables.

The published figures stand beside ours where the folder holds all 1,360 outcomes; beside a part of them stand the
figures that the recorded verdicts of that part give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from vbench_env.agent import CallRecord
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.report.aggregate import Results, aggregate
from vbench_env.report.agreement import Agreement, agreement
from vbench_env.report.controls import ControlTable, controls
from vbench_env.report.decomposition import (
    PAPER,
    Decomposition,
    ModelRow,
    Verdicts,
    decompose,
    leaderboard,
    recorded_verdicts,
    scored_verdicts,
)
from vbench_env.report.flips import OutcomeFlip, outcome_flip
from vbench_env.report.published import Published, PublishedOutcome, SkippedRow, load_published
from vbench_env.report.sensitivity import (
    FACTORS,
    PAPER_TOLERANCES,
    Judged,
    Measured,
    Progress,
    ToleranceRow,
    distances_row,
    judged,
    rescored_row,
)
from vbench_env.scoring.rules import PUBLISHED, Rules, get_rules
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.scoring.scorer import score

if TYPE_CHECKING:
    from rich.console import Group

Reference = Literal["published", "recorded"]
"""Where the figures beside ours come from: the paper, or the recorded verdicts of the rows at hand."""
PROTOCOL = "single-shot-paper"


@dataclass(frozen=True, slots=True)
class Reproduction:
    """Everything that scoring a folder of published outcomes anew shows."""

    folder: str
    rules: str
    tasks: int
    outcomes: int
    skipped: tuple[SkippedRow, ...]
    agreement: Agreement
    reference: Reference
    decomposition: Decomposition
    beside: Decomposition | None
    """The same figures of the reference; None where rows lack a verdict."""
    controls: ControlTable
    models: tuple[ModelRow, ...]
    models_beside: tuple[ModelRow, ...]
    """The recorded figures per model."""
    tolerances: tuple[ToleranceRow, ...]
    tolerances_beside: tuple[ToleranceRow, ...]
    flips: tuple[OutcomeFlip, ...]
    """Where the rules judge otherwise than `published`; empty under `published` itself."""
    verdicts: tuple[Verdicts, ...]
    """The verdict on every outcome."""
    results: Results
    """The outcomes added up like the episodes of a run, for figures."""

    @property
    def ok(self) -> bool:
        """Whether `published` agrees with every recorded verdict; other rules are free to differ."""
        return self.rules != PUBLISHED.name or self.agreement.ok

    @property
    def headline(self) -> str:
        """The result in one line."""
        if self.rules == PUBLISHED.name:
            return self.agreement.headline
        rewards = sum(flip.decisive for flip in self.flips)
        gates = f"{len(self.flips)} outcomes differ at a gate, {rewards} in the reward"
        return f"{self.outcomes} outcomes under {self.rules}: {gates}"

    def to_json(self) -> dict[str, Any]:
        flips = [{**f._asdict(), "gates": [g._asdict() for g in f.gates]} for f in self.flips]
        plain = asdict(replace(self, verdicts=(), results=Results((), (), ())))
        del plain["verdicts"], plain["results"]
        return {
            **plain, "ok": self.ok, "headline": self.headline, "agreement": self.agreement.to_json(),
            "controls": self.controls.to_json(), "flips": flips,
        }  # fmt: skip

    def __rich__(self) -> Group:
        from vbench_env.report.reproduction_view import reproduction_view

        return reproduction_view(self)


def reproduce(
    folder: str | Path, rules: str | Rules = "published", *, progress: Progress | None = None
) -> Reproduction:
    """Score every published outcome of a folder and compare.

    Args:
        folder: a clone of the public repository, or a folder with `tasks/` and `published_outcomes.jsonl`.
        rules: `published`, or another rule set, whose flips are then explained.
        progress: called with the outcomes done and their number, in each of the passes over them.

    Raises:
        TaskError: the folder holds no published outcomes; the message says what to give.
    """
    data, chosen = load_published(folder), get_rules(rules)
    cards = _scored(data, chosen, progress)
    complete = len(data.outcomes) == PAPER.outcomes
    recorded = [row for outcome in data.outcomes if (row := recorded_verdicts(outcome)) is not None]
    known = decompose(recorded) if len(recorded) == len(data.outcomes) else None
    verdicts = [scored_verdicts(o, card) for o, card in zip(data.outcomes, cards, strict=True)]
    return Reproduction(
        folder=data.folder,
        rules=chosen.name,
        tasks=len(data.tasks),
        outcomes=len(data.outcomes),
        skipped=data.skipped,
        agreement=agreement(zip(data.outcomes, cards, strict=True)),
        reference="published" if complete else "recorded",
        decomposition=decompose(verdicts),
        beside=PAPER if complete else known,
        controls=controls(data.tasks.values(), chosen),
        models=leaderboard(verdicts),
        models_beside=leaderboard(recorded),
        tolerances=_tolerances(data, chosen, cards, progress),
        tolerances_beside=PAPER_TOLERANCES if complete else _recorded_tolerances(data.outcomes),
        flips=_flips(data, chosen, cards, progress),
        verdicts=tuple(verdicts),
        results=aggregate(
            map(_episode, data.outcomes, cards),
            protected={n: len(t.protected) for n, t in data.tasks.items()},
        ),
    )


def _episode(outcome: PublishedOutcome, card: Scorecard) -> EpisodeRecord:
    """A published outcome as the episode that it was: one call, one answer."""
    recorded, name = outcome.recorded, outcome.model
    counts = {"prompt_tokens": recorded.prompt_tokens, "completion_tokens": recorded.completion_tokens}
    return EpisodeRecord(
        episode_id=f"{outcome.task_id}/{name}", reward_valid=True, stop_reason="answer", task_id=outcome.task_id,
        task_hash="", corpus="", protocol=PROTOCOL, rules=card.rules, model=name, sample=0, seed=0, started_at="",
        wall_s=0.0, calls=[CallRecord(request={})], score=card, cost_usd=recorded.cost_usd,
        cut_off=["length"] if recorded.finish_reason == "length" else [],
        usage={side: count for side, count in counts.items() if count is not None} or None,
    )  # fmt: skip


def _scored(data: Published, rules: Rules, progress: Progress | None) -> list[Scorecard]:
    cards: list[Scorecard] = []
    for outcome in data.outcomes:
        cards.append(score(data.tasks[outcome.task_id], outcome.text, rules))
        if progress is not None:
            progress(len(cards), len(data.outcomes))
    return cards


def _tolerances(
    data: Published, rules: Rules, cards: Sequence[Scorecard], progress: Progress | None
) -> tuple[ToleranceRow, ...]:
    found = [distances_row(factor, map(judged, cards)) for factor in FACTORS]
    for factor in FACTORS:
        again = cards if factor == 1 else _scored(data, rules.vary(tolerance_scale=factor), progress)
        found.append(rescored_row(factor, again))
    return tuple(found)


def _recorded_tolerances(outcomes: Sequence[PublishedOutcome]) -> tuple[ToleranceRow, ...]:
    """Table 4 by the recorded distances; nothing where a row lacks its checks or gates."""
    found = [_recorded_judged(outcome) for outcome in outcomes]
    known = [item for item in found if item is not None]
    return tuple(distances_row(factor, known) for factor in FACTORS) if len(known) == len(found) else ()


def _recorded_judged(outcome: PublishedOutcome) -> Judged | None:
    r = outcome.recorded
    if r.checks is None or not (r.has("validity_pass") and r.has("preservation_pass")):
        return None
    checks = (Measured(bool(c.passed), c.distance, c.tolerance, c.baseline_distance) for c in r.checks)
    return Judged(bool(r.validity_pass), bool(r.preservation_pass), tuple(checks))


def _flips(
    data: Published, rules: Rules, cards: Sequence[Scorecard], progress: Progress | None
) -> tuple[OutcomeFlip, ...]:
    if rules == PUBLISHED:
        return ()
    before = _scored(data, PUBLISHED, progress)
    found = [
        outcome_flip(outcome.task_id, outcome.model, old, new)
        for outcome, old, new in zip(data.outcomes, before, cards, strict=True)
    ]
    return tuple(sorted((flip for flip in found if flip is not None), key=lambda flip: not flip.decisive))
