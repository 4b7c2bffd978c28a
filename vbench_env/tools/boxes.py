"""Where objects are on the canvas: boxes in user units of the root, text estimated from the bundled fonts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from vbench_env.svg.document import Element, SourceDocument
from vbench_env.svg.geometry import EMPTY, Box, box_in, is_painted, matrix_to
from vbench_env.svg.number_edit import LARGEST, number_text
from vbench_env.svg.parse import Node
from vbench_env.svg.references import href_target
from vbench_env.svg.schema import TEXT_ELEMENTS
from vbench_env.svg.text import laid_out, text_content, text_root
from vbench_env.svg.values import parse_length
from vbench_env.tools.paint import Computed, computed

_ASCENT, _DESCENT = 0.8, 0.2
_FONT_SIZE = 16.0
_MEASURED_AT = 100
_MOST = 10**9
BUDGET = 40_000
"""Elements that may be visited for the boxes of one call: about a third of a second."""


class Placed(NamedTuple):
    """A box on the canvas; not `exact` when text is estimated or a part of a group cannot be measured."""

    box: Box
    exact: bool

    @property
    def center(self) -> tuple[float, float]:
        return (self.box.left + self.box.right) / 2, (self.box.top + self.box.bottom) / 2

    @property
    def size(self) -> tuple[float, float]:
        return self.box.right - self.box.left, self.box.bottom - self.box.top

    def text(self) -> str:
        """`x,y,width,height`, after a `~` when it is an estimate."""
        numbers = (self.box.left, self.box.top, *self.size)
        return ("" if self.exact else "~") + ",".join(short(value) for value in numbers)


def short(value: float) -> str:
    """A number for people: three decimals at most."""
    return number_text(round(value, 3)) if abs(value) < LARGEST else f"{value:.6g}"


class Boxes:
    """Boxes of one document, as long as a budget of work lasts (elements drawn through `use` count each time)."""

    def __init__(self, document: SourceDocument) -> None:
        self._document, self._left = document, BUDGET

    def of(self, element: Element) -> Placed | None:
        """The box of what an element draws, strokes left out; None when it draws nothing or nothing is known."""
        node = element.node
        text = text_root(node)
        cost = 2 * drawn_elements(self._document)[node] + (len(text.iter()) if text is not None else 0)
        if cost > self._left:
            return None
        self._left -= cost
        box = box_in(node)
        if box is not None:
            return None if box.empty else Placed(box, True)
        values, found = computed(self._document), EMPTY
        for part in _parts(node):
            known = _text_box(part, values) if part.tag in TEXT_ELEMENTS else box_in(part)
            found = found.union(known or EMPTY)
        return None if found.empty else Placed(found, False)


def canvas_box(element: Element) -> Placed | None:
    """`Boxes.of` with a budget of its own."""
    return Boxes(element.document).of(element)


@lru_cache(maxsize=4)
def drawn_elements(document: SourceDocument) -> dict[Node, int]:
    """How many elements each element draws, itself included, those behind `use` counted each time."""
    ids, counts = document.parsed.ids, dict[Node, int]()
    for root in document.parsed.nodes:
        stack = [] if root in counts else [root]
        while stack:
            node = stack[-1]
            target = ids.get(href_target(node) or "", [None])[0] if node.tag == "use" else None
            behind = node.children if target is None else [*node.children, target]
            fresh = [item for item in behind if item not in counts] if node not in counts else []
            counts.setdefault(node, 1)
            stack += fresh
            if not fresh:
                counts[stack.pop()] = min(_MOST, 1 + sum(counts[item] for item in behind))
    return counts


def _parts(node: Node) -> Iterator[Node]:
    """What can be measured by itself inside an element, itself included: text as a whole, and leaves."""
    if node.tag in TEXT_ELEMENTS or not node.children:
        yield node
        return
    for child in node.children:
        if is_painted(child):
            yield from _parts(child)


@lru_cache(maxsize=4)
def _layout(top: Node) -> dict[tuple[Node, bool], str]:
    return laid_out(top)


def shown_text(node: Node) -> str:
    """The characters that an element shows, white space applied."""
    top = text_root(node)
    if top is None:
        return text_content(node)
    chunks = _layout(top)
    if not node.children:
        return chunks.get((node, False), "")
    wanted = set(node.iter())
    return "".join(
        text for (item, tail), text in chunks.items() if item in wanted and not (tail and item is node)
    )


class _Line:
    """Text from one absolute position on."""

    def __init__(self, x: float, y: float, anchor: str) -> None:
        self.x, self.y, self.anchor = x, y, anchor
        self.width = self.size = 0.0

    @property
    def box(self) -> Box:
        left = self.x - self.width * {"middle": 0.5, "end": 1.0}.get(self.anchor, 0.0)
        return Box(left, self.y - _ASCENT * self.size, left + self.width, self.y + _DESCENT * self.size)


def _text_box(node: Node, values: Computed) -> Box | None:
    """Estimated box of a text element or of a part of one, on the canvas."""
    top = text_root(node)
    matrix = matrix_to(top) if top is not None else None
    if top is None or matrix is None:
        return None
    inside, found, line = set(node.iter()), EMPTY, _Line(0.0, 0.0, "start")
    for (item, tail), text in _layout(top).items():
        if not tail and (item is top or "x" in item.attrs or "y" in item.attrs):
            line = _begun(item, line, values)
        holder = item.parent if tail and item.parent is not None else item
        size, width = _size(holder, values), _width(text, holder, values)
        wanted = holder in inside and text.strip()
        before = line.box
        line.width, line.size = line.width + width, max(line.size, size)
        if wanted:
            part = line.box if line.anchor != "start" else line.box._replace(left=before.right)
            found = found.union(part)
    return None if found.empty else found.transformed(matrix)


def _begun(item: Node, line: _Line, values: Computed) -> _Line:
    x = _first(item, "x", 0.0 if item.tag == "text" else line.x)
    y = _first(item, "y", 0.0 if item.tag == "text" else line.y)
    return _Line(x, y, values.of(item).get("text-anchor", "start"))


def _first(node: Node, name: str, default: float) -> float:
    words = node.attrs.get(name, "").replace(",", " ").split()
    length = parse_length(words[0]) if words else None
    value = length.to_px(reference=None, font_size=_FONT_SIZE) if length is not None else None
    return default if value is None else value


def _size(node: Node, values: Computed) -> float:
    length = parse_length(values.of(node).get("font-size", "medium"))
    value = length.to_px(font_size=_FONT_SIZE) if length is not None else None
    return _FONT_SIZE if value is None else value


def _width(text: str, node: Node, values: Computed) -> float:
    known = values.of(node)
    bold = known.get("font-weight", "normal") in {"bold", "bolder", "600", "700", "800", "900"}
    font = _font(known.get("font-family", ""), bold)
    return float(font.getlength(text[:2000])) * _size(node, values) / _MEASURED_AT


@lru_cache(maxsize=64)
def _font(families: str, bold: bool) -> Any:
    from PIL import ImageFont

    from vbench_env.render.fonts import SANS, SIGNS, bundled_family, font_folder

    family = bundled_family(families.split(",")[0]) or SANS
    if family == SIGNS:
        family = SANS
    path = font_folder() / f"{family}-{'Bold' if bold else 'Regular'}.ttf"
    return ImageFont.truetype(str(path), _MEASURED_AT, layout_engine=ImageFont.Layout.BASIC)
