"""Character data as SVG lays it out.

Inside `text` white space collapses over the whole element unless `xml:space` or `white-space` preserve it; a
no-break space is a character like any other. Elsewhere white space round character data carries nothing.

Sources: SVG 1.1 section 10.15, SVG 2 section 11.7, CSS Text 3 section 4.
"""

from __future__ import annotations

import re

from vbench_env.svg.parse import XML_SPACE, Node
from vbench_env.svg.values import split_declarations

_SPACE = " \t\r\n"
_RUN = re.compile(r"[ \t\r\n]+")
_PRESERVING = frozenset({"pre", "pre-wrap", "break-spaces"})


def collapse(text: str) -> str:
    """Runs of XML white space become one space; ends are trimmed."""
    return _RUN.sub(" ", text).strip(_SPACE)


def character_data(node: Node) -> tuple[str, str]:
    """Normalised character data of an element: before its first child, and after its end."""
    top = text_root(node)
    if top is None:
        text = node.text if node.tag == "script" else collapse(node.text)
        return text, collapse(node.tail)
    chunks = laid_out(top)
    text = chunks.get((node, False), "")
    return text, collapse(node.tail) if node is top else chunks.get((node, True), "")


def text_root(node: Node) -> Node | None:
    """The `text` element that an element is or is in, else None."""
    at: Node | None = node
    while at is not None:
        if at.tag == "text":
            return at
        at = at.parent
    return None


def laid_out(top: Node) -> dict[tuple[Node, bool], str]:
    """White space applied over a `text` element: (element, is tail) to its characters."""
    chunks: dict[tuple[Node, bool], str] = {}
    state = _Run(chunks)
    _walk(top, state)
    state.trim()
    return chunks


def text_content(node: Node) -> str:
    """The characters that an element shows, white space applied, children's included."""
    top = text_root(node)
    if top is None:
        return collapse("".join(n.text + (n.tail if n is not node else "") for n in node.iter()))
    chunks = laid_out(top)
    inside = set(node.iter())
    shown = [text for (n, tail), text in chunks.items() if n in inside and not (tail and n is node)]
    return "".join(shown)


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


def _walk(node: Node, run: _Run) -> None:
    preserved = preserves(node)
    run.add((node, False), node.text, preserved)
    for child in node.children:
        _walk(child, run)
        run.add((child, True), child.tail, preserved)


def preserves(node: Node) -> bool:
    """Whether white space inside the element is kept."""
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
