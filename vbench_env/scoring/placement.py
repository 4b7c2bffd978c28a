"""Repairs of where an object is: positions that a transform may carry.

A repaired `cx` frees the object's placement along x in its own frame: the same move made by `transform` is
accepted when the linear part is unchanged and nothing on the object refers to user space.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from vbench_env.scoring.outcome import Located
from vbench_env.scoring.problem import Problem
from vbench_env.svg.geometry import Box, local_box
from vbench_env.svg.parse import Document, Node
from vbench_env.svg.references import Referring
from vbench_env.svg.resolve import Resolved, Value
from vbench_env.svg.schema import ANIMATIONS
from vbench_env.svg.transform import IDENTITY, Matrix, Point

POSITIONS = {"x": 0, "cx": 0, "x1": 0, "x2": 0, "y": 1, "cy": 1, "y1": 1, "y2": 1}
"""Attributes that place an object, with the axis they move it along."""

Corners = Sequence[Point]
"""Corners of a box, clockwise from the top left."""

_PLACED_BY = {
    "line": (("x1", "x2"), ("y1", "y2")),
    "circle": (("cx",), ("cy",)),
    "ellipse": (("cx",), ("cy",)),
}
"""Attributes that place an element along each axis, all of them; `x` and `y` for the others."""

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
    step = step_of(problem, resolved, target, candidate)
    reach = reach_of(corners_of(problem, target))
    if step is None or ours.linear_gap(theirs) * reach > linear_noise(problem, target):
        return None
    return step.e, step.f


def step_of(problem: Problem, resolved: Resolved, target: Node, candidate: Node) -> Matrix | None:
    """What the candidate's `transform` does in the object's own frame beyond the target's.

    None where it does nothing more, or where something on the object would stay behind.
    """
    assert problem.resolved is not None
    ours, theirs = matrix_of(problem.resolved, target), matrix_of(resolved, candidate)
    if ours == theirs or _bound_to_user_space(resolved, candidate):
        return None
    inverse = ours.inverse()
    return None if inverse is None else inverse @ theirs


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


def corners_of(problem: Problem, node: Node) -> Corners:
    """Corners of the box of an object in its own user space; of the drawing where it has none."""
    box = local_box(node)
    if box is None or box.empty:
        box = Box(0.0, 0.0, problem.width, problem.height)
    return list(box.corners)


def displacement(first: Matrix, second: Matrix, corners: Corners) -> float:
    """The largest distance between where two matrices put the corners, in the parent's units."""
    return max(math.dist(first.apply(*corner), second.apply(*corner)) for corner in corners)


def reach_of(corners: Corners) -> float:
    """Half the diagonal of a box: how far a point of it may be from its centre."""
    return math.dist(corners[0], corners[2]) / 2


def linear_noise(problem: Problem, node: Node) -> float:
    """How far numbers that nobody asked to change may move a target element, in its parent's units."""
    frame = problem.scale.frame(node) if problem.scale is not None else 1.0
    return problem.drawn_tolerance / frame if frame > 0 else problem.drawn_tolerance
