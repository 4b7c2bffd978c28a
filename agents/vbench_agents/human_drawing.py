"""What a person sees of a drawing in the page: pictures of it or of a part, and its objects with their boxes.

All of it follows from the document alone, as the look tools do. Places are shares of the whole picture (0 to
1), so that a page can put rings round objects at any size.
"""

from __future__ import annotations

from typing import Any

from vbench_env.render import Picture, RenderFailure, RenderRequest, get_renderer
from vbench_env.render.viewport import viewport_of
from vbench_env.svg.document import Element, Refusal, SourceDocument
from vbench_env.svg.geometry import is_painted
from vbench_env.svg.schema import TEXT_ELEMENTS
from vbench_env.svg.values import split_declarations
from vbench_env.tools.boxes import Boxes, shown_text
from vbench_env.tools.paint import PAINT, TEXT, computed, shown

LONGEST_SIDE_PX = 1400
MOST_OBJECTS = 800
_THINNEST = 0.02
"""Least ratio of the picture's sides; a thinner drawing is letterboxed."""

Box = tuple[float, float, float, float]
"""x, y, width, height."""


class Drawing:
    """One state of the document."""

    def __init__(self, svg: str) -> None:
        self.svg = svg
        self._document = SourceDocument(svg)

    def size_px(self) -> tuple[int, int]:
        """Width and height of its picture; square when it cannot be drawn."""
        whole = self._whole()
        if whole is None:
            return LONGEST_SIDE_PX, LONGEST_SIDE_PX
        longest = max(whole[2], whole[3])
        width, height = (max(_THINNEST, side / longest) * LONGEST_SIDE_PX for side in whole[2:])
        return round(width), round(height)

    def picture(self, part: Box | None = None) -> Picture | RenderFailure:
        """The picture of the whole drawing, or of a part given in shares of it."""
        whole, region = self._whole(), None
        if part is not None and whole is not None:
            x, y, width, height = whole
            region = (x + part[0] * width, y + part[1] * height, part[2] * width, part[3] * height)
        return get_renderer().render(RenderRequest(self.svg, *self.size_px(), region))

    def objects(self) -> list[dict[str, Any]]:
        """Painted elements in paint order, as plain JSON types; none when the document cannot be read."""
        try:
            return self._objects()
        except Refusal:
            return []

    def _objects(self) -> list[dict[str, Any]]:
        boxes, whole = Boxes(self._document), self._whole()
        depths: dict[int, int] = {}
        found: list[dict[str, Any]] = []
        for element in self._document.elements:
            parent = element.parent
            above = -1 if parent is None else depths.get(parent.index)
            if above is None or not is_painted(element.node):
                continue
            depths[element.index] = above + 1
            found.append(self._object(element, above, boxes, whole))
            if len(found) > MOST_OBJECTS:
                break
        return found[1:]

    def _object(self, element: Element, depth: int, boxes: Boxes, whole: Box | None) -> dict[str, Any]:
        node, placed = element.node, boxes.of(element)
        box = placed.box if placed is not None else None
        paint = computed(self._document).of(node)
        names = (*PAINT, *TEXT) if node.tag in TEXT_ELEMENTS else PAINT
        shares = None
        if box is not None and whole is not None:
            x, y, width, height = whole
            shares = [
                (box.left - x) / width, (box.top - y) / height,
                (box.right - box.left) / width, (box.bottom - box.top) / height,
            ]  # fmt: skip
        return {
            "label": element.label,
            "name": element.name,
            "depth": depth,
            "leaf": not element.children,
            "box": shares,
            "where": placed.text() if placed is not None else None,
            "fill": paint.get("fill", "black"),
            "stroke": paint.get("stroke", "none"),
            "paint": shown(paint, names),
            "text": shown_text(node)[:200] if node.tag in TEXT_ELEMENTS else None,
            "attributes": [[found.name, element.value(found)] for found in element.attributes],
            "style": [[item.name, item.value] for item in split_declarations(element.get("style") or "")],
        }

    def _whole(self) -> Box | None:
        """The visible part of the drawing in user units; None when there is none."""
        root = self._document.parsed.root
        viewport = viewport_of(root) if root is not None else None
        return None if viewport is None or isinstance(viewport, RenderFailure) else viewport.user_box
