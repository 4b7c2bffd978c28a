"""The security rule: nothing that executes, fetches or reads outside the document.

An allow-list decides what a link may be: a same-document fragment, or an embedded PNG, JPEG, GIF or WebP
picture. Namespace names, `rdf:about` and the like are identifiers and never fetched.

Sources: HTML event handlers, SVG 2 chapters 5, 15 and 16, CSS `@import`, XML stylesheet processing instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vbench_env.svg.parse import SVG_NS, XLINK_HREF, XML_NS, Document, Fault, Shape
from vbench_env.svg.references import external_urls

_SCRIPTS = frozenset({"script", "handler", "listener"})
_ANIMATIONS = frozenset({"animate", "animateColor", "animateMotion", "animateTransform", "set"})
_INVISIBLE = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
_PICTURE = re.compile(r"data:image/(?:png|jpeg|jpg|gif|webp)[;,]", re.IGNORECASE)
_EVENT = re.compile(r"on[a-z]+\Z", re.IGNORECASE)
_IMPORT = re.compile(r"@import\b|expression\s*\(|-moz-binding|behavior\s*:", re.IGNORECASE)
_CSS_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)


_DECLARED = 50
"""Declarations of a document type that are named."""


def allowed_link(url: str) -> bool:
    """Whether a link stays inside the document; white space and control characters hide nothing."""
    squeezed = _INVISIBLE.sub("", url)
    return not squeezed or squeezed.startswith("#") or _PICTURE.match(squeezed) is not None


def shape_threats(shape: Shape) -> Iterator[tuple[str, str]]:
    """Threats that one start tag carries, as (kind, message)."""
    tag = shape.tag
    if tag in _SCRIPTS or tag.lower().endswith("}script"):
        yield "security", f"element {tag.rpartition('}')[2]!r} executes script"
    if tag.startswith("{http://www.w3.org/1999/xhtml}") or tag.startswith("{http://www.w3.org/1998/Math/"):
        yield "security", f"HTML element {tag.rpartition('}')[2]!r}"
    for name, value in shape.attrs.items():
        threat = _attribute_threat(tag, name, value)
        if threat:
            yield "security", threat


def _attribute_threat(tag: str, name: str, value: str) -> str | None:
    local = name.rpartition("}")[2]
    if _EVENT.match(name) and tag[0] != "{":
        return f"event handler {name!r}"
    if name == f"{{{XML_NS}}}base":
        return f"xml:base moves every link: {value[:60]!r}"
    if (name in ("href", XLINK_HREF) or local == "src") and not _identifier(name) and not allowed_link(value):
        return f"link leaves the document: {value.strip()[:60]!r}"
    if "javascript:" in _INVISIBLE.sub("", value).lower():
        return f"javascript: URL in {name!r}"
    if tag in _ANIMATIONS and name == "attributeName":
        target = value.strip().lower()
        if target.rpartition(":")[2] == "href" or _EVENT.match(target):
            return f"animation of {value.strip()!r}"
    if "\\" in value or "(" in value or "@" in value:
        return style_threat(value)
    return None


def _identifier(name: str) -> bool:
    return name[0] == "{" and name not in (XLINK_HREF,) and not name.startswith(f"{{{SVG_NS}}}")


def style_threat(text: str) -> str | None:
    """A threat in CSS text: imports, and `url()` or `src()` that leave the document."""
    plain = _CSS_ESCAPE.sub(_unescape, _CSS_COMMENT.sub("", text))
    if _IMPORT.search(plain):
        return f"style sheet imports or executes: {plain.strip()[:60]!r}"
    for url in external_urls(plain):
        if not allowed_link(url):
            return f"style refers outside the document: {url[:60]!r}"
    return None


def _unescape(match: re.Match[str]) -> str:
    if match.group(1):
        code = int(match.group(1), 16)
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    return match.group(2)


def document_threats(document: Document) -> Iterator[Fault]:
    """Threats outside start tags: DTD tricks, processing instructions, style sheets, foreign content."""
    if document.declares_entities:
        yield Fault("security", "document type declares entities")
    elif document.internal_subset:
        yield Fault("security", "document type has an internal subset")
    for declared in document.declarations[:_DECLARED]:
        yield Fault("security", f"document type declares {declared[:120]}")
    for target, data in document.instructions:
        if target == "xml-stylesheet":
            yield Fault("security", f"xml-stylesheet instruction: {data[:60]!r}")
    for node in document.nodes:
        if node.tag == "style":
            threat = style_threat(node.text)
            if threat:
                yield Fault("security", threat, place=node.label, line=node.line)
        elif node.tag == "foreignObject" and any(child.tag[0] == "{" for child in node.children):
            yield Fault("security", "foreignObject holds foreign content", place=node.label, line=node.line)
