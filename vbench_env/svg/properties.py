"""Presentation properties in normal form: what a declared value says, whatever its spelling.

A value is a float (user units, or a plain number), lower-case text, `Color`, `Length`, `Referring`, or a tuple that
starts with its kind. None stands for a declaration that CSS ignores. Whatever is written as a function that is
not understood here (`min()`, `color-mix()`) is kept as it is written, for a browser may understand it.

Sources: SVG 1.1 appendix N, SVG 2 chapters 6 and 13, CSS Color 4, CSS Fonts 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from vbench_env.svg.caching import cached
from vbench_env.svg.colors import Color, parse_color, parse_paint, published_color
from vbench_env.svg.references import Referring, safe_fragment, split_urls
from vbench_env.svg.schema import CSS_WIDE, PRESENTATION
from vbench_env.svg.values import Length, parse_length, parse_lengths, parse_number, parse_opacity

Value = Any
"""See the module's description."""

_NAMED_WEIGHTS = {"normal": 400.0, "bold": 700.0}
GENERIC_FAMILIES = frozenset(
    """serif sans-serif monospace cursive fantasy system-ui ui-serif ui-sans-serif ui-monospace ui-rounded math
    emoji fangsong""".split()
)


class ResolveOptions(NamedTuple):
    """The switches that resolution depends on; see `Rules`."""

    style_storage: str = "css"
    cascade: str = "computed"
    path_form: str = "geometry"
    transform_form: str = "matrix"
    color_form: str = "css"
    defaults: str = "computed"
    metadata: str = "strict"
    attribute_names: str = "qualified"


@lru_cache(maxsize=512)
def initial(name: str) -> Value:
    """The initial value of a presentation property in normal form."""
    info = PRESENTATION.get(name)
    return property_value(name, info.initial, False, "css") if info else None


@cached(32768)
def property_value(name: str, text: str, css: bool, color_form: str) -> Value | None:
    """The normal value of a presentation property; None where it is invalid and so ignored.

    Args:
        name: of the property.
        text: the declared value.
        css: whether the value stands in a `style` attribute or sheet, where CSS wants units.
        color_form: `css`, or `basic` for the colours that the published evaluator knows.
    """
    word = text.strip(" \t\r\n\f").lower()
    if word in CSS_WIDE:
        return word
    if "url(" in word and _BAD_URL.search(word):
        return None
    if "var(" in word or "calc(" in word or "env(" in word:
        return raw(text)
    value = _READERS[PRESENTATION[name].kind](name, text, word, css, color_form)
    return raw(text) if value is None and "(" in word and ")" in word else value


def known_to_few(name: str, value: Value) -> bool:
    """Whether some viewers, or all, drop the declaration of a value, so that the one before it is shown.

    Functions beyond SVG 1.1 and CSS Color 3 that have no value here, words that are no colour, and a paint that names
    two servers, which no grammar has.
    """
    if type(value) is Referring:
        return PRESENTATION[name].kind == "paint" and len(value.ids) > 1
    if type(value) is not tuple or value[0] != "raw":
        return False
    return "(" in str(value[1]) or PRESENTATION[name].kind in ("color", "paint")


_BAD_URL = re.compile(r"\burl\(\s*[^\s\"'()\\]+\s+[^\s)]")
"""White space inside an address without quotes: CSS takes the whole declaration for invalid."""


def raw(text: str) -> Value:
    """A value as it is written, white space collapsed and ids cut out."""
    kept = " ".join(part for part in re.split(r"[ \t\r\n\f]+", text) if part)
    return split_urls(kept) or ("raw", kept)


