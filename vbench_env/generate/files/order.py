"""Which of several things: words by their order from the left, from the top, in rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from vbench_env.evidence import Axis
from vbench_env.generate.scenes.base import ORDINALS
from vbench_env.taskkit.scene import Box

_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True, slots=True)
class Line:
    """Things in a row (`x`) or a column (`y`): their numbers in order, and which of several lines this is."""

    places: tuple[int, ...]
    axis: Axis
    number: int = 0
    """From the top."""
    count: int = 1
    """Lines that there are."""
    straight: bool = True
    """Whether they lie at one height."""

    def called(self, noun: str) -> str:
        """The line by name: `the row of red circles`, `the second row of red circles from the top`."""
        sort = "row" if self.axis == "x" else "column"
        if self.count == 1:
            return f"the {sort} of {noun}s"
        if self.count == 2:
            return f"the {('upper', 'lower')[self.number]} row of {noun}s"
        return f"the {ORDINALS[self.number]} row of {noun}s from the top"


def lines_of(boxes: Sequence[Box]) -> list[Line]:
    """The things as one row or column, else as rows below each other; none when they lie about."""
    for axis in ("x", "y"):
        order = sorted(range(len(boxes)), key=lambda place: boxes[place].measure(f"center-{axis}"))
        if len(order) <= len(ORDINALS) and _distinct(boxes, order, axis):
            return [Line(tuple(order), axis, straight=_straight(boxes, order, axis))]
    rows = _rows(boxes)
    if not 2 <= len(rows) <= len(ORDINALS):
        return []
    if not all(2 <= len(row) <= len(ORDINALS) and _distinct(boxes, row, "x") for row in rows):
        return []
    return [
        Line(tuple(row), "x", number, len(rows), _straight(boxes, row, "x"))
        for number, row in enumerate(rows)
    ]


def _distinct(boxes: Sequence[Box], order: Sequence[int], axis: Axis) -> bool:
    """Whether each lies clearly after the one before."""
    name, size = f"center-{axis}", "box-width" if axis == "x" else "box-height"
    return all(
        boxes[b].measure(name) - boxes[a].measure(name)
        > 0.45 * max(boxes[a].measure(size), boxes[b].measure(size))
        for a, b in pairwise(order)
    )


def _straight(boxes: Sequence[Box], order: Sequence[int], axis: Axis) -> bool:
    """Whether all lie on one line along the axis."""
    across, size = ("center-y", "box-height") if axis == "x" else ("center-x", "box-width")
    found = [boxes[place].measure(across) for place in order]
    return max(found) - min(found) < 0.25 * max(boxes[place].measure(size) for place in order)


def _rows(boxes: Sequence[Box]) -> list[list[int]]:
    """Things at about one height together, from the top, each row from the left."""
    rows: list[list[int]] = []
    for place in sorted(range(len(boxes)), key=lambda place: boxes[place].measure("center-y")):
        box = boxes[place]
        last = boxes[rows[-1][-1]] if rows else None
        if last is not None and box.measure("center-y") - last.measure("center-y") < 0.2 * (
            box.bottom - box.top
        ):
            rows[-1].append(place)
        else:
            rows.append([place])
    return [sorted(row, key=lambda place: boxes[place].left) for row in rows]


def names_of(lines: Sequence[Line], count: int, noun: str) -> list[str] | None:
    """What each of `count` things is called; None when their order does not tell them apart."""
    found = [""] * count
    for line in lines:
        for number, place in enumerate(line.places):
            found[place] = _name(line, number, noun)
    return found if lines and all(found) else None


def _name(line: Line, number: int, noun: str) -> str:
    size = len(line.places)
    if line.count > 1:
        return f"the {ORDINALS[number]} {noun.split()[-1]} from the left in {line.called(noun)}"
    if size == 2:
        side = (("left", "right") if line.axis == "x" else ("upper", "lower"))[number]
        return f"the {side} one of the two {noun}s"
    side = "from the left" if line.axis == "x" else "from the top"
    if size == 3 and number == 1:
        return f"the middle one of the three {noun}s"
    return f"the {ORDINALS[number]} of the {_COUNTS[size - 2]} {noun}s {side}"
