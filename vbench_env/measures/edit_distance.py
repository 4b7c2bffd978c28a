"""Relative edit distance: insertions, deletions and substitutions of characters over the longer length (SVGenius)."""

from __future__ import annotations

from vbench_env.measures.base import MEASURES, Drawings, Measure, Settings, Value, nothing


def levenshtein(one: str, other: str) -> int:
    """Levenshtein distance, in characters (bit-parallel, Hyyrö 2003)."""
    one, other = _apart(one, other)
    if len(one) < len(other):
        one, other = other, one
    if not other:
        return len(one)
    places: dict[str, int] = {}
    for place, letter in enumerate(other):
        places[letter] = places.get(letter, 0) | 1 << place
    every, last = (1 << len(other)) - 1, 1 << (len(other) - 1)
    up, down, distance = every, 0, len(other)
    for letter in one:
        match = places.get(letter, 0)
        diagonal = (((match & up) + up) ^ up) | match | down
        right, left = down | (every & ~(diagonal | up)), up & diagonal
        distance += bool(right & last) - bool(left & last)
        right, left = right << 1 | 1, left << 1
        up, down = (left | ~(diagonal | right)) & every, right & diagonal & every
    return distance


def _apart(one: str, other: str) -> tuple[str, str]:
    """Both texts without what they begin and end with alike, which no shortest edit touches."""
    head = _shared(one, other)
    one, other = one[head:], other[head:]
    tail = _shared(one[::-1], other[::-1])
    return (one[:-tail], other[:-tail]) if tail else (one, other)


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one.startswith(other[:middle]) else (low, middle - 1)
    return low


def relative(one: str, other: str) -> float:
    """Levenshtein distance over the longer length, 0 for equal texts and at most 1."""
    return _share(levenshtein(one, other), one, other)


def _share(distance: int, one: str, other: str) -> float:
    return distance / max(len(one), len(other), 1)


def take(drawings: Drawings, settings: Settings) -> Value:
    """From the candidate to the target; `from_start` is how much of the start was rewritten."""
    if drawings.candidate is None:
        return nothing("there is no candidate")
    distance = levenshtein(drawings.candidate, drawings.target)
    parts = {"characters": float(distance)}
    if drawings.start is not None:
        parts["from_start"] = relative(drawings.candidate, drawings.start)
    share = _share(distance, drawings.candidate, drawings.target)
    return Value(float(distance) if settings.as_published else share, parts)


MEASURES.add(
    "edit-distance",
    Measure(
        "edit-distance", "characters to change, over the longer length", "lower", take, "SVGenius",
        fault="the number of characters, not over any length",
    ),
)  # fmt: skip
