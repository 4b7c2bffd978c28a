"""Character data as SVG lays it out.

Inside `text` white space collapses over the whole element unless `xml:space` or `white-space` preserve it; a
no-break space is a character like any other. Elsewhere white space round character data carries nothing.

Sources: SVG 1.1 section 10.15, SVG 2 section 11.7, CSS Text 3 section 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from vbench_env.svg.parse import XML_SPACE, Node
from vbench_env.svg.resolve import Resolved
from vbench_env.svg.values import split_declarations

_SPACE = " \t\r\n"
_RUN = re.compile(r"[ \t\r\n]+")
_PRESERVING = frozenset({"pre", "pre-wrap", "break-spaces"})


def collapse(text: str) -> str:
    """Runs of XML white space become one space; ends are trimmed."""
    return _RUN.sub(" ", text).strip(_SPACE)


class TextLayout:
    """The characters of one resolved document's elements, white space applied; remembered per `text`."""

    def __init__(self, resolved: Resolved) -> None:
        self.resolved = resolved
        self._laid_out: dict[Node, dict[tuple[Node, bool], str]] = {}

    def character_data(self, node: Node) -> tuple[str, str]:
        """Normalised character data of an element: before its first child, and after its end."""
        top = text_root(node)
        if top is None:
            text = node.text if node.tag == "script" else collapse(node.text)
            return text, collapse(node.tail)
        chunks = self._chunks(top)
        text = chunks.get((node, False), "")
        return text, collapse(node.tail) if node is top else chunks.get((node, True), "")

    def pieces(self, node: Node) -> list[str]:
        """The characters that an element shows, in document order, in the pieces that children cut them into."""
        top = text_root(node)
        return _pieces(node, {} if top is None else self._chunks(top))

    def content(self, node: Node) -> str:
        """All characters that an element shows, its children's included."""
        return "".join(self.pieces(node))

    def _chunks(self, top: Node) -> dict[tuple[Node, bool], str]:
        found = self._laid_out.get(top)
        if found is None:
            found = self._laid_out[top] = laid_out(top, self.preserves)
        return found

    def preserves(self, node: Node) -> bool:
        """Whether white space inside the element is kept: `white-space`, else `xml:space`, nearest first."""
        at: Node | None = node
        while at is not None:
            value = self.resolved.own(at).properties.get("css:white-space")
            word = (
                str(value[1]).lower()
                if type(value) is tuple
                else at.attrs.get("white-space", "").strip().lower()
            )
            if word and word not in ("inherit", "unset"):
                return word in _PRESERVING
            if XML_SPACE in at.attrs:
                return at.attrs[XML_SPACE] == "preserve"
            at = at.parent
        return False


def text_root(node: Node) -> Node | None:
    """The `text` element that an element is or is in, else None."""
    at: Node | None = node
    while at is not None:
        if at.tag == "text":
            return at
        at = at.parent
    return None


def declared_preserves(node: Node) -> bool:
    """Whether white space inside the element is kept, style sheets aside."""
    at: Node | None = node
    while at is not None:
        for declaration in split_declarations(at.attrs.get("style", "")):
            if declaration.name == "white-space":
                return declaration.value.strip().lower() in _PRESERVING
        if "white-space" in at.attrs:
            return at.attrs["white-space"].strip().lower() in _PRESERVING
        if XML_SPACE in at.attrs:
            return at.attrs[XML_SPACE] == "preserve"
        at = at.parent
    return False


def laid_out(
    top: Node, preserves: Callable[[Node], bool] = declared_preserves
) -> dict[tuple[Node, bool], str]:
    """White space applied over a `text` element: (element, is tail) to its characters, in document order."""
    chunks: dict[tuple[Node, bool], str] = {}
    state = _Run(chunks)
    _walk(top, state, preserves)
    state.trim()
    return chunks


def text_content(node: Node) -> str:
    """The characters that an element shows, white space applied, style sheets aside."""
    top = text_root(node)
    chunks = {} if top is None else laid_out(top)
    return "".join(_pieces(node, chunks))


def _pieces(node: Node, chunks: dict[tuple[Node, bool], str]) -> list[str]:
    if not chunks:
        return [collapse("".join(n.text + (n.tail if n is not node else "") for n in node.iter()))]
    inside = set(node.iter())
    return [text for (n, tail), text in chunks.items() if n in inside and not (tail and n is node)]


class _Run:
    """Collapses white space over chunks that follow each other."""

    def __init__(self, chunks: dict[tuple[Node, bool], str]) -> None:
        self.chunks = chunks
        self.space = True
        self.last: tuple[Node, bool] | None = None

    def add(self, key: tuple[Node, bool], text: str, preserved: bool) -> None:
        if preserved:
            text = text.replace("\r\n", " ").replace("\n", " ").replace("\t", " ").replace("\r", " ")
            self.space = False
            self.last = None
        else:
            text = _RUN.sub(" ", text)
            if self.space:
                text = text.removeprefix(" ")
            if text:
                self.space = text.endswith(" ")
                self.last = key
        self.chunks[key] = text

    def trim(self) -> None:
        if self.last is not None:
            self.chunks[self.last] = self.chunks[self.last].removesuffix(" ")


def _walk(node: Node, run: _Run, preserves: Callable[[Node], bool]) -> None:
    preserved = preserves(node)
    run.add((node, False), node.text, preserved)
    for child in node.children:
        _walk(child, run, preserves)
        run.add((child, True), child.tail, preserved)
