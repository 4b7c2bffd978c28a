"""Outlines (`d` and `points`) as commands: shifted, mirrored, completed from their own half.

All work is on the absolute normal form of `svg.path_data`; what is written is as exact as it is read.
"""

from __future__ import annotations

import math

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
    angle = turn - angle if mirrored else turn + angle
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
    """The outline whose `keep` half stands on both sides of the mirror line.

    The outline is of one piece; it starts on the line and has one more vertex on it.
    """
    closed = commands[-1].letter == "Z"
    drawn = commands[:-1] if closed else commands
    if any(command.letter in "MZ" for command in drawn[1:]):
        raise Unfit("only an outline of one piece can be completed from its half")
    points = vertices(drawn)
    if closed and math.dist(points[0], points[-1]) > 1e-9:
        drawn, points = (*drawn, Command("L", points[0])), [*points, points[0]]
    off = [point[0 if vertical else 1] - at for point in points]
    slack = 1e-3 * max(map(abs, off))
    crossing = next((place for place in range(1, len(off) - 1) if abs(off[place]) <= slack), None)
    if abs(off[0]) > slack or crossing is None:
        raise Unfit("the outline must start on the mirror line and have one more vertex on it")
    sign = -1.0 if keep in ("left", "top") else 1.0
    half = drawn[: crossing + 1]
    if sum(off[:crossing]) * sign < 0:
        half = (Command("M", points[crossing]), *drawn[crossing + 1 :])
    whole = (*half, *reversed_path(mapped(half, mirror(vertical, at)))[1:])
    return (*whole, Command("Z", ())) if closed else whole


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
