"""Edits of a `transform` attribute as text: move, scale and rotate by changing as few of its numbers as can
be.

Each function takes a valid transform text and gives the text of the transform that does the same and then, in
the parent's units, moves, scales about a point or rotates about a point.
"""

from __future__ import annotations

import math
import re

from vbench_env.svg.number_edit import number_spans, number_text, replace_numbers
from vbench_env.svg.transform import Function, Point, parse_functions

NEAR = 1e-6
"""Points closer than this are one."""

_FUNCTION = re.compile(r"[A-Za-z]+[ \t\n\r\f]*\([^()]*\)")


def moved(text: str, delta: Point) -> str:
    """The transform, moved by `delta`: a leading translate is changed, else one goes in front."""
    functions = _functions(text)
    if not functions or functions[0].name != "translate":
        return _with_front(text, 0, f"translate({_numbers(*delta)})")
    x, y = _pair(functions[0])
    return _with_front(text, 1, _filled(text, functions, 0, (x + delta[0], y + delta[1])))


def scaled(text: str, factors: Point, point: Point) -> str:
    """The transform, scaled about `point`: merged where it is a translate, a scale or both, else in front."""
    functions = _functions(text)
    names = [function.name for function in functions]
    if names not in (["scale"], ["translate", "scale"], ["translate"]):
        shift = (point[0] * (1 - factors[0]), point[1] * (1 - factors[1]))
        return _with_front(text, 0, " ".join([*_shift_text(shift), _scale_text(factors)]))
    shift = _pair(functions[0]) if names[0] == "translate" else (0.0, 0.0)
    new = (point[0] + (shift[0] - point[0]) * factors[0], point[1] + (shift[1] - point[1]) * factors[1])
    parts = [_filled(text, functions, 0, new)] if names[0] == "translate" else _shift_text(new)
    old = functions[-1].args if names[-1] == "scale" else (1.0,)
    grown = (old[0] * factors[0], old[-1] * factors[1])
    return _with_front(text, len(names), " ".join([*parts, _scale_text(grown)]))


def rotated(text: str, degrees: float, point: Point) -> str:
    """The transform, rotated about `point`: an angle that turns about it already is changed, else in
    front."""
    functions = _functions(text)
    at = 1 if len(functions) > 1 and functions[0].name == "translate" else 0
    if len(functions) > at and functions[at].name == "rotate":
        angle, *center = functions[at].args
        base = _pair(functions[0]) if at else (0.0, 0.0)
        cx, cy = (*center, 0.0, 0.0)[:2]
        if math.dist((base[0] + cx, base[1] + cy), point) < NEAR:
            turned = _filled(text, functions, at, (_within_turn(angle + degrees), *center))
            return _with_front(text, at + 1, " ".join([*_FUNCTION.findall(text)[:at], turned]))
    about = "" if math.dist(point, (0.0, 0.0)) < NEAR else " " + _numbers(*point)
    return _with_front(text, 0, f"rotate({_numbers(degrees)}{about})")


def origin(text: str) -> Point:
    """Where the leading translates put the origin of the object's own units."""
    x = y = 0.0
    for function in _functions(text):
        if function.name != "translate":
            break
        step = _pair(function)
        x, y = x + step[0], y + step[1]
    return x, y


def _functions(text: str) -> tuple[Function, ...]:
    functions = parse_functions(text)
    if functions is None:
        raise ValueError(f"not a transform: {text!r}")
    return functions


def _pair(function: Function) -> Point:
    x, y = (*function.args, 0.0)[:2]
    return x, y


def _numbers(*values: float) -> str:
    return " ".join(map(number_text, values))


def _shift_text(shift: Point) -> list[str]:
    return [] if math.dist(shift, (0.0, 0.0)) < NEAR else [f"translate({_numbers(*shift)})"]


def _scale_text(factors: Point) -> str:
    uniform = abs(factors[0] - factors[1]) < NEAR
    return f"scale({number_text(factors[0]) if uniform else _numbers(*factors)})"


def _within_turn(degrees: float) -> float:
    return math.remainder(degrees, 360.0) if abs(degrees) > 360 else degrees


def _filled(text: str, functions: tuple[Function, ...], number: int, values: tuple[float, ...]) -> str:
    """A function with other numbers, spelt as before where as many are needed."""
    written = _FUNCTION.findall(text)[number]
    spans, old = number_spans(written), functions[number].args
    if len(values) == len(old) + 1 and number_text(values[-1]) == "0":
        values = values[:-1]
    if len(spans) != len(values):
        return f"{functions[number].name}({_numbers(*values)})"
    changes = zip(spans, values, old, strict=True)
    return replace_numbers(written, [(span, new) for span, new, before in changes if new != before])


def _with_front(text: str, replaced: int, front: str) -> str:
    """The transform with `front` in place of its first functions."""
    matches = list(_FUNCTION.finditer(text))
    if not matches:
        return front
    if not replaced:
        return f"{front} {text.lstrip()}"
    return text[: matches[0].start()] + front + text[matches[replaced - 1].end() :]
