"""Chamfer distance between the outlines of two drawings (SVGEditBench V2).

Outlines are sampled at equal steps along their length, all transforms applied, in user units of the root. The
distance is the mean distance from a point to the nearest one of the other drawing, added up both ways.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from vbench_env.measures.base import MEASURES, Drawings, Measure, Settings, Value, nothing
from vbench_env.svg.frames import reference_size, viewbox_matrix, viewport
from vbench_env.svg.geometry import inner_matrix
from vbench_env.svg.outline import OUTLINED, outline
from vbench_env.svg.parse import Document, Node, parse
from vbench_env.svg.path_data import Commands
from vbench_env.svg.path_shape import path_length, sample_arc_length
from vbench_env.svg.references import href_target
from vbench_env.svg.transform import IDENTITY, Matrix, function_matrix, parse_functions
from vbench_env.svg.values import parse_length, parse_viewbox, split_declarations

Points = NDArray[np.float64]
STEPS = 200
"""Steps along the diagonal of the viewBox."""
_MOST_POINTS = 2_000
_MOST_SHAPES = 5_000
_DEPTH = 32
_UNIT = re.compile(r"(?<=[\d.])(?:px|deg)\b")
"""Units of a `transform` in CSS that are those of the attribute."""
_UNDRAWN = frozenset({
    "defs", "symbol", "clipPath", "mask", "pattern", "marker", "linearGradient", "radialGradient", "filter", "metadata",
})  # fmt: skip


def chamfer(one: Points, other: Points) -> float:
    """Mean nearest distance from `one` to `other` plus that from `other` to `one`; both of shape (n, 2)."""
    there, back = cKDTree(other).query(one)[0], cKDTree(one).query(other)[0]
    return float(np.mean(there) + np.mean(back))


def outline_points(document: Document, step: float, *, faulty: bool = False) -> Points:
    """Points on all outlines that are drawn, shape (n, 2), in the root's user units.

    Args:
        document: the drawing.
        step: distance between points along an outline.
        faulty: compose `rotate(a, cx, cy)` in the wrong order, as the published code does.
    """
    found = [
        _moved(points, matrix)
        for shape, matrix in _shapes(document, faulty)
        if (points := _sampled(shape, step / (matrix.norm or 1.0))) is not None
    ]
    return np.concatenate(found) if found else np.zeros((0, 2))


def _shapes(document: Document, faulty: bool) -> Iterator[tuple[Commands, Matrix]]:
    if document.root is None:
        return
    stack = [(document.root, IDENTITY, 0)]
    count = 0
    while stack and count < _MOST_SHAPES:
        node, around, depth = stack.pop()
        if node.tag in _UNDRAWN or depth > _DEPTH or _declared(node, "display") == "none":
            continue
        matrix = around @ (own_matrix(node, faulty) if node.parent is not None else IDENTITY)
        if node.tag in OUTLINED:
            count += 1
            yield outline(node), matrix
        elif node.tag == "use":
            stack.extend(_used(document, node, matrix, depth))
        else:
            stack.extend((child, matrix @ inner_matrix(node), depth + 1) for child in reversed(node.children))


def _used(document: Document, node: Node, matrix: Matrix, depth: int) -> Iterator[tuple[Node, Matrix, int]]:
    """What a `use` draws; of a symbol, what it holds."""
    name = href_target(node)
    found = document.by_id(name) if name else None
    x, y = (parse_length(node.attrs.get(axis, "")) for axis in ("x", "y"))
    place = matrix @ Matrix(e=x.value if x else 0.0, f=y.value if y else 0.0)
    if found is None:
        return
    if found.tag != "symbol":
        yield found, place, depth + 1
        return
    inner = place @ own_matrix(found) @ _symbol_matrix(node, found)
    yield from ((part, inner, depth + 1) for part in found.children)


def _symbol_matrix(use: Node, symbol: Node) -> Matrix:
    """The map of a symbol's viewBox to the size that its `use`, else it itself, gives it (SVG 2 section 5.5.2)."""
    box = parse_viewbox(symbol.attrs.get("viewBox", ""))
    if box is None:
        return IDENTITY
    around = reference_size(use)
    width = _size(use, symbol, "width", around[0])
    height = _size(use, symbol, "height", around[1])
    return viewbox_matrix(box, width, height, symbol.attrs.get("preserveAspectRatio", ""))


def _size(use: Node, symbol: Node, name: str, whole: float) -> float:
    lengths = [parse_length(node.attrs.get(name, "")) for node in (use, symbol)]
    sizes = [length.to_px(whole) for length in lengths if length is not None]
    return next((size for size in sizes if size), whole)


def _declared(node: Node, name: str) -> str:
    """A property as an element's own `style` or attribute says it."""
    style = split_declarations(node.attrs.get("style", ""))
    written = [declaration.value for declaration in style if declaration.name == name]
    return written[-1].strip() if written else node.attrs.get(name, "").strip()


def own_matrix(node: Node, faulty: bool = False) -> Matrix:
    """The `transform` of an element; the identity where it has none that can be read."""
    matrix = IDENTITY
    written = _UNIT.sub("", _declared(node, "transform"))
    for function in parse_functions(written) or ():
        if faulty and function.name == "rotate" and len(function.args) == 3:
            angle, x, y = function.args
            turn = function_matrix(function._replace(args=(angle,)))
            matrix = matrix @ Matrix(e=-x, f=-y) @ turn @ Matrix(e=x, f=y)
        else:
            matrix = matrix @ function_matrix(function)
    return matrix


def _sampled(commands: Commands, step: float) -> Points | None:
    while commands and commands[-1].letter == "M":
        commands = commands[:-1]
    length = path_length(commands) if commands else 0.0
    count = 2 if not math.isfinite(length) else max(2, min(_MOST_POINTS, math.ceil(length / step) + 1))
    return sample_arc_length(commands, count) if commands else None


def _moved(points: Points, matrix: Matrix) -> Points:
    a, b, c, d, e, f = matrix
    moved: Points = points @ np.array([[a, b], [c, d]]) + np.array([e, f])
    return moved


def take(drawings: Drawings, settings: Settings) -> Value:
    """In user units of the target; `relative` is over the diagonal of its viewBox."""
    target = parse(drawings.target)
    candidate = parse(drawings.candidate or "")
    if target.root is None or candidate.root is None:
        return nothing(f"the {'target' if target.root is None else 'candidate'} is not well-formed")
    diagonal = math.hypot(*viewport(target.root))
    sides = [
        outline_points(one, diagonal / STEPS, faulty=settings.as_published) for one in (candidate, target)
    ]
    if not all(len(side) for side in sides):
        return nothing("a drawing has no outline")
    value = chamfer(sides[0], sides[1])
    return Value(value, {"relative": value / diagonal})


MEASURES.add(
    "chamfer",
    Measure(
        "chamfer", "mean distance of outlines, both ways, in user units", "lower", take, "SVGEditBench V2",
        fault="rotate(a, cx, cy) turns about the wrong point: the two translations are swapped",
    ),
)  # fmt: skip
