"""Attributes and properties in new coordinates: one function for each kind of value.

Each takes the text of a value and gives the text of the new one, spelled alike.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vbench_env.svg.number_edit import Segment, segments
from vbench_env.svg.parse import Node
from vbench_env.svg.path_data import PathError
from vbench_env.svg.schema import TEXT_ELEMENTS
from vbench_env.svg.values import ViewBox, parse_length, parse_number_list
from vbench_env.taskkit.variant.draft import Unvaried
from vbench_env.taskkit.variant.frames import Frame
from vbench_env.taskkit.variant.numerals import rewritten, rewritten_at, spelled

LENGTHS = frozenset({
    "stroke-width", "stroke-dasharray", "stroke-dashoffset", "font-size", "letter-spacing", "word-spacing",
    "baseline-shift", "r", "rx", "ry", "width", "height", "textLength", "startOffset", "stdDeviation", "radius",
    "fr",
})  # fmt: skip
"""Properties and attributes that are lengths without a place."""
_LENGTH = re.compile(
    r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(px|pt|pc|mm|cm|in|q)?(?![\w%.])", re.IGNORECASE
)
_FILTER_ARGS = re.compile(r"(blur|drop-shadow)\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_SIZE = re.compile(r"(?<![\w.#-])((?:\d+\.?\d*|\.\d+))(px|pt|pc|mm|cm|in|q)(?=[\s/,;]|$)", re.IGNORECASE)


class Viewport(NamedTuple):
    """Sides to which percentages refer, in old user units; None where they are not known."""

    width: float | None
    height: float | None


def scaled(text: str, scale: float) -> str:
    """Lengths times `scale`; percentages, `em` and keywords stay."""
    matches = list(_LENGTH.finditer(text))
    values = [float(match[1]) * scale for match in matches]
    return rewritten_at(text, [match.span(1) for match in matches], values)


def scaled_property(name: str, text: str, scale: float) -> str:
    """A declaration's value with its lengths scaled."""
    if name in LENGTHS:
        return scaled(text, scale)
    if name == "filter":
        return _FILTER_ARGS.sub(lambda match: f"{match[1]}({scaled(match[2], scale)})", text)
    if name == "font":
        return _SIZE.sub(lambda match: spelled(float(match[1]) * scale, match[1]) + match[2], text)
    return text


def moved_path(text: str, frame: Frame) -> str:
    """Path data in new coordinates; commands, spacing and relative spelling stay."""
    try:
        found = segments(text)
    except PathError as error:
        raise Unvaried(f"path data cannot be read: {error}") from error
    values: list[float | str | None] = []
    for number, segment in enumerate(found):
        values += _moved_segment(segment, frame, first=number == 0)
    return rewritten_at(text, [span for segment in found for span in segment.spans], values)


def _moved_segment(segment: Segment, frame: Frame, *, first: bool) -> list[float | str | None]:
    letter, args = segment.letter, segment.args
    here = frame.at(0.0, 0.0) if letter.islower() and not first else frame
    if letter in "Hh":
        return [here.x(args[0])]
    if letter in "Vv":
        return [here.y(args[0])]
    if letter in "Aa":
        rx, ry, angle, _, sweep, x, y = args
        turned = -angle + 0.0 if frame.mirrored and angle else None
        flipped = str(int(1 - sweep)) if frame.mirrored else None
        radii = [abs(frame.sx) * rx, frame.sy * ry]
        return [*radii, turned, None, flipped, here.x(x), here.y(y)]
    return [here.y(value) if place % 2 else here.x(value) for place, value in enumerate(args)]


def moved_points(text: str, frame: Frame) -> str:
    """A list of points in new coordinates."""
    values = parse_number_list(text)
    if values is None:
        raise Unvaried("a list of points cannot be read")
    return rewritten(text, [frame.y(v) if place % 2 else frame.x(v) for place, v in enumerate(values)])


def moved_viewbox(view: ViewBox, text: str, frame: Frame) -> str:
    """A `viewBox` that shows the same in new coordinates."""
    return rewritten(text, frame.box(*view))


_VERTICAL = frozenset({"cy", "y1", "y2", "fy", "y"})
_BOXED = frozenset({"rect", "image", "foreignObject"})
PLACES: dict[str, tuple[str, ...]] = {
    "rect": ("x", "y"), "image": ("x", "y"), "foreignObject": ("x", "y"), "circle": ("cx", "cy"),
    "ellipse": ("cx", "cy"), "line": ("x1", "y1", "x2", "y2"), "text": ("x", "y"),
}  # fmt: skip
"""Attributes of a place that count as 0 when they are not written."""


def moved_place(node: Node, name: str, text: str, frame: Frame, port: Viewport) -> str:
    """A coordinate of an element in new coordinates, as text.

    Args:
        node: the element, for the width of a box.
        name: of the attribute.
        text: its value.
        frame: of the space in which it stands.
        port: what percentages refer to.
    """
    if node.tag in TEXT_ELEMENTS and len(text.replace(",", " ").split()) > 1:
        return _moved_row(text, name, frame)
    percent = text.strip().endswith("%")
    if percent and frame == frame.at(0.0, 0.0) and not frame.mirrored:
        return text
    vertical = name in _VERTICAL
    old = user_units(text, port.height if vertical else port.width)
    if frame.mirrored and name == "x" and node.tag in _BOXED:
        old += user_units(node.attrs.get("width", "0"), port.width)
    return spelled(frame.y(old) if vertical else frame.x(old), "0" if percent else text.strip())


def _moved_row(text: str, name: str, frame: Frame) -> str:
    if frame.mirrored and name == "x":
        raise Unvaried("a text has places for single letters")
    move = frame.y if name in _VERTICAL else frame.x
    return rewritten(text, [move(value) for value in parse_number_list(text) or ()])


def user_units(text: str, reference: float | None) -> float:
    """A length in user units; `reference` is what 100 % is."""
    length = parse_length(text)
    value = length.to_px(reference) if length is not None else None
    if value is None:
        raise Unvaried(f"the length {text!r} is not in user units")
    return value


def moved_step(text: str, scale: float) -> str:
    """Steps (`dx`, `dy`) along an axis, in new coordinates; steps in `em` grow with the letters."""
    values = parse_number_list(text)
    if values is None:
        if scale > 0 and text.strip().endswith(("em", "ex", "%")):
            return text
        raise Unvaried(f"the step {text!r} is not in user units")
    return rewritten(text, [value * scale for value in values])
