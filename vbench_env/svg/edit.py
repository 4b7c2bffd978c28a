"""Edits of attributes and text: pure functions from an element to a changed document.

Each edit replaces as few characters as the change needs. Quotes, order, spacing and references outside the
changed characters stay as they are.

Source: XML 1.0, sections 2.3 (names), 2.4 (escaping), 3.3.3 (attribute values).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from vbench_env.svg import spans
from vbench_env.svg.document import Edit, Element, Refusal, SourceDocument, changed_span, shifted
from vbench_env.svg.encoding import ILLEGAL
from vbench_env.svg.parse import XML_SPACE
from vbench_env.svg.spans import Attribute, Token

_NAME_START = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd"
)
_NAME_PART = rf"[{_NAME_START}][{_NAME_START}\-.0-9\u00b7\u0300-\u036f\u203f\u2040]*"
_QUALIFIED = re.compile(rf"{_NAME_PART}(?::{_NAME_PART})?")
_SURE_SIZE = 1_000_000
"""Texts shorter than this cannot cross a limit of the parser by a longer attribute value."""
_SURE_TAG = 4000
"""A start tag shorter than this has far fewer attributes than the parser allows."""
SPACE_BLIND = frozenset(
    {
        "class",
        "d",
        "points",
        "style",
        "transform",
        "gradientTransform",
        "patternTransform",
        "viewBox",
        "values",
    }
)
"""Attributes in which a line break may stay one, since their grammars take any white space."""


class Change(NamedTuple):
    """An edited document, and what was replaced in the old one."""

    document: SourceDocument
    edits: tuple[Edit, ...]


def escape_value(value: str, quote: str = '"', keep_space: bool = False) -> str:
    """`value` as it is written between such quotes.

    Args:
        value: the attribute's value; a character that XML forbids is refused.
        quote: the quote that surrounds it.
        keep_space: write line breaks and tabs as they are (they read back as spaces).
    """
    require_characters(value)
    raw = value.replace("&", "&amp;").replace("<", "&lt;")
    raw = raw.replace(quote, "&quot;" if quote == '"' else "&apos;")
    if keep_space or not ("\n" in raw or "\t" in raw or "\r" in raw):
        return raw
    return raw.replace("\r", "&#13;").replace("\n", "&#10;").replace("\t", "&#9;")


def escape_text(text: str) -> str:
    """Character data as it is written between tags; a character that XML forbids is refused."""
    require_characters(text)
    raw = text.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")
    return raw.replace("\r", "&#13;")


def require_characters(text: str) -> None:
    """Refuse text with a character that no XML document may hold."""
    match = ILLEGAL.search(text)
    if match:
        code, place = ord(match[0]), match.start()
        raise Refusal(
            "bad_arguments", f"character U+{code:04X} (number {place + 1}) cannot be in an XML document"
        )


def require_name(name: str, element: Element) -> None:
    """Refuse what cannot be an attribute name here, a prefix that is not declared included."""
    if not _QUALIFIED.fullmatch(name):
        raise Refusal("bad_arguments", f"{name[:60]!r} is not an attribute name")
    prefix, colon, _ = name.partition(":")
    if colon and prefix not in {"xml", "xmlns"} and prefix not in element.prefixes():
        known = ", ".join(sorted(filter(None, element.prefixes()))) or "none"
        raise Refusal("bad_arguments", f"prefix {prefix!r} is not declared (declared here: {known})")


def put_attributes(element: Element, values: Mapping[str, str | None], keep_space: bool = False) -> Change:
    """Set attributes (qualified name to value), or remove them (None).

    An attribute that is there keeps its place and quotes; a new one goes behind the last. What already has
    its value is left alone; when that is so for all, the document comes back itself, with no edit.
    """
    return put_several([(element, values)], keep_space)


def put_several(
    wanted: Sequence[tuple[Element, Mapping[str, str | None]]], keep_space: bool = False
) -> Change:
    """`put_attributes` of several elements of one document at once."""
    document = wanted[0][0].document
    edits = sorted(
        edit for element, values in wanted for edit in _attribute_edits(element, values, keep_space)
    )
    if not edits:
        return Change(document, ())
    if not _sure(document, edits, wanted):
        return Change(document.edited(edits), tuple(edits))
    outline = document.outline
    for element, values in wanted:
        if "id" in values:
            outline = outline.with_id(element.index, element.get("id"), values["id"])
    return Change(document.edited_tag(edits, outline), tuple(edits))


def _sure(
    document: SourceDocument,
    edits: Sequence[Edit],
    wanted: Sequence[tuple[Element, Mapping[str, str | None]]],
) -> bool:
    """Whether the result is well-formed by construction, and as many elements in the same namespaces."""
    if len(document.text) + sum(len(edit.new) for edit in edits) > _SURE_SIZE:
        return False
    if any(":" in name or name == "xmlns" or not name.isascii() for _, values in wanted for name in values):
        return False
    return all(
        len(values) < 100 and element.open_end - element.start < _SURE_TAG for element, values in wanted
    )


def _attribute_edits(element: Element, values: Mapping[str, str | None], keep_space: bool) -> list[Edit]:
    present = {found.name: found for found in element.attributes}
    edits: list[Edit] = []
    fresh: list[str] = []
    for name, value in values.items():
        require_name(name, element)
        found = present.get(name)
        if found is not None:
            edits += _revalued(element, found, value, keep_space or name in SPACE_BLIND)
        elif value is not None:
            fresh.append(_written(element, present, name, value, keep_space or name in SPACE_BLIND))
    if fresh:
        position = max(
            (found.end for found in present.values()), default=element.start + 1 + len(element.name)
        )
        edits.append(Edit(position, position, "".join(fresh)))
    return edits


def _revalued(element: Element, found: Attribute, value: str | None, keep_space: bool) -> list[Edit]:
    text = element.document.text
    if value is None:
        return [Edit(found.space, found.end, "")]
    old = text[found.value_start : found.value_end]
    if element.value(found) == value or old == value:
        return []
    new = escape_value(value, found.quote, keep_space)
    return list(shifted(changed_span(old, new), found.value_start))


def _written(
    element: Element, present: Mapping[str, Attribute], name: str, value: str, keep_space: bool
) -> str:
    last = max(present.values(), key=lambda found: found.end, default=None)
    if last is None:
        return f' {name}="{escape_value(value, keep_space=keep_space)}"'
    space = element.document.text[last.space : last.start] if len(present) > 1 else " "
    return f"{space}{name}={last.quote}{escape_value(value, last.quote, keep_space)}{last.quote}"


def lexical(element: Element, attribute: Attribute) -> str:
    """The value with its line breaks as written, for edits inside it; references are resolved."""
    raw = element.document.text[attribute.value_start : attribute.value_end]
    return element.value(attribute) if "&" in raw else raw


def text_of(element: Element) -> str:
    """Character data directly inside an element, references resolved, comments left out."""
    return "".join(_data(element, token) for token in content(element))


def content(element: Element) -> list[Token]:
    """Tokens directly inside an element; what lies inside its children is left out."""
    document, position = element.document, element.open_end
    found: list[Token] = []
    for child in element.children:
        found += spans.tokens_between(document.text, position, child.start)
        position = child.end
    return [*found, *spans.tokens_between(document.text, position, element.close_start)]


def _data(element: Element, token: Token) -> str:
    raw = element.document.text[token.start : token.end]
    if token.kind == "text":
        return spans.decoded_text(raw, element.document.outline.entities)
    return raw[9:-3].replace("\r\n", "\n").replace("\r", "\n") if token.kind == "cdata" else ""


def put_text(element: Element, text: str) -> Change:
    """Replace the character data of an element without child elements.

    White space around the old text stays, unless `xml:space` says that it counts; a CDATA section stays one.
    """
    if element.children:
        raise Refusal(
            "not_applicable", f"{element.label} holds elements; set the text of one of them instead"
        )
    if text_of(element) == text:
        return Change(element.document, ())
    if element.self_closing:
        raw = escape_text(text)
        edits: tuple[Edit, ...] = (Edit(element.open_end - 2, element.open_end, f">{raw}</{element.name}>"),)
    else:
        edits = _text_edit(element, text)
    return Change(element.document.edited(edits), edits) if edits else Change(element.document, ())


def _text_edit(element: Element, text: str) -> tuple[Edit, ...]:
    source, inside = element.document.text, content(element)
    sections = [token for token in inside if token.kind == "cdata"]
    only_section = len(sections) == 1 and not any(
        source[token.start : token.end].strip() for token in inside if token.kind != "cdata"
    )
    if only_section and "]]>" not in text:
        require_characters(text)
        start, end, new = sections[0].start + 9, sections[0].end - 3, text
    else:
        start, end, new = element.open_end, element.close_start, escape_text(text)
        if not _keeps_space(element) and text.strip() == text:
            start, end = _stripped(source, start, end)
    return shifted(changed_span(source[start:end], new), start)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \t\r\n":
        start += 1
    while end > start and text[end - 1] in " \t\r\n":
        end -= 1
    return start, end


def _keeps_space(element: Element | None) -> bool:
    name = "xml:" + XML_SPACE.rpartition("}")[2]
    while element is not None:
        value = element.get(name)
        if value is not None:
            return value == "preserve"
        element = element.parent
    return False
