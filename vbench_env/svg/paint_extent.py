"""How far an element's computed style lets it paint beyond its geometry."""

from __future__ import annotations

from collections.abc import Callable

from vbench_env.svg.painting import Painting
from vbench_env.svg.parse import Node
from vbench_env.svg.resolve import Resolved
from vbench_env.svg.schema import GROUPS

_MARKABLE = GROUPS["markable"]
_MARKERS = ("marker-start", "marker-mid", "marker-end")


def computed_painting(resolved: Resolved) -> Callable[[Node], Painting]:
    """The painting of each element as computed, style sheets included."""

    def painting(node: Node) -> Painting:
        own = resolved.own(node)
        context, properties = own.context, own.properties
        stroke = context.get("stroke") != "none"
        width = context.get("stroke-width")
        marked = node.tag in _MARKABLE and any(context.get(name) != "none" for name in _MARKERS)
        miter = context.get("stroke-miterlimit")
        joined = context.get("stroke-linejoin") == "miter" and isinstance(miter, float)
        known = not stroke or isinstance(width, float)
        return Painting(
            visible=properties.get("display") != "none"
            and context.get("visibility") not in ("hidden", "collapse"),
            stroke_width=width if stroke and isinstance(width, float) else 0.0,
            miter=miter if joined else 1.0,
            unbounded="filter" in properties or marked or not known,
        )

    return painting
