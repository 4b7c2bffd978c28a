"""What changes in elements that are referred to or have a viewport: `use`, gradients, regions, symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vbench_env.svg.parse import Node
from vbench_env.svg.references import href_target
from vbench_env.svg.values import ViewBox, parse_length, parse_viewbox
from vbench_env.taskkit.variant.draft import Unvaried
from vbench_env.taskkit.variant.frames import Frame, carried
from vbench_env.taskkit.variant.moved import Viewport, moved_place, moved_viewbox, scaled_property
from vbench_env.taskkit.variant.numerals import spelled
from vbench_env.taskkit.variant.spaces import Space, Spaces, grows

Pairs = Iterator[tuple[str, str]]
BOX = ("x", "y", "width", "height")


def view_of(node: Node) -> ViewBox:
    """The box of user units that an element with a viewport shows."""
    view = parse_viewbox(node.attrs.get("viewBox", ""))
    if view is not None:
        return view
    sides = [parse_length(node.attrs.get(name, "")) for name in ("width", "height")]
    width, height = ((side.to_px() if side is not None else None) for side in sides)
    if not width or not height:
        raise Unvaried("the drawing has no size")
    return ViewBox(0.0, 0.0, width, height)


def number(node: Node, name: str, port: Viewport, default: str = "0") -> float:
    """A length attribute in user units."""
    length = parse_length(node.attrs.get(name, default))
    reference = port.height if name in ("y", "height") else port.width
    value = length.to_px(reference) if length is not None else None
    if value is None:
        raise Unvaried(f"{name} of {node.label!r} is not in user units")
    return value


def unless_zero(node: Node, values: dict[str, float]) -> Pairs:
    """Attributes with these values; a zero is written only where something was."""
    for name, value in values.items():
        like = node.attrs.get(name, "0")
        new = spelled(value, "0" if like.endswith("%") else like)
        if name in node.attrs or float(new) != 0.0:
            yield name, new


def use_values(spaces: Spaces, node: Node, space: Space, port: Viewport) -> Pairs:
    """Place and size of a `use`; its offset makes up for the frame of what it draws."""
    target = spaces.document.by_id(href_target(node) or "")
    x, y = number(node, "x", port), number(node, "y", port)
    if target is not None and target.tag in ("symbol", "svg") and "viewBox" in target.attrs:
        sides = [target.attrs.get(name, "100%") for name in ("width", "height")]
        width, height = number(node, "width", port, sides[0]), number(node, "height", port, sides[1])
        left, top, *_ = space.inner.box(x, y, width, height)
    else:
        there = spaces.of(target).outer if target is not None else space.inner.at(0.0, 0.0)
        left, top = space.inner.x(x) - there.tx, space.inner.y(y) - there.ty
    yield from unless_zero(node, {"x": left, "y": top})
    for name in ("width", "height"):
        if name in node.attrs:
            yield name, scaled_property(name, node.attrs[name], space.inner.sy)


_DEFAULTS = {
    "linearGradient": {"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%"},
    "radialGradient": {"cx": "50%", "cy": "50%"},
}  # fmt: skip


def gradient_values(spaces: Spaces, node: Node, space: Space, port: Viewport) -> Pairs:
    """Transform, ends and centres of a gradient."""
    frame, name = space.inner, "gradientTransform"
    if name in node.attrs:
        yield name, carried(node.attrs[name], space.outer, frame)[0]
    inherits, shares = len(list(spaces.chain(node))) > 1, spaces.in_shares(node)
    for axis in ("x1", "y1", "x2", "y2", "cx", "cy", "fx", "fy"):
        text = node.attrs.get(axis, "" if inherits else _DEFAULTS[node.tag].get(axis, ""))
        if not text:
            continue
        new = _moved_share(axis, text, frame) if shares else moved_place(node, axis, text, frame, port)
        if new != text:
            yield axis, new


def _moved_share(axis: str, text: str, frame: Frame) -> str:
    percent = text.strip().endswith("%")
    bare = text.strip().removesuffix("%")
    unit = 100.0 if percent else 1.0
    value = float(bare) / unit
    new = frame.y(value) if "y" in axis else frame.x(value)
    return text if abs(new - value) < 1e-9 else spelled(new * unit, bare) + ("%" if percent else "")


_REGION_DEFAULTS = {"x": "-10%", "y": "-10%", "width": "120%", "height": "120%"}


def region_values(spaces: Spaces, node: Node, space: Space, port: Viewport) -> Pairs:
    """Region of a mask or filter, tile of a pattern."""
    frame = space.outer
    if "patternTransform" in node.attrs:
        text, frame = carried(node.attrs["patternTransform"], space.outer)
        yield "patternTransform", text
    if node.attrs.get("primitiveUnits") == "objectBoundingBox":
        raise Unvaried(f"{node.label!r} has lengths that are shares of a box")
    if "viewBox" in node.attrs:
        yield "viewBox", moved_viewbox(view_of(node), node.attrs["viewBox"], space.inner)
    if not any(name in node.attrs for name in BOX):
        return
    if spaces.in_shares(node):
        yield from _share_of_region(node, frame)
        return
    sides = [
        number(node, name, port, "0" if node.tag == "pattern" else _REGION_DEFAULTS[name]) for name in BOX
    ]
    yield from unless_zero(node, dict(zip(BOX, frame.box(*sides), strict=True)))


def _share_of_region(node: Node, frame: Frame) -> Pairs:
    """The left edge of a region in shares of a box, where it is mirrored."""
    defaults = dict.fromkeys(BOX, "0") if node.tag == "pattern" else _REGION_DEFAULTS
    text = node.attrs.get("x", defaults["x"])
    x, width = (_fraction(node.attrs.get(name, defaults[name])) for name in ("x", "width"))
    left = frame.box(x, 0.0, width, 0.0)[0]
    if abs(left - x) > 1e-9:
        yield "x", spelled(100 * left) + "%" if text.endswith("%") else spelled(left, "0.0")


def _fraction(text: str) -> float:
    length = parse_length(text)
    if length is None:
        raise Unvaried(f"the length {text!r} cannot be read")
    return length.value / 100 if length.unit == "%" else length.value


def viewport_values(node: Node, space: Space, port: Viewport, root: Frame) -> Pairs:
    """View box and size of a symbol, marker or inner `svg`."""
    if node.tag == "marker":
        yield from _marker_values(node, root)
        return
    if "viewBox" in node.attrs:
        yield "viewBox", moved_viewbox(view_of(node), node.attrs["viewBox"], space.inner)
    aspect = node.attrs.get("preserveAspectRatio", "")
    if root.mirrored and ("xMin" in aspect or "xMax" in aspect):
        swap = {"xMin": "xMax", "xMax": "xMin"}
        yield "preserveAspectRatio", re.sub("xMin|xMax", lambda match: swap[match[0]], aspect)
    for name in ("width", "height"):
        if name in node.attrs:
            yield name, scaled_property(name, node.attrs[name], root.sy)
    if node.tag == "svg":
        left, top, *_ = space.outer.box(*(number(node, name, port) for name in BOX))
        yield from unless_zero(node, {"x": left, "y": top})


def _marker_values(node: Node, root: Frame) -> Pairs:
    """Markers in units of the line's width are as large as the line is thick, and stay as they are."""
    if node.attrs.get("markerUnits") != "userSpaceOnUse":
        return
    defaults = {"markerWidth": "3", "markerHeight": "3", "refX": "0", "refY": "0"}
    for name in defaults if grows(node) else ("markerWidth", "markerHeight"):
        yield name, scaled_property("width", node.attrs.get(name, defaults[name]), root.sy)
