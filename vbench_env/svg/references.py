"""References between elements: every channel by which one element names another.

Channels: `url(#id)` in properties and style text, `href` / `xlink:href`, id lists of `aria-*`, and the
`id.event` conditions of animations. A reference value is text with the ids cut out, so that two values can be
compared under a renaming of ids.

Sources: SVG 2 chapter 5 (linking), WAI-ARIA 1.2 section 6, SMIL animation timing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import unquote

from vbench_env.svg.caching import cached
from vbench_env.svg.parse import XLINK_HREF, Node

ARIA_REFERENCES = frozenset(
    {
        "aria-activedescendant", "aria-controls", "aria-describedby", "aria-details", "aria-errormessage",
        "aria-flowto", "aria-labelledby", "aria-owns",
    }
)  # fmt: skip
TIMING = frozenset({"begin", "end"})
ANIMATIONS = frozenset({"animate", "animateColor", "animateMotion", "animateTransform", "set", "discard"})

_URL = re.compile(
    r"""url\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^"'()\s\\]*))\s*\)""", re.IGNORECASE
)
_SYNCBASE = re.compile(r"^\s*([^\s.+\-;(][^\s.;(]*)\.([A-Za-z][A-Za-z0-9]*.*)$")


class Referring(NamedTuple):
    """Text with its ids cut out: `parts` has one item more than `ids`."""

    parts: tuple[str, ...]
    ids: tuple[str, ...]

    def renamed(self, names: Mapping[str, str]) -> Referring:
        return Referring(self.parts, tuple(names.get(name, name) for name in self.ids))


def fragment(url: str) -> str | None:
    """The id that a same-document URL names (percent-decoded), else None; `#` alone names nothing."""
    url = url.strip(" \t\r\n\f")
    if not url.startswith("#") or len(url) == 1:
        return None
    name = url[1:]
    return unquote(name, errors="strict") if "%" in name else name


@cached(4096)
def split_urls(text: str) -> Referring | None:
    """Text with its `url(#id)` cut out; None when it holds none. `url(#a)` and `url('#a')` agree."""
    if "url(" not in text and "URL(" not in text.upper():
        return None
    parts: list[str] = []
    ids: list[str] = []
    at = 0
    for match in _URL.finditer(text):
        name = safe_fragment(match.group(1) or match.group(2) or match.group(3) or "")
        if name is None:
            continue
        parts.append(text[at : match.start()] + "url(#")
        ids.append(name)
        at = match.end() - 1
    if not ids:
        return None
    parts.append(text[at:])
    return Referring(tuple(parts), tuple(ids))


def safe_fragment(url: str) -> str | None:
    """`fragment`, with undecodable percent escapes taken as they are written."""
    try:
        return fragment(url)
    except UnicodeDecodeError:
        return url.strip()[1:]


def external_urls(text: str) -> list[str]:
    """Every `url(...)` in the text that is no same-document reference."""
    found = []
    for match in _URL.finditer(text):
        url = (match.group(1) or match.group(2) or match.group(3) or "").strip()
        if url and not url.startswith("#"):
            found.append(url)
    return found


@cached(4096)
def split_timing(text: str) -> Referring | None:
    """A `begin` or `end` list with the ids of its syncbase and event conditions cut out."""
    parts: list[str] = [""]
    ids: list[str] = []
    for number, item in enumerate(text.split(";")):
        separator = ";" if number else ""
        match = _SYNCBASE.match(item)
        if match and match.group(1) not in ("indefinite", "prev", "next"):
            parts[-1] += separator
            ids.append(match.group(1))
            parts.append("." + match.group(2).strip())
        else:
            parts[-1] += separator + item.strip()
    return Referring(tuple(parts), tuple(ids)) if ids else None


def attribute_reference(tag: str, name: str, value: str) -> Referring | None:
    """The reference that an attribute of an element `tag` makes, else None (properties are not looked at)."""
    if name in ("href", XLINK_HREF):
        target = safe_fragment(value)
        return Referring(("#", ""), (target,)) if target is not None else None
    if name in ARIA_REFERENCES:
        ids = tuple(value.split())
        return Referring(("",) * (len(ids) + 1), ids) if ids else None
    if name in TIMING and tag in ANIMATIONS:
        return split_timing(value)
    return None


def href_of(node: Node) -> str | None:
    """The `href` of an element, else its `xlink:href` (SVG 2 section 16.1.6)."""
    value = node.attrs.get("href")
    return value if value is not None else node.attrs.get(XLINK_HREF)


def href_target(node: Node) -> str | None:
    """The id that the element's link names inside the document."""
    value = href_of(node)
    return safe_fragment(value) if value is not None else None
