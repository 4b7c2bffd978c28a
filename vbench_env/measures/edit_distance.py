"""Relative edit distance: insertions, deletions and substitutions of characters over the longer length (SVGenius)."""

from __future__ import annotations

from vbench_env.measures.base import MEASURES, Drawings, Measure, Settings, Value, nothing


def levenshtein(one: str, other: str) -> int:
    """Levenshtein distance, in characters (bit-parallel, Hyyrö 2003)."""
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


def relative(one: str, other: str) -> float:
    """Levenshtein distance over the longer length, 0 for equal texts and at most 1."""
    longer = max(len(one), len(other))
    return levenshtein(one, other) / longer if longer else 0.0


def take(drawings: Drawings, settings: Settings) -> Value:
    """From the candidate to the target; `from_start` is how much of the start was rewritten."""
    if drawings.candidate is None:
        return nothing("there is no candidate")
    parts = {"characters": float(levenshtein(drawings.candidate, drawings.target))}
    if drawings.start is not None:
        parts["from_start"] = relative(drawings.candidate, drawings.start)
    value = parts["characters"] if settings.as_published else relative(drawings.candidate, drawings.target)
    return Value(value, parts)


MEASURES.add(
    "edit-distance",
    Measure(
        "edit-distance", "characters to change, over the longer length", "lower", take, "SVGenius",
        fault="the number of characters, not over any length",
    ),
)  # fmt: skip
