"""How large a length of an element is drawn, in user units of the root.

An element is drawn where it stands, and again for whatever refers to it: through `use`, as paint server, clip,
mask, filter or marker. The largest of these scales counts, so that a number in a tiny definition that is drawn
large is held to what a person sees. Sources: SVG 2 chapters 5.5, 8 and 14.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from vbench_env.svg.frames import reference_size
from vbench_env.svg.geometry import inner_matrix, local_box
from vbench_env.svg.parse import Document, Node
from vbench_env.svg.references import Referring, href_target
from vbench_env.svg.resolve import Resolved
from vbench_env.svg.schema import REFERENCED
from vbench_env.svg.transform import Matrix
from vbench_env.svg.values import parse_length, parse_viewbox

_NOT_DRAWN = REFERENCED | {"defs"}
_CONTENT_UNITS = {
    "clipPath": ("clipPathUnits", "userSpaceOnUse"),
    "mask": ("maskContentUnits", "userSpaceOnUse"),
    "pattern": ("patternContentUnits", "userSpaceOnUse"),
    "filter": ("primitiveUnits", "userSpaceOnUse"),
    "linearGradient": ("gradientUnits", "objectBoundingBox"),
    "radialGradient": ("gradientUnits", "objectBoundingBox"),
}
UNKNOWN = -1.0
"""What is never drawn, or refers to itself, has no scale."""


class DrawnScale:
    """Scales of the elements of one resolved document; computed when asked for."""

    def __init__(self, resolved: Resolved) -> None:
        self.resolved = resolved
        self._frames: dict[Node, float] = {}
        self._open: set[Node] = set()
        self._referrers: dict[Node, list[tuple[Node, str]]] | None = None

    def frame(self, node: Node) -> float:
        """Of the user space in which the element's `transform` is written; `UNKNOWN` if it is never drawn."""
        known = self._frames.get(node)
        if known is not None:
            return known
        if node in self._open or len(self._open) > 100:
            return UNKNOWN
        self._open.add(node)
        found = max(self._ways(node), default=UNKNOWN)
        self._open.discard(node)
        self._frames[node] = found
        return found

    def own(self, node: Node) -> float:
        """Of the user space in which the element's other attributes are written."""
        frame = self.frame(node)
        return frame if frame == UNKNOWN else frame * self._transform(node)

    def inner(self, node: Node) -> float:
        """Of the user space of the element's children."""
        own = self.own(node)
        return own if own == UNKNOWN else own * inner_matrix(node).norm

    def _transform(self, node: Node) -> float:
        for name in ("transform", "gradientTransform", "patternTransform"):
            value = self.resolved.own(node).plain.get(name)
            if type(value) is tuple and value[0] == "matrix":
                return Matrix(*value[1:]).norm
        return 1.0

    def _ways(self, node: Node) -> Iterator[float]:
        if node.parent is None:
            yield 1.0
        elif node.parent.tag not in _NOT_DRAWN or node.parent.tag in REFERENCED:
            yield self.inner(node.parent) if node.tag not in REFERENCED else UNKNOWN
        for referrer, _ in self._index().get(node, ()):
            space = self.own(referrer)
            if space != UNKNOWN:
                yield space * self._share(node, referrer)

    def _share(self, node: Node, referrer: Node) -> float:
        """From the user space of what refers to an element to that of its content."""
        if node.tag in ("symbol", "svg"):
            return _viewport_scale(node, referrer, ("width", "height"))
        if node.tag == "marker":
            width = self.resolved.own(referrer).context.get("stroke-width")
            stroke = (
                width
                if isinstance(width, float) and node.attrs.get("markerUnits") != "userSpaceOnUse"
                else 1.0
            )
            return stroke * _viewport_scale(node, referrer, ("markerWidth", "markerHeight"))
        units = _CONTENT_UNITS.get(node.tag)
        if units is None or node.attrs.get(units[0], units[1]) != "objectBoundingBox":
            return 1.0
        box = local_box(referrer)
        if box is None or box.empty:
            return max(reference_size(referrer))
        return max(box.right - box.left, box.bottom - box.top)

    def _index(self) -> dict[Node, list[tuple[Node, str]]]:
        if self._referrers is None:
            self._referrers = {}
            document = self.resolved.document
            for node in document.nodes:
                for name in self._names(document, node):
                    target = document.by_id(name)
                    if target is not None:
                        self._referrers.setdefault(target, []).append((node, name))
        return self._referrers

    def _names(self, document: Document, node: Node) -> Iterator[str]:
        linked = href_target(node)
        if linked:
            yield linked
        own = self.resolved.own(node)
        for value in (*own.properties.values(), *own.context.values.values()):
            if type(value) is Referring:
                yield from value.ids


def _viewport_scale(node: Node, referrer: Node, sizes: tuple[str, str]) -> float:
    """How much the viewBox of a symbol, svg or marker enlarges its content."""
    box = parse_viewbox(node.attrs.get("viewBox", ""))
    if box is None:
        return 1.0
    reference = reference_size(referrer)
    default = (3.0, 3.0) if node.tag == "marker" else reference
    ratios = []
    for name, given, most, inner in zip(sizes, default, reference, (box.width, box.height), strict=True):
        text = referrer.attrs.get(name) or node.attrs.get(name) or ""
        length = parse_length(text)
        size = given if length is None else length.to_px(most)
        ratios.append((size if size is not None and math.isfinite(size) else most) / inner)
    return max(ratios)
