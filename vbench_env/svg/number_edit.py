"""Edits of numbers inside number lists and path data that leave every other character alone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from vbench_env.svg.document import Edit, Refusal, apply_edits
from vbench_env.svg.path_data import COUNTS, PathError, RawCommand, raw_commands
from vbench_env.svg.values import NUMBER

Handle = Literal["end", "control1", "control2"]
"""A point of a path command: where it ends, or a control point of a curve."""

DECIMALS = 6
LARGEST = 1e12
_TOKEN = re.compile(rf"([MmZzLlHhVvCcSsQqTtAa])|({NUMBER})")
_FLAG = re.compile("[01]")
_HANDLES = {
    ("C", "control1"): 0, ("C", "control2"): 2, ("S", "control2"): 0, ("Q", "control1"): 0,
    ("M", "end"): 0, ("L", "end"): 0, ("T", "end"): 0, ("C", "end"): 4, ("S", "end"): 2, ("Q", "end"): 2,
    ("A", "end"): 5, ("H", "end"): 0, ("V", "end"): 0,
}  # fmt: skip


class Segment(NamedTuple):
    """A path command as written: its numbers, where they stand, and its start and end point (absolute)."""

    letter: str
    args: tuple[float, ...]
    spans: tuple[tuple[int, int], ...]
    start: tuple[float, float]
    end: tuple[float, float]


def number_text(value: float) -> str:
    """A number in plain notation, rounded to six decimals; `Refusal` when it is too large to be drawn."""
    if not abs(value) < LARGEST:
        raise Refusal("not_applicable", "a number would become too large to be drawn")
    text = f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def replace_numbers(text: str, values: Iterable[tuple[tuple[int, int], float]]) -> str:
    """`text` with the numbers at these spans replaced; a space goes in where two would run together."""
    edits = [
        Edit(start, end, _apart(text, start, end, number_text(value)))
        for (start, end), value in sorted(values)
    ]
    return apply_edits(text, edits)


def _apart(text: str, start: int, end: int, new: str) -> str:
    before = " " if start and (text[start - 1].isdigit() or text[start - 1] == ".") and new[0] != "-" else ""
    after = " " if text[end : end + 1].isdigit() or text[end : end + 1] == "." else ""
    return before + new + after


def number_spans(text: str) -> list[tuple[int, int]]:
    """Where the numbers of a list stand."""
    return [match.span() for match in re.finditer(NUMBER, text)]


def segments(text: str) -> list[Segment]:
    """The commands of path data with their places, implicit repetitions one by one. Raises `PathError`."""
    commands = raw_commands(text)
    places = iter(_number_places(text))
    found: list[Segment] = []
    pen, opening = (0.0, 0.0), (0.0, 0.0)
    for command in commands:
        spans = tuple(itertools.islice(places, len(command.args)))
        end = opening if command.letter in "Zz" else _end(command, pen)
        if command.letter in "Mm":
            opening = end
        found.append(Segment(command.letter, command.args, spans, pen, end))
        pen = end
    return found


def _number_places(text: str) -> list[tuple[int, int]]:
    """Spans of the numbers of valid path data; arc flags are single digits."""
    found: list[tuple[int, int]] = []
    position, letter, count = 0, "", 0
    while position < len(text):
        flag = letter in "Aa" and letter and count % COUNTS["A"] in {3, 4}
        match = (_FLAG if flag else _TOKEN).match(text, position)
        if match is None:
            position += 1
            continue
        if not flag and match[1]:
            letter, count = match[1], 0
        else:
            found.append(match.span())
            count += 1
        position = match.end()
    return found


def _end(command: RawCommand, pen: tuple[float, float]) -> tuple[float, float]:
    letter, args = command
    base = pen if letter.islower() else (0.0, 0.0)
    if letter in "Hh":
        return base[0] + args[0], pen[1]
    if letter in "Vv":
        return pen[0], base[1] + args[0]
    return base[0] + args[-2], base[1] + args[-1]


def handles(segment: Segment) -> dict[str, tuple[float, float]]:
    """The points that can be edited, absolute: `end`, and `control1`, `control2` where there are any."""
    base = segment.start if segment.letter.islower() else (0.0, 0.0)
    found: dict[str, tuple[float, float]] = {}
    for (letter, handle), at in _HANDLES.items():
        if letter == segment.letter.upper() and handle != "end":
            found[handle] = (base[0] + segment.args[at], base[1] + segment.args[at + 1])
    if segment.letter not in "Zz":
        found["end"] = segment.end
    return found


class Moved(NamedTuple):
    """New path data, and where the point was and is (absolute)."""

    text: str
    old: tuple[float, float]
    new: tuple[float, float]


def move_point(
    text: str, number: int, handle: Handle, x: float | None, y: float | None, keep_rest: bool = True
) -> Moved:
    """Move one point of path data.

    Args:
        text: valid path data.
        number: of the command, from 1, implicit repetitions counted.
        handle: which point of it.
        x: new absolute x; None keeps it.
        y: new absolute y; None keeps it.
        keep_rest: adjust the relative commands that follow so that their points stay where they are.

    Raises:
        Refusal: there is no such point, or it cannot go there.
    """
    found = segments(text)
    if not 1 <= number <= len(found):
        raise Refusal(
            "not_found", f"the path has {len(found)} commands; there is no number {number}", "index"
        )
    segment = found[number - 1]
    points = handles(segment)
    if handle not in points:
        has = ", ".join(points) or "none"
        raise Refusal(
            "not_applicable", f"command {number} is {segment.letter}, whose points are: {has}", "point"
        )
    old = points[handle]
    new = (old[0] if x is None else x, old[1] if y is None else y)
    shift = (new[0] - old[0], new[1] - old[1])
    values = _shifted(segment, handle, shift)
    if handle == "end" and keep_rest:
        values += _compensations(found, number, shift)
    return Moved(_verified(text, values, found), old, new)


def _shifted(
    segment: Segment, handle: Handle, shift: tuple[float, float]
) -> list[tuple[tuple[int, int], float]]:
    letter = segment.letter.upper()
    at = _HANDLES[letter, handle]
    if letter in "HV":
        axis = 0 if letter == "H" else 1
        if abs(shift[1 - axis]) > 1e-9:
            message = f"{segment.letter} draws along one axis, so only {'xy'[axis]} can change; use set_path"
            raise Refusal("not_applicable", message)
        return [(segment.spans[0], segment.args[0] + shift[axis])]
    return [
        (segment.spans[at + axis], segment.args[at + axis] + shift[axis]) for axis in (0, 1) if shift[axis]
    ]


def _compensations(
    found: Sequence[Segment], number: int, shift: tuple[float, float]
) -> list[tuple[tuple[int, int], float]]:
    """New numbers of later relative commands, so that what they draw to stays in place."""
    values: list[tuple[tuple[int, int], float]] = []
    opening = shift if found[number - 1].letter in "Mm" else (0.0, 0.0)
    for segment in found[number:]:
        letter = segment.letter
        if letter in "Zz":
            shift = opening
            continue
        if letter.islower():
            values += _pulled(segment, shift)
        if letter in "Mm":
            opening = (0.0, 0.0)
        shift = (shift[0] if letter in "Vv" else 0.0, shift[1] if letter in "Hh" else 0.0)
        if shift == opening == (0.0, 0.0):
            break
    return values


def _pulled(segment: Segment, shift: tuple[float, float]) -> list[tuple[tuple[int, int], float]]:
    first = 5 if segment.letter == "a" else 0
    values = []
    for at in range(first, len(segment.args)):
        axis = {"h": 0, "v": 1}.get(segment.letter, (at - first) % 2)
        if shift[axis]:
            values.append((segment.spans[at], segment.args[at] - shift[axis]))
    return values


def _verified(text: str, values: list[tuple[tuple[int, int], float]], found: Sequence[Segment]) -> str:
    new = replace_numbers(text, values)
    wanted = {span: float(number_text(value)) for span, value in values}
    expected = [
        (
            item.letter,
            tuple(wanted.get(span, value) for span, value in zip(item.spans, item.args, strict=True)),
        )
        for item in found
    ]
    try:
        written = [tuple(command) for command in raw_commands(new)]
    except PathError as error:
        raise Refusal(
            "not_applicable", f"the numbers cannot be replaced in place ({error}); use set_path"
        ) from error
    if written != expected:
        raise Refusal("not_applicable", "the numbers cannot be replaced in place; use set_path")
    return new
