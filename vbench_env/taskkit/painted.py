"""Painted boxes in the drawing's coordinates: shapes exactly, groups and references as unions.

Stroke, clipping and filters are left aside, as a person reading a drawing does. A text counts as its anchor
point, since its extent depends on fonts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vbench_env.svg.parse import Document, Node
from vbench_env.svg.path_data import Bounds, Command, Commands, bounds
from vbench_env.svg.path_shape import flatten
from vbench_env.svg.references import href_target
from vbench_env.svg.schema import DEFINITIONS
from vbench_env.svg.transform import IDENTITY, Matrix, parse_transform
from vbench_env.svg.values import parse_length, parse_viewbox
from vbench_env.taskkit.outlines import Unfit, mapped, outline_of_points, read_path_data

_DEPTH = 12
Declared = Callable[[Node, str], str | None]
"""Reads a property of an element, style sheets included."""


def boxes(document: Document, node: Node, matrix: Matrix, declared: Declared) -> Iterator[Bounds]:
    """Boxes (left, top, right, bottom) of everything that `node` paints.

    Args:
        document: where references lead.
        node: the element.
        matrix: from the element's own coordinates to the drawing's.
        declared: reads properties.
    """
    yield from _boxes(document, node, matrix, declared, 0)


def _boxes(
    document: Document, node: Node, matrix: Matrix, declared: Declared, depth: int
) -> Iterator[Bounds]:
    if depth > _DEPTH:
        return
    if node.tag == "use":
        yield from _used(document, node, matrix, declared, depth)
        return
    if node.tag == "text":
        x, y = matrix.apply(*_anchor(node, declared))
        yield x, y, x, y
        return
    shape = shape_of(node, declared)
    if shape is not None:
        box = _under(shape, matrix)
        if box is not None:
            yield box
        return
    for child in node.children:
        if child.tag not in DEFINITIONS:
            own = parse_transform(declared(child, "transform") or "") or IDENTITY
            yield from _boxes(document, child, matrix @ own, declared, depth + 1)


def _under(shape: Commands, matrix: Matrix) -> Bounds | None:
    try:
        return bounds(mapped(shape, matrix))
    except Unfit:
        points = [matrix.apply(*point) for part, _ in flatten(shape) for point in part.tolist()]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return (min(xs), min(ys), max(xs), max(ys)) if points else None


def _used(document: Document, node: Node, matrix: Matrix, declared: Declared, depth: int) -> Iterator[Bounds]:
    target = document.by_id(href_target(node) or "")
    if target is None:
        return
    inner = matrix @ Matrix(e=_length(node, "x", declared), f=_length(node, "y", declared))
    if target.tag in ("symbol", "svg"):
        inner = inner @ _fitted(node, target, declared)
    else:
        inner = inner @ (parse_transform(declared(target, "transform") or "") or IDENTITY)
    yield from _boxes(document, target, inner, declared, depth + 1)


def _fitted(use: Node, target: Node, declared: Declared) -> Matrix:
    """The view box of a symbol in the size that `use` gives it, centred and undistorted."""
    view = parse_viewbox(target.attrs.get("viewBox", ""))
    if view is None:
        return IDENTITY
    width = _length(use, "width", declared) or _length(target, "width", declared) or view.width
    height = _length(use, "height", declared) or _length(target, "height", declared) or view.height
    if target.attrs.get("preserveAspectRatio", "").startswith("none"):
        return Matrix(a=width / view.width, d=height / view.height) @ Matrix(e=-view.x, f=-view.y)
    scale = min(width / view.width, height / view.height)
    left, top = (width - scale * view.width) / 2, (height - scale * view.height) / 2
    return Matrix(a=scale, d=scale, e=left - scale * view.x, f=top - scale * view.y)


def _length(node: Node, name: str, declared: Declared) -> float:
    length = parse_length(declared(node, name) or "")
    return (length.to_px(100.0, 16.0) or 0.0) if length is not None else 0.0


def _anchor(node: Node, declared: Declared) -> tuple[float, float]:
    """Where the first glyph of a text is anchored."""
    source = node
    if "x" not in node.attrs and "y" not in node.attrs and node.children and not node.text.strip():
        source = node.children[0]
    x, y = ((declared(source, name) or "0").replace(",", " ").split()[0] for name in ("x", "y"))
    lengths = (parse_length(value) for value in (x, y))
    first, second = ((length.to_px(100.0, 16.0) or 0.0) if length else 0.0 for length in lengths)
    return first, second


def shape_of(node: Node, declared: Declared) -> Commands | None:
    """What a shape draws, in its own coordinates; None for other elements."""

    def number(name: str) -> float:
        return _length(node, name, declared)

    if node.tag in ("rect", "image", "foreignObject"):
        x, y, width, height = (number(name) for name in ("x", "y", "width", "height"))
        return _closed((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    if node.tag == "circle":
        return _ellipse(number("cx"), number("cy"), number("r"), number("r"))
    if node.tag == "ellipse":
        return _ellipse(number("cx"), number("cy"), number("rx"), number("ry"))
    if node.tag == "line":
        return Command("M", (number("x1"), number("y1"))), Command("L", (number("x2"), number("y2")))
    if node.tag in ("polyline", "polygon"):
        return outline_of_points(node.attrs.get("points", ""))
    return read_path_data(declared(node, "d") or "") if node.tag == "path" else None


def _closed(*points: tuple[float, float]) -> Commands:
    lines = tuple(Command("L" if place else "M", point) for place, point in enumerate(points))
    return (*lines, Command("Z", ()))


def _ellipse(cx: float, cy: float, rx: float, ry: float) -> Commands:
    def half(x: float) -> Command:
        return Command("A", (rx, ry, 0.0, 0.0, 1.0, x, cy))

    return Command("M", (cx - rx, cy)), half(cx + rx), half(cx - rx), Command("Z", ())
