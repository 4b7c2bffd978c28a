"""Frames: how the coordinates of one user space are written anew, and how transforms follow.

A frame maps an old point (x, y) to a new one (sx x + tx, sy y + ty). In one variant every user space has the same
scales (sx is negative in a mirrored one) and its own offset. A transform between two spaces, `old outer = T old
inner`, becomes `new outer = T' new inner` with T' = outer T inverse(inner). Each function of a transform list is
carried over by itself, so that a translate stays a translate and a rotate a rotate.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from vbench_env.svg.transform import Function, parse_functions
from vbench_env.taskkit.variant.draft import Unvaried
from vbench_env.taskkit.variant.numerals import rewritten, spelled


class Frame(NamedTuple):
    """The map of one user space; `sy` is positive."""

    sx: float = 1.0
    sy: float = 1.0
    tx: float = 0.0
    ty: float = 0.0

    @property
    def mirrored(self) -> bool:
        return self.sx < 0

    def x(self, value: float) -> float:
        return self.sx * value + self.tx

    def y(self, value: float) -> float:
        return self.sy * value + self.ty

    def at(self, tx: float, ty: float) -> Frame:
        """The frame with another offset."""
        return Frame(self.sx, self.sy, tx, ty)

    def close_to(self, other: Frame) -> bool:
        return all(abs(one - two) < 1e-6 for one, two in zip(self, other, strict=True))

    def inside(self, x: float, y: float, width: float, height: float) -> Frame:
        """The frame that maps this box to the box at the same place, `sx` times as wide and `sy` as high."""
        left = x + width if self.mirrored else x
        return self.at(abs(self.sx) * x - self.sx * left, 0.0)

    def box(self, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
        """The image of a box: x, y, width, height."""
        left = self.x(x + width) if self.mirrored else self.x(x)
        return left, self.y(y), abs(self.sx) * width, self.sy * height


IDENTITY = Frame()
UNIT_MIRROR = Frame(-1.0, 1.0, 1.0, 0.0)
"""Shares of a box, mirrored."""


def carried(text: str, outer: Frame, inner: Frame | None = None) -> tuple[str, Frame]:
    """A transform list in new coordinates, and the frame of the space inside it.

    Args:
        text: the old list.
        outer: frame of the space outside.
        inner: frame that the space inside must have; None leaves the choice.
    """
    functions = parse_functions(text)
    if functions is None:
        raise Unvaried(f"the transform {text[:40]!r} cannot be read")
    new: list[Function] = []
    frame = outer
    for function in functions:
        parts, frame = _carried(function, frame)
        new += parts
    if inner is not None and not frame.close_to(inner):
        new.append(Function("translate", (frame.tx - inner.tx, frame.ty - inner.ty)))
        frame = inner
    return _written(text, functions, new), frame


def _carried(function: Function, outer: Frame) -> tuple[list[Function], Frame]:
    """One function in new coordinates, and the frame inside it, offset as simple as can be."""
    name, args = function
    home = outer.at(0.0, 0.0)
    if name == "translate":
        x, y = (*args, 0.0)[:2]
        return [Function(name, (outer.x(x), outer.y(y)))], home
    if name == "matrix":
        a, b, c, d, e, f = args
        flip = math.copysign(1.0, outer.sx)
        return [Function(name, (a, flip * b, flip * c, d, outer.x(e), outer.y(f)))], home
    if name == "rotate":
        angle = math.copysign(1.0, outer.sx) * args[0] + 0.0
        if len(args) == 3 or outer != home:
            cx, cy = (*args[1:], 0.0, 0.0)[:2]
            return [Function(name, (angle, outer.x(cx), outer.y(cy)))], outer
        return [Function(name, (angle,))], home
    if name == "scale":
        return _scaled(args, outer)
    shift = [] if outer == home else [Function("translate", (outer.tx, outer.ty))]
    return [*shift, Function(name, (math.copysign(1.0, outer.sx) * args[0] + 0.0,))], home


def _scaled(args: tuple[float, ...], outer: Frame) -> tuple[list[Function], Frame]:
    x, y = args[0], args[-1]
    if (x == 0 and outer.tx) or (y == 0 and outer.ty):
        raise Unvaried("something is scaled down to nothing")
    return [Function("scale", args)], outer.at(outer.tx / x if x else 0.0, outer.ty / y if y else 0.0)


_SEPARATOR = re.compile(r"(?<=[\d.])\s*,\s*(?=[-+.\d])|(?<=[\d.])\s+(?=[-+.\d])")


def _written(text: str, old: Sequence[Function], new: Sequence[Function]) -> str:
    """The new functions, in the old spelling where there are as many of them with as many numbers."""
    if [(name, len(args)) for name, args in old] == [(name, len(args)) for name, args in new]:
        return rewritten(text, [value for _, args in new for value in args])
    match = _SEPARATOR.search(text)
    gap = match[0] if match else " "
    return " ".join(f"{name}({gap.join(spelled(value) for value in args)})" for name, args in new)
