"""Which frame every element's user space has when a whole drawing is written anew.

The root's frame is given; transforms lead it into the tree. What is defined apart takes the frame of the place
that refers to it where it shares that place's user space (clip paths, masks, gradients and patterns in user
space), a frame of its own where a reference has an offset (`use`), and the frame of its box where lengths are
shares of a box. All frames of a drawing have the same scales, those of boxes and markers aside.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from vbench_env.svg.parse import Node
from vbench_env.svg.references import href_target, split_urls
from vbench_env.svg.schema import GRADIENTS, SHAPES, TEXT_ELEMENTS
from vbench_env.svg.transform import IDENTITY as MATRIX
from vbench_env.svg.values import ViewBox, parse_length, parse_viewbox
from vbench_env.taskkit.painted import boxes
from vbench_env.taskkit.scene import Scene
from vbench_env.taskkit.variant.draft import Unvaried
from vbench_env.taskkit.variant.frames import IDENTITY, UNIT_MIRROR, Frame, carried

RESOURCES = frozenset({"clipPath", "mask", "pattern", "marker", "filter", "symbol"}) | GRADIENTS
"""Elements whose frame comes from what refers to them."""
TRANSFORM_NAMES = {"linearGradient": "gradientTransform", "radialGradient": "gradientTransform",
                   "pattern": "patternTransform"}  # fmt: skip
_UNITS = {
    "clipPath": ("clipPathUnits", "userSpaceOnUse"), "mask": ("maskUnits", "objectBoundingBox"),
    "linearGradient": ("gradientUnits", "objectBoundingBox"), "pattern": ("patternUnits", "objectBoundingBox"),
    "radialGradient": ("gradientUnits", "objectBoundingBox"), "filter": ("filterUnits", "objectBoundingBox"),
}  # fmt: skip

_SETTLED = frozenset({"marker", "pattern", "symbol"})
"""Resources that need not lie in one space with all that refers to them: the first decides."""


class Space(NamedTuple):
    """Frames of an element: of the space in which it lies, and of what it holds.

    Of a mask, pattern or filter the outer one is that of its region, before any transform of its own.
    """

    outer: Frame
    inner: Frame


class Spaces:
    """The frames of all elements of a drawing.

    Raises:
        Unvaried: two places that refer to one thing lie in different frames.
    """

    def __init__(self, svg: str, root: Frame) -> None:
        self.scene = Scene(svg)
        self.document = self.scene.document
        self.frames: dict[Node, Space] = {}
        self.home = root.at(0.0, 0.0)
        self._waiting: list[tuple[Node, Frame, Frame | None]] = [(self.scene.root, root, root)]
        self._asked: set[Node] = set()
        self._fill()

    def of(self, node: Node) -> Space:
        return self.frames[node]

    def _fill(self) -> None:
        """The tree, resources in the order in which they are met, at last what nothing refers to."""
        while True:
            while self._waiting:
                self._enter(*self._waiting.pop(0))
            rest = next((node for node in self.document.nodes if node not in self.frames), None)
            if rest is None:
                return
            if rest.tag in RESOURCES:
                self._resource(rest, self._painting_container(rest))
            else:
                self._enter(rest, self.home, None)

    def _enter(self, node: Node, outer: Frame, inner: Frame | None) -> None:
        """Give `node` its frames and go down; `inner` is None where its transform leads to it."""
        if inner is None:
            name = TRANSFORM_NAMES.get(node.tag, "transform")
            inner = carried(self.scene.text_of(node, name) or "", outer)[1]
        known = self.frames.get(node)
        if known is not None:
            if not known.inner.close_to(inner) or not known.outer.close_to(outer):
                raise Unvaried(f"{node.label!r} is used from places with different offsets")
            return
        if node.tag == "svg" and node.parent is not None:
            inner = self._viewport(node)
        self.frames[node] = Space(outer, inner)
        if node.tag != "defs":
            for child in node.children:
                if child.tag not in RESOURCES:
                    self._enter(child, inner, None)
        self._refer(node, inner)

    def _refer(self, node: Node, inner: Frame) -> None:
        target = self.document.by_id(href_target(node) or "")
        if target is not None and node.tag == "use" and target not in self.frames and _is_apart(target):
            self._resource(target, self.home)
        elif target is not None and node.tag in ("textPath", "mpath"):
            self._waiting.append((target, inner, None))
        for name in referred(self.scene, node, painted=node.tag in SHAPES or node.tag in TEXT_ELEMENTS):
            found = self.document.by_id(name)
            if found is not None and found.tag in RESOURCES:
                self._resource(found, inner)

    def _painting_container(self, node: Node) -> Frame:
        """The frame of a container whose `fill` or `stroke` names the resource, for what `use` paints with it."""
        for other, space in self.frames.items():
            if node.id in referred(self.scene, other, painted=True):
                return space.inner
        return self.home

    def _viewport(self, node: Node) -> Frame:
        """The frame inside of a symbol or `svg`: what it shows stays in its box."""
        view = parse_viewbox(node.attrs.get("viewBox", ""))
        if view is None:
            found = list(boxes(self.document, node, MATRIX, self.scene.declared))
            left, right = (
                min((box[0] for box in found), default=0.0),
                max((box[2] for box in found), default=0.0),
            )
            view = ViewBox(left, 0.0, right - left, 1.0)
        return self.home.inside(*view)

    def _resource(self, node: Node, user: Frame) -> None:
        """The frames of something that is referred to from the space `user`."""
        shares = self.in_shares(node)
        unit = UNIT_MIRROR if user.mirrored else IDENTITY
        region = unit if shares else user
        if node in self._asked and (shares or node.tag in _SETTLED):
            return
        self._asked.add(node)
        if node.tag == "marker":
            inner = Frame(self.home.sy, self.home.sy) if grows(node) else IDENTITY
            self._waiting.append((node, inner, inner))
        elif node.tag == "symbol":
            inner = self._viewport(node)
            self._waiting.append((node, self.home if "viewBox" in node.attrs else inner, inner))
        elif node.tag in GRADIENTS:
            self._waiting += [(one, region, None) for one in self.chain(node)]
        elif node.tag == "pattern":
            self._waiting.append((node, region, self._tile(node, user, shares)))
        elif node.tag == "filter":
            self._waiting.append((node, region, user))
        elif node.tag == "mask":
            content = unit if node.attrs.get("maskContentUnits") == "objectBoundingBox" else user
            self._waiting.append((node, region, content))
        else:
            self._waiting.append((node, region if node.tag == "clipPath" else user, None))

    def _tile(self, node: Node, user: Frame, shares: bool) -> Frame:
        """What a pattern shows has coordinates of its own, from the corner of the tile."""
        view = parse_viewbox(node.attrs.get("viewBox", ""))
        if view is None and user.mirrored and (shares or "patternContentUnits" in node.attrs):
            raise Unvaried(f"the tile of {node.label!r} is a share of a box")
        return self.home.inside(*(view or ViewBox(0.0, 0.0, _number(node, "width"), _number(node, "height"))))

    def chain(self, node: Node) -> Iterator[Node]:
        """A gradient or pattern, and those from which it inherits."""
        seen: set[Node] = set()
        found: Node | None = node
        while found is not None and found not in seen:
            seen.add(found)
            yield found
            found = self.document.by_id(href_target(found) or "")

    def in_shares(self, node: Node) -> bool:
        """Whether the lengths of a resource's region are shares of a box."""
        name, default = _UNITS.get(node.tag, ("", ""))
        written = next((one.attrs[name] for one in self.chain(node) if name in one.attrs), default)
        return written == "objectBoundingBox"


def grows(marker: Node) -> bool:
    """Whether what a marker shows is drawn in user units, not in widths of the line or in a view box."""
    return marker.attrs.get("markerUnits") == "userSpaceOnUse" and "viewBox" not in marker.attrs


def _is_apart(node: Node) -> bool:
    around: Node | None = node
    while around is not None:
        if around.tag == "defs" or around.tag in RESOURCES:
            return True
        around = around.parent
    return False


def _number(node: Node, name: str) -> float:
    length = parse_length(node.attrs.get(name, ""))
    return (length.to_px() or 0.0) if length is not None else 0.0


_REFERRING = ("clip-path", "mask", "filter", "marker-start", "marker-mid", "marker-end")


def referred(scene: Scene, node: Node, *, painted: bool) -> tuple[str, ...]:
    """Ids of the resources that an element takes effect from, in order; `painted` adds fill and stroke."""
    names: dict[str, None] = {}
    for prop in (*_REFERRING, *(("fill", "stroke") if painted else ())):
        referring = split_urls(scene.text_of(node, prop) or "")
        names.update(dict.fromkeys(referring.ids if referring else ()))
    return tuple(names)
