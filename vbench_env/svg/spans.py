"""Where everything is in a well-formed XML text: elements, attributes, text, comments, and so on.

The scanner trusts that expat accepted the text, so it only has to find boundaries. Offsets count characters
of the text. Elements that an entity would bring in are not in the text and have no span.

Source: XML 1.0, sections 2.4 (markup), 2.8 (prolog), 3.1 (tags), 3.3.3 (attribute values), 4.4 (entities);
Namespaces in XML 1.0, section 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vbench_env.svg.parse import SVG_NS, XML_NS

Spans = NDArray[np.int64]
"""One row an element: start of its start tag, end of it, start of its end tag, end of it."""

_ATTRIBUTES = r"""[^>"']*+(?:"[^"]*"[^>"']*+|'[^']*'[^>"']*+)*+"""
_MARKUP = re.compile(
    rf"<([^\s/>!?<]+)({_ATTRIBUTES})>|</([^\s>]+)\s*>|<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>", re.DOTALL
)
_ATTRIBUTE = re.compile(r"""(\s+)([^\s=/>]+)\s*=\s*(["'])(.*?)\3""", re.DOTALL)
_ID = re.compile(r"""(?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*?\s+id\s*=\s*("[^"]*"|'[^']*')""")
_DECLARATION = re.compile(r"""\sxmlns(?::([^\s=]+))?\s*=\s*("[^"]*"|'[^']*')""")
_PROLOG = re.compile(r"<!--.*?-->|<\?.*?\?>|<!DOCTYPE|<[^!?]", re.DOTALL)
_DOCTYPE_PART = re.compile(r"""<!--.*?-->|<\?.*?\?>|"[^"]*"|'[^']*'|[\[\]>]""", re.DOTALL)
_ENTITY = re.compile(r"""<!ENTITY\s+([^\s%"']+)\s+("[^"]*"|'[^']*')\s*>""")
_REFERENCE = re.compile(r"&(#[0-9]+|#x[0-9a-fA-F]+|[^\s;&#]+);")
_PREDEFINED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_LINE_END = re.compile(r"\r\n?")
_SPACE = re.compile(r"\r\n|[\t\n\r]")
_ENTITY_DEPTH = 20
_EXPANSION = 1_000_000

TokenKind = Literal["open", "close", "empty", "text", "comment", "cdata", "instruction", "doctype"]


class Token(NamedTuple):
    """A stretch of text: a tag, character data, a comment, a CDATA section, an instruction, the doctype."""

    kind: TokenKind
    start: int
    end: int


class Attribute(NamedTuple):
    """An attribute of a start tag, by offsets in the text.

    `space` is where the white space before the name starts; `value_start:value_end` lies between the quotes.
    """

    name: str
    space: int
    start: int
    value_start: int
    value_end: int
    quote: str

    @property
    def end(self) -> int:
        """The offset after the closing quote."""
        return self.value_end + 1


@dataclass(frozen=True, slots=True)
class Outline:
    """What the tags say, without offsets; shared by documents that differ in attribute values only.

    Elements are numbered in document order. `names` are as written, `tags` as `parse.Node.tag` has them;
    `parents` holds -1 for the root; `ids` maps each id to the elements that carry it.
    """

    names: list[str]
    tags: list[str]
    parents: list[int]
    children: list[list[int]]
    ids: dict[str, list[int]]
    entities: dict[str, str] = field(default_factory=dict)

    def with_id(self, index: int, old: str | None, new: str | None) -> Outline:
        """The outline after element `index` changed its id."""
        ids = {name: list(found) for name, found in self.ids.items()}
        if old is not None and old in ids:
            ids[old] = [other for other in ids[old] if other != index]
            if not ids[old]:
                del ids[old]
        if new is not None:
            ids[new] = sorted([*ids.get(new, []), index])
        return Outline(self.names, self.tags, self.parents, self.children, ids, self.entities)


def scan(text: str) -> tuple[Outline, Spans]:
    """Outline and spans of the elements of a well-formed text."""
    body, doctype = _prolog(text)
    entities = _entities(text[doctype.start : doctype.end]) if doctype else {}
    outline = Outline([], [], [], [], {}, entities)
    rows: list[list[int]] = []
    scope = _Scope({"": "", "xml": XML_NS})
    stack: list[tuple[int, _Scope]] = []
    for match in _MARKUP.finditer(text, body):
        kind = match.lastindex
        if kind == 2:
            name, rest = match[1], match[2]
            index = len(rows)
            inner = scope.declare(rest, entities) if "xmlns" in rest else scope
            start, end = match.span()
            _note(outline, index, name, inner.tag(name), stack[-1][0] if stack else -1)
            if "id" in rest:
                _note_id(outline, index, rest)
            rows.append([start, end, end, end])
            if not rest.endswith("/"):
                stack.append((index, scope))
                scope = inner
        elif kind == 3:
            index, scope = stack.pop()
            rows[index][2:] = match.span()
    return outline, np.array(rows, dtype=np.int64).reshape(-1, 4)


def _note(outline: Outline, index: int, name: str, tag: str, parent: int) -> None:
    outline.names.append(name)
    outline.tags.append(tag)
    outline.parents.append(parent)
    outline.children.append([])
    if parent >= 0:
        outline.children[parent].append(index)


def _note_id(outline: Outline, index: int, rest: str) -> None:
    match = _ID.match(rest)
    if match:
        outline.ids.setdefault(decoded(match[1][1:-1], outline.entities), []).append(index)


class _Scope:
    """Namespace declarations in force; resolves each qualified name once."""

    __slots__ = ("prefixes", "tags")

    def __init__(self, prefixes: dict[str, str]) -> None:
        self.prefixes = prefixes
        self.tags: dict[str, str] = {}

    def declare(self, rest: str, entities: dict[str, str]) -> _Scope:
        prefixes = dict(self.prefixes)
        for match in _ATTRIBUTE.finditer(rest):
            name = match[2]
            if name == "xmlns" or name.startswith("xmlns:"):
                prefixes[name[6:]] = decoded(match[4], entities)
        return _Scope(prefixes)

    def tag(self, name: str) -> str:
        found = self.tags.get(name)
        if found is None:
            prefix, _, local = name.rpartition(":")
            space = self.prefixes.get(prefix, "")
            found = self.tags[name] = local if space == SVG_NS else f"{{{space}}}{local}"
        return found


def attributes(text: str, start: int, end: int) -> tuple[Attribute, ...]:
    """Attributes of the start tag at `start:end`, as written."""
    return tuple(
        Attribute(match[2], match.start(), match.start(2), match.start(4), match.end(4), match[3])
        for match in _ATTRIBUTE.finditer(text, start, end)
    )


def declarations(text: str, start: int, end: int) -> dict[str, str]:
    """Namespace declarations of the start tag at `start:end`: prefix (empty for the default) to name."""
    return {
        found.name[6:]: decoded(text[found.value_start : found.value_end])
        for found in attributes(text, start, end)
        if found.name == "xmlns" or found.name.startswith("xmlns:")
    }


def tokens(text: str) -> Iterator[Token]:
    """Every token of a well-formed text in order; together they cover it without a gap."""
    body, doctype = _prolog(text)
    if doctype is not None:
        yield from tokens_between(text, 0, doctype.start)
        yield doctype
    yield from tokens_between(text, body, len(text))


def tokens_between(text: str, start: int, end: int) -> Iterator[Token]:
    """Tokens of a stretch that holds no doctype; its ends must lie between tokens."""
    position = start
    for match in _MARKUP.finditer(text, start, end):
        if match.start() > position:
            yield Token("text", position, match.start())
        yield Token(_kind(match), match.start(), match.end())
        position = match.end()
    if position < end:
        yield Token("text", position, end)


def _kind(match: re.Match[str]) -> TokenKind:
    if match.lastindex == 2:
        return "empty" if match[2].endswith("/") else "open"
    if match.lastindex == 3:
        return "close"
    mark = match[0][:4]
    return "comment" if mark == "<!--" else "instruction" if mark.startswith("<?") else "cdata"


def _prolog(text: str) -> tuple[int, Token | None]:
    """Where scanning for elements may start, and the doctype."""
    for match in _PROLOG.finditer(text):
        if match[0] == "<!DOCTYPE":
            end = _doctype_end(text, match.end())
            return end, Token("doctype", match.start(), end)
        if match[0][1] not in "!?":
            break
    return 0, None


def _doctype_end(text: str, position: int) -> int:
    depth = 0
    for match in _DOCTYPE_PART.finditer(text, position):
        mark = match[0]
        if mark == "[":
            depth += 1
        elif mark == "]":
            depth -= 1
        elif mark == ">" and depth == 0:
            return match.end()
    return len(text)


def _entities(doctype: str) -> dict[str, str]:
    """General entities with a literal value; the first declaration of a name counts."""
    found: dict[str, str] = {}
    for match in _ENTITY.finditer(re.sub(r"<!--.*?-->", "", doctype, flags=re.DOTALL)):
        found.setdefault(match[1], match[2][1:-1])
    return found


def decoded(raw: str, entities: dict[str, str] | None = None) -> str:
    """The value that an attribute written as `raw` has, references resolved and white space normalised."""
    if "\n" in raw or "\t" in raw or "\r" in raw:
        raw = _SPACE.sub(" ", raw)
    return resolved(raw, entities or {}) if "&" in raw else raw


def decoded_text(raw: str, entities: dict[str, str] | None = None) -> str:
    """The character data that `raw` stands for, references resolved and line ends normalised."""
    if "\r" in raw:
        raw = _LINE_END.sub("\n", raw)
    return resolved(raw, entities or {}) if "&" in raw else raw


def resolved(raw: str, entities: dict[str, str], depth: int = 0) -> str:
    """`raw` with its references replaced; unknown ones stay, and expansion stops at a generous bound."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name[0] == "#":
            return chr(int(name[2:], 16) if name[1] == "x" else int(name[1:]))
        if name in _PREDEFINED:
            return _PREDEFINED[name]
        inner = entities.get(name)
        if inner is None or depth >= _ENTITY_DEPTH:
            return match[0]
        return resolved(inner, entities, depth + 1)[:_EXPANSION]

    return _REFERENCE.sub(value, raw)
