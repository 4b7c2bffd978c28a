"""Lines of code that an edit touches (location) and that it leaves behind (lines), against the target's edit (vTikZ).

SVG files often are one long line, so both texts are first put one tag a line, and lines compare without the white
space around them. Both measures are F1 of precision and recall: what was touched too much counts as much as what was
missed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable
from difflib import SequenceMatcher
from typing import NamedTuple

from vbench_env.measures.base import MEASURES, Drawings, Measure, Settings, Value, nothing

_BETWEEN = re.compile(r">\s*<")


class Touched(NamedTuple):
    """An edit of a list of lines: the places in the start that it touches, and the lines taken out or put in."""

    places: Counter[Hashable]
    lines: Counter[Hashable]


def lines_of(text: str, *, as_written: bool = False) -> list[str]:
    """One tag a line, without white space around it; `as_written` only takes the lines of the file."""
    whole = text if as_written else _BETWEEN.sub(">\n<", text)
    return [line.strip() for line in whole.splitlines() if line.strip()]


def touched(start: list[str], edited: list[str]) -> Touched:
    """What leads from one list of lines to the other. An insertion touches the gap that it fills."""
    places: Counter[Hashable] = Counter()
    lines: Counter[Hashable] = Counter()
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, start, edited, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        places.update(range(i1, i2) if i2 > i1 else [("gap", i1)])
        lines.update(("-", line) for line in start[i1:i2])
        lines.update(("+", line) for line in edited[j1:j2])
    return Touched(places, lines)


def f1(wanted: Counter[Hashable], found: Counter[Hashable]) -> tuple[float, float, float]:
    """Precision, recall and F1 of two multisets; all 1 where neither holds anything."""
    if not wanted and not found:
        return 1.0, 1.0, 1.0
    both = (wanted & found).total()
    precision = both / found.total() if found else 0.0
    recall = both / wanted.total() if wanted else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if both else 0.0


def _take(what: str, drawings: Drawings, settings: Settings) -> Value:
    if drawings.start is None or drawings.candidate is None:
        return nothing(f"there is no {'start' if drawings.start is None else 'candidate'}")
    start, target, candidate = (
        lines_of(text, as_written=settings.as_published)
        for text in (drawings.start, drawings.target, drawings.candidate)
    )
    wanted, found = (getattr(touched(start, edited), what) for edited in (target, candidate))
    precision, recall, both = f1(wanted, found)
    value = recall if settings.as_published else both
    return Value(value, {"precision": precision, "recall": recall})


def take_location(drawings: Drawings, settings: Settings) -> Value:
    """Places in the start: did the edit touch those that had to be touched, and no others?"""
    return _take("places", drawings, settings)


def take_lines(drawings: Drawings, settings: Settings) -> Value:
    """Lines taken out and put in: are they those of the target's edit?"""
    return _take("lines", drawings, settings)


_FAULT = "recall alone, so that editing too much costs nothing; lines as they are in the file"
MEASURES.add(
    "location",
    Measure(
        "location", "F1 of the lines of the start that are touched", "higher", take_location, "vTikZ", _FAULT,
        "the start",
    ),
)  # fmt: skip
MEASURES.add(
    "lines",
    Measure(
        "lines", "F1 of the lines taken out and put in", "higher", take_lines, "vTikZ", _FAULT, "the start"
    ),
)
