"""Places of declarations in CSS text, so that one value can be changed and every other letter kept.

Covers what drawings hold: rules, at-rules passed over as a whole, comments and quoted text. Source: CSS Syntax 3.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_PART = re.compile(r"""/\*.*?\*/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|<!--|-->|[{}();:]""", re.DOTALL)


class Place(NamedTuple):
    """A declaration: `start:end` covers it with its `;`, `value_start:value_end` its value."""

    name: str
    start: int
    end: int
    value_start: int
    value_end: int


class Block(NamedTuple):
    """A top-level rule: its selector (or at-rule) and the extent of its body."""

    prelude: str
    start: int
    end: int


def blocks(css: str) -> list[Block]:
    """Top-level `prelude { body }` blocks in order."""
    found: list[Block] = []
    depth, prelude_start, body_start = 0, 0, 0
    for match in _PART.finditer(css):
        mark = match.group()
        if mark == "{":
            if depth == 0:
                body_start = match.end()
            depth += 1
        elif mark == "}":
            depth -= 1
            if depth == 0:
                prelude = css[prelude_start : body_start - 1]
                found.append(Block(_without_comments(prelude), body_start, match.start()))
                prelude_start = match.end()
        elif depth == 0 and (mark == ";" or mark in ("<!--", "-->")):
            prelude_start = match.end()
    return found


def declarations(css: str, start: int = 0, end: int | None = None) -> list[Place]:
    """Declarations of `css[start:end]` (a rule's body or a style attribute) in order."""
    end = len(css) if end is None else end
    found: list[Place] = []
    depth, begin, colon = 0, start, -1
    for match in [*_PART.finditer(css, start, end), None]:
        mark = match.group() if match else ";"
        at = match.start() if match else end
        if mark == "(":
            depth += 1
        elif mark == ")":
            depth -= 1
        elif mark == ":" and colon < 0 and depth == 0:
            colon = at
        elif mark == ";" and (depth == 0 or match is None):
            if colon >= 0:
                found.append(_place(css, begin, colon, at, match.end() if match else end))
            begin, colon = (match.end() if match else end), -1
    return found


def _place(css: str, begin: int, colon: int, at: int, end: int) -> Place:
    name = _without_comments(css[begin:colon]).lower()
    value = css[colon + 1 : at]
    important = re.search(r"\s*!\s*important\s*\Z", value, re.IGNORECASE)
    stop = colon + 1 + (important.start() if important else len(value.rstrip()))
    return Place(name, begin, end, colon + 1 + len(value) - len(value.lstrip()), stop)


def _without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL).strip()


def change(css: str, name: str, value: str | None, start: int = 0, end: int | None = None) -> str | None:
    """`css` with the value of the last declaration of `name` replaced (None: taken out).

    Returns None when the property is not declared there.
    """
    found = [place for place in declarations(css, start, end) if place.name == name]
    if not found:
        return None
    place = found[-1]
    if value is None:
        return css[: place.start] + css[place.end :]
    return css[: place.value_start] + value + css[place.value_end :]


def append(css: str, name: str, value: str) -> str:
    """A style attribute's text with one declaration more, in its own spelling."""
    bare = css.rstrip()
    colon = ": " if re.search(r":\s", bare) else ":"
    if not bare:
        return f"{name}{colon}{value}"
    spaced = " " if re.search(r";\s", bare) or ";" not in bare else ""
    closing = ";" if bare.endswith(";") else ""
    return f"{bare.removesuffix(';')};{spaced}{name}{colon}{value}{closing}"
