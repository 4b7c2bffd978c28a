"""Boxes, viewports, and the map of a viewBox to its viewport (SVG 2 chapter 8)."""

from __future__ import annotations

from typing import NamedTuple

from vbench_env.svg.parse import Node
from vbench_env.svg.transform import IDENTITY, Matrix, Point
from vbench_env.svg.values import ViewBox, parse_length, parse_viewbox


class Box(NamedTuple):
    """An axis-aligned box; empty when right is less than left."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def empty(self) -> bool:
        return self.right < self.left or self.bottom < self.top

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Clockwise on screen from the top left."""
        return (
            (self.left, self.top),
            (self.right, self.top),
            (self.right, self.bottom),
            (self.left, self.bottom),
        )

    def union(self, other: Box) -> Box:
        if self.empty or other.empty:
            return other if self.empty else self
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def intersection(self, other: Box) -> Box:
        """What both cover, perhaps `EMPTY`."""
        found = Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )
        return EMPTY if self.empty or other.empty or found.empty else found

    def enlarged(self, by: float) -> Box:
        """Grown by a length on every side."""
        return self if self.empty else Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def transformed(self, matrix: Matrix) -> Box:
        """The box round the images of the corners."""
        if self.empty or matrix == IDENTITY:
            return self
        xs, ys = zip(*(matrix.apply(x, y) for x, y in self.corners), strict=True)
        return Box(min(xs), min(ys), max(xs), max(ys))


EMPTY = Box(0.0, 0.0, -1.0, -1.0)
"""The box of what draws nothing; it overlaps nothing."""


def boxes_overlap(a: Box | None, b: Box | None) -> bool:
    """Whether two boxes share an area, or a flat one lies in the other.

    An unmeasurable box (None) overlaps everything but an empty one.
    """
    if a is None or b is None:
        return not ((a is not None and a.empty) or (b is not None and b.empty))
    if a.empty or b.empty:
        return False
    return _meet(a.left, a.right, b.left, b.right) and _meet(a.top, a.bottom, b.top, b.bottom)


def _meet(low: float, high: float, other_low: float, other_high: float) -> bool:
    if low == high or other_low == other_high:
        return low <= other_high and other_low <= high
    return low < other_high and other_low < high


def viewport(root: Node) -> tuple[float, float]:
    """Size of a viewport element in its inner user units: viewBox size, else width and height, else 100.

    Percentages and font-relative sizes count as missing.
    """
    box = parse_viewbox(root.attrs.get("viewBox", ""))
    if box is not None:
        return box.width, box.height
    width, height = (parse_length(root.attrs.get(name, "")) for name in ("width", "height"))
    sizes = [length.to_px() if length is not None else None for length in (width, height)]
    return tuple(size if size is not None and size > 0 else 100.0 for size in sizes)  # type: ignore[return-value]


def viewbox_matrix(box: ViewBox, width: float, height: float, preserve: str = "") -> Matrix:
    """The map of a viewBox to a viewport of that size at the origin (SVG 2 section 8.6)."""
    words = preserve.split()
    align = words[0] if words else "xMidYMid"
    sx, sy = width / box.width, height / box.height
    if align != "none":
        sx = sy = max(sx, sy) if "slice" in words else min(sx, sy)
    share = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
    dx = (width - box.width * sx) * share.get(align[1:4], 0.0)
    dy = (height - box.height * sy) * share.get(align[5:8], 0.0)
    return Matrix(sx, 0.0, 0.0, sy, dx - box.x * sx, dy - box.y * sy)


def reference_size(node: Node) -> tuple[float, float]:
    """The viewport that percentages on `node` refer to."""
    at = node.parent
    while at is not None:
        if at.tag == "svg" or (at.tag == "symbol" and "viewBox" in at.attrs):
            return viewport(at)
        at = at.parent
    return viewport(node)
