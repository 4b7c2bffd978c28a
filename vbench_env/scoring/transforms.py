"""Repairs of an object's transform: what was asked for within its tolerance, and nothing else of the matrix.

A move changes where the object is put; its linear part (rotation, scale, skew) stays the target's. A rotation turns
the linear part and neither scales nor skews it; a resize scales it along the object's own axes and neither turns nor
skews it. What has to stay may differ by the spelling of numbers alone: as much as unrequested numbers may as drawn.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

from vbench_env.scoring.limits import limit_of
from vbench_env.scoring.outcome import Located, Outcome, exact
from vbench_env.scoring.placement import Corners, corners_of, displacement, linear_noise, matrix_of, reach_of
from vbench_env.scoring.problem import Problem
from vbench_env.scoring.tolerance import progress, within
from vbench_env.svg.compare import shown
from vbench_env.svg.resolve import Resolved
from vbench_env.svg.transform import Matrix, angle_difference, decompose, parse_transform
from vbench_env.task import Repair

WHOLE = frozenset({"transform", "rotate", "rotation", "size"})
"""Properties that are read from the whole transform."""

REST_PROGRESS = 0.9
"""The progress, at most, of a repair that turns, scales or skews what it should not."""

Asked = Literal["move", "rotate", "resize", "whole"]


class _Change(NamedTuple):
    """Matrices of the object's transform, in the target, the candidate and the corrupted drawing."""

    wanted: Matrix
    found: Matrix
    before: Matrix | None
    corners: Corners
    noise: float
    """Agreement of numbers that were not asked for, in the parent's units."""


def check_transform(problem: Problem, resolved: Resolved, item: Located) -> Outcome:
    """A repaired transform: by angle for a rotation, by size for `size`, else by how far corners are moved."""
    target, candidate = item.target, item.candidate
    assert target is not None and candidate is not None and problem.resolved is not None
    wanted, found = matrix_of(problem.resolved, target), matrix_of(resolved, candidate)
    before = _before(problem, item)
    item.masked = frozenset({"transform"})
    css = resolved.own(candidate).properties.keys() - problem.resolved.own(target).properties.keys()
    if "css:transform" in css:
        return exact(False, comparison="transform", target=_shown(wanted), found=_shown(found))
    change = _Change(wanted, found, before, corners_of(problem, target), linear_noise(problem, target))
    asked = asked_of(item.repair, change)
    kept = problem.rules.mask == "property" or asked == "whole" or stays(asked, change)
    if item.repair.property == "size":
        return _size(problem, change, kept)
    if asked == "rotate":
        return _rotation(problem, change, kept)
    return _displacement(problem, change, kept)


def _before(problem: Problem, item: Located) -> Matrix | None:
    """The corrupted transform: of the corrupted drawing's object, else as the repair tells it."""
    start = problem.start_of(item.repair.object, item.target)
    if start is not None and problem.resolved_start is not None:
        return matrix_of(problem.resolved_start, start)
    told = item.repair.corrupted
    return parse_transform(told) if item.repair.property == "transform" and isinstance(told, str) else None


def asked_of(repair: Repair, change: _Change) -> Asked:
    """What a repair asks for: as its operation and property say, else as the corrupted and the target matrix do."""
    if repair.operation == "rotate" or repair.property in ("rotate", "rotation"):
        return "rotate"
    if repair.operation == "resize" or repair.property == "size":
        return "resize"
    if change.before is None:
        return "move" if repair.operation == "move" else "whole"
    undo = change._replace(found=change.before)
    kinds: tuple[Asked, ...] = ("move", "rotate", "resize")
    return next((kind for kind in kinds if stays(kind, undo)), "whole")


def stays(asked: Asked, change: _Change) -> bool:
    """Whether the found linear part is the target's, but for the turn or the scale that was asked for."""
    wanted, found = change.wanted, change.found
    if asked == "rotate":
        turn = decompose(found).rotate - decompose(wanted).rotate
        wanted = _turned(wanted, turn, change.corners)
    elif asked == "resize":
        scale = _own_scale(wanted, found)
        if scale is None:
            return False
        wanted = wanted @ scale
    return wanted.linear_gap(found) * reach_of(change.corners) <= change.noise


