"""Where elements are: their boxes, the matrices between user spaces, and what they may paint.

A box is `None` where it cannot be measured (text, images without a size, broken path data, cyclic or endless
`use`), and `EMPTY` where nothing is. Every element has an own user space, in which its geometry attributes
are written; its `transform` leads to the user space that it shares with its siblings. Style sheets are not
looked at; a `style` attribute that sets geometry makes a box unmeasurable.
Sources: SVG 2 chapters 7 and 8 (coordinates, bounding boxes), 5.5 (use), 13.5 (strokes).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache

from vbench_env.svg.frames import EMPTY, Box, boxes_overlap, reference_size, viewbox_matrix, viewport
from vbench_env.svg.painting import Painting, declared_painting
from vbench_env.svg.parse import Node
from vbench_env.svg.path_data import bounds, read_path
from vbench_env.svg.references import href_target
from vbench_env.svg.schema import (
    ANIMATIONS,
    DEFINITIONS,
    DESCRIPTIVE,
    GEOMETRY_PROPERTIES,
    PAINT_SERVERS,
    TEXT_ELEMENTS,
)
from vbench_env.svg.transform import IDENTITY, Matrix, parse_transform
from vbench_env.svg.values import parse_length, parse_points, parse_viewbox, split_declarations

__all__ = [
    "EMPTY", "Box", "Painting", "box_in", "boxes_overlap", "declared_painting", "inner_matrix", "is_painted",
    "local_box", "matrix_to", "painted_box", "viewbox_matrix", "viewport",
]  # fmt: skip

DEPTH = 250
"""Elements inside elements and `use` references, counted together, beyond which a box is not measured."""
INSTANCES = 20_000
"""Elements visited for one box, those drawn through `use` counted each time."""


class _Unmeasurable(Exception):
    """Raised inside this module where a box is None."""


_AXIS = {"x": 0, "x1": 0, "x2": 0, "cx": 0, "rx": 0, "width": 0, "r": 2}


def _length(node: Node, name: str, default: float | None = 0.0) -> float:
    """An attribute in user units; where it is missing or invalid `default`, of which None is unmeasurable."""
    text = node.attrs.get(name)
    length = parse_length(text) if text is not None else None
    if length is None:
        if default is None:
            raise _Unmeasurable
        return default
    if length.unit == "%":
        width, height = reference_size(node)
        sizes = (width, height, math.hypot(width, height) / math.sqrt(2))
        return length.value * sizes[_AXIS.get(name, 1)] / 100
    value = length.to_px()
    if value is None:
        raise _Unmeasurable
    return value


def _rect(node: Node) -> Box:
    x, y, width, height = (_length(node, name) for name in ("x", "y", "width", "height"))
    return Box(x, y, x + width, y + height) if width > 0 and height > 0 else EMPTY


def _circle(node: Node) -> Box:
    x, y, r = _length(node, "cx"), _length(node, "cy"), _length(node, "r")
    return Box(x - r, y - r, x + r, y + r) if r > 0 else EMPTY


def _ellipse(node: Node) -> Box:
    x, y = _length(node, "cx"), _length(node, "cy")
    rx, ry = _length(node, "rx", -1.0), _length(node, "ry", -1.0)
    rx, ry = (rx if rx >= 0 else ry), (ry if ry >= 0 else rx)
    return Box(x - rx, y - ry, x + rx, y + ry) if rx > 0 and ry > 0 else EMPTY


def _line(node: Node) -> Box:
    x1, y1, x2, y2 = (_length(node, name) for name in ("x1", "y1", "x2", "y2"))
    return Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))


def _poly(node: Node) -> Box:
    points = parse_points(node.attrs.get("points", ""))
    if points is None:
        raise _Unmeasurable
    if not points:
        return EMPTY
    xs, ys = zip(*points, strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))


def _path(node: Node) -> Box:
    commands = read_path(node.attrs.get("d", ""))
    if not isinstance(commands, tuple):
        raise _Unmeasurable
    found = bounds(commands)
    return EMPTY if found is None else Box(*found)


def _sized(node: Node) -> Box:
    """An image or foreign object, whose missing size depends on its content."""
    x, y = _length(node, "x"), _length(node, "y")
    width, height = _length(node, "width", None), _length(node, "height", None)
    return Box(x, y, x + width, y + height) if width > 0 and height > 0 else EMPTY


_MEASURES: dict[str, Callable[[Node], Box]] = {
    "rect": _rect, "circle": _circle, "ellipse": _ellipse, "line": _line, "polyline": _poly, "polygon": _poly,
    "path": _path, "image": _sized, "foreignObject": _sized,
}  # fmt: skip


Style = Callable[[Node], Painting]
PLAIN = Painting()


def _plain(node: Node) -> Painting:
    return PLAIN


def _allowance(node: Node, painting: Painting) -> float:
    """How far a stroke reaches beyond the geometry: joins where there are any, else square caps."""
    if node.tag in ("rect", "circle", "ellipse"):
        reach = 1.0
    else:
        reach = max(math.sqrt(2), 1.0 if node.tag == "line" else painting.miter)
    return painting.stroke_width / 2 * reach


class _Walk:
    """One measurement: bounds the work and remembers the `use` elements on the way."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.visits = 0
        self.uses: list[Node] = []

    def subtree(self, node: Node, depth: int) -> Box:
        """The box of an element in its own user space."""
        self.visits += 1
        if depth > DEPTH or self.visits > INSTANCES:
            raise _Unmeasurable
        painting = self.style(node)
        measure = _MEASURES.get(node.tag)
        if not painting.visible:
            return EMPTY
        if painting.unbounded or node.tag in TEXT_ELEMENTS or _sets_geometry(node):
            raise _Unmeasurable
        if measure is not None:
            return self.shape(node, measure, painting)
        if node.tag == "use":
            return self.instance(node, depth)
        box = self.union(node.children, depth).transformed(inner_matrix(node))
        nested = node.tag == "svg" and node.parent is not None
        return box.intersection(_sized_viewport(node)) if nested and not _overflows(node) else box

    def shape(self, node: Node, measure: Callable[[Node], Box], painting: Painting) -> Box:
        reach = _allowance(node, painting)
        for use in self.uses:
            reach = max(reach, _allowance(node, self.style(use)))
        return measure(node).enlarged(reach)

    def union(self, children: Iterable[Node], depth: int) -> Box:
        """The box of what siblings paint, in the user space that they share."""
        box = EMPTY
        for child in children:
            if is_painted(child):
                box = box.union(self.subtree(child, depth + 1).transformed(_own_matrix(child)))
        return box

    def instance(self, use: Node, depth: int) -> Box:
        """What a `use` draws, in the user space of the `use`."""
        target = _ids(_root(use)).get(href_target(use) or "")
        if target is None:
            return EMPTY
        if use in self.uses or target.tag in PAINT_SERVERS:
            raise _Unmeasurable
        self.uses.append(use)
        place = Matrix(e=_length(use, "x"), f=_length(use, "y"))
        if target.tag in ("symbol", "svg"):
            box = self.framed(use, target, depth)
        else:
            box = self.subtree(target, depth + 1).transformed(_own_matrix(target))
        self.uses.pop()
        return box.transformed(place)

    def framed(self, use: Node, target: Node, depth: int) -> Box:
        """A symbol or svg in the viewport that the `use` gives it (SVG 2 section 5.5.2)."""
        size = reference_size(use)
        width = _length(use, "width", _length(target, "width", size[0]))
        height = _length(use, "height", _length(target, "height", size[1]))
        box = self.union(target.children, depth + 1)
        viewbox = parse_viewbox(target.attrs.get("viewBox", ""))
        if viewbox is not None:
            aspect = target.attrs.get("preserveAspectRatio", "")
            box = box.transformed(viewbox_matrix(viewbox, width, height, aspect))
        return box if _overflows(target) else box.intersection(Box(0.0, 0.0, width, height))


