"""Numbers, lengths, lists and declarations as SVG and CSS write them.

Every parser is a cached pure function of the text. It returns None for text outside its grammar: ASCII digits
only, no `1_0`, `nan`, `inf`, `1.` or five signs. Functions named `published_*` read as the published
evaluator does. Sources: SVG 2 section 4.2 and 9.3.9, CSS Values 4 section 4.3 and 6, CSS Syntax 3 section 5.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal, DecimalException
from typing import NamedTuple

from vbench_env.svg.caching import cached

WSP = " \t\n\r\f"
"""White space of SVG and CSS; a no-break space is none."""

NUMBER = r"[+-]?(?>[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?+"
COMMA_WSP = r"(?:[ \t\n\r\f]++(?:,[ \t\n\r\f]*+)?|,[ \t\n\r\f]*+)"

_NUMBER = re.compile(rf"[ \t\n\r\f]*+({NUMBER})[ \t\n\r\f]*+")
_TOKEN = re.compile(NUMBER)
_LIST = re.compile(rf"[ \t\n\r\f]*+(?:(?>{NUMBER})(?:{COMMA_WSP}?+(?>{NUMBER}))*+[ \t\n\r\f]*+)?+")
_LENGTH = re.compile(rf"[ \t\n\r\f]*+({NUMBER})(%|[A-Za-z]+)?[ \t\n\r\f]*+")
_LENGTH_GAP = re.compile(r"[ \t\n\r\f]*,[ \t\n\r\f]*|[ \t\n\r\f]+")

ABSOLUTE_UNITS = {
    "": 1.0, "px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96 / 72,
    "pc": 16.0,
}  # fmt: skip
"""User units (CSS pixels) per unit, CSS Values 4 section 6.2."""
RELATIVE_UNITS = frozenset(
    {"%", "em", "ex", "rem", "ch", "ic", "lh", "rlh", "cap", "vw", "vh", "vi", "vb", "vmin", "vmax"}
)


class Length(NamedTuple):
    """A length as written. `unit` is lower case: "" for a plain number, "%" for a percentage."""

    value: float
    unit: str

    def to_px(self, reference: float | None = None, font_size: float | None = None) -> float | None:
        """In user units; None where the unit needs what was not given.

        Args:
            reference: what 100 % is, in user units.
            font_size: of the element, in user units; an `ex` counts as half an `em`.
        """
        factor = ABSOLUTE_UNITS.get(self.unit)
        if factor is not None:
            return self.value * factor
        if self.unit == "%" and reference is not None:
            return self.value * reference / 100
        if self.unit in ("em", "ex") and font_size is not None:
            return self.value * font_size * (1.0 if self.unit == "em" else 0.5)
        return None


class ViewBox(NamedTuple):
    """The user-space rectangle that a viewport shows; width and height are positive."""

    x: float
    y: float
    width: float
    height: float


class Declaration(NamedTuple):
    """One CSS declaration. `name` is lower case (custom properties keep their case)."""

    name: str
    value: str
    important: bool


@cached(16384)
def parse_number(text: str) -> float | None:
    """One finite number, white space around it allowed."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    value = float(match[1])
    return value if math.isfinite(value) else None


@cached(2048)
def parse_number_list(text: str) -> tuple[float, ...] | None:
    """Numbers apart by white space or a comma, or abutting where a sign or point starts the next."""
    if _LIST.fullmatch(text) is None:
        return None
    values = tuple(map(float, _TOKEN.findall(text)))
    return values if all(map(math.isfinite, values)) else None


def parse_points(text: str) -> tuple[tuple[float, float], ...] | None:
    """The `points` attribute (SVG 2 section 10.6); None also for an odd count."""
    values = parse_number_list(text)
    if values is None or len(values) % 2:
        return None
    return tuple(zip(values[::2], values[1::2], strict=True))


@cached(1024)
def parse_viewbox(text: str) -> ViewBox | None:
    """Four numbers, the last two positive (SVG 2 section 8.6)."""
    values = parse_number_list(text)
    if values is None or len(values) != 4 or values[2] <= 0 or values[3] <= 0:
        return None
    return ViewBox(*values)


@cached(8192)
def parse_length(text: str, css: bool = False) -> Length | None:
    """A number, a length or a percentage.

    Args:
        text: the value.
        css: hold the CSS rule that only zero may go without a unit.
    """
    match = _LENGTH.fullmatch(text)
    if match is None:
        return None
    value, unit = float(match[1]), (match[2] or "").lower()
    known = unit in ABSOLUTE_UNITS or unit in RELATIVE_UNITS
    if not known or not math.isfinite(value) or (css and unit == "" and value != 0):
        return None
    return Length(value, unit)


@cached(1024)
def parse_lengths(text: str) -> tuple[Length, ...] | None:
    """A non-empty list of lengths, as in `stroke-dasharray` and the positions of text."""
    parts = _LENGTH_GAP.split(text.strip(WSP))
    lengths = tuple(parse_length(part) for part in parts)
    return None if None in lengths else lengths  # type: ignore[return-value]


@cached(8192)
def parse_fraction(text: str) -> float | None:
    """A number or a percentage as a number (`40%` is 0.4), not clamped."""
    length = parse_length(text)
    if length is None or length.unit not in ("", "%"):
        return None
    return length.value / 100 if length.unit == "%" else length.value


def parse_opacity(text: str) -> float | None:
    """An opacity, clamped to 0..1 as computed (CSS Color 4 section 4.2)."""
    value = parse_fraction(text)
    return None if value is None else min(1.0, max(0.0, value))


