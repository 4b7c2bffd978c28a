"""Outlines (`d` and `points`) as commands: shifted, mirrored, completed from their own half.

All work is on the absolute normal form of `svg.path_data`; what is written is as exact as it is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

from vbench_env.svg.path_data import Command, Commands, PathError, format_path, parse_path
from vbench_env.svg.transform import Matrix, Point
from vbench_env.svg.values import parse_points

OUTLINES = frozenset({"d", "points"})


class Unfit(ValueError):
    """An outline that cannot be read, or cannot be carried over; the message says why."""


def read_outline(prop: str, text: str) -> Commands:
    """Commands of a value of `d` or `points`."""
    return outline_of_points(text) if prop == "points" else read_path_data(text)


def outline_of_points(text: str) -> Commands:
    """Commands of a list of points."""
    points = parse_points(text)
    if not points:
        raise Unfit("the list of points cannot be read")
    return tuple(Command("L" if place else "M", point) for place, point in enumerate(points))


def read_path_data(text: str) -> Commands:
    """Commands of path data."""
    try:
        return parse_path(text)
    except PathError as error:
        raise Unfit(f"the path data cannot be read: {error}") from error


def write_outline(prop: str, commands: Commands) -> str:
    """Commands as a value of `d` or `points`."""
    rounded = tuple(Command(letter, tuple(round(value, 6) for value in args)) for letter, args in commands)
    if prop == "d":
        return format_path(rounded)
    return " ".join(f"{args[0]!r},{args[1]!r}" for letter, args in rounded if letter in "ML")


def mapped(commands: Commands, matrix: Matrix) -> Commands:
    """Commands under a matrix; arcs need one that keeps angles."""
    return tuple(Command(letter, _mapped_args(letter, args, matrix)) for letter, args in commands)


def _mapped_args(letter: str, args: tuple[float, ...], matrix: Matrix) -> tuple[float, ...]:
    if letter == "A":
        return _mapped_arc(args, matrix)
    points = [matrix.apply(*args[at : at + 2]) for at in range(0, len(args), 2)]
    return tuple(value for point in points for value in point)


def _mapped_arc(args: tuple[float, ...], matrix: Matrix) -> tuple[float, ...]:
    a, b, c, d = matrix[:4]
    scale = math.hypot(a, b)
    if abs(a * c + b * d) > 1e-9 * scale * scale or abs(math.hypot(c, d) - scale) > 1e-9 * scale:
        raise Unfit("an arc cannot be carried over into coordinates that are stretched; use curves")
    rx, ry, angle, large, sweep, x, y = args
    mirrored = matrix.determinant < 0
    turn = math.degrees(math.atan2(b, a))
    angle = 0.0 if rx == ry else (turn - angle if mirrored else turn + angle) % 180
    return (rx * scale, ry * scale, angle, large, 1 - sweep if mirrored else sweep, *matrix.apply(x, y))


def mirror(vertical: bool, at: float) -> Matrix:
    """The mirror image at a vertical line x = `at`, or a horizontal line y = `at`."""
    return Matrix(a=-1.0, e=2 * at) if vertical else Matrix(d=-1.0, f=2 * at)


def vertices(commands: Commands) -> list[Point]:
    """End points of the commands, in order; closing adds none."""
    return [(args[-2], args[-1]) for letter, args in commands if letter != "Z"]


def with_vertex(commands: Commands, number: int, axis: int, value: float) -> Commands:
    """The outline with one coordinate of one vertex replaced (axis 0 is x)."""
    drawn = [place for place, command in enumerate(commands) if command.letter != "Z"]
    if not -len(drawn) <= number < len(drawn):
        raise Unfit(f"the outline has no vertex {number}; it has {len(drawn)}, counted from 0")
    place = drawn[number]
    letter, args = commands[place]
    changed = list(args)
    changed[len(args) - 2 + axis] = value
    return (*commands[:place], Command(letter, tuple(changed)), *commands[place + 1 :])


def with_start(own: Commands, other: Commands) -> Commands:
    """`other`, and what `own` has after as many commands (an area goes on after the line above it)."""
    length = len(other)
    if length and other[-1].letter == "Z":
        return other
    return (*other, *own[length:]) if len(own) > length else other


def completed(commands: Commands, vertical: bool, at: float, keep: str) -> Commands:
    """The outline whose `keep` half stands on both sides of the mirror line; it must be of one piece."""
    closed = commands[-1].letter == "Z"
    drawn = commands[:-1] if closed else commands
    if any(command.letter in "MZ" for command in drawn[1:]):
        raise Unfit("only an outline of one piece can be completed from its half")
    if closed and math.dist(vertices(drawn)[0], vertices(drawn)[-1]) > 1e-9:
        drawn = (*drawn, Command("L", vertices(drawn)[0]))
    axis, sign = 0 if vertical else 1, -1.0 if keep in ("left", "top") else 1.0
    start, segments = _cut(drawn, axis, at)
    half = _kept_half(start, segments, lambda point: (point[axis] - at) * sign, closed)
    image = reversed_path(mapped(half, mirror(vertical, at)))
    joins = math.dist(vertices(half)[-1], vertices(image)[0]) < 1e-6
    whole = (*half, *image[1:]) if joins else (*image, *half[1:])
    return (*whole, Command("Z", ())) if closed else whole


def completed_points(commands: Commands, vertical: bool, at: float, keep: str, *, closed: bool) -> Commands:
    """A list of points in which those off the kept side are the images of their partners.

    Partners run against each other from some point on; of the ways to pair them, the one that moves least.
    """
    points, image = vertices(commands), mirror(vertical, at)
    axis, sign = 0 if vertical else 1, -1.0 if keep in ("left", "top") else 1.0
    count = len(points)
    away = [place for place, point in enumerate(points) if (point[axis] - at) * sign < -1e-6]

    def paired(turn: int) -> list[Point]:
        return [image.apply(*points[(turn - p) % count]) if p in away else points[p] for p in range(count)]

    turns = range(count) if closed else [count - 1]
    fair = [turn for turn in turns if not any((turn - place) % count in away for place in away)]
    if not fair:
        raise Unfit("no way to pair the points takes all of the other half from the half to keep")
    best = min((paired(turn) for turn in fair), key=lambda found: sum(map(math.dist, found, points)))
    return tuple(Command(letter, point) for (letter, _), point in zip(commands, best, strict=True))


def _cut(drawn: Commands, axis: int, at: float) -> tuple[Point, list[Command]]:
    """Start and segments of an outline, cut where they cross the line."""
    start = here = vertices(drawn)[0]
    found: list[Command] = []
    for letter, args in drawn[1:]:
        ends = (args[-2], args[-1])
        if (here[axis] - at) * (ends[axis] - at) < 0:
            found += _halves(letter, args, here, axis, at)
        else:
            found.append(Command(letter, args))
        here = ends
    return start, found


def _halves(letter: str, args: tuple[float, ...], start: Point, axis: int, at: float) -> list[Command]:
    if letter == "A":
        raise Unfit("an arc crosses the mirror line; give the outline a vertex there")
    points = [start, *zip(args[::2], args[1::2], strict=True)]
    low, high = 0.0, 1.0
    before = points[0][axis] < at
    for _ in range(60):
        middle = (low + high) / 2
        first, _ = _split(points, middle)
        low, high = (middle, high) if (first[-1][axis] < at) == before else (low, middle)
    first, second = _split(points, (low + high) / 2)
    return [Command(letter, tuple(v for point in part[1:] for v in point)) for part in (first, second)]


def _split(points: list[Point], t: float) -> tuple[list[Point], list[Point]]:
    """Control points of both parts of a Bézier segment cut at `t` (de Casteljau)."""
    first, second = [points[0]], [points[-1]]
    while len(points) > 1:
        points = [(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t) for (x0, y0), (x1, y1) in pairwise(points)]
        first.append(points[0])
        second.insert(0, points[-1])
    return first, second


def _kept_half(
    start: Point, segments: list[Command], side: Callable[[Point], float], closed: bool
) -> Commands:
    """The longest stretch on the kept side (`side` >= 0) that begins and ends on the line.

    An outline that is not closed may also begin or end away from it.
    """
    points = [start, *((args[-2], args[-1]) for _, args in segments)]
    if closed:
        points, segments = [*points, *points[1:]], [*segments, *segments]
    off = [side(point) for point in points]
    slack = 1e-6 * max(map(abs, off))
    ends = [place for place, value in enumerate(off) if abs(value) <= slack]
    if not closed:
        ends = sorted({0, *ends, len(segments)})
    best = (0, 0)
    for one in ends:
        fall = next((place for place in range(one, len(off)) if off[place] < -slack), len(off))
        last = max((place for place in ends if one < place < fall), default=one)
        full = len(segments) // 2 if closed else len(segments)
        if best[1] - best[0] < last - one < full:
            best = (one, last)
    if best == (0, 0):
        raise Unfit("the outline does not cross the mirror line with its kept half whole")
    return (Command("M", points[best[0]]), *segments[best[0] : best[1]])


def reversed_path(commands: Commands) -> Commands:
    """An open outline of one piece, drawn from its end to its start."""
    points = vertices(commands)
    found = [Command("M", points[-1])]
    for place in range(len(commands) - 1, 0, -1):
        letter, args = commands[place]
        x, y = points[place - 1]
        if letter == "C":
            found.append(Command("C", (args[2], args[3], args[0], args[1], x, y)))
        elif letter == "Q":
            found.append(Command("Q", (args[0], args[1], x, y)))
        elif letter == "A":
            found.append(Command("A", (*args[:4], 1 - args[4], x, y)))
        else:
            found.append(Command("L", (x, y)))
    return tuple(found)
