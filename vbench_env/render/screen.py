"""From any text to the document that an engine gets, or the reason why it gets none.

The text is parsed by the same strict parser that scoring uses and written anew from its tree: UTF-8, no
declaration, DTD, entity, comment or processing instruction, no foreign namespace, no reference outwards, size
and view written on the root. So an engine's own parser meets nothing that was not looked at here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from vbench_env.render.base import RenderFailure, RenderLimits, RenderRequest
from vbench_env.render.cost import MAX_OCTAVES, check_cost
from vbench_env.render.fonts import bundled_families
from vbench_env.render.references import Notes, Refusal, clean_href, clean_sheet, clean_style, clean_value
from vbench_env.render.viewport import Box, Frame, frame_of
from vbench_env.svg.parse import SVG_NS, XLINK_HREF, XLINK_NS, XML_NS, XML_SPACE, Document, Fault, Node, parse
from vbench_env.svg.values import parse_number, split_declarations

EMPTIED = frozenset(
    {"audio", "canvas", "desc", "foreignObject", "handler", "iframe", "metadata", "script", "title", "video"}
)
"""Elements whose content no engine draws; they stay, empty, so that selectors count as before."""

_KEPT = {XLINK_HREF: "xlink:href", XML_SPACE: "xml:space", f"{{{XML_NS}}}lang": "xml:lang"}
_DROPPED = frozenset({"src", "srcset", "data", "ping", "base"})
_PLACING = frozenset({"x", "y", "width", "height", "viewBox", "overflow"})
_SPECIAL = re.compile(r'[&<>"\n\t\r]')
_ENTITIES = {
    "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;",
}  # fmt: skip
_COLOR = re.compile(r"#[0-9a-f]{3,8}|[a-z]+|(?:rgb|hsl)a?\([^()]*\)", re.IGNORECASE)
_NEUTRAL = "opacity:1;filter:none;mask:none;clip-path:none;transform:none;display:inline"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document that may be handed to an engine, and what was changed on the way."""

    svg: bytes
    notes: tuple[str, ...]
    frame: Frame


def prepare(request: RenderRequest, limits: RenderLimits) -> Prepared | RenderFailure:
    """Screen the document of `request` and write it anew for an engine."""
    document = parse(request.svg, limits.document)
    if document.faults:
        return _fault(document.faults[0])
    root = document.root
    if root is None or root.tag != "svg":
        hint = f'the root element has to be <svg xmlns="{SVG_NS}">'
        return RenderFailure("malformed", hint)
    frame = frame_of(root, request)
    if isinstance(frame, RenderFailure):
        return frame
    try:
        check_cost(document, limits)
        return _Writer(document, frame, limits).run(root)
    except Refusal as refusal:
        return RenderFailure(refusal.kind, str(refusal))


def _fault(fault: Fault) -> RenderFailure:
    if fault.kind == "limit":
        return RenderFailure("refused", f"{fault.message}; make the document smaller")
    return RenderFailure("malformed", f"the document is not well-formed XML: {fault.message}")


