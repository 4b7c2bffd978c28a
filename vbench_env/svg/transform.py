"""Transforms: the SVG grammar, affine matrices, and the published function-by-function form.

A matrix `(a, b, c, d, e, f)` maps (x, y) to (a x + c y + e, b x + d y + f), as SVG 1.1 section 7.4 writes it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import NamedTuple

from vbench_env.svg.caching import cached
from vbench_env.svg.values import COMMA_WSP, WSP, parse_number_list, published_numbers

Point = tuple[float, float]


class Matrix(NamedTuple):
    """An affine map of the plane. `outer @ inner` applies `inner` first."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def __matmul__(self, inner: Matrix) -> Matrix:
        a, b, c, d, e, f = self
        return Matrix(
            a * inner.a + c * inner.b,
            b * inner.a + d * inner.b,
            a * inner.c + c * inner.d,
            b * inner.c + d * inner.d,
            a * inner.e + c * inner.f + e,
            b * inner.e + d * inner.f + f,
        )

    def apply(self, x: float, y: float) -> Point:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def apply_vector(self, x: float, y: float) -> Point:
        """The image of a direction: the linear part alone."""
        return self.a * x + self.c * y, self.b * x + self.d * y

    @property
    def determinant(self) -> float:
        return self.a * self.d - self.b * self.c

    @property
    def scale_factor(self) -> float:
        """How much lengths grow on average: the root of the area factor."""
        return math.sqrt(abs(self.determinant))

    @property
    def norm(self) -> float:
        """How much a length grows at most."""
        total = self.a**2 + self.b**2 + self.c**2 + self.d**2
        spread = math.sqrt(max(0.0, total * total - 4 * self.determinant**2))
        return math.sqrt((total + spread) / 2)

    def inverse(self) -> Matrix | None:
        """The inverse; None for a singular matrix."""
        area = self.determinant
        if area == 0 or not math.isfinite(1 / area):
            return None
        a, b, c, d = self.d / area, -self.b / area, -self.c / area, self.a / area
        return Matrix(a, b, c, d, -(a * self.e + c * self.f), -(b * self.e + d * self.f))

    def displacement(self, other: Matrix, points: Iterable[Point]) -> float:
        """Largest distance between the images of a point under both maps; 0 without points."""
        return max((math.dist(self.apply(x, y), other.apply(x, y)) for x, y in points), default=0.0)

    def is_close(self, other: Matrix, points: Iterable[Point], tolerance: float) -> bool:
        """Whether no point moves by more than `tolerance`, a length in the frame that the maps lead to."""
        return self == other or self.displacement(other, points) <= tolerance

    def linear_gap(self, other: Matrix) -> float:
        """How far the images of a direction of length 1 are apart, at most."""
        return Matrix(*(one - two for one, two in zip(self[:4], other[:4], strict=True))).norm

    def same_linear(self, other: Matrix, relative: float = 1e-9) -> bool:
        """Whether both have the same linear part, up to `relative` of its norm."""
        bound = relative * max(self.norm, other.norm)
        return all(abs(one - two) <= bound for one, two in zip(self[:4], other[:4], strict=True))


IDENTITY = Matrix()


class Parts(NamedTuple):
    """A matrix from outside in: translate, rotate and skew along x (both in degrees), scale."""

    translate: Point
    rotate: float
    skew: float
    scale: Point


def decompose(matrix: Matrix) -> Parts:
    """The parts of a matrix, which `compose` puts together again; a mirror is a negative y scale."""
    a, b, c, d, e, f = matrix
    scale_x = math.hypot(a, b)
    if scale_x == 0:
        return Parts(
            (e, f), math.degrees(math.atan2(-c, d)) if (c or d) else 0.0, 0.0, (0.0, math.hypot(c, d))
        )
    scale_y = matrix.determinant / scale_x
    shear = (a * c + b * d) / scale_x
    skew = math.degrees(math.atan2(shear, scale_y)) if scale_y else 0.0
    return Parts((e, f), math.degrees(math.atan2(b, a)), skew, (scale_x, scale_y))


def rotation_angle(matrix: Matrix) -> float:
    """Where the x axis points, in degrees from -180 to 180, clockwise on screen."""
    return decompose(matrix).rotate


def angle_difference(first: float, second: float) -> float:
    """The smaller angle between two directions, 0 to 180 degrees."""
    return abs((first - second + 180) % 360 - 180)


class Function(NamedTuple):
    """One transform function as written."""

    name: str
    args: tuple[float, ...]


