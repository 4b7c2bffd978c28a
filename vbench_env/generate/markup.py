"""SVG as a tree to write: elements, the way in which a file is written, and the text that comes of both.

A scene says what is drawn; a `Hand` says how it is written down: presentation attributes, classes in a style
sheet, or `style` attributes, with tabs or spaces. The drawing looks the same in every hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

NAMESPACE = "http://www.w3.org/2000/svg"
STYLED = (
    "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity",
    "fill-opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "letter-spacing",
)  # fmt: skip
"""Presentation attributes that a style sheet or `style` may give instead."""


def num(value: float) -> str:
    """A number as a designer's file has it: two decimals at most."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def points(*pairs: tuple[float, float]) -> str:
    """A list of points as the `points` attribute has it."""
    return " ".join(f"{num(x)},{num(y)}" for x, y in pairs)


@dataclass(slots=True)
class Element:
    """One element; `look` is the class that it shares with others of its look."""

    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    text: str | None = None
    look: str = ""

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class Hand:
    """A way of writing a file."""

    styling: Literal["attributes", "classes", "style"] = "attributes"
    indent: str = "  "
    quote: Literal['"', "'"] = '"'
    prolog: bool = False
    sized: bool = True


def draw_hand(random: Random) -> Hand:
    """A way of writing by lot."""
    return Hand(
        random.choice(("attributes", "classes", "classes", "style")),
        random.choice(("  ", "  ", "\t", "    ", "")),
        random.choice(('"', '"', '"', "'")),
        random.random() < 0.3,
        random.random() < 0.6,
    )


def write(root: Element, hand: Hand) -> str:
    """The text of a drawing."""
    looks = _common(root) if hand.styling == "classes" else {}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>'] if hand.prolog else []
    sheet = _sheet(looks) if looks else None
    lines += _lines(root, hand, looks, 0, sheet)
    return "\n".join(lines) + "\n"


def markup(element: Element, hand: Hand) -> str:
    """One element as a piece of a drawing, on one line."""
    return "".join(line.strip() for line in _lines(element, hand, {}, 0, None))


def _common(root: Element) -> dict[str, dict[str, str]]:
    """For each look the styled attributes that all its elements have alike."""
    members: dict[str, list[Element]] = {}
    for element in root.walk():
        if element.look:
            members.setdefault(element.look, []).append(element)
    common = {}
    for look, elements in members.items():
        pairs = Counter(item for element in elements for item in element.attrs.items() if item[0] in STYLED)
        shared = {name: value for (name, value), count in pairs.items() if count == len(elements)}
        if shared:
            common[look] = shared
    return common


def _sheet(looks: dict[str, dict[str, str]]) -> Element:
    rules = (
        f".{look} {{ {'; '.join(f'{name}: {value}' for name, value in given.items())} }}"
        for look, given in looks.items()
    )
    return Element("style", text="\n" + "\n".join(rules) + "\n")


def _lines(
    element: Element, hand: Hand, looks: dict[str, dict[str, str]], depth: int, sheet: Element | None
) -> Iterator[str]:
    indent = hand.indent * depth
    start = f"{indent}<{element.tag}{_attributes(element, hand, looks)}"
    children = [sheet, *element.children] if sheet is not None else element.children
    if element.text is not None:
        yield f"{start}>{escape(element.text)}</{element.tag}>"
    elif not children:
        yield f"{start}/>"
    else:
        yield f"{start}>"
        for child in children:
            yield from _lines(child, hand, looks, depth + 1, None)
        yield f"{indent}</{element.tag}>"


def _attributes(element: Element, hand: Hand, looks: dict[str, dict[str, str]]) -> str:
    attrs = dict(element.attrs)
    if element.look in looks:
        for name in looks[element.look]:
            attrs.pop(name, None)
        attrs["class"] = element.look
    if hand.styling == "style":
        styled = {name: attrs.pop(name) for name in STYLED if name in attrs}
        if styled:
            attrs["style"] = ";".join(f"{name}:{value}" for name, value in styled.items())
    return "".join(f" {name}={_quoted(value, hand.quote)}" for name, value in attrs.items())


def _quoted(value: str, quote: str) -> str:
    if quote == '"' or "'" in value:
        return quoteattr(value)
    return "'" + escape(value) + "'"
