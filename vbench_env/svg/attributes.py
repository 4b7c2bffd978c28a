"""Attributes that are no presentation property, in normal form.

Kinds and initial values come from `schema`. An attribute that says what its absence says is left out, save on
elements that take missing attributes from another one (`href` of gradients, patterns and filters).

Sources: SVG 1.1 appendix M, SVG 2 chapters 7 to 10 and 14, Filter Effects 1, SMIL animation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from vbench_env.svg.caching import cached
from vbench_env.svg.colors import Color, parse_color
from vbench_env.svg.parse import XLINK_HREF, Shape
from vbench_env.svg.path_data import Command, PathError, parse_path, path_tokens
from vbench_env.svg.properties import ResolveOptions, Value, pixels
from vbench_env.svg.references import Referring, attribute_reference
from vbench_env.svg.schema import (
    BOX_UNITS,
    HREF_INHERITED,
    SAME_AS,
    attribute_kind,
    initial_value,
    is_property,
)
from vbench_env.svg.transform import parse_transform, published_transform
from vbench_env.svg.values import (
    Length,
    parse_length,
    parse_lengths,
    parse_number,
    parse_number_list,
    parse_opacity,
    parse_viewbox,
)


def plain_attributes(shape: Shape, options: ResolveOptions) -> tuple[Mapping[str, Value], bool]:
    """Attributes that are no presentation property, in normal form, and whether any refers to an id."""
    key = ("plain", options)
    found = shape.memo.get(key)
    if found is None:
        plain = dict(_plain(shape, options))
        refers = any(type(value) is Referring for value in plain.values())
        found = shape.memo[key] = (plain, refers)
    return found


def _plain(shape: Shape, options: ResolveOptions) -> Iterator[tuple[str, Value]]:
    tag, attrs = shape.tag, shape.attrs
    defaults = options.defaults == "computed" and not _takes_from_link(shape)
    boxed = _in_box_units(shape)
    for name, text in attrs.items():
        if name == "id" or (name == "style" and tag[0] != "{") or is_property(tag, name):
            continue
        if not _kept(name, options):
            continue
        if name == XLINK_HREF and "href" not in attrs:
            name = "href"
        value = attribute_value(tag, name, text, options)
        if boxed:
            value = _share(value)
        if defaults and value == _initial(tag, name, boxed):
            continue
        yield name, value


def _takes_from_link(shape: Shape) -> bool:
    return shape.tag in HREF_INHERITED and ("href" in shape.attrs or XLINK_HREF in shape.attrs)


def _in_box_units(shape: Shape) -> bool:
    """Whether lengths of the element are shares of the box of what refers to it."""
    units = BOX_UNITS.get(shape.tag)
    if units is None:
        return False
    given = shape.attrs.get(units)
    if given is None:
        return not _takes_from_link(shape)
    return given.strip() == "objectBoundingBox"


def _share(value: Value) -> Value:
    return value.value / 100 if type(value) is Length and value.unit == "%" else value


def _kept(name: str, options: ResolveOptions) -> bool:
    if options.metadata == "strict":
        return True
    if name.startswith("aria-"):
        return False
    return options.metadata == "no-aria" or not (name in ("class", "role") or name.startswith("data-"))


@lru_cache(maxsize=4096)
def _initial(tag: str, name: str, boxed: bool) -> Value | None:
    text = initial_value(tag, name)
    if text is None:
        return None
    value = attribute_value(tag, name, text, ResolveOptions())
    return _share(value) if boxed else value


def absent_value(shape: Shape, name: str, plain: Mapping[str, Value]) -> Value | None:
    """What an attribute that is not there stands for: another one's value, or the initial one; None if neither.

    Args:
        shape: the start tag.
        name: of the attribute.
        plain: the attributes that are there, in normal form.
    """
    if _takes_from_link(shape):
        return None
    other = SAME_AS.get((shape.tag, name))
    if other is not None:
        if other in plain:
            return plain[other]
        if SAME_AS.get((shape.tag, other)) == name:
            return 0.0
        name = other
    return _initial(shape.tag, name, _in_box_units(shape))


def attribute_value(tag: str, name: str, text: str, options: ResolveOptions) -> Value:
    """The normal value of an attribute that is no presentation property."""
    reference = attribute_reference(tag, name, text)
    if reference is not None:
        return reference
    if tag[0] == "{" or name[0] == "{":
        return ("text", text)
    kind = attribute_kind(tag, name)
    if kind == "path" and options.path_form == "tokens":
        return path_tokens(text) or ("text", text)
    if kind == "transform" and options.transform_form == "functions":
        return published_transform(text) or ("text", text)
    value = _kind_value(kind, text)
    return ("text", text) if value is None else value


@cached(16384)
def _kind_value(kind: str, text: str) -> Value | None:
    reader = _ATTRIBUTE_READERS.get(kind)
    return reader(text) if reader else None


def _one_length(text: str) -> Value | None:
    length = parse_length(text)
    return pixels(length) if length else (text.strip().lower() if text.strip().isalpha() else None)


def _length_list(text: str) -> Value | None:
    lengths = parse_lengths(text)
    if not lengths:
        return None
    return pixels(lengths[0]) if len(lengths) == 1 else ("list", *map(pixels, lengths))


def _number_list(text: str) -> Value | None:
    numbers = parse_number_list(text)
    return None if numbers is None else ("list", *numbers)


def _optional_pair(text: str) -> Value | None:
    numbers = parse_number_list(text)
    return None if not numbers else ("list", *(numbers * 2 if len(numbers) == 1 else numbers))


def _viewbox(text: str) -> Value | None:
    box = parse_viewbox(text)
    return None if box is None else ("list", *box)


def _transform(text: str) -> Value | None:
    matrix = parse_transform(text)
    return None if matrix is None else ("matrix", *matrix)


def _aspect(text: str) -> Value | None:
    words = text.split()
    return ("text", " ".join([*words, "meet"] if len(words) == 1 and words != ["none"] else words))


def _angle(text: str) -> Value | None:
    number = parse_number(text.strip().removesuffix("deg"))
    return number if number is not None else ("text", text.strip())


def _path(text: str) -> Value | None:
    try:
        commands = parse_path(text)
    except PathError:
        return None
    letters = "".join(map(_letter, commands))
    return ("path", letters, *(number for command in commands for number in _drawn(command)))


def _letter(command: Command) -> str:
    """The letter of a command, of an arc with its rotation and flags, which agree exactly or not at all."""
    if command.letter != "A":
        return command.letter
    _, _, rotation, large, sweep, _, _ = command.args
    return f"A{rotation!r},{large:.0f},{sweep:.0f} "


def _drawn(command: Command) -> tuple[float, ...]:
    return (*command.args[:2], *command.args[5:]) if command.letter == "A" else command.args


def _frames(text: str) -> Value:
    """Values of an animation, `;` between them: lists of numbers, colours in hex, else as written."""
    return ("frames", *map(_frame, text.strip(" \t\r\n;").split(";")))


def _frame(text: str) -> Value:
    text = " ".join(text.split())
    if text.startswith("#"):
        color = parse_color(text)
        if type(color) is Color:
            return color
    numbers = parse_number_list(text)
    return numbers or text


_CLOCK = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+)(h|min|s|ms)?\s*")
_SECONDS = {"h": 3600.0, "min": 60.0, "s": 1.0, "ms": 0.001, None: 1.0}


def _clock(text: str) -> Value:
    """A duration in seconds, else as written."""
    match = _CLOCK.fullmatch(text)
    return float(match[1]) * _SECONDS[match[2]] if match else ("text", " ".join(text.split()))


_ATTRIBUTE_READERS: dict[str, Callable[[str], Value | None]] = {
    "length-x": _one_length,
    "length-y": _one_length,
    "length-diagonal": _one_length,
    "lengths": _length_list,
    "number": parse_number,
    "positive": parse_number,
    "integer": parse_number,
    "offset": parse_opacity,
    "numbers": _number_list,
    "points": _number_list,
    "numbers-opt": _optional_pair,
    "viewbox": _viewbox,
    "path": _path,
    "transform": _transform,
    "aspect": _aspect,
    "angle": _angle,
    "frames": _frames,
    "clock": _clock,
    "keyword": lambda text: ("text", " ".join(text.split())),
}
