"""Outlines of elements as path commands: path data, and the equivalent paths of basic shapes (SVG 2 chapter 10)."""

from __future__ import annotations

import math
from collections.abc import Callable

from vbench_env.svg.frames import reference_size
from vbench_env.svg.parse import Node
from vbench_env.svg.path_data import Command, Commands, read_path
from vbench_env.svg.values import parse_length, parse_points


def outline(node: Node) -> Commands:
    """The outline of a path or basic shape in its own user space; empty where it draws nothing or is no shape."""
    made = OUTLINED.get(node.tag)
    return made(node) if made is not None else ()


def _path(node: Node) -> Commands:
    commands = read_path(node.attrs.get("d", ""))
    return commands if isinstance(commands, tuple) else ()


def _rect(node: Node) -> Commands:
    x, y, width, height = (
        _size(node, name, at) for name, at in (("x", 0), ("y", 1), ("width", 0), ("height", 1))
    )
    if width <= 0 or height <= 0:
        return ()
    rx, ry = _radii(node)
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    if rx <= 0 or ry <= 0:
        return _polygon(corners)
    right, bottom = x + width, y + height
    return (
        Command("M", (x + rx, y)), Command("L", (right - rx, y)), _corner(rx, ry, right, y + ry),
        Command("L", (right, bottom - ry)), _corner(rx, ry, right - rx, bottom),
        Command("L", (x + rx, bottom)), _corner(rx, ry, x, bottom - ry),
        Command("L", (x, y + ry)), _corner(rx, ry, x + rx, y), Command("Z", ()),
    )  # fmt: skip


def _corner(rx: float, ry: float, x: float, y: float) -> Command:
    return Command("A", (rx, ry, 0.0, 0.0, 1.0, x, y))


def _radii(node: Node) -> tuple[float, float]:
    """Both radii; one that is missing or `auto` is the other."""
    found = [
        _size(node, name, at) if parse_length(node.attrs.get(name, "")) is not None else None
        for name, at in (("rx", 0), ("ry", 1))
    ]
    rx, ry = found
    rx, ry = (ry if rx is None else rx), (rx if ry is None else ry)
    return rx or 0.0, ry or 0.0


def _circle(node: Node) -> Commands:
    r = _size(node, "r", 2)
    return _ring(_size(node, "cx", 0), _size(node, "cy", 1), r, r)


def _ellipse(node: Node) -> Commands:
    return _ring(_size(node, "cx", 0), _size(node, "cy", 1), *_radii(node))


def _ring(cx: float, cy: float, rx: float, ry: float) -> Commands:
    if rx <= 0 or ry <= 0:
        return ()
    ends = ((cx, cy + ry), (cx - rx, cy), (cx, cy - ry), (cx + rx, cy))
    arcs = (_corner(rx, ry, *end) for end in ends)
    return (Command("M", (cx + rx, cy)), *arcs, Command("Z", ()))


def _line(node: Node) -> Commands:
    start = _size(node, "x1", 0), _size(node, "y1", 1)
    return Command("M", start), Command("L", (_size(node, "x2", 0), _size(node, "y2", 1)))


def _polyline(node: Node) -> Commands:
    points = parse_points(node.attrs.get("points", "")) or ()
    return tuple(Command("L" if place else "M", point) for place, point in enumerate(points))


def _polygon(points: list[tuple[float, float]]) -> Commands:
    lines = (Command("L" if place else "M", point) for place, point in enumerate(points))
    return (*lines, Command("Z", ())) if points else ()


def _closed(node: Node) -> Commands:
    return _polygon([(x, y) for x, y in parse_points(node.attrs.get("points", "")) or ()])


OUTLINED: dict[str, Callable[[Node], Commands]] = {
    "path": _path, "rect": _rect, "circle": _circle, "ellipse": _ellipse, "line": _line, "polyline": _polyline,
    "polygon": _closed,
}  # fmt: skip
"""Elements that have an outline."""


def _size(node: Node, name: str, axis: int) -> float:
    """An attribute in user units, 0 where it is missing or invalid; `axis` 2 is the diagonal of percentages."""
    length = parse_length(node.attrs.get(name, ""))
    if length is None:
        return 0.0
    if length.unit == "%":
        width, height = reference_size(node)
        return length.value * (width, height, math.hypot(width, height) / math.sqrt(2))[axis] / 100
    return length.to_px() or 0.0