def _own_scale(wanted: Matrix, found: Matrix) -> Matrix | None:
    """The scale along the object's own axes that comes nearest to leading from one linear part to the other."""
    inverse = wanted.inverse()
    if inverse is None:
        return wanted if wanted.same_linear(found) else None
    step = inverse @ found
    return Matrix(a=step.a, d=step.d) if step.a > 0 and step.d > 0 else None


def _outcome(
    delta: float | None, distance: float, limit: float, kept: bool, comparison: str, **more: Any
) -> Outcome:
    """A distance against its tolerance; `comparison` ends in `-rest` where what has to stay does not."""
    gained = progress(distance, delta) if delta is not None else float(within(distance, limit))
    passed = within(distance, limit) and kept
    name = comparison if kept else f"{comparison}-rest"
    return Outcome(
        passed, distance, limit, delta, gained if kept else min(gained, REST_PROGRESS), name, **more
    )


def _displacement(problem: Problem, change: _Change, kept: bool) -> Outcome:
    wanted, found, before, corners, _ = change
    distance = displacement(found, wanted, corners)
    delta = None if before is None else displacement(before, wanted, corners)
    limit = limit_of(problem, "transform", delta)
    values = {"target": _shown(wanted), "found": _shown(found), "corrupted": _shown(before)}
    return _outcome(delta, distance, limit, kept, "displacement", **values)


def _rotation(problem: Problem, change: _Change, kept: bool) -> Outcome:
    wanted, found, before, corners, _ = change
    angle, given = decompose(wanted).rotate, decompose(found).rotate
    distance = angle_difference(given, angle)
    was = None if before is None else decompose(before).rotate
    delta = None if was is None else angle_difference(was, angle)
    limit = limit_of(problem, "rotate", delta)
    rest = displacement(found, _turned(wanted, given - angle, corners), corners)
    kept = kept and within(rest, limit_of(problem, "transform", None))
    rounded = None if was is None else round(was, 6)
    values = {"target": round(angle, 6), "found": round(given, 6), "corrupted": rounded, "unit": "degrees"}
    return _outcome(delta, distance, limit, kept, "rotation", **values)


def _turned(matrix: Matrix, degrees: float, corners: Corners) -> Matrix:
    """The matrix with the object turned about its own centre as it is placed."""
    x, y = matrix.apply(sum(corner[0] for corner in corners) / 4, sum(corner[1] for corner in corners) / 4)
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turn = Matrix(cosine, sine, -sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y)
    return turn @ matrix


def _size(problem: Problem, change: _Change, kept: bool) -> Outcome:
    """The object's drawn size; its origin must stay where the target has it, and both sides be near the target's."""
    wanted, found, before, corners, _ = change
    size, given = _extent(wanted, corners), _extent(found, corners)
    was = None if before is None else _extent(before, corners)
    delta = None if was is None else abs(was - size)
    limit = limit_of(problem, "width", delta)
    rest = displacement(found, wanted, [(0.0, 0.0)])
    sides = zip(_sides(wanted, corners), _sides(found, corners), strict=True)
    near = problem.rules.mask == "property" or all(within(abs(a - b), limit) for a, b in sides)
    kept = kept and near and rest <= problem.drawn_tolerance
    values = {"target": size, "found": given, "corrupted": was}
    return _outcome(delta, abs(given - size), limit, kept, "size", **values)


def _extent(matrix: Matrix, corners: Corners) -> float:
    points = [matrix.apply(*corner) for corner in corners]
    return max(max(p[i] for p in points) - min(p[i] for p in points) for i in (0, 1))


def _sides(matrix: Matrix, corners: Corners) -> tuple[float, float]:
    """How long the sides of the object's own box are drawn."""
    (left, top), (right, bottom) = corners[0], corners[2]
    across, down = matrix.apply_vector(right - left, 0), matrix.apply_vector(0, bottom - top)
    return math.hypot(*across), math.hypot(*down)


def _shown(matrix: Matrix | None) -> str | None:
    return None if matrix is None else shown(("matrix", *matrix))
