"""One episode as a page shows it: picture with rings, gates, repairs, other changes, source, facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vbench_env.experiments.record import EpisodeRecord
from vbench_env.report import words
from vbench_env.report.change_view import ChangeView, change_views
from vbench_env.report.failing import failing
from vbench_env.report.pictures import Camera, Places, PxBox, Ring, RingKind, Shot, Size, rings
from vbench_env.report.repair_view import RepairView, repair_views
from vbench_env.report.source_diff import SourceDiff, source_diff
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.task import Task

MOST_CHANGES = 24
MOST_FAULTS = 12
_ANSWER_LENGTH = 1500


@dataclass(frozen=True, slots=True)
class GateView:
    """One gate: passed or not, and why."""

    name: str
    passed: bool
    why: str


@dataclass(frozen=True, slots=True)
class EpisodeView:
    """Everything that the page says about one episode."""

    anchor: str
    model: str
    protocol: str
    sample: int
    control: bool
    status: str
    rules: str
    reward: int | None = None
    progress: float | None = None
    shot: Shot | None = None
    rings: tuple[Ring, ...] = ()
    gates: tuple[GateView, ...] = ()
    repairs: tuple[RepairView, ...] = ()
    changes: tuple[ChangeView, ...] = ()
    more_changes: int = 0
    faults: tuple[str, ...] = ()
    more_faults: int = 0
    diff: SourceDiff | None = None
    answer: str | None = None
    """What was said, where no drawing came."""
    error: str | None = None
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """Name of the status."""
        return words.STATUS[self.status]


@dataclass(slots=True)
class Scene:
    """What all episodes of a task share.

    Attributes:
        task: None when it could not be loaded.
        size: of every picture of the task.
        corrupted: where the objects of the corrupted drawing are; `target`: those of the target.
        camera: draws the answers.
        corrupted_uri: picture of the corrupted drawing; `target_uri`: that of the target.
    """

    task: Task | None
    size: Size
    corrupted: Places
    target: Places
    camera: Camera
    corrupted_uri: str | None = None
    target_uri: str | None = None

    def shot(self, svg: str | None) -> Shot:
        """The picture of an answer."""
        shot = self.camera(svg, self.size)
        kept = None if shot.uri is None or shot.uri.startswith("data:") else shot.uri
        if shot.uri is not None and shot.uri == self.target_uri:
            return replace(shot, uri=kept, like="target")
        if shot.uri is not None and shot.uri == self.corrupted_uri:
            return replace(shot, uri=kept, like="corrupted")
        return shot


def anchor_of(episode_id: str) -> str:
    """The page's id of an episode."""
    return f"e-{episode_id}"


def brief_view(record: EpisodeRecord, card: Scorecard | None) -> EpisodeView:
    """An episode without picture and source, for what is beyond the size of a page."""
    return EpisodeView(
        anchor=anchor_of(record.episode_id), model=record.model, protocol=record.protocol, sample=record.sample,
        control=record.control, status=card.status if card is not None else "UNSCORED",
        rules=card.rules if card is not None else record.rules, reward=card.reward if card is not None else None,
        progress=card.repair_progress if card is not None else None, gates=_gates(card) if card is not None else (),
        repairs=repair_views(card, None) if card is not None else (), error=_error(record), facts=_facts(record, card),
    )  # fmt: skip


def episode_view(record: EpisodeRecord, card: Scorecard | None, scene: Scene) -> EpisodeView:
    """An episode in full."""
    brief = brief_view(record, card)
    if card is None:
        return brief
    svg, changes = record.final_svg, change_views(card.changes)
    shot = scene.shot(svg)
    drawn = shot.uri is not None or shot.like is not None
    return EpisodeView(
        anchor=brief.anchor, model=brief.model, protocol=brief.protocol, sample=brief.sample,
        control=brief.control, status=brief.status, rules=brief.rules, reward=brief.reward,
        progress=brief.progress, gates=brief.gates, error=brief.error, facts=brief.facts,
        shot=shot,
        rings=rings(_rings(card, changes, Places(svg, scene.size), scene), scene.size) if drawn else (),
        repairs=repair_views(card, scene.task),
        changes=changes[:MOST_CHANGES],
        more_changes=max(0, len(changes) - MOST_CHANGES),
        faults=tuple(_fault(fault) for fault in card.faults[:MOST_FAULTS]),
        more_faults=max(0, len(card.faults) - MOST_FAULTS),
        diff=None if svg is None else source_diff(scene.task.corrupted_svg if scene.task else None, svg),
        answer=_last_words(record) if not card.valid else None,
    )  # fmt: skip


