"""Left and right, east and west, clockwise and not: words and data of a mirrored drawing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from vbench_env.svg.document import Edit
from vbench_env.taskkit.variant.draft import Data, Unvaried
from vbench_env.taskkit.variant.wordings import cased_like, outside_quotes

SWAPPED = {
    "left": "right", "right": "left", "leftmost": "rightmost", "rightmost": "leftmost", "east": "west",
    "west": "east", "eastern": "western", "western": "eastern", "eastward": "westward", "westward": "eastward",
    "leftwards": "rightwards", "rightwards": "leftwards", "northeast": "northwest", "northwest": "northeast",
    "southeast": "southwest", "southwest": "southeast", "clockwise": "anticlockwise", "lefthand": "righthand",
    "righthand": "lefthand", "anticlockwise": "clockwise", "counterclockwise": "clockwise",
}  # fmt: skip
_WORDS = re.compile(
    r"\b(?:(?:anti|counter)[- ]?clockwise|" + "|".join(sorted(SWAPPED, key=len, reverse=True)) + r")\b",
    re.IGNORECASE,
)
_ELSE_AFTER = re.compile(
    r"\s+(?:in front|behind|above|below|beneath|under|on top|over\b|at the|next|beside|now|away|again|after|before|"
    r"where|so|kind|sort|way|place|spot|moment|order|angles?\b|out\b|off\b|alone\b|of course)"
)
"""What follows `right` or `left` where it is no side: `right at the bottom`, `left over`, `the right place`."""
_ELSE_BEFORE = re.compile(
    r"(?:\ball|\bset (?:it|this|them)|\bquite|\bthat is|\bbe|\bjust)\s+$", re.IGNORECASE
)
_SIDE_BEFORE = re.compile(
    r"(?:\b(?:the|to|from|on|its|their|his|her|your|our|far|upper|lower|top|bottom|inner|outer|big|small|and|or)\s+|"
    r"(?:^|[.:;,(!?])\s*)$",
    re.IGNORECASE,
)
_OBJECT_AFTER = re.compile(
    r"\s+(?:an?|it|them|us|me|him|her|nothing|something|some|one|this|that)\b", re.IGNORECASE
)
"""What follows `left` where somebody left something."""


def mirrored_words(kept: Sequence[str] = ()) -> Any:
    """An editor that swaps the sides in a text.

    Args:
        kept: phrases in which such a word is no side (`put this right`).
    """

    def edits(text: str) -> list[Edit]:
        spared = [
            match.span() for phrase in kept for match in re.finditer(re.escape(phrase), text, re.IGNORECASE)
        ]
        found = []
        for match in outside_quotes(text, _WORDS):
            if any(start <= match.start() and match.end() <= end for start, end in spared):
                continue
            if not _is_no_side(text, match):
                found.append(Edit(match.start(), match.end(), cased_like(_other(match[0]), match[0])))
        return found

    return edits


def _is_no_side(text: str, match: re.Match[str]) -> bool:
    if match[0].lower() not in ("left", "right"):
        return False
    before = text[: match.start()]
    is_verb = (
        match[0].lower() == "left"
        and _OBJECT_AFTER.match(text, match.end())
        and not _SIDE_BEFORE.search(before)
    )
    return bool(is_verb or _ELSE_AFTER.match(text, match.end()) or _ELSE_BEFORE.search(before))


def _other(word: str) -> str:
    return SWAPPED[re.sub(r"[- ]", "", word.lower())]


_MEASURES = {"left": "right", "right": "left"}


def mirrored_evidence(evidence: Data) -> None:
    """Swap the sides in one repair's evidence, in place."""
    if evidence["kind"] == "convention" and evidence["name"] in ("clock", "flag"):
        raise Unvaried(f"a {evidence['name']} cannot be mirrored")
    for key in ("edge", "own", "keep", "property", "measure", "points", "axis"):
        value = evidence.get(key)
        if isinstance(value, str) and value in _MEASURES:
            evidence[key] = _MEASURES[value]
    if isinstance(evidence.get("direction"), str):
        evidence["direction"] = _WORDS.sub(lambda match: _other(match[0]), evidence["direction"])
    if evidence["kind"] == "spacing" and evidence["axis"] == "x":
        evidence["row"] = list(reversed(evidence["row"]))
    for nested in (evidence.get("except") or {}).values():
        mirrored_evidence(nested)
