"""How complex the code of a drawing is: paths, control points and commands, and tiers of them.

Counts are those that SVGenius sorts its drawings by. Here basic shapes count with their equivalent paths (SVG 2 chapter
10), since a drawing of two hundred circles is not simple for having no path; paths alone are given too. A control point
is a point that a command names: the end of a line or arc, ends and handles of curves. A drawing is in the middle one of
the three tiers that its counts are in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from vbench_env.svg.outline import OUTLINED, outline
from vbench_env.svg.parse import Document, parse

Tier = Literal["easy", "medium", "hard"]
TIERS: tuple[Tier, ...] = ("easy", "medium", "hard")

_POINTS = {"M": 1, "L": 1, "A": 1, "Q": 2, "C": 3, "Z": 0}


class Complexity(NamedTuple):
    """Counts of a whole file, definitions included."""

    paths: int
    """`path` elements."""
    shapes: int
    """`path` elements and basic shapes."""
    commands: int
    control_points: int


class Bounds(NamedTuple):
    """The most that an easy and a medium drawing have, of each count."""

    shapes: tuple[float, float]
    commands: tuple[float, float]
    control_points: tuple[float, float]


FIXED = Bounds(shapes=(10, 40), commands=(60, 240), control_points=(100, 400))
"""Bounds for drawings of any corpus."""


def complexity(drawing: str | Document) -> Complexity:
    """The counts of a drawing; all are 0 for one that is not well-formed."""
    document = parse(drawing) if isinstance(drawing, str) else drawing
    shapes = [node for node in document.nodes if node.tag in OUTLINED]
    commands = [command for node in shapes for command in outline(node)]
    points = sum(_POINTS[letter] for letter, _ in commands)
    return Complexity(sum(node.tag == "path" for node in shapes), len(shapes), len(commands), points)


def tier(found: Complexity, bounds: Bounds = FIXED) -> Tier:
    """The middle one of the tiers of shapes, commands and control points."""
    pairs = zip((found.shapes, found.commands, found.control_points), bounds, strict=True)
    places = sorted(sum(count > bound for bound in limits) for count, limits in pairs)
    return TIERS[places[1]]


def thirds(drawings: Sequence[Complexity]) -> Bounds:
    """Bounds that part these drawings in three, count by count."""
    counts = ([getattr(one, name) for one in drawings] for name in Bounds._fields)
    return Bounds(*(_thirds(sorted(column)) for column in counts))


def _thirds(column: list[float]) -> tuple[float, float]:
    if not column:
        return 0.0, 0.0
    last = len(column) - 1
    return column[min(last, max(0, -(-len(column) // 3) - 1))], column[
        min(last, max(0, -(-2 * len(column) // 3) - 1))
    ]