def is_painted(node: Node) -> bool:
    """Whether the element is drawn where it stands: no definition, no description, no foreign name."""
    tag = node.tag
    return not (tag in DEFINITIONS or tag in ANIMATIONS or tag in DESCRIPTIVE or tag.startswith("{"))


def _overflows(node: Node) -> bool:
    """Whether a nested viewport shows what lies outside it."""
    value = node.attrs.get("overflow", "")
    for name, text, _ in split_declarations(node.attrs.get("style", "")):
        value = text if name == "overflow" else value
    return value.strip() in ("visible", "auto")


def _sets_geometry(node: Node) -> bool:
    style = node.attrs.get("style")
    return style is not None and any(d.name in GEOMETRY_PROPERTIES for d in split_declarations(style))


def _root(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node


@lru_cache(maxsize=8)
def _ids(root: Node) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for node in root.iter():
        name = node.attrs.get("id")
        if name is not None:
            found.setdefault(name, node)
    return found


def _own_matrix(node: Node) -> Matrix:
    """The `transform` of an element; of an invalid one nothing is known."""
    text = node.attrs.get("transform")
    if text is None:
        return IDENTITY
    matrix = parse_transform(text)
    if matrix is None:
        raise _Unmeasurable
    return matrix


def _sized_viewport(node: Node) -> Box:
    """The rectangle of a nested `svg`, in its own user space."""
    x, y = _length(node, "x"), _length(node, "y")
    size = reference_size(node)
    return Box(x, y, x + _length(node, "width", size[0]), y + _length(node, "height", size[1]))


def inner_matrix(node: Node) -> Matrix:
    """From the user space of an element's children to its own: the identity save for a nested `svg`."""
    if node.tag != "svg" or node.parent is None:
        return IDENTITY
    frame = _sized_viewport(node)
    place = Matrix(e=frame.left, f=frame.top)
    viewbox = parse_viewbox(node.attrs.get("viewBox", ""))
    if viewbox is None or frame.empty:
        return place
    width, height = frame.right - frame.left, frame.bottom - frame.top
    return place @ viewbox_matrix(viewbox, width, height, node.attrs.get("preserveAspectRatio", ""))


def matrix_to(node: Node, ancestor: Node | None = None) -> Matrix | None:
    """From the element's own user space to that of the children of `ancestor` (of the root by default).

    None where a transform on the way is invalid or unknown, or `ancestor` is none of its ancestors.
    """
    matrix = IDENTITY
    at: Node | None = node
    try:
        while at is not None and at is not ancestor:
            if at.parent is None and ancestor is None:
                return matrix
            if at is not node:
                matrix = inner_matrix(at) @ matrix
            matrix = _own_matrix(at) @ matrix
            at = at.parent
    except _Unmeasurable:
        return None
    return matrix if at is ancestor and at is not None else None


def local_box(node: Node) -> Box | None:
    """The bounding box of an element's geometry (no stroke) in its own user space.

    For containers the union over what they paint, children's transforms included; for the root in viewBox
    units. None where it cannot be measured, for text and for paint servers; `EMPTY` where nothing is drawn.
    """
    if node.tag in PAINT_SERVERS:
        return None
    try:
        return _Walk(_plain).subtree(node, 0)
    except _Unmeasurable:
        return None


def box_in(node: Node, ancestor: Node | None = None) -> Box | None:
    """`local_box` in the user space of the children of `ancestor` (of the root by default)."""
    box, matrix = local_box(node), matrix_to(node, ancestor)
    return None if box is None or matrix is None else box.transformed(matrix)


def painted_box(node: Node, style: Style | None = None) -> Box | None:
    """The box that an element may paint, in the user space that it shares with its siblings.

    Strokes count with their joins and caps; clips and masks, which only take away, do not. None where it
    cannot be measured (text, markers, filters); `EMPTY` for what is never painted where it stands.

    Args:
        node: the element.
        style: what each element's computed style does to its box; by default `declared_painting`.
    """
    if not is_painted(node):
        return EMPTY
    try:
        return _Walk(style or declared_painting).subtree(node, 0).transformed(_own_matrix(node))
    except _Unmeasurable:
        return None
