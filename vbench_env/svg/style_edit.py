"""Edits of one declaration inside a style attribute that leave the others as written.

Source: CSS Style Attributes, section 3; CSS Syntax 3, section 5.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vbench_env.svg.document import Edit, Refusal, apply_edits
from vbench_env.svg.values import WSP, split_declarations

_PIECE = re.compile(r"/\*.*?(?:\*/|$)|\"(?:[^\"\\]|\\.)*\"?|'(?:[^'\\]|\\.)*'?|\\.|[;()\[\]{}]", re.DOTALL)
_COMMENT = re.compile(r"\s*/\*.*?(?:\*/|$)", re.DOTALL)
_IMPORTANT = re.compile(r"\s*!\s*important\s*$", re.IGNORECASE)
_NAME = re.compile(r"-?[A-Za-z_][A-Za-z0-9_-]*|--[A-Za-z0-9_-]+")


class Place(NamedTuple):
    """A declaration in a style text: its name, its span up to and with the `;`, and the span of its value."""

    name: str
    start: int
    end: int
    value_start: int
    value_end: int
    important: bool


def places(style: str) -> list[Place]:
    """Where the declarations stand; what is no declaration is passed over."""
    found: list[Place] = []
    start = 0
    for end in _ends(style):
        place = _place(style, start, end)
        if place is not None:
            found.append(place)
        start = end
    return found


def _ends(style: str) -> list[int]:
    """Offsets behind each top-level `;`, and the end of the text."""
    ends, depth = [], 0
    for match in _PIECE.finditer(style):
        mark = match[0]
        if mark in ("(", "[", "{"):
            depth += 1
        elif mark in (")", "]", "}"):
            depth = max(0, depth - 1)
        elif mark == ";" and depth == 0:
            ends.append(match.end())
    return ends if ends and ends[-1] == len(style) else [*ends, len(style)]


def _place(style: str, start: int, end: int) -> Place | None:
    while match := _COMMENT.match(style, start, end):
        start = match.end()
    body = style[start:end].removesuffix(";")
    name, colon, rest = body.partition(":")
    key = name.strip(WSP)
    if not colon or not _NAME.fullmatch(key):
        return None
    first = start + len(name) - len(name.lstrip(WSP))
    important = _IMPORTANT.search(rest)
    value = rest[: important.start()] if important else rest
    left = start + len(name) + 1 + len(value) - len(value.lstrip(WSP))
    right = left + len(value.strip(WSP))
    return Place(key if key.startswith("--") else key.lower(), first, end, left, right, important is not None)


def winning(style: str, name: str) -> Place | None:
    """The declaration of `name` that counts: the last important one, else the last."""
    same = [place for place in places(style) if place.name == name]
    return next((place for place in reversed(same) if place.important), same[-1] if same else None)


def normal_name(name: str) -> str:
    """A property name as it is compared; `Refusal` when it is none."""
    name = name.strip()
    if not _NAME.fullmatch(name):
        raise Refusal("bad_arguments", f"{name[:60]!r} is not a CSS property name", "property")
    return name if name.startswith("--") else name.lower()


def put_declaration(style: str, name: str, value: str) -> str:
    """The style text with `name` set to `value`; its `!important`, place and spacing stay."""
    value = value.strip(WSP)
    read = split_declarations(f"{name}:{value}")
    if len(read) != 1 or "\n" in value or not _closed(value):
        raise Refusal("bad_arguments", f"{value[:60]!r} is not the value of one declaration", "value")
    place = winning(style, name)
    if place is None:
        return _appended(style, f"{name}{_colon(style)}{value}")
    if read[0].important:
        value = _IMPORTANT.sub("", value)
    mark = " !important" if read[0].important and not place.important else ""
    return apply_edits(style, [Edit(place.value_start, place.value_end, value + mark)])


def drop_declaration(style: str, name: str) -> str:
    """The style text without any declaration of `name`."""
    edits = []
    for place in places(style):
        if place.name == name:
            space = len(style[place.end :]) - len(style[place.end :].lstrip(WSP))
            edits.append(Edit(place.start, place.end + space, ""))
    rest = apply_edits(style, edits)
    return rest.rstrip(WSP) if edits and edits[-1].end == len(style) else rest


_PAIRS = {")": "(", "]": "[", "}": "{"}


def _closed(value: str) -> bool:
    """Whether brackets, quotes and comments close in `value`, and no `;` ends it."""
    open_brackets: list[str] = []
    for match in _PIECE.finditer(value):
        mark = match[0]
        if mark in _PAIRS.values():
            open_brackets.append(mark)
        elif mark in _PAIRS:
            if not open_brackets or open_brackets.pop() != _PAIRS[mark]:
                return False
        elif mark == ";" or not _ended(mark):
            return False
    return not open_brackets and not value.endswith("\\")


def _ended(mark: str) -> bool:
    """Whether a quoted string or a comment has its end."""
    if mark.startswith("/*"):
        return len(mark) > 3 and mark.endswith("*/")
    return mark[0] not in "\"'" or (len(mark) > 1 and mark[-1] == mark[0])


def _colon(style: str) -> str:
    found = places(style)
    if not found:
        return ":"
    first = found[0]
    return style[first.start : first.value_start][len(first.name) :] or ":"


def _appended(style: str, declaration: str) -> str:
    found, body = places(style), style.rstrip(WSP)
    if not body:
        return declaration
    space = style[found[0].end : found[1].start] if len(found) > 1 else ""
    closed = body.endswith(";")
    return f"{body}{'' if closed else ';'}{space}{declaration}{';' if closed else ''}{style[len(body) :]}"