COUNTS = {
    "matrix": frozenset({6}), "translate": frozenset({1, 2}), "scale": frozenset({1, 2}),
    "rotate": frozenset({1, 3}), "skewX": frozenset({1}), "skewY": frozenset({1}),
}  # fmt: skip
"""Numbers that each function takes (SVG 1.1 section 7.6)."""

_FUNCTION = re.compile(r"([A-Za-z]+)[ \t\n\r\f]*\(([^()]*)\)")
_GAP = re.compile(rf"(?:{COMMA_WSP})*")


@cached(4096)
def parse_functions(text: str) -> tuple[Function, ...] | None:
    """The functions of a `transform` attribute; empty text or `none` has none; None outside the grammar."""
    text = text.strip(WSP)
    if text in ("", "none"):
        return ()
    found: list[Function] = []
    at = 0
    while at < len(text):
        match = _FUNCTION.match(text, at)
        if match is None:
            return None
        args = parse_number_list(match[2])
        if args is None or len(args) not in COUNTS.get(match[1], ()):
            return None
        found.append(Function(match[1], args))
        at = match.end()
        if at < len(text):
            at = _GAP.match(text, at).end()  # type: ignore[union-attr]
            if at == len(text):
                return None
    return tuple(found)


def function_matrix(function: Function) -> Matrix:
    """The matrix of one function (SVG 1.1 section 7.6)."""
    name, args = function
    if name == "matrix":
        return Matrix(*args)
    if name == "translate":
        return Matrix(e=args[0], f=args[1] if len(args) > 1 else 0.0)
    if name == "scale":
        return Matrix(a=args[0], d=args[-1])
    if name == "rotate":
        return _rotate(*args)
    slope = math.tan(math.radians(args[0]))
    return Matrix(c=slope) if name == "skewX" else Matrix(b=slope)


def _rotate(degrees: float, cx: float = 0.0, cy: float = 0.0) -> Matrix:
    cosine, sine = _cosine_sine(degrees)
    return Matrix(cosine, sine, -sine, cosine, cx - cosine * cx + sine * cy, cy - sine * cx - cosine * cy)


def _cosine_sine(degrees: float) -> Point:
    """Exact at multiples of 90."""
    quarter, rest = divmod(degrees, 90.0)
    if rest == 0:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarter) % 4]
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


@cached(4096)
def parse_transform(text: str) -> Matrix | None:
    """The matrix of a `transform` attribute; None outside the grammar."""
    functions = parse_functions(text)
    if functions is None:
        return None
    matrix = IDENTITY
    for function in functions:
        matrix = matrix @ function_matrix(function)
    return matrix if all(map(math.isfinite, matrix)) else None


def compose(parts: Parts) -> Matrix:
    """The matrix of `decompose`'s parts."""
    (x, y), angle, skew, (scale_x, scale_y) = parts
    turn = _rotate(angle)
    return Matrix(e=x, f=y) @ turn @ Matrix(c=math.tan(math.radians(skew))) @ Matrix(a=scale_x, d=scale_y)


def format_matrix(matrix: Matrix) -> str:
    """A `transform` attribute with every digit."""
    return f"matrix({' '.join(map(repr, matrix))})"


_PUBLISHED_GAP = re.compile(r"[\s,]*")
_PUBLISHED_FUNCTION = re.compile(r"([A-Za-z]+)\s*\(([^()]*)\)")


@cached(4096)
def published_transform(text: str) -> tuple[str, ...] | None:
    """The published form: each function as `name(n,n,...)` in decimal spelling.

    None for an unknown function or a wrong number of arguments; compared as text, function by function.
    """
    found: list[str] = []
    at = _PUBLISHED_GAP.match(text).end()  # type: ignore[union-attr]
    while at < len(text):
        match = _PUBLISHED_FUNCTION.match(text, at)
        if match is None:
            return None
        args = published_numbers(match[2]) or ()
        if len(args) not in COUNTS.get(match[1], ()):
            return None
        found.append(f"{match[1]}({','.join(args)})")
        at = _PUBLISHED_GAP.match(text, match.end()).end()  # type: ignore[union-attr]
    return tuple(found)


def published_translate(text: str) -> Point | None:
    """The offset of the first `translate(...)`, where the published evaluator finds a missing `x` or `y`."""
    for name, body in _PUBLISHED_FUNCTION.findall(text):
        if name == "translate":
            args = published_numbers(body)
            if args and len(args) <= 2:
                return float(args[0]), float(args[1]) if len(args) > 1 else 0.0
            return None
    return None