def _error(record: EpisodeRecord) -> str | None:
    error = record.error
    return None if error is None else f"{words.plain(error.kind)}: {error.message}"


def _gates(card: Scorecard) -> tuple[GateView, ...]:
    passed, total = sum(repair.passed for repair in card.repairs), len(card.repairs)
    valid = (
        "well-formed, safe, everything parses"
        if card.valid
        else _fault(card.faults[0])
        if card.faults
        else "no"
    )
    if card.preserved:
        kept = "nothing else changed"
    elif not card.valid and not card.changes:
        kept = "not reached: the drawing is not valid"
    else:
        kept = words.plural(len(card.changes), "unrequested change")
    return (
        GateView("Valid drawing", card.valid, valid),
        GateView("Requested repairs", card.repaired, f"{passed} of {total} within tolerance"),
        GateView("Everything else kept", card.preserved, kept),
    )


def _fault(fault: Any) -> str:
    place = f" ({fault.place})" if fault.place else f" (line {fault.line})" if fault.line else ""
    return f"{words.plain(fault.kind)}: {fault.message}{place}"


def _rings(
    card: Scorecard, changes: Sequence[ChangeView], places: Places, scene: Scene
) -> Iterator[tuple[str, RingKind, PxBox, bool]]:
    if not places.readable:
        return
    wanted: list[tuple[str, RingKind, str]] = [
        (str(number), "passed" if repair.passed else "missed", repair.object)
        for number, repair in enumerate(card.repairs, start=1)
    ]
    named = {(change.letter, name): None for change in changes if change.letter for name in change.objects}
    wanted += [(letter, "change", name) for letter, name in named]
    for label, kind, name in wanted:
        box = places.box(name)
        other = box or scene.target.box(name) or scene.corrupted.box(name)
        if other is not None:
            yield label, kind, other, box is None


def _last_words(record: EpisodeRecord) -> str | None:
    """The start of the last answer, where it says more than the drawing that was read from it."""
    said = [message.get("content") for message in record.messages if message.get("role") == "assistant"]
    text = next((item for item in reversed(said) if isinstance(item, str) and item.strip()), None)
    if text is None or text.strip() == (record.final_svg or "").strip():
        return None
    rest = len(text) - _ANSWER_LENGTH
    return text if rest <= 0 else f"{text[:_ANSWER_LENGTH]}\n… {words.size(rest)} more"


def _facts(record: EpisodeRecord, card: Scorecard | None) -> tuple[tuple[str, str], ...]:
    facts = [("Ended", words.STOP.get(record.stop_reason, words.plain(record.stop_reason)))]
    if card is not None and (failed := failing(card, record.cut_off, record.stop_reason)) is not None:
        facts.append(("Failure", f"{words.plain(failed.kind)} ({failed.evidence})"))
    if card is not None:
        facts += [
            (words.plain(name).capitalize(), words.number(value)) for name, value in card.measures.items()
        ]
    if record.cut_off:
        facts.append(("Cut off", "; ".join(words.CUT_OFF[reason] for reason in record.cut_off)))
    if record.calls:
        facts.append(("Model calls", words.count(len(record.calls))))
        facts.append(("Cost", "unknown" if record.cost_usd is None else words.dollars(record.cost_usd)))
    if record.usage:
        tokens = (words.count(record.usage.get(name, 0)) for name in ("prompt_tokens", "completion_tokens"))
        facts.append(("Tokens", "{} in, {} out".format(*tokens)))
    facts.append(("Time", words.seconds(record.wall_s)))
    if record.final_svg is not None:
        facts.append(("Drawing", words.size(len(record.final_svg.encode("utf-8", "replace")))))
    for name, other in record.scorecards.items():
        if card is not None and name != card.rules:
            facts.append((f"Under {name}", words.STATUS[other.status]))
    return tuple(facts)
