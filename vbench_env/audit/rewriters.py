"""Rewriters: each writes a drawing in another way and keeps what it is.

A rewriter changes a draft in place and says whether it found something to do. The rules by which it may act are
those of XML, CSS and SVG, stated here once more and narrower than the scorer's: where a style sheet or a relative
unit could interfere, it leaves its hands off.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from vbench_env.audit import spelling
from vbench_env.audit.draft import Draft
from vbench_env.audit.slots import Slot, slots
from vbench_env.svg.colors import Color, parse_color
from vbench_env.svg.values import parse_length, parse_number, parse_number_list

Rewrite = Callable[[Draft, random.Random], bool]


@dataclass(frozen=True, slots=True)
class Rewriter:
    """A named rewriter; `unseen` names what renderers are known not to draw alike, "" for nothing."""

    name: str
    rewrite: Rewrite
    unseen: str = ""


REWRITERS: dict[str, Rewriter] = {}


def rewriter(name: str, unseen: str = "") -> Callable[[Rewrite], Rewrite]:
    """Register a rewriter."""

    def add(function: Rewrite) -> Rewrite:
        REWRITERS[name] = Rewriter(name, function, unseen)
        return function

    return add


def _writing(name: str, **settings: object) -> None:
    """Register a rewriter that only writes the same parts in another way."""

    def rewrite(draft: Draft, rng: random.Random) -> bool:
        draft.writing.rng = draft.writing.rng or random.Random(rng.random())
        for key, value in settings.items():
            setattr(draft.writing, key, value)
        return True

    REWRITERS[name] = Rewriter(name, rewrite)


_writing("attribute order", shuffled=True)
_writing("quotes", quotes="\"'")
_writing("white space in tags", gaps=True)
_writing("long empty tags", long_tags=True)
_writing("character references", references=0.05)
_writing("comments and instructions", comments=0.2)
_writing("CDATA", cdata=True)
_writing("indentation", indented=True)
_writing("SVG prefix", prefix="s")
_writing("other prefixes", renamed_prefixes=True)
_writing("XML declaration", declaration=True)
_writing("DOCTYPE", doctype=True)
_writing("UTF-16", encoding="utf-16")
_writing("Latin-1", encoding="iso-8859-1")
_writing("byte order mark", encoding="utf-8-sig")

_NUMBER_KINDS = frozenset({"number", "positive", "integer", "opacity", "offset", "angle"})
_LENGTH_KINDS = frozenset({"length", "length-x", "length-y", "length-diagonal", "font-size", "spacing"})
_LIST_KINDS = frozenset({"numbers", "numbers-opt", "points", "viewbox", "lengths", "dashes"})


def some(rng: random.Random, found: list[Slot]) -> list[Slot]:
    """A few slots, or all of them."""
    if not found or rng.random() < 0.3:
        return found
    return rng.sample(found, min(len(found), rng.randint(1, 6)))


def respell(draft: Draft, rng: random.Random, fits: Callable[[Slot], bool],
            spell: Callable[[Slot], str | None]) -> bool:  # fmt: skip
    """Write some of the fitting values in another way."""
    done = False
    for slot in some(rng, [slot for slot in slots(draft) if fits(slot)]):
        value = spell(slot)
        if value is not None and value != slot.value:
            slot.put(value)
            done = True
    return done


@rewriter("number spelling")
def number_spelling(draft: Draft, rng: random.Random) -> bool:
    """`10` as `1e1`, `+10`, `10.0`."""

    def fits(slot: Slot) -> bool:
        return slot.kind in _NUMBER_KINDS | _LENGTH_KINDS and parse_number(slot.value) is not None

    return respell(draft, rng, fits, lambda slot: spelling.number(slot.value.strip(), rng))


@rewriter("list spelling")
def list_spelling(draft: Draft, rng: random.Random) -> bool:
    """Numbers and separators of `points`, `viewBox`, dashes and the like."""

    def fits(slot: Slot) -> bool:
        return slot.kind in _LIST_KINDS and bool(parse_number_list(slot.value))

    return respell(
        draft, rng, fits, lambda slot: spelling.numbers(slot.value, rng, abut=slot.kind == "points")
    )


def _colored(slot: Slot) -> bool:
    return slot.kind in ("color", "paint") and isinstance(parse_color(slot.value), Color)


def _color(slot: Slot, rng: random.Random, wide: bool) -> str | None:
    value = parse_color(slot.value)
    return spelling.color(value, rng, wide=wide) if isinstance(value, Color) else None


@rewriter("colour spelling")
def color_spelling(draft: Draft, rng: random.Random) -> bool:
    """Hex, names, `rgb()`."""
    return respell(draft, rng, _colored, lambda slot: _color(slot, rng, False))


@rewriter("colour functions", unseen="hwb() and color() are unknown to it")
def color_functions(draft: Draft, rng: random.Random) -> bool:
    """`hsl()`, `hwb()`, `color(srgb ...)` too."""
    return respell(draft, rng, _colored, lambda slot: _color(slot, rng, True))


@rewriter("path form")
def path_form(draft: Draft, rng: random.Random) -> bool:
    """Relative and absolute commands, `H`, `V`, implicit repetition, compact arcs."""
    return respell(
        draft,
        rng,
        lambda slot: slot.name == "d" and slot.kind == "path",
        lambda slot: spelling.path(slot.value, rng),
    )


@rewriter("transform form")
def transform_form(draft: Draft, rng: random.Random) -> bool:
    """Functions as a matrix, split, combined, with other separators."""
    return respell(
        draft, rng, lambda slot: slot.kind == "transform", lambda slot: spelling.transform(slot.value, rng)
    )


_UNITS = {"px": 1.0, "pt": 0.75, "pc": 1 / 16, "in": 1 / 96, "mm": 25.4 / 96, "cm": 2.54 / 96}


@rewriter("absolute units")
def absolute_units(draft: Draft, rng: random.Random) -> bool:
    """`10` as `10px`, `7.5pt`, ..."""
    return _with_units(draft, rng, list(_UNITS))


@rewriter("units in capitals", unseen="units in capitals are unknown to it")
def capital_units(draft: Draft, rng: random.Random) -> bool:
    """`10` as `10PX`, `7.5Pt`, ..."""
    return _with_units(draft, rng, [unit.upper() for unit in _UNITS])


def _with_units(draft: Draft, rng: random.Random, units: list[str]) -> bool:
    def fits(slot: Slot) -> bool:
        if slot.kind not in _LENGTH_KINDS or (slot.part.parent is None and slot.name in ("width", "height")):
            return False
        ignored = slot.styled and slot.kind in ("font-size", "spacing")
        return parse_number(slot.value) is not None and not _in_box_units(slot) and not ignored

    def spell(slot: Slot) -> str:
        unit = rng.choice(units)
        return spelling.exact((parse_number(slot.value) or 0.0) * _UNITS[unit.lower()]) + unit

    return respell(draft, rng, fits, spell)


_BOXED = frozenset({"linearGradient", "radialGradient", "pattern", "mask", "filter", "marker"})


def _in_box_units(slot: Slot) -> bool:
    """Whether the number may be a share of something, which a unit would make a length."""
    return slot.part.inside(*_BOXED) or slot.name in ("textLength", "startOffset", "pathLength")


@rewriter("opacity as percentage", unseen="percentages in attributes are partly unknown to it")
def opacity_percent(draft: Draft, rng: random.Random) -> bool:
    """`.4` as `40%`."""

    def spell(slot: Slot) -> str:
        value = min(1.0, max(0.0, parse_number(slot.value) or 0.0))
        return spelling.exact(value * 100) + "%"

    return respell(
        draft,
        rng,
        lambda slot: slot.kind in ("opacity", "offset") and parse_number(slot.value) is not None,
        spell,
    )


@rewriter("dashes doubled")
def dashes_doubled(draft: Draft, rng: random.Random) -> bool:
    """An odd list of dashes written twice."""

    def fits(slot: Slot) -> bool:
        return slot.kind == "dashes" and len(parse_number_list(slot.value) or ()) % 2 == 1

    return respell(draft, rng, fits, lambda slot: f"{slot.value} {slot.value}")


@rewriter("weights by number")
def weights(draft: Draft, rng: random.Random) -> bool:
    """`bold` as `700` and back."""
    pairs = {"bold": "700", "700": "bold", "normal": "400", "400": "normal"}
    return respell(
        draft,
        rng,
        lambda slot: slot.kind == "font-weight" and slot.value in pairs,
        lambda slot: pairs[slot.value],
    )


@rewriter("keyword case", unseen="upper case keywords are unknown to it")
def keyword_case(draft: Draft, rng: random.Random) -> bool:
    """CSS keywords are case-insensitive."""
    return respell(
        draft, rng, lambda slot: slot.kind == "keyword" and slot.is_property, lambda slot: slot.value.upper()
    )


@rewriter("quotes in url()", unseen="quotes in url() are unknown to it")
def url_quotes(draft: Draft, rng: random.Random) -> bool:
    """`url(#a)` as `url( '#a' )`."""

    def spell(slot: Slot) -> str | None:
        head, _, rest = slot.value.partition("url(#")
        name, close, tail = rest.partition(")")
        if not close or head.strip() or set(name) & set("'\"\\() "):
            return None
        return f"{head}url({rng.choice(('', ' '))}{chr(39)}#{name}{chr(39)}){tail}"

    return respell(draft, rng, lambda slot: slot.is_property and "url(#" in slot.value, spell)


def has_length(value: str) -> bool:
    """Whether a value is a length that is no plain number."""
    length = parse_length(value)
    return length is not None and length.unit != ""