def _color(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    if form == "basic":
        rgb = published_color(text)
        return Color(*rgb) if rgb else ("raw", word)
    color = parse_color(text)
    if color is not None:
        return color
    return ("raw", _spaced(word)) if "(" in word or word.isalpha() else None


_AROUND = re.compile(r"\s*([(),/])\s*")


def _spaced(word: str) -> str:
    """A function as written, white space that means nothing aside."""
    return _AROUND.sub(r"\1", " ".join(word.split()))


def _paint(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    if form == "basic":
        rgb = published_color(text)
        return Color(*rgb) if rgb else raw(text)
    paint = parse_paint(text)
    if paint is None:
        return _color(name, text, word, css, form) if "url(" not in word else raw(text)
    if paint.kind == "color":
        return paint.color
    if paint.kind == "url":
        target = safe_fragment(paint.reference or "")
        fallback = str(paint.color.hex if paint.color else paint.fallback)
        return Referring(("url(#", f") {fallback}"), (target,)) if target else ("raw", word)
    return paint.fallback or paint.kind


def _opacity(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    return parse_opacity(text)


def _number(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    if word in _NAMED_WEIGHTS and name == "font-weight":
        return _NAMED_WEIGHTS[word]
    value = parse_number(text)
    return value if value is not None else _keyword(name, text, word, css, form)


def _length(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    if word == "normal" and name in ("letter-spacing", "word-spacing"):
        return 0.0
    length = parse_length(text, css and not PRESENTATION[name].unitless)
    return _keyword(name, text, word, css, form) if length is None else pixels(length)


def _keyword(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    if word in _lower_keywords(name):
        return word
    return ("raw", " ".join(word.split())) if name == "font-style" and word.startswith("oblique ") else None


@lru_cache(maxsize=256)
def _lower_keywords(name: str) -> frozenset[str]:
    return frozenset(keyword.lower() for keyword in PRESENTATION[name].keywords)


def _words(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    return ("raw", " ".join(word.split()))


def pixels(length: Length) -> Value:
    """User units where the unit is absolute, or the length is none at all; else the length as it is."""
    if length.value == 0:
        return 0.0
    value = length.to_px()
    return length if value is None else value


def _lengths(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    if word == "none" or not word:
        return "none"
    lengths = parse_lengths(text)
    if lengths is None:
        return None
    values = tuple(pixels(length) for length in lengths)
    return ("list", *values, *values) if name == "stroke-dasharray" and len(values) % 2 else ("list", *values)


def _reference(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    return word if word == "none" else raw(text)


_FAMILY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^,"']*))\s*(?:,|\Z)""")


def families(text: str) -> Value:
    """Font families in order; a quoted name that is also a generic family's is the name of a font."""
    found: list[str] = []
    at = 0
    while at < len(text):
        match = _FAMILY.match(text, at)
        if match is None or match.end() == at:
            return raw(text)
        plain = match.group(3)
        name = " ".join((plain or match.group(1) or match.group(2) or "").lower().split())
        found.append(f"<{name}>" if plain is not None and name in GENERIC_FAMILIES else name)
        at = match.end()
    return ("families", *found)


def _text(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    return families(text) if name == "font-family" else raw(text)


_READERS: dict[str, Callable[[str, str, str, bool, str], Value | None]] = {
    "color": _color,
    "paint": _paint,
    "opacity": _opacity,
    "positive": _number,
    "font-weight": _number,
    "length-diagonal": _length,
    "spacing": _length,
    "font-size": _length,
    "dashes": _lengths,
    "url": _reference,
    "keyword": _keyword,
    "angle": _words,
    "text": _text,
}


_STRETCHES = frozenset(
    {
        "ultra-condensed",
        "extra-condensed",
        "condensed",
        "semi-condensed",
        "semi-expanded",
        "expanded",
        "extra-expanded",
        "ultra-expanded",
    }
)


_GLUED = re.compile(r"""^([^"',]*[^\s"',])(?=["'])""")
"""What stands right before the first quote of `15px"Segoe UI"`."""


@cached(512)
def expand_font(text: str) -> tuple[tuple[str, Value], ...]:
    """The `font` shorthand as its longhands (CSS Fonts 4 section 2.7); nothing where it is not understood."""
    parts = _GLUED.sub(r"\1 ", text).split()
    found: dict[str, Value] = {
        "font-style": "normal",
        "font-variant": ("raw", "normal"),
        "font-weight": 400.0,
        "font-stretch": "normal",
        "font-size-adjust": ("raw", "none"),
    }
    while parts and not parts[0][0].isdigit() and not parts[0].startswith("."):
        word = parts.pop(0).lower()
        if word in ("italic", "oblique"):
            found["font-style"] = word
        elif word == "small-caps":
            found["font-variant"] = ("raw", word)
        elif word in ("bold", "bolder", "lighter"):
            found["font-weight"] = _NAMED_WEIGHTS.get(word, word)
        elif word in _STRETCHES:
            found["font-stretch"] = word
        elif word != "normal":
            return (("css:font", raw(text)),)
    if len(parts) > 1 and parts[0].isdigit() and len(parts[0]) == 3 and parts[1][0].isdigit():
        found["font-weight"] = float(parts.pop(0))
    if len(parts) < 2:
        return (("css:font", raw(text)),)
    size, _, height = parts[0].partition("/")
    length = parse_length(size, True)
    if length is None:
        return (("css:font", raw(text)),)
    found["font-size"] = pixels(length)
    found["font-family"] = families(" ".join(parts[1:]))
    if height:
        found["css:line-height"] = raw(height)
    return tuple(found.items())


_LIGHTER = ((550.0, 100.0), (750.0, 400.0))
_BOLDER = ((350.0, 400.0), (550.0, 700.0))


def relative_weight(word: str, parent: Value) -> Value:
    """`bolder` and `lighter` against the parent's weight (CSS Fonts 4 section 2.2.1)."""
    if not isinstance(parent, float):
        return ("scaled", parent, word)
    if word == "bolder":
        return next((weight for below, weight in _BOLDER if parent < below), max(parent, 900.0))
    return next((weight for below, weight in _LIGHTER if parent < below), 700.0) if parent >= 100 else parent


def relative_size(value: Value, parent: Value) -> Value:
    """A font size that depends on the parent's: percentages, `em`, `ex`, `larger`, `smaller`; else as it is."""
    if type(value) is Length and value.unit in ("%", "em", "ex"):
        factor = {"%": 0.01, "em": 1.0, "ex": 0.5}[value.unit] * value.value
        return parent * factor if isinstance(parent, float) else ("scaled", parent, factor)
    return ("scaled", parent, value) if value in ("larger", "smaller") else value


def sized(value: Value, size: Value) -> Value:
    """A length in font sizes in user units, where the font size is known; everything else as it is."""
    if type(value) is not Length or value.unit not in ("em", "ex"):
        return value
    if not isinstance(size, float):
        return ("of", size, value.value, value.unit)
    return value.value * size * (1.0 if value.unit == "em" else 0.5)
