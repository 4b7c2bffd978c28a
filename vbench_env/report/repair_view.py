"""A requested repair as a page shows it: what was asked, what came, and the distance against the tolerance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vbench_env.report import words
from vbench_env.scoring.scorecard import RepairResult, Scorecard
from vbench_env.scoring.scorer import score
from vbench_env.svg.colors import Color, parse_color
from vbench_env.task import Task


@dataclass(frozen=True, slots=True)
class Value:
    """A value as short text, with the colour it is, if it is one (`#rrggbb`)."""

    text: str
    color: str | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """Distance against tolerance on an axis from the target (0) to the corrupted value or beyond (100).

    Attributes:
        allowed: percent of the axis that is within tolerance.
        found: where the answer stands, in percent.
        start: where the corrupted value stands; None when it is not known.
        beyond: whether the answer lies outside of the axis.
    """

    allowed: float
    found: float
    start: float | None
    beyond: bool


@dataclass(frozen=True, slots=True)
class RepairView:
    """A requested repair and how it went."""

    number: int
    title: str
    object: str
    property: str
    passed: bool
    outcome: str
    values: tuple[Value, Value, Value]
    """Corrupted, found, target."""
    bar: Bar | None
    """None of an exact check."""
    deviation: str


def repair_views(card: Scorecard, task: Task | None) -> tuple[RepairView, ...]:
    """The repairs of a scorecard; none where the drawing could not be read, so that none was measured."""
    if all(repair.comparison == "none" for repair in card.repairs):
        return ()
    wanted = _wanted(card, task)
    return tuple(
        _view(number + 1, repair, wanted[number], task) for number, repair in enumerate(card.repairs)
    )


def _view(number: int, repair: RepairResult, wanted: Any, task: Task | None) -> RepairView:
    values = (repair.corrupted, repair.found, wanted)
    shown = [Value(words.repair_value(repair, value), swatch(value)) for value in values]
    return RepairView(
        number=number,
        title=repair_title(repair.operation, repair.object, named_by(task, number, repair.object)),
        object=repair.object,
        property=repair.property,
        passed=repair.passed,
        outcome=words.outcome(repair),
        values=(shown[0], shown[1], shown[2]),
        bar=bar_of(repair),
        deviation=words.deviation(repair),
    )


def _wanted(card: Scorecard, task: Task | None) -> list[Any]:
    """The target's values; read off the verdict on the target where this one, for want of the object, has none."""
    known = [repair.target for repair in card.repairs]
    if task is None or card.reference != "target" or all(value is not None for value in known):
        return known
    ideal = score(task, task.target_svg, card.rules).repairs
    if [repair.object for repair in ideal] != [repair.object for repair in card.repairs]:
        return known
    return [own.target if value is None else value for value, own in zip(known, ideal, strict=True)]


def named_by(task: Task | None, number: int, name: str) -> str | None:
    """The words of the instruction for the object of a repair, where the task says which."""
    if task is None or number > len(task.repairs) or task.repairs[number - 1].object != name:
        return None
    return task.repairs[number - 1].named


def repair_title(operation: str, name: str, named: str | None) -> str:
    """`Recolour: Battery figure in the top row`."""
    return f"{words.OPERATION.get(operation, operation)}: {named or name}"


def bar_of(repair: RepairResult) -> Bar | None:
    """The bar of a repair with a distance; None of an exact check."""
    distance, allowed = repair.distance, repair.tolerance
    if distance is None or allowed is None:
        return None
    start = repair.baseline
    known = max(start or 0.0, allowed, 1e-9)
    end = 1.06 * max(known, min(distance, 2 * known))

    def at(value: float) -> float:
        return round(min(100.0, 100 * value / end), 2)

    return Bar(at(allowed), at(distance), at(start) if start is not None else None, distance > end)


def swatch(value: Any) -> str | None:
    """The opaque sRGB colour that a value is, as `#rrggbb`."""
    found = parse_color(value) if isinstance(value, str) and len(value) < 80 else None
    return f"#{found.r:02x}{found.g:02x}{found.b:02x}" if isinstance(found, Color) and found.alpha else None
