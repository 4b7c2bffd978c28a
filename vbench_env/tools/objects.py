"""What a person sees in an editor: the list of objects in paint order, and measurements."""

from __future__ import annotations

import math

from pydantic import Field

from vbench_env.svg.document import Element, Refusal
from vbench_env.svg.geometry import is_painted, matrix_to
from vbench_env.svg.parse import Node
from vbench_env.svg.path_data import Command, Commands, read_path
from vbench_env.svg.path_shape import path_length
from vbench_env.svg.schema import ANIMATIONS, DESCRIPTIVE, SHAPES, TEXT_ELEMENTS
from vbench_env.svg.transform import decompose
from vbench_env.svg.values import parse_length, parse_points
from vbench_env.tools.address import resolve
from vbench_env.tools.attributes import Address, named, quoted
from vbench_env.tools.base import Arguments, ToolContext, ToolResult, tool
from vbench_env.tools.boxes import Boxes, Placed, canvas_box, short, shown_text
from vbench_env.tools.paint import PAINT, TEXT, computed, shown

_ALIGNED = 1e-3
"""Edges closer than this share of the two boxes' larger side count as aligned."""


class ListObjectsArgs(Arguments):
    object: Address | None = None
    """Id, structural path or CSS selector of the element whose content to list; null lists everything."""
    definitions: bool = False
    """Also list what is not painted where it stands (defs, gradients, styles, titles)."""
    limit: int = Field(default=100, ge=1, le=500)
    """Most objects to show."""
    offset: int = Field(default=0, ge=0)
    """Objects to skip."""


class MeasureArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one element."""
    other: Address | None = None
    """A second element to measure distance and alignment to."""


@tool("list_objects", "look", ListObjectsArgs)
def list_objects(context: ToolContext, args: ListObjectsArgs) -> ToolResult:
    """List objects in paint order, the last on top: number, name, id or path, role, box (x,y,width,height
    in user units of the root, ~ for an estimate), computed paint, text."""
    document = context.document
    top = document.root if args.object is None else resolve(document, args.object)
    inside = [item for item in document.elements[top.index :] if item.start < top.end]
    painted = _painted(inside)
    chosen = inside if args.definitions else [item for item in inside if item.index in painted]
    part = chosen[args.offset : args.offset + args.limit]
    head = f"{len(chosen)} objects, {len(inside) - len(painted)} elements are not painted where they stand"
    if len(part) < len(chosen):
        head += f"; {args.offset + 1} to {args.offset + len(part)} shown" if part else "; none at this offset"
    boxes = Boxes(document)
    lines = [
        _line(item, number, item.index in painted, boxes) for number, item in enumerate(part, args.offset + 1)
    ]
    return ToolResult("\n".join([head, *lines]), document)


@tool("measure", "look", MeasureArgs)
def measure(context: ToolContext, args: MeasureArgs) -> ToolResult:
    """Measure one object: box, centre, path length, scale and rotation; with a second one also distance,
    gap and alignment. Everything in user units of the root unless it says otherwise."""
    element = resolve(context.document, args.object)
    lines = [_measured(element)]
    if args.other is not None:
        other = resolve(context.document, args.other, "other")
        lines += [_measured(other), _compared(_box(element), _box(other))]
    return ToolResult("\n".join(lines), context.document)


def _painted(elements: list[Element]) -> set[int]:
    """Numbers of the elements that are painted where they stand, with their parents."""
    found: set[int] = set()
    for element in elements:
        parent = element.parent
        above = parent is None or parent.index in found or parent.index < elements[0].index
        if above and is_painted(element.node):
            found.add(element.index)
    return found


def _line(element: Element, number: int, painted: bool, boxes: Boxes) -> str:
    node = element.node
    parts = [str(number), named(element), _role(node, painted)]
    placed = boxes.of(element) if painted else None
    if placed is not None:
        parts.append(f"box={placed.text()}")
    if painted:
        names = (*PAINT, *TEXT) if node.tag in TEXT_ELEMENTS else PAINT
        parts.append(shown(computed(element.document).of(node), names))
    if node.tag in TEXT_ELEMENTS | DESCRIPTIVE:
        parts.append(f"text={quoted(shown_text(node))}")
    if node.children:
        parts.append(f"({len(node.children)} children)")
    return " ".join(parts)


def _role(node: Node, painted: bool) -> str:
    if node.tag in SHAPES:
        role = "shape"
    elif node.tag in TEXT_ELEMENTS:
        role = "text"
    elif node.tag in {"image", "use", "foreignObject"}:
        role = node.tag
    elif node.tag in DESCRIPTIVE | {"style", "script"}:
        role = "description" if node.tag in DESCRIPTIVE else node.tag
    elif node.tag in ANIMATIONS:
        role = "animation"
    elif node.tag.startswith("{"):
        role = "foreign"
    else:
        role = "group" if painted else "definition"
    return f"[{role}]" if painted or role == "definition" else f"[{role}, not painted here]"


def _box(element: Element) -> Placed:
    placed = canvas_box(element)
    if placed is None:
        raise Refusal(
            "unavailable", f"the box of {named(element)} is not known (it draws nothing measurable)"
        )
    return placed


def _measured(element: Element) -> str:
    placed = _box(element)
    (x, y), (width, height) = placed.center, placed.size
    values = {"x": placed.box.left, "y": placed.box.top, "width": width, "height": height}
    box = ", ".join(f"{name} {short(value)}" for name, value in values.items())
    parts = [
        f"{named(element)}: {'box' if placed.exact else 'estimated box'} {box}; centre {short(x)},{short(y)}"
    ]
    length = _length(element.node)
    if length is not None:
        parts.append(f"length {short(length)} in its own units")
    matrix = matrix_to(element.node)
    if matrix is not None and matrix[:4] != (1.0, 0.0, 0.0, 1.0):
        found = decompose(matrix)
        scale = f"{short(found.scale[0])} by {short(found.scale[1])}"
        parts.append(
            f"its own units are scaled {scale} and rotated {short(found.rotate)} degrees on the canvas"
        )
    return "; ".join(parts)


def _length(node: Node) -> float | None:
    """Length of an outline in the element's own units; None for elements without a path."""
    if node.tag == "path":
        commands = read_path(node.attrs.get("d", ""))
        return path_length(commands) if isinstance(commands, tuple) else None
    if node.tag == "line":
        ends = [parse_length(node.attrs.get(name, "0")) for name in ("x1", "y1", "x2", "y2")]
        x1, y1, x2, y2 = ((end.to_px() or 0.0) if end is not None else 0.0 for end in ends)
        return math.dist((x1, y1), (x2, y2))
    points = parse_points(node.attrs.get("points", "")) if node.tag in {"polyline", "polygon"} else None
    return path_length(_through(points, node.tag == "polygon")) if points else None


