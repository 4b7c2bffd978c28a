"""What the style of an element does to its box, read without style sheets."""

from __future__ import annotations

import math
from typing import NamedTuple

from vbench_env.svg.frames import reference_size
from vbench_env.svg.parse import Node
from vbench_env.svg.schema import GROUPS, PRESENTATION, SHAPES
from vbench_env.svg.values import parse_length, parse_number, split_declarations

_DRAWN = SHAPES | {"image", "foreignObject"}
_MARKABLE = GROUPS["markable"]


class Painting(NamedTuple):
    """What the style of an element does to its box.

    Attributes:
        visible: False where `display: none` or `visibility` hides it; for containers `display` alone counts.
        stroke_width: in own user units; 0 without a stroke.
        miter: how far a join reaches, in half stroke widths (1 for round and bevel joins).
        unbounded: markers, filters or a stroke that does not scale make the box unmeasurable.
    """

    visible: bool = True
    stroke_width: float = 0.0
    miter: float = 4.0
    unbounded: bool = False


_MARKERS = ("marker-start", "marker-mid", "marker-end")


def declared_painting(node: Node) -> Painting:
    """The painting by attributes and `style` of the element and its ancestors, without style sheets."""
    width = _declared(node, "stroke-width")
    length = parse_length(width)
    stroke = _declared(node, "stroke").strip() != "none"
    marked = any(_declared(node, name).strip() != "none" for name in _MARKERS)
    hidden = _declared(node, "visibility").strip() in ("hidden", "collapse") and node.tag in _DRAWN
    joins = _declared(node, "stroke-linejoin").strip()
    px = 1.0 if length is None else length.to_px(*_percentage_base(node))
    return Painting(
        visible=_declared(node, "display").strip() != "none" and not hidden,
        stroke_width=max(0.0, px or 0.0) if stroke else 0.0,
        miter=(parse_number(_declared(node, "stroke-miterlimit")) or 4.0)
        if joins.startswith("miter")
        else 1.0,
        unbounded=(
            _declared(node, "filter").strip() != "none"
            or (marked and node.tag in _MARKABLE)
            or (stroke and (px is None or node.attrs.get("vector-effect", "none") != "none"))
        ),
    )


def _percentage_base(node: Node) -> tuple[float]:
    width, height = reference_size(node)
    return (math.hypot(width, height) / math.sqrt(2),)


def _declared(node: Node, name: str) -> str:
    """The text of a property by `style`, attribute, the parent (where it is inherited), else the initial."""
    info = PRESENTATION[name]
    at: Node | None = node
    while at is not None:
        found = _own_declaration(at, name)
        if found is not None and found.strip() != "inherit":
            return found
        at = at.parent if info.inherited or found is not None else None
    return info.initial


def _own_declaration(node: Node, name: str) -> str | None:
    value, important = node.attrs.get(name), False
    style = node.attrs.get("style")
    for declaration in split_declarations(style) if style else ():
        if declaration.name == name and (declaration.important or not important):
            value, important = declaration.value, declaration.important
    return value
