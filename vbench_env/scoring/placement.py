"""Repairs of where an object is: positions that a transform may carry, and transforms themselves.

A repaired `cx` frees the object's placement along x in its own frame: the same move made by `transform` is
accepted when the linear part is unchanged and nothing on the object refers to user space.
"""

from __future__ import annotations

import math
from typing import Any

from vbench_env.scoring.limits import limit_of
from vbench_env.scoring.outcome import Located, Outcome, exact
from vbench_env.scoring.problem import Problem
from vbench_env.scoring.tolerance import progress
from vbench_env.svg.compare import shown
from vbench_env.svg.geometry import Box, local_box
from vbench_env.svg.parse import Document, Node
from vbench_env.svg.references import Referring
from vbench_env.svg.resolve import Resolved, Value
from vbench_env.svg.schema import ANIMATIONS
from vbench_env.svg.transform import IDENTITY, Matrix, angle_difference, decompose

POSITIONS = {"x": 0, "cx": 0, "x1": 0, "x2": 0, "y": 1, "cy": 1, "y1": 1, "y2": 1}
"""Attributes that place an object, with the axis they move it along."""

_PLACED_BY = {
    "line": (("x1", "x2"), ("y1", "y2")),
    "circle": (("cx",), ("cy",)),
    "ellipse": (("cx",), ("cy",)),
}
"""Attributes that place an element along each axis, all of them; `x` and `y` for the others."""

WHOLE = frozenset({"transform", "rotate", "rotation", "size"})
"""Properties that are read from the whole transform."""

_USER_SPACE = {
    "linearGradient": ("gradientUnits", "objectBoundingBox"),
    "radialGradient": ("gradientUnits", "objectBoundingBox"),
    "pattern": ("patternUnits", "objectBoundingBox"),
    "clipPath": ("clipPathUnits", "userSpaceOnUse"),
    "mask": ("maskContentUnits", "userSpaceOnUse"),
    "filter": ("filterUnits", "objectBoundingBox"),
}


_CSS_TRANSFORMS = frozenset({"css:transform", "css:translate", "css:rotate", "css:scale", "css:offset-path"})
"""Declarations beside which a `transform` attribute does not do what it says."""
_PLACED_PRIMITIVES = frozenset({"feTurbulence", "feImage", "fePointLight", "feSpotLight", "feTile"})


def matrix_of(resolved: Resolved, node: Node) -> Matrix:
    """The element's own transform."""
    value = resolved.own(node).plain.get("transform")
    return Matrix(*value[1:]) if type(value) is tuple and value[0] == "matrix" else IDENTITY


def effective(problem: Problem, resolved: Resolved, item: Located, value: Value) -> tuple[Value, bool]:
    """A position with the move that the transform makes beyond the target's, and whether the mask frees that move.

    A move that also goes along an axis that nobody asked for places the object all the same, but is not freed.
    """
    target, candidate = item.target, item.candidate
    assert target is not None and candidate is not None and problem.resolved is not None
    if type(value) is not float:
        return value, False
    shift = shift_of(problem, resolved, target, candidate)
    if shift is None:
        return value, False
    requested = {other.property for other in problem.repairs if other.object == item.repair.object}
    for axis in (0, 1):
        if abs(shift[axis]) > problem.drawn_tolerance and not requested.issuperset(placing(target.tag)[axis]):
            return value + shift[POSITIONS[item.repair.property]], False
    return value + shift[POSITIONS[item.repair.property]], True