def _through(points: tuple[tuple[float, float], ...], closed: bool) -> Commands:
    first, *rest = points
    commands = (Command("M", first), *(Command("L", point) for point in rest))
    return (*commands, Command("Z", ())) if closed else commands


def _compared(one: Placed, two: Placed) -> str:
    (x1, y1), (x2, y2) = one.center, two.center
    across = max(one.box.left, two.box.left) - min(one.box.right, two.box.right)
    down = max(one.box.top, two.box.top) - min(one.box.bottom, two.box.bottom)
    distance = math.dist((x1, y1), (x2, y2))
    text = f"centres: dx {short(x2 - x1)}, dy {short(y2 - y1)}, distance {short(distance)}; "
    if across <= 0 and down <= 0:
        text += f"boxes overlap by {short(-across)} horizontally and {short(-down)} vertically"
    else:
        text += f"gap {short(max(0.0, across))} horizontally and {short(max(0.0, down))} vertically"
    return f"{text}; aligned: {', '.join(_alignments(one, two)) or 'nothing'}"


def _alignments(one: Placed, two: Placed) -> list[str]:
    pairs = {
        "left": (one.box.left, two.box.left),
        "centre x": (one.center[0], two.center[0]),
        "right": (one.box.right, two.box.right),
        "top": (one.box.top, two.box.top),
        "centre y": (one.center[1], two.center[1]),
        "bottom": (one.box.bottom, two.box.bottom),
    }
    bound = _ALIGNED * max(*one.size, *two.size)
    return [name for name, (a, b) in pairs.items() if abs(a - b) <= bound]
