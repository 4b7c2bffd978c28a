"""The grammars of attribute values: what is wrong with one start tag, whatever stands around it.

Sources: SVG 2 (grammars of chapters 4, 8, 9), CSS Color 4. The published grammars are looser, and read five attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vbench_env.svg.caching import cached
from vbench_env.svg.canonical import collapse
from vbench_env.svg.colors import parse_color, parse_paint
from vbench_env.svg.parse import Shape
from vbench_env.svg.path_data import PathError, parse_path, path_tokens
from vbench_env.svg.schema import PRESENTATION, attribute_kind, is_property
from vbench_env.svg.transform import parse_transform, published_transform
from vbench_env.svg.values import (
    css_limit,
    parse_fraction,
    parse_length,
    parse_lengths,
    parse_number,
    parse_number_list,
    parse_viewbox,
    published_declarations,
    published_numbers,
    split_declarations,
)

Key = tuple[str, str]
"""Kind and message of a fault: what makes two faults the same, wherever they stand."""


def published_faults(shape: Shape) -> Iterator[Key]:
    for name, value in shape.attrs.items():
        if name == "style" and published_declarations(value) is None:
            yield "style", f"style declaration without name or value: {value[:60]!r}"
        elif name == "d" and path_tokens(value) is None:
            yield "path", f"path data cannot be read: {value[:60]!r}"
        elif name == "points" and not _published_points(value):
            yield "points", f"points need an even count of numbers: {value[:60]!r}"
        elif name in _TRANSFORMS and published_transform(value) is None:
            yield "transform", f"transform cannot be read: {value[:60]!r}"
        elif name == "viewBox" and not _published_viewbox(value):
            yield "viewbox", f"viewBox needs four numbers of positive size: {value[:60]!r}"


_TRANSFORMS = frozenset({"transform", "gradientTransform", "patternTransform"})


def _published_points(value: str) -> bool:
    numbers = published_numbers(value)
    return len(numbers) % 2 == 0 if numbers is not None else not value.strip()


def _published_viewbox(value: str) -> bool:
    numbers = published_numbers(value)
    return numbers is not None and len(numbers) == 4 and min(float(numbers[2]), float(numbers[3])) > 0


def grammar_faults(shape: Shape) -> Iterator[Key]:
    if shape.tag[0] == "{":
        return
    for name, value in shape.attrs.items():
        if name[0] == "{":
            continue
        if name == "style":
            yield from _style_faults(value)
        elif is_property(shape.tag, name):
            fault = value_fault(name, PRESENTATION[name].kind, value)
            if fault:
                yield fault
        else:
            kind = attribute_kind(shape.tag, name)
            fault = value_fault(name, kind, value) if kind else None
            if fault:
                yield fault


def _style_faults(style: str) -> Iterator[Key]:
    for declaration in split_declarations(style):
        info = PRESENTATION.get(declaration.name)
        if info is not None and info.kind in ("color", "paint", "opacity", "positive"):
            fault = value_fault(declaration.name, info.kind, declaration.value)
            if fault:
                yield fault


@cached(8192)
def value_fault(name: str, kind: str, value: str) -> Key | None:
    """The fault of an attribute value of a known kind, or None where it is sound."""
    checker = _CHECKS.get(kind)
    if checker is None or value.strip().lower() in _WIDE or "var(" in value or "calc(" in value:
        return None
    fault, sound = checker
    if sound(value):
        return None
    return fault, f"{name} is no valid {kind}: {value[:60]!r}"


_WIDE = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_SYSTEM_COLORS = frozenset(
    """accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas canvastext field
    fieldtext graytext highlight highlighttext linktext mark marktext selecteditem selecteditemtext
    visitedtext activeborder activecaption appworkspace background buttonhighlight buttonshadow captiontext
    inactiveborder inactivecaption inactivecaptiontext infobackground infotext menu menutext scrollbar
    threeddarkshadow threedface threedhighlight threedlightshadow threedshadow window windowframe
    windowtext""".split()
)


def valid_color(value: str) -> bool:
    """Whether CSS Color 4 accepts the value, out-of-gamut and system colours included."""
    if parse_color(value) is not None or value.strip().lower() in _SYSTEM_COLORS:
        return True
    import tinycss2.color4

    readable = "(" in value and css_limit(value, "a colour") is None
    return readable and tinycss2.color4.parse_color(value) is not None


def valid_paint(value: str) -> bool:
    """Whether the value is a paint: none, a colour, or a reference with an optional fallback."""
    if parse_paint(value) is not None or valid_color(value):
        return True
    # "#fill icc-color(...)" and url() with an out-of-gamut fallback are legal; the first part decides.
    head = value.strip().split(" ", 1)[0]
    return head.lower().startswith("url(") or ("icc-color(" in value and valid_color(head))


def _path_sound(value: str) -> bool:
    if collapse(value).lower() == "none":
        return True
    try:
        parse_path(value)
    except PathError:
        return False
    return True


def _points_sound(value: str) -> bool:
    numbers = parse_number_list(value)
    return numbers is not None and len(numbers) % 2 == 0


def _length_sound(value: str) -> bool:
    return parse_length(value) is not None or value.strip().lower() in _LENGTH_WORDS


_LENGTH_WORDS = frozenset(
    """auto normal none medium thin thick xx-small x-small small large x-large xx-large larger smaller
    baseline sub super left center right top bottom""".split()
)


def _number_sound(value: str) -> bool:
    return parse_number(value) is not None


def _dashes_sound(value: str) -> bool:
    return value.strip().lower() in ("none", "") or parse_lengths(value) is not None


_LENGTH = ("number", _length_sound)
_NUMBER = ("number", _number_sound)
_NUMBERS = ("number", lambda value: parse_number_list(value) is not None)
_CHECKS: dict[str, tuple[str, Callable[[str], bool]]] = {
    "color": ("color", valid_color),
    "paint": ("color", valid_paint),
    "opacity": ("number", lambda value: parse_fraction(value) is not None),
    "offset": ("number", lambda value: parse_fraction(value) is not None),
    "number": _NUMBER,
    "positive": _NUMBER,
    "integer": _NUMBER,
    "length": _LENGTH,
    "length-x": _LENGTH,
    "length-y": _LENGTH,
    "length-diagonal": _LENGTH,
    "font-size": _LENGTH,
    "spacing": _LENGTH,
    "lengths": ("number", _dashes_sound),
    "dashes": ("number", _dashes_sound),
    "numbers": _NUMBERS,
    "numbers-opt": _NUMBERS,
    "path": ("path", _path_sound),
    "points": ("points", _points_sound),
    "transform": ("transform", lambda value: parse_transform(value) is not None),
    "viewbox": ("viewbox", lambda value: parse_viewbox(value) is not None),
}