def placing(tag: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The attributes that place an element along x, and along y."""
    return _PLACED_BY.get(tag, (("x",), ("y",)))


def shift_of(
    problem: Problem, resolved: Resolved, target: Node, candidate: Node
) -> tuple[float, float] | None:
    """The move in the object's own frame that its `transform` makes beyond the target's; None if it is none."""
    assert problem.resolved is not None
    ours, theirs = matrix_of(problem.resolved, target), matrix_of(resolved, candidate)
    if ours == theirs or _bound_to_user_space(resolved, candidate):
        return None
    return _translation(ours, theirs)


def _translation(ours: Matrix, theirs: Matrix) -> tuple[float, float] | None:
    """The move in the object's own frame that turns one transform into the other; None if it is no move."""
    if any(abs(a - b) > 1e-9 * max(1.0, abs(a)) for a, b in zip(ours[:4], theirs[:4], strict=True)):
        return None
    inverse = ours.inverse()
    if inverse is None:
        return None
    moved = inverse @ theirs
    return moved.e, moved.f


def _bound_to_user_space(resolved: Resolved, node: Node) -> bool:
    """Whether something on the object would stay behind, or move too, when its transform moves it."""
    if node.tag in ("text", "tspan") and any(child.attrs.keys() & {"x", "y"} for child in node.iter()[1:]):
        return True
    if resolved.own(node).properties.keys() & _CSS_TRANSFORMS:
        return True
    for inner in node.iter():
        if inner.tag in ANIMATIONS:
            return True
        own = resolved.own(inner)
        for value in (*own.properties.values(), own.context.get("fill"), own.context.get("stroke")):
            if type(value) is Referring and any(
                _in_user_space(resolved.document, name) for name in value.ids
            ):
                return True
    return False


def _in_user_space(document: Document, name: str, depth: int = 0) -> bool:
    node = document.by_id(name)
    if node is None or node.tag not in _USER_SPACE or depth > 8:
        return False
    attribute, default = _USER_SPACE[node.tag]
    units = node.attrs.get(attribute)
    if units is None and node.tag in ("linearGradient", "radialGradient", "pattern"):
        from vbench_env.svg.references import href_target

        linked = href_target(node)
        if linked:
            return _in_user_space(document, linked, depth + 1)
    if node.tag == "filter" and any(map(_tied_to_user_space, node.iter()[1:])):
        return True
    if "patternTransform" in node.attrs:
        return True
    if node.tag == "mask" and node.attrs.get("maskUnits") == "userSpaceOnUse":
        return True
    return (units or default) == "userSpaceOnUse"


def _tied_to_user_space(primitive: Node) -> bool:
    """Whether a filter primitive draws at places of its own, wherever the filtered object is."""
    return primitive.tag in _PLACED_PRIMITIVES or not primitive.attrs.keys().isdisjoint(("x", "y"))


def check_transform(problem: Problem, resolved: Resolved, item: Located) -> Outcome:
    """A repaired transform: by angle for a rotation, by size for `size`, else by how far corners are moved."""
    target, candidate = item.target, item.candidate
    assert target is not None and candidate is not None and problem.resolved is not None
    wanted, found = matrix_of(problem.resolved, target), matrix_of(resolved, candidate)
    start = problem.start_of(item.repair.object, target)
    before = None
    if start is not None and problem.resolved_start is not None:
        before = matrix_of(problem.resolved_start, start)
    item.masked = frozenset({"transform"})
    if f"css:{'transform'}" in resolved.own(candidate).properties.keys() - (
        problem.resolved.own(target).properties.keys()
    ):
        return exact(False, comparison="transform", target=_shown(wanted), found=_shown(found))
    corners = corners_of(problem, target)
    if item.repair.operation == "rotate" or item.repair.property in ("rotate", "rotation"):
        return _rotation(problem, wanted, found, before, corners)
    if item.repair.property == "size":
        return _size(problem, wanted, found, before, corners)
    return _displacement(problem, wanted, found, before, corners)


def corners_of(problem: Problem, node: Node) -> list[tuple[float, float]]:
    """Corners of the box of an object in its own user space; of the drawing where it has none."""
    box = local_box(node)
    if box is None or box.empty:
        box = Box(0.0, 0.0, problem.width, problem.height)
    return list(box.corners)


def displacement(first: Matrix, second: Matrix, corners: list[tuple[float, float]]) -> float:
    """The largest distance between where two matrices put the corners, in the parent's units."""
    return max(math.dist(first.apply(*corner), second.apply(*corner)) for corner in corners)


def _values(wanted: Any, found: Any, before: Any) -> dict[str, Any]:
    return {"target": wanted, "found": found, "corrupted": before}


def _shown(matrix: Matrix | None) -> str | None:
    return None if matrix is None else shown(("matrix", *matrix))


def _displacement(
    problem: Problem, wanted: Matrix, found: Matrix, before: Matrix | None, corners: list[tuple[float, float]]
) -> Outcome:
    distance = displacement(found, wanted, corners)
    delta = None if before is None else displacement(before, wanted, corners)
    limit = limit_of(problem, "transform", delta)
    passed = distance <= limit + 1e-9
    gained = float(passed) if delta is None else progress(distance, delta)
    values = _values(_shown(wanted), _shown(found), _shown(before))
    return Outcome(passed, distance, limit, delta, gained, "displacement", **values)


def _rotation(
    problem: Problem, wanted: Matrix, found: Matrix, before: Matrix | None, corners: list[tuple[float, float]]
) -> Outcome:
    angle, given = decompose(wanted).rotate, decompose(found).rotate
    distance = angle_difference(given, angle)
    was = None if before is None else decompose(before).rotate
    delta = None if was is None else angle_difference(was, angle)
    limit = limit_of(problem, "rotate", delta)
    turned = _turned(wanted, given - angle, corners)
    rest = displacement(found, turned, corners)
    passed = distance <= limit + 1e-9 and rest <= limit_of(problem, "transform", None) + 1e-9
    gained = float(passed) if delta is None else progress(distance, delta)
    values = _values(round(angle, 6), round(given, 6), None if was is None else round(was, 6))
    return Outcome(passed, distance, limit, delta, gained, "rotation", "degrees", **values)


def _turned(matrix: Matrix, degrees: float, corners: list[tuple[float, float]]) -> Matrix:
    """The matrix with the object turned about its own centre as it is placed."""
    x, y = matrix.apply(sum(corner[0] for corner in corners) / 4, sum(corner[1] for corner in corners) / 4)
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turn = Matrix(cosine, sine, -sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y)
    return turn @ matrix


def _size(
    problem: Problem, wanted: Matrix, found: Matrix, before: Matrix | None, corners: list[tuple[float, float]]
) -> Outcome:
    """The object's drawn size; what the scale does not explain must stay where the target has it."""
    size, given = _extent(wanted, corners), _extent(found, corners)
    was = None if before is None else _extent(before, corners)
    delta = None if was is None else abs(was - size)
    limit = limit_of(problem, "width", delta)
    distance = abs(given - size)
    rest = displacement(found, wanted, [(0.0, 0.0)])
    passed = distance <= limit + 1e-9 and rest <= problem.drawn_tolerance
    gained = float(passed) if delta is None else progress(distance, delta)
    return Outcome(passed, distance, limit, delta, gained, "size", **_values(size, given, was))


def _extent(matrix: Matrix, corners: list[tuple[float, float]]) -> float:
    points = [matrix.apply(*corner) for corner in corners]
    return max(max(p[i] for p in points) - min(p[i] for p in points) for i in (0, 1))
