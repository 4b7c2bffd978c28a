"""New geometry attributes of an object that is moved or scaled, where attributes can say it.

Every function gives the attributes to set, or None when the geometry is not written in plain numbers (or the
change cannot be said by them), so that a transform has to do it. Units are those of the object's parent; the
object must have no transform.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from vbench_env.svg.document import Element
from vbench_env.svg.edit import lexical
from vbench_env.svg.number_edit import number_spans, number_text, replace_numbers
from vbench_env.svg.transform import Point
from vbench_env.svg.values import NUMBER, parse_number_list

Wanted = list[tuple[Element, dict[str, str | None]]]
"""Attributes to set, element by element."""

_PLAIN = re.compile(rf"\s*({NUMBER})(?:px)?\s*")
_NEAR = 1e-7
_POSITIONS = {
    "rect": ("x", "y"), "image": ("x", "y"), "use": ("x", "y"), "foreignObject": ("x", "y"), "svg": ("x", "y"),
    "circle": ("cx", "cy"), "ellipse": ("cx", "cy"), "line": ("x1", "y1", "x2", "y2"),
}  # fmt: skip
_SIZES: dict[str, tuple[str, ...]] = {
    "rect": ("width", "height"), "image": ("width", "height"), "foreignObject": ("width", "height"),
    "circle": ("r",), "ellipse": ("rx", "ry"), "line": (),
}  # fmt: skip


def moved(element: Element, delta: Point) -> Wanted | None:
    """Position attributes or points after a move by `delta`."""
    if element.tag in {"polyline", "polygon"}:
        return _moved_list(element, "points", delta)
    if element.tag in {"text", "tspan"}:
        return _moved_text(element, delta)
    if element.tag not in _POSITIONS:
        return None
    values: dict[str, str | None] = {}
    for number, name in enumerate(_POSITIONS[element.tag]):
        old, step = _plain(element, name), delta[number % 2]
        if old is None:
            return None
        if abs(step) > _NEAR:
            values[name] = _with_number(element, name, old + step)
    return [(element, values)]


def scaled(element: Element, factors: Point, point: Point) -> Wanted | None:
    """Position and size attributes or points after scaling about `point`."""
    if element.tag in {"polyline", "polygon"}:
        return _scaled_points(element, factors, point)
    if element.tag not in _SIZES or min(factors) < 0 or not _fits(element, factors):
        return None
    new: dict[str, float] = {}
    for number, name in enumerate(_POSITIONS[element.tag]):
        old, fixed = _plain(element, name), point[number % 2]
        if old is None:
            return None
        new[name] = fixed + (old - fixed) * factors[number % 2]
    for number, name in enumerate(_SIZES[element.tag]):
        old = _plain(element, name)
        if old is None or element.get(name) is None:
            return None
        new[name] = old * factors[number]
    new |= {name: (_plain(element, name) or 0.0) * factor for name, factor in _corners(element, factors)}
    changed = {
        name: value for name, value in new.items() if abs(value - (_plain(element, name) or 0.0)) > _NEAR
    }
    return [(element, {name: _with_number(element, name, value) for name, value in changed.items()})]


def _fits(element: Element, factors: Point) -> bool:
    """Whether attributes can say these factors: circles stay round, corners keep one radius unless both are
    set."""
    if abs(factors[0] - factors[1]) < _NEAR:
        return all(_plain(element, name) is not None for name in ("rx", "ry"))
    if element.tag == "circle":
        return False
    return element.tag != "rect" or (element.get("rx") is None and element.get("ry") is None)


def _corners(element: Element, factors: Point) -> Iterable[tuple[str, float]]:
    if element.tag != "rect":
        return ()
    return [
        (name, factor)
        for name, factor in zip(("rx", "ry"), factors, strict=True)
        if element.get(name) is not None
    ]


def _plain(element: Element, name: str) -> float | None:
    """A geometry attribute as a plain number of user units (0 when missing); None for any other form."""
    text = element.get(name)
    if text is None:
        return 0.0
    match = _PLAIN.fullmatch(text)
    return float(match[1]) if match else None


def _with_number(element: Element, name: str, value: float) -> str:
    """The attribute's text with its number replaced; a unit stays."""
    text = element.get(name)
    return number_text(value) if text is None else replace_numbers(text, [(number_spans(text)[0], value)])


def _moved_list(element: Element, name: str, delta: Point) -> Wanted | None:
    """A list of coordinates, every second one moved by each part of `delta`."""
    written = element.attribute(name)
    text = "0" if written is None else lexical(element, written)
    numbers = parse_number_list(text)
    if not numbers or (name == "points" and len(numbers) % 2):
        return None
    places = enumerate(zip(number_spans(text), numbers, strict=True))
    changes = [(span, value + delta[at % 2]) for at, (span, value) in places if abs(delta[at % 2]) > _NEAR]
    return [(element, {name: replace_numbers(text, changes)})]


def _moved_text(element: Element, delta: Point) -> Wanted | None:
    """x and y of a text and of everything in it that has its own."""
    if element.tag == "tspan" and not (element.get("x") and element.get("y")):
        return None
    wanted: dict[int, tuple[Element, dict[str, str | None]]] = {}
    for item in _with_descendants(element):
        if item.tag == "textPath":
            return None
        for name, step in zip(("x", "y"), delta, strict=True):
            if abs(step) <= _NEAR or (item != element and item.get(name) is None):
                continue
            moved_list = _moved_list(item, name, (step, step))
            if moved_list is None:
                return None
            wanted.setdefault(item.index, (item, {}))[1].update(moved_list[0][1])
    return list(wanted.values()) or [(element, {})]


def _with_descendants(element: Element) -> list[Element]:
    document = element.document
    last = int((document.spans[:, 0] < element.end).sum())
    return [Element(document, index) for index in range(element.index, last)]


def _scaled_points(element: Element, factors: Point, point: Point) -> Wanted | None:
    written = element.attribute("points")
    text = "" if written is None else lexical(element, written)
    numbers = parse_number_list(text)
    if not numbers or len(numbers) % 2:
        return None
    new = [point[at % 2] + (value - point[at % 2]) * factors[at % 2] for at, value in enumerate(numbers)]
    changes = zip(number_spans(text), new, numbers, strict=True)
    changed = [(span, value) for span, value, old in changes if abs(value - old) > _NEAR]
    return [(element, {"points": replace_numbers(text, changed)})]