_PUBLISHED_NUMBER = r"[-+]?(?>[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_PUBLISHED_TOKEN = re.compile(_PUBLISHED_NUMBER)
_PUBLISHED_GAP = re.compile(r"[\s,]*")


@cached(16384)
def decimal_text(number: str) -> str:
    """The one decimal spelling of a number token: `+1.50e0` is `1.5`, `-0` is `0`."""
    try:
        value = Decimal(number).normalize()
    except DecimalException:
        return number.lower()
    if not value:
        return "0"
    return str(value) if abs(value.adjusted()) > 40 else format(value, "f")


@cached(16384)
def published_number(text: str) -> str | None:
    """The decimal spelling of one number; None when the text is not one number."""
    stripped = text.strip()
    return decimal_text(stripped) if _PUBLISHED_TOKEN.fullmatch(stripped) else None


@cached(2048)
def published_numbers(text: str) -> tuple[str, ...] | None:
    """The decimal spellings of a list of at least one number, which may abut only where a sign follows."""
    tokens: list[str] = []
    at = gap = _PUBLISHED_GAP.match(text).end()  # type: ignore[union-attr]
    while at < len(text):
        match = _PUBLISHED_TOKEN.match(text, at)
        if match is None or (tokens and gap == 0 and match[0][0] not in "+-"):
            return None
        tokens.append(decimal_text(match[0]))
        at = _PUBLISHED_GAP.match(text, match.end()).end()  # type: ignore[union-attr]
        gap = at - match.end()
    return tuple(tokens) or None


@cached(4096)
def published_float(text: str) -> float | None:
    """A value as Python's `float` reads it, finite; None when it cannot."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@cached(4096)
def published_declarations(style: str) -> tuple[tuple[str, str], ...] | None:
    """A style attribute split at `;` and the first `:`; None when a declaration lacks a side."""
    found: list[tuple[str, str]] = []
    for part in style.split(";"):
        name, _, value = (piece.strip() for piece in part.partition(":"))
        if name and value:
            found.append((name, value))
        elif part.strip():
            return None
    return tuple(found)


_BRACKET = re.compile(r"[(\[{)\]}]")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
CSS_DEPTH = 32
"""Brackets inside brackets beyond which CSS text is not read."""


CSS_DIGITS = 1_000
"""Digits in a row beyond which CSS text is not read: Python makes no number of 4,300 of them."""
_DIGITS = re.compile(rf"[0-9]{{{CSS_DIGITS + 1}}}")


def css_limit(text: str, where: str) -> tuple[str, str] | None:
    """The limit that CSS text crosses, as (name, message), else None: then a CSS parser may read it."""
    if css_depth(text) > CSS_DEPTH:
        return "css_depth", f"brackets of {where} nest deeper than {CSS_DEPTH}"
    if len(text) > CSS_DIGITS and _DIGITS.search(text):
        return "css_digits", f"a number of {where} has more than {CSS_DIGITS} digits"
    return None


def css_depth(text: str) -> int:
    """How deep brackets may nest in CSS text; those in strings and comments count too."""
    opened = text.count("(") + text.count("[") + text.count("{")
    if opened <= CSS_DEPTH:
        return opened
    closing: list[str] = []
    deepest = 0
    for match in _BRACKET.finditer(text):
        close = _CLOSING.get(match[0])
        if close is not None:
            closing.append(close)
            deepest = max(deepest, len(closing))
        elif closing and closing[-1] == match[0]:
            closing.pop()
    return deepest


_PLAIN = re.compile(r"[^\"'\\/*!@{}\[\]]*")
_NAME = re.compile(r"-?[A-Za-z_][A-Za-z0-9_-]*|--[A-Za-z0-9_-]+")


@cached(8192)
def split_declarations(style: str) -> tuple[Declaration, ...]:
    """The syntactically valid declarations of a style attribute, in source order.

    Comments, quoted semicolons and `!important` are read as CSS says; what is no declaration is dropped.
    Values keep their letters, white space around them and comments removed.
    """
    plain = plain_declarations(style)
    return _split_css(style) if plain is None else plain


def plain_declarations(style: str) -> tuple[Declaration, ...] | None:
    """The declarations of a style attribute that needs no CSS parser to tell them apart, else None."""
    return _split_plain(style) if _PLAIN.fullmatch(style) else None


def _split_plain(style: str) -> tuple[Declaration, ...] | None:
    found: list[Declaration] = []
    for part in style.split(";"):
        if part.count("(") != part.count(")"):
            return None
        name, colon, value = part.partition(":")
        name, value = name.strip(WSP), value.strip(WSP)
        if colon and value and _NAME.fullmatch(name):
            found.append(Declaration(name if name.startswith("--") else name.lower(), value, False))
        elif name or value:
            return None
    return tuple(found)


def _split_css(style: str) -> tuple[Declaration, ...]:
    import tinycss2

    found: list[Declaration] = []
    if css_limit(style, "a style") is not None:
        return ()
    for item in tinycss2.parse_blocks_contents(style, skip_comments=True, skip_whitespace=True):
        if item.type != "declaration":
            continue
        value = tinycss2.serialize([part for part in item.value if part.type != "comment"]).strip(WSP)
        if value:
            name = item.name if item.name.startswith("--") else item.lower_name
            found.append(Declaration(name, value, item.important))
    return tuple(found)
