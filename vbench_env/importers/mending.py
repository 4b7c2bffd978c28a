"""Mends of a file that is not well-formed: where its text differs from the target's, element by element.

The texts are compared token by token. What differs inside one element is one mend of that element, whose `find` is the
target's text and whose `put` is what stands there in the start, widened until `find` stands only once in the target.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from vbench_env.importers.derive import MOST_REPAIRS, Refused
from vbench_env.repair import Repair
from vbench_env.svg.document import Element, SourceDocument

MOST_CHANGED = 0.5
"""Share of the target's characters that may differ; beyond it, the start is another text."""
_MOST_TOKENS = 20_000
_TOKEN = re.compile(r"</?[\w:.-]+|[\w#.%-]+|\s+|.", re.DOTALL)


class _Piece(NamedTuple):
    """Characters of the target, and those of the start in their place."""

    start: int
    end: int
    was: tuple[int, int]


def mends(before_svg: str, target_svg: str, most: int = MOST_REPAIRS) -> tuple[Repair, ...] | Refused:
    """The mends that make a well-formed `target_svg` of `before_svg`, in the order of the text."""
    found = list(_differing(before_svg, target_svg))
    changed = sum(piece.end - piece.start for piece in found)
    if not found or changed > MOST_CHANGED * len(target_svg):
        return Refused("global-change", f"{changed} of {len(target_svg)} characters differ")
    by_element: dict[int, _Piece] = {}
    elements = SourceDocument(target_svg).elements
    for piece in found:
        owner = _owner(elements, piece)
        by_element[owner] = _joined(by_element[owner], piece) if owner in by_element else piece
    if len(by_element) > most:
        return Refused(
            "global-change", f"{len(by_element)} elements are damaged; a task has at most {most} repairs"
        )
    return tuple(
        _mend(elements[owner], _widened(piece, before_svg, target_svg), before_svg, target_svg)
        for owner, piece in by_element.items()
    )


def _differing(before: str, target: str) -> Iterator[_Piece]:
    ours, theirs = _TOKEN.findall(target), _TOKEN.findall(before)
    head = _shared(ours, theirs)
    tail = _shared(ours[head:][::-1], theirs[head:][::-1])
    at, was = _offsets(ours), _offsets(theirs)
    last, last_was = len(ours) - tail, len(theirs) - tail
    if max(last, last_was) - head > _MOST_TOKENS:
        yield _Piece(at[head], at[last], (was[head], was[last_was]))
        return
    matcher = SequenceMatcher(None, ours[head:last], theirs[head:last_was], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield _Piece(at[head + i1], at[head + i2], (was[head + j1], was[head + j2]))


def _shared(one: list[str], other: list[str]) -> int:
    """How many tokens two lists begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _offsets(tokens: list[str]) -> list[int]:
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    return offsets


def _owner(elements: list[Element], piece: _Piece) -> int:
    """Index of the smallest element that holds the piece; the root for what stands around it."""
    inside = [n for n, item in enumerate(elements) if item.start <= piece.start and piece.end <= item.end]
    return max(inside, default=0)


def _joined(one: _Piece, other: _Piece) -> _Piece:
    return _Piece(one.start, other.end, (one.was[0], other.was[1]))


def _widened(piece: _Piece, before: str, target: str) -> _Piece:
    start, end, (left, right) = piece
    while (start == end or target.count(target[start:end]) > 1) and (start > 0 or end < len(target)):
        room = start > 0 and left > 0 and target[start - 1] == before[left - 1]
        if room:
            start, left = start - 1, left - 1
        elif end < len(target) and right < len(before) and target[end] == before[right]:
            end, right = end + 1, right + 1
        else:
            break
    return _Piece(start, end, (left, right))


def _mend(element: Element, piece: _Piece, before: str, target: str) -> Repair:
    damage = {"find": target[piece.start : piece.end], "put": before[slice(*piece.was)]}
    return Repair(object=element.label, operation="mend", property="markup", corrupted=damage)