class _Writer:
    def __init__(self, document: Document, frame: Frame, limits: RenderLimits) -> None:
        self.document, self.frame, self.limits = document, frame, limits
        self.notes = Notes()
        self.parts: list[str] = []
        self.tags: dict[int, str] = {}
        self.has_sheet = any(node.tag == "style" for node in document.nodes)

    def run(self, root: Node) -> Prepared:
        for target, _ in self.document.instructions:
            if target == "xml-stylesheet":
                self.notes.add("the xml-stylesheet instruction is not followed")
        opening, closing = self._frame(root)
        self.parts.append(opening)
        self._content(root)
        self.parts.append(closing)
        svg = "".join(self.parts).encode()
        bound = 2 * self.limits.document.bytes
        if len(svg) > bound:
            raise Refusal("refused", f"the document expands to more than {bound} bytes; use fewer entities")
        return Prepared(svg, tuple(self.notes.lines), self.frame)

    def _frame(self, root: Node) -> tuple[str, str]:
        """Start and end: the root itself, inside a viewport of ours where it needs borders or a region.

        Borders are painted over the drawing: clipping it costs an engine a second canvas (4 ms at 512 px).
        """
        frame, background = self.frame, _background(root)
        spaces = f' xmlns="{SVG_NS}" xmlns:xlink="{XLINK_NS}"'
        canvas = (0, 0, frame.width_px, frame.height_px)
        if frame.whole and background is None:
            return f"<svg{spaces}{self._root(root, canvas)}>", "</svg>"
        style = f' style="{_NEUTRAL};{_place_css(canvas)}"' if self.has_sheet else ""
        start = f"<svg{spaces}{_place(canvas)}{style}>"
        if background is not None:
            start += _outline(_rectangle(frame.shown_px), background)
        start += f'<svg overflow="visible"{self._root(root, frame.root_px)}>'
        borders = ""
        if frame.shown_px != canvas:
            borders = _outline(_rectangle(canvas) + _rectangle(frame.shown_px), "#fff")
        return start, f"</svg>{borders}</svg>"

    def _root(self, root: Node, box: Box) -> str:
        """Attributes of the document's own root: its own, less its place, plus the place that it gets."""
        own = {name: value for name, value in root.attrs.items() if name not in _PLACING}
        style = own.pop("style", "")
        if style or self.has_sheet:
            style = f"{clean_style(style, 'svg', self.notes)};{_place_css(box)};overflow:visible"
        viewport = self.frame.viewport
        view = viewport.view_box or (0.0, 0.0, viewport.width, viewport.height)
        text = f'{self._attributes(root, own)}{_place(box)} viewBox="{_numbers(view)}"'
        return text + (f' style="{_escape(style)}"' if style else "")

    def _content(self, node: Node) -> None:
        """What stands inside an element."""
        parts = self.parts
        if node.tag in EMPTIED:
            return
        if node.tag == "style":
            parts.append(_escape_text(clean_sheet(node.text, self.notes)))
            return
        if node.text:
            parts.append(_escape_text(node.text))
        for child in node.children:
            self._element(child)
            if child.tail:
                parts.append(_escape_text(child.tail))

    def _element(self, node: Node) -> None:
        if node.tag.startswith("{"):
            self.parts.append("<metadata/>")
            return
        start = self.tags.get(id(node.shape))
        if start is None:
            start = self.tags[id(node.shape)] = f"<{node.tag}{self._attributes(node, node.attrs)}"
        if (node.children or node.text) and node.tag not in EMPTIED:
            self.parts.append(start + ">")
            self._content(node)
            self.parts.append(f"</{node.tag}>")
        else:
            self.parts.append(start + "/>")

    def _attributes(self, node: Node, attrs: dict[str, str]) -> str:
        parts = []
        for name, value in attrs.items():
            kept = self._attribute(node, name, value)
            if kept is not None:
                parts.append(f' {_KEPT.get(name, name)}="{_escape(kept)}"')
        return "".join(parts)

    def _attribute(self, node: Node, name: str, value: str) -> str | None:
        """The value of an attribute as an engine may see it; None when it is left out."""
        if name in ("href", XLINK_HREF):
            return clean_href(node.tag, value, node.label, self.notes, self.limits.image_pixels)
        if (name[0] == "{" and name not in _KEPT) or name in _DROPPED:
            return None
        if name == "style":
            return clean_style(value, node.label, self.notes)
        if name == "font-family":
            self.notes.font(value)
            return bundled_families(value)
        if name == "numOctaves" and (parse_number(value) or 0) > MAX_OCTAVES:
            return str(MAX_OCTAVES)
        if "(" in value and ("\\" in value or "url" in value.lower()):
            return clean_value(value, node.label, self.notes)
        return value


def _background(root: Node) -> str | None:
    """The colour that browsers paint behind the drawing for the root's style; None for white or none."""
    style = root.attrs.get("style", "")
    found = None
    if "background" in style:
        for name, value, _ in split_declarations(style):
            if name in ("background", "background-color") and _COLOR.fullmatch(value):
                found = value.lower()
    return None if found in ("none", "transparent", "white", "inherit", "initial", "unset") else found


def _rectangle(box: Box) -> str:
    x, y, width, height = box
    return f"M{_number(x)} {_number(y)}h{_number(width)}v{_number(height)}h{_number(-width)}z"


def _outline(path: str, fill: str) -> str:
    """A filled path of ours that no rule of a style sheet changes."""
    style = f"{_NEUTRAL};fill:{_escape(fill)};fill-rule:evenodd;fill-opacity:1;stroke:none;visibility:visible"
    return f'<path d="{path}" style="{style}"/>'


def _place(box: Box) -> str:
    x, y, width, height = (_number(value) for value in box)
    return f' x="{x}" y="{y}" width="{width}" height="{height}"'


def _place_css(box: Box) -> str:
    x, y, width, height = (_number(value) for value in box)
    return f"x:{x}px;y:{y}px;width:{width}px;height:{height}px"


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(_number(value) for value in values)


def _number(value: float) -> str:
    value = round(value, 9)
    return str(int(value)) if value == int(value) else repr(float(value))


def _escape_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def _escape(text: str) -> str:
    """An attribute value, white space kept as it was parsed."""
    return _SPECIAL.sub(lambda match: _ENTITIES[match[0]], text) if _SPECIAL.search(text) else text
