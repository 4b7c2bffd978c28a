"""Measuring a drawing as a person would: computed properties and painted boxes, in the drawing's coordinates.

A `Scene` notes what was read of which object, so that evidence cannot lean on something still to be repaired.
"""

from __future__ import annotations

from typing import NamedTuple

from vbench_env.evidence import DRAWING
from vbench_env.protected import find_object
from vbench_env.svg.cascade import Sheets
from vbench_env.svg.parse import XLINK_HREF, Node, parse
from vbench_env.svg.schema import PRESENTATION
from vbench_env.svg.style_edit import winning
from vbench_env.svg.transform import IDENTITY, Matrix, parse_transform, rotation_angle
from vbench_env.svg.values import parse_length, parse_number, parse_viewbox
from vbench_env.taskkit.outlines import Unfit
from vbench_env.taskkit.painted import boxes

BOX = "box"
"""What is noted when a painted box was read."""


class Unfounded(ValueError):
    """Evidence that cannot be computed, or leads nowhere; the message says why and what to do."""


class Box(NamedTuple):
    """A painted box without stroke, in the drawing's coordinates (the root's user space)."""

    left: float
    top: float
    right: float
    bottom: float

    def measure(self, name: str) -> float:
        if name == "center-x":
            return (self.left + self.right) / 2
        if name == "center-y":
            return (self.top + self.bottom) / 2
        if name == "box-width":
            return self.right - self.left
        if name == "box-height":
            return self.bottom - self.top
        return float(getattr(self, name))


BOX_MEASURES = frozenset(
    {"left", "right", "top", "bottom", "center-x", "center-y", "box-width", "box-height"}
)


_PLACES = frozenset({"x", "y", "cx", "cy", "x1", "y1", "x2", "y2", "dx", "dy", "rx", "ry"})


class Read(NamedTuple):
    """A property, or `box`, of an object that was looked at."""

    name: str
    what: str


class Scene:
    """A drawing to measure; `reads` is shared with the scene that it was changed from."""

    def __init__(self, svg: str, reads: list[Read] | None = None) -> None:
        self.svg = svg
        self.document = parse(svg)
        self.sheets = Sheets(self.document)
        self.reads: list[Read] = [] if reads is None else reads
        if self.document.root is None:
            raise Unfounded("the drawing is not well-formed")
        self.root: Node = self.document.root

    def node(self, name: str) -> Node:
        found = find_object(self.document, name)
        if found is None:
            raise Unfounded(f"the corrupted drawing has no object {name!r} to go by; name another one")
        return found

    def text(self, name: str, prop: str) -> str | None:
        """Computed value of a property or attribute of an object, as text; None when nothing gives one."""
        self.reads.append(Read(name, prop))
        return self.text_of(self.node(name), prop)

    def text_of(self, node: Node, prop: str) -> str | None:
        """Computed value of a property of an element."""
        if prop == "text":
            return content_text(node)
        found = self.declared(node, prop)
        info = PRESENTATION.get(prop)
        while found in (None, "inherit") and node.parent is not None and info and info.inherited:
            node = node.parent
            found = self.declared(node, prop)
        return info.initial if found is None and info is not None else found

    def declared(self, node: Node, prop: str) -> str | None:
        """What `style`, a style sheet or an attribute says of a property at this element; None when none does."""
        style = node.attrs.get("style", "")
        place = winning(style, prop)
        ruled: str | None = None
        strong = False
        for item in self.sheets.match(node).declarations:
            if item.name == prop and (item.important or not strong):
                ruled, strong = item.value, item.important
        if place is not None and (place.important or not strong):
            return style[place.value_start : place.value_end]
        if ruled is not None:
            return ruled
        found = node.attrs.get(prop)
        return node.attrs.get(XLINK_HREF) if found is None and prop == "href" else found

    def number(self, name: str, prop: str) -> float:
        """A numeric property in user units; a place that is not written is 0."""
        text = self.text(name, prop)
        if text is None and prop in _PLACES:
            return 0.0
        if text is None:
            raise Unfounded(f"{name!r} has no {prop}; name another property or object")
        value = parse_number(text.strip())
        if value is None:
            length = parse_length(text)
            value = length.to_px() if length is not None else None
        if value is None:
            raise Unfounded(f"{prop} of {name!r} is {text!r}, not a number")
        return value

    def measure(self, name: str, what: str) -> float:
        """A box measure, `rotation` in degrees, or a numeric property of an object."""
        if what in BOX_MEASURES:
            return self.box(name).measure(what)
        if name == DRAWING:
            raise Unfounded(f"the drawing has no {what}; use an edge or centre")
        if what == "rotation":
            return self.rotation(name)
        return self.number(name, what)

    def rotation(self, name: str) -> float:
        """Where the object's x axis points on the drawing, degrees clockwise."""
        node = self.node(name)
        self.reads.append(Read(name, "transform"))
        return rotation_angle(self.matrix(node))

    def box(self, name: str) -> Box:
        """Painted box of an object, or the view box for `drawing`."""
        if name == DRAWING:
            return self._view()
        self.reads.append(Read(name, BOX))
        return self.box_of(self.node(name))

    def box_of(self, node: Node) -> Box:
        """Painted box of an element; `Unfounded` when it paints nothing, or its outline cannot be read."""
        try:
            found = list(boxes(self.document, node, self.matrix(node), self.declared))
        except Unfit as error:
            raise Unfounded(f"{node.label!r} cannot be measured: {error}") from error
        if not found:
            raise Unfounded(f"{node.label!r} paints nothing that can be measured")
        return Box(
            *(pick(side) for pick, side in zip((min, min, max, max), zip(*found, strict=True), strict=True))
        )

    def boxes(self, names: tuple[str, ...]) -> Box:
        """The box of several objects together."""
        found = [self.box(name) for name in names]
        return Box(
            min(box.left for box in found), min(box.top for box in found),
            max(box.right for box in found), max(box.bottom for box in found),
        )  # fmt: skip

    def _view(self) -> Box:
        view = parse_viewbox(self.root.attrs.get("viewBox", ""))
        if view is not None:
            return Box(view.x, view.y, view.x + view.width, view.y + view.height)
        width, height = (parse_length(self.root.attrs.get(name, "")) for name in ("width", "height"))
        if width is None or height is None:
            raise Unfounded("the drawing has neither viewBox nor size")
        return Box(0.0, 0.0, width.to_px() or 0.0, height.to_px() or 0.0)

    def matrix(self, node: Node) -> Matrix:
        """From the object's own coordinates to the drawing's."""
        own = parse_transform(self.declared(node, "transform") or "") or IDENTITY
        return self.parent_matrix(node) @ own

    def parent_matrix(self, node: Node) -> Matrix:
        """From the coordinates in which the object's transform stands to the drawing's."""
        matrix, around = IDENTITY, node.parent
        while around is not None and around.parent is not None:
            matrix = (parse_transform(self.declared(around, "transform") or "") or IDENTITY) @ matrix
            around = around.parent
        return matrix


def content_text(node: Node) -> str:
    """The text that an element shows, white space collapsed."""
    parts = [node.text]
    for child in node.children:
        parts += [content_text(child), child.tail]
    return " ".join("".join(parts).split())
