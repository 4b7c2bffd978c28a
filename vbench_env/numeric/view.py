"""What can be seen of a drawing: painted objects with their boxes, colours, texts and names.

Everything here is read from the SVG text that an agent is shown.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from vbench_env.numeric.lexicon import words
from vbench_env.svg.colors import Color, lab, parse_color
from vbench_env.svg.document import Element, SourceDocument
from vbench_env.svg.geometry import Box, is_painted, matrix_to
from vbench_env.svg.parse import XLINK_HREF
from vbench_env.svg.schema import PRESENTATION
from vbench_env.svg.transform import decompose
from vbench_env.svg.values import parse_number, parse_points, parse_viewbox
from vbench_env.tools.boxes import Boxes, shown_text
from vbench_env.tools.paint import Computed, computed

MOST_ITEMS = 160
"""Objects that are looked at, in paint order; a drawing with more is seen in part."""

Lab = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Item:
    """A painted object. Boxes are in user units of the root; `values` are computed, `written` are attributes."""

    place: int
    """Its number in paint order."""
    label: str
    tag: str
    parent: str
    order: int
    """Its number among its siblings, from 0."""
    depth: int
    box: Box
    values: Mapping[str, str]
    written: Mapping[str, str]
    declared: frozenset[str]
    """Properties that CSS (its `style` or a style sheet) sets on it, so that an edit must be a declaration."""
    text: str
    names: frozenset[str]
    around: frozenset[str]
    leaf: bool
    turn: float
    """Degrees clockwise by which its own axes are turned."""

    @property
    def width(self) -> float:
        return self.box.right - self.box.left

    @property
    def height(self) -> float:
        return self.box.bottom - self.box.top

    @property
    def center(self) -> tuple[float, float]:
        return (self.box.left + self.box.right) / 2, (self.box.top + self.box.bottom) / 2

    def value(self, name: str) -> str:
        """A presentation property as computed, or a geometry attribute as written; empty when there is none."""
        info = PRESENTATION.get(name)
        if info is not None and name != "transform":
            return self.values.get(name, info.initial)
        found = self.written.get(name)
        return (self.written.get(XLINK_HREF) if found is None and name == "href" else found) or ""

    def number(self, name: str) -> float | None:
        return parse_number(self.value(name).strip().removesuffix("px"))

    def paint(self) -> tuple[str, Lab] | None:
        """The property that colours it, fill before stroke, and the colour."""
        for name in ("fill", "stroke"):
            found = parse_color(self.value(name))
            if isinstance(found, Color) and self.value(name) not in {"none", "transparent"}:
                return name, lab(found.rgb)
        return None


@dataclass(frozen=True)
class View:
    """The objects of a drawing; `frame` is its view box."""

    frame: Box
    items: tuple[Item, ...]

    @cached_property
    def diagonal(self) -> float:
        return math.hypot(self.frame.right - self.frame.left, self.frame.bottom - self.frame.top) or 1.0

    @cached_property
    def kin(self) -> tuple[tuple[Item, ...], ...]:
        """For each object the other ones of its kind: same element, same parent first."""
        return tuple(tuple(self._kin(item)) for item in self.items)

    def _kin(self, item: Item) -> list[Item]:
        same = [other for other in self.items if other is not item and other.tag == item.tag]
        near = [other for other in same if other.parent == item.parent]
        return near if len(near) >= 2 else same


def look(svg: str) -> View:
    """The view of a drawing; without objects when it cannot be read."""
    document = SourceDocument.read(svg)
    if document.fault is not None:
        return View(Box(0.0, 0.0, 1.0, 1.0), ())
    boxes, paints = Boxes(document), computed(document)
    painted: set[int] = set()
    items: list[Item] = []
    for element in document.elements:
        above = element.parent
        if (above is not None and above.index not in painted) or not is_painted(element.node):
            continue
        painted.add(element.index)
        placed = None if above is None else boxes.of(element)
        if placed is not None and len(items) < MOST_ITEMS:
            items.append(_item(element, len(items), placed.box, paints))
    return View(_frame(document, items), tuple(items))


def _item(element: Element, place: int, box: Box, paints: Computed) -> Item:
    node, above = element.node, element.parent
    matrix = matrix_to(node)
    return Item(
        place=place, label=element.label, tag=element.tag, parent=above.label if above else "",
        order=above.children.index(element) if above else 0, depth=element.path.count("/"), box=box,
        values=dict(paints.of(node)), written=dict(node.attrs), declared=frozenset(paints.declared_names(node)),
        text=" ".join(shown_text(node).split()) if element.tag in {"text", "tspan"} else "",
        names=_names(element), around=_around(element), leaf=not node.children,
        turn=decompose(matrix).rotate if matrix is not None else 0.0,
    )  # fmt: skip


def _names(element: Element) -> frozenset[str]:
    told = [element.node.attrs.get(name, "") for name in ("id", "class", "aria-label", "data-name")]
    told += [child.text for child in element.node.children if child.tag == "title"]
    return frozenset(words(" ".join(told)))


def _around(element: Element) -> frozenset[str]:
    found: set[str] = set()
    above = element.parent
    while above is not None and above.parent is not None:
        found |= words(above.get("id") or "")
        above = above.parent
    return frozenset(found)


def _frame(document: SourceDocument, items: list[Item]) -> Box:
    view = parse_viewbox(document.root.get("viewBox") or "")
    if view is not None:
        return Box(view.x, view.y, view.x + view.width, view.y + view.height)
    if not items:
        return Box(0.0, 0.0, 1.0, 1.0)
    return Box(0.0, 0.0, max(item.box.right for item in items), max(item.box.bottom for item in items))


_CORNERS = {3: "triangle", 4: "diamond", 5: "pentagon", 6: "hexagon", 10: "star"}


def kinds(item: Item) -> frozenset[str]:
    """What a person would call the form of an object."""
    square = abs(item.width - item.height) <= 0.05 * max(item.width, item.height)
    if item.tag == "rect":
        return frozenset({"rect", "bar" if item.width > 3 * item.height or item.height > 2 * item.width else "box",
                          *(["square"] if square else [])})  # fmt: skip
    if item.tag in {"circle", "ellipse"}:
        ring = item.value("fill") == "none"
        return frozenset({"circle" if square else "ellipse", *(["ring"] if ring else [])})
    if item.tag in {"polygon", "polyline"}:
        pairs = parse_points(item.written.get("points", "")) or ()
        return frozenset({"shape", "line" if item.tag == "polyline" else _CORNERS.get(len(pairs), "shape")})
    names = {"line": "line", "path": "shape", "text": "text", "tspan": "text", "use": "symbol", "g": "group",
             "image": "picture"}  # fmt: skip
    thin = item.tag == "path" and item.value("fill") == "none"
    return frozenset({names.get(item.tag, "shape"), *(["line"] if thin else [])})
