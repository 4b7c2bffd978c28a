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
_PLACING = frozenset({"x", "y", "width", "height", "viewBox", "preserveAspectRatio"})
_SPECIAL = re.compile(r'[&<>"\n\t\r]')
_ENTITIES = {
    "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;",
}  # fmt: skip
_COLOR = re.compile(r"#[0-9a-f]{3,8}|[a-z]+|(?:rgb|hsl)a?\([^()]*\)", re.IGNORECASE)
_NEUTRAL = (
    "opacity:1;filter:none;mask:none;clip-path:none;transform:none;display:inline;visibility:visible;"
    "stroke:none;fill-opacity:1;fill-rule:evenodd"
)


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
        """Start and end: the root with its new size, borders painted over what reaches outside the drawing.

        A clip would do the same at the cost of a second canvas (4 ms at 512 px), and a viewport inside another
        one makes resvg apply the root's own opacity and filter twice.
        """
        frame, background = self.frame, _background(root)
        plain = frame.plain and background is None
        place = frame.fitted if plain else frame.stretched
        canvas, shown = place(0, 0, frame.width_px, frame.height_px), place(*frame.shown_px)
        start = f"<svg{self._root(root, 'xMidYMid' if plain else 'none')}>"
        end = "</svg>" if shown == canvas else _outline([canvas, shown], "#fff") + "</svg>"
        if plain:
            return start, end
        if background is not None:
            start += _outline([shown], background)
        return f'{start}<g transform="matrix({_numbers(frame.matrix)})">', f"</g>{end}"

    def _root(self, root: Node, aspect: str) -> str:
        """Attributes of the root: its own, less its place, plus the one that it gets."""
        own = {name: value for name, value in root.attrs.items() if name not in _PLACING}
        style = own.pop("style", "")
        width, height = self.frame.width_px, self.frame.height_px
        if style or self.has_sheet:
            style = f"{clean_style(style, 'svg', self.notes)};width:{width}px;height:{height}px".lstrip(";")
            own["style"] = style
        return (
            f' xmlns="{SVG_NS}" xmlns:xlink="{XLINK_NS}"{self._attributes(root, own)} width="{width}" '
            f'height="{height}" viewBox="{_numbers(self.frame.viewport.view)}" preserveAspectRatio="{aspect}"'
        )

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
        if name == "preserveAspectRatio" and not value.strip():
            return None
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


def _outline(boxes: list[Box], fill: str) -> str:
    """Rectangles of ours, filled even-odd, that no rule of a style sheet changes."""
    path = "".join(
        f"M{_number(x)} {_number(y)}h{_number(width)}v{_number(height)}h{_number(-width)}z"
        for x, y, width, height in boxes
    )
    return f'<path d="{path}" style="{_NEUTRAL};fill:{_escape(fill)}"/>'


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
