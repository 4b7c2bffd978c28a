"""Whether two siblings may paint over each other: box against box, and inside groups part against part.

The box of a group covers what lies between its parts. Two groups whose boxes overlap are therefore looked into: only
when a part of one overlaps a part of the other can their order be seen. A part that cannot be measured (text)
overlaps whatever the other side has.
"""

from __future__ import annotations

from vbench_env.scoring.problem import Problem
from vbench_env.svg.geometry import Box, boxes_overlap, inner_matrix, is_painted
from vbench_env.svg.parse import Node
from vbench_env.svg.transform import IDENTITY, Matrix, parse_transform

MAX_PARTS = 400
"""Parts of one side that are looked at; a group with more is taken as one box."""

_GROUPS = frozenset({"g", "a", "switch"})


def may_overlap(problem: Problem, first: Node, second: Node) -> bool:
    """Whether two siblings of the target may paint the same place."""
    if not boxes_overlap(problem.box(first), problem.box(second)):
        return False
    if first.tag not in _GROUPS and second.tag not in _GROUPS:
        return True
    ours, theirs = _parts(problem, first), _parts(problem, second)
    if ours is None or theirs is None:
        return True
    return any(boxes_overlap(a, b) for a in ours for b in theirs)


def _parts(problem: Problem, node: Node) -> list[Box | None] | None:
    """Boxes of what a sibling is made of, in the frame of its siblings; None where it is better taken whole."""
    found: list[Box | None] = []
    stack: list[tuple[Node, Matrix]] = [(node, IDENTITY)]
    while stack:
        at, matrix = stack.pop()
        if not is_painted(at):
            continue
        if at.tag in _GROUPS and at.children and not _composed(problem, at):
            own = parse_transform(at.attrs.get("transform", ""))
            if own is None:
                return None
            inner = matrix @ own @ inner_matrix(at)
            stack.extend((child, inner) for child in at.children)
            continue
        box = problem.box(at)
        found.append(None if box is None else box.transformed(matrix))
        if len(found) > MAX_PARTS:
            return None
    return found


def _composed(problem: Problem, node: Node) -> bool:
    """Whether a group paints as a whole beyond its parts (a filter), or its style moves it."""
    if problem.resolved is None:
        return False
    properties = problem.resolved.own(node).properties
    return "filter" in properties or "css:transform" in properties
