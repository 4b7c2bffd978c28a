"""Shapes of paths as arrays: flattening, positions along a path, distances and areas.

Coordinates are user units, x to the right and y down. Points inside are complex numbers `x + iy`; what leaves
this module is float64 of shape (N, 2). Arrays from caches are read-only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vbench_env.svg.caching import cached
from vbench_env.svg.path_data import Commands, RawCommand, arc_center, published_commands

Points = NDArray[np.float64]
Complex = NDArray[np.complex128]

SAMPLES = 129
"""Positions i/128 along a path that the published distance compares."""


class _Segment(NamedTuple):
    """A drawn segment as a cubic (a line has its controls at the thirds) or, with `arc`, an ellipse."""

    controls: tuple[complex, complex, complex, complex]
    straight: bool
    arc: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class _Segments:
    """Segments in drawing order. `arc_row` is a segment's row in `arcs`, -1 where it is no arc."""

    controls: Complex
    straight: NDArray[np.bool_]
    arcs: Points
    arc_row: NDArray[np.int_]

    @classmethod
    def of(cls, items: list[_Segment]) -> _Segments:
        arcs = [item.arc for item in items if item.arc is not None]
        is_arc = np.array([item.arc is not None for item in items], dtype=bool)
        return cls(
            controls=np.array([item.controls for item in items], dtype=complex).reshape(-1, 4),
            straight=np.array([item.straight for item in items], dtype=bool),
            arcs=np.array(arcs, dtype=float).reshape(-1, 7),
            arc_row=np.where(is_arc, np.cumsum(is_arc) - 1, -1),
        )

    def points(self, index: NDArray[np.int_], t: Points) -> Complex:
        """Points at parameters `t` of segments `index` (same shape)."""
        c = self.controls[index]
        u = 1 - t
        out: Complex = (
            u * u * u * c[..., 0] + 3 * u * t * (u * c[..., 1] + t * c[..., 2]) + t * t * t * c[..., 3]
        )
        row = self.arc_row[index]
        mask = row >= 0
        if mask.any():
            cx, cy, rx, ry, rotation, theta, delta = self.arcs[row[mask]].T
            angle = theta + delta * t[mask]
            turn = np.exp(1j * rotation)
            out[mask] = cx + 1j * cy + turn * (rx * np.cos(angle) + 1j * ry * np.sin(angle))
        return out

    def lengths(self) -> Points:
        """Arc length of each segment: exact for lines, Gauss-Legendre on 16 parts for the rest."""
        c = self.controls
        chord = c[:, 3] - c[:, 0]
        out: Points = np.sqrt(chord.real**2 + chord.imag**2)
        row = self.arc_row
        cubic = np.flatnonzero(~self.straight & (row < 0))
        if len(cubic):
            out[cubic] = _cubic_speed(c[cubic]) @ _WEIGHTS
        if len(self.arcs):
            out[row >= 0] = _arc_speed(self.arcs) @ _WEIGHTS
        return out


def _quadrature(parts: int, order: int) -> tuple[Points, Points]:
    nodes, weights = np.polynomial.legendre.leggauss(order)
    starts = np.arange(parts)[:, None]
    return ((starts + (nodes + 1) / 2) / parts).ravel(), np.tile(weights / 2 / parts, parts)


_NODES, _WEIGHTS = _quadrature(16, 8)


def _cubic_speed(c: Complex) -> Points:
    """Speeds of the cubics `c`, shape (k, 4), at the nodes, shape (k, nodes)."""
    t, u = _NODES, 1 - _NODES
    step = np.diff(c, axis=1)[:, :, None]
    out: Points = np.abs(3 * (u * u * step[:, 0] + 2 * u * t * step[:, 1] + t * t * step[:, 2]))
    return out


def _arc_speed(arcs: Points) -> Points:
    _, _, rx, ry, _, theta, delta = arcs.T[:, :, None]
    angle = theta + delta * _NODES
    out: Points = np.abs(delta) * np.hypot(rx * np.sin(angle), ry * np.cos(angle))
    return out


def _line(start: complex, end: complex) -> _Segment:
    return _Segment((start, (2 * start + end) / 3, (start + 2 * end) / 3, end), True)


def _curve(start: complex, args: tuple[float, ...]) -> _Segment:
    """A cubic (six numbers) or quadratic (four) from absolute numbers."""
    points = [complex(x, y) for x, y in zip(args[::2], args[1::2], strict=True)]
    if len(points) == 3:
        return _Segment((start, *points), False)  # type: ignore[arg-type]
    control, end = points
    return _Segment((start, (start + 2 * control) / 3, (end + 2 * control) / 3, end), False)


def _arc(start: complex, args: tuple[float, ...]) -> _Segment:
    end = complex(args[5], args[6])
    arc = arc_center(start.real, start.imag, args)
    line = _line(start, end)
    return line if arc is None else _Segment(line.controls, False, tuple(arc))


class _Subpath(NamedTuple):
    start: complex
    segments: list[_Segment]
    closed: bool


def _subpaths(commands: Commands) -> list[_Subpath]:
    found: list[_Subpath] = []
    for letter, args in commands:
        if letter == "M":
            found.append(_Subpath(complex(*args), [], False))
            continue
        subpath = found[-1]
        start = subpath.segments[-1].controls[3] if subpath.segments else subpath.start
        if letter == "Z":
            subpath.segments.append(_line(start, subpath.start))
            found[-1] = subpath._replace(closed=True)
        elif letter == "L":
            subpath.segments.append(_line(start, complex(*args)))
        else:
            subpath.segments.append(_arc(start, args) if letter == "A" else _curve(start, args))
    return found


def _pairs(points: Complex) -> Points:
    out: Points = np.ascontiguousarray(points).view(np.float64).reshape(-1, 2)
    out.flags.writeable = False
    return out


@cached(256)
def flatten(commands: Commands, steps: int = 64) -> tuple[tuple[Points, bool], ...]:
    """Each subpath as (vertices, closed): vertices of shape (N, 2), `steps` per curve or arc.

    A closed subpath repeats its first vertex at the end. A lone moveto is one vertex.
    """
    parts = _subpaths(commands)
    segments = _Segments.of([segment for part in parts for segment in part.segments])
    counts = np.where(segments.straight, 1, steps)
    index = np.repeat(np.arange(len(counts)), counts)
    ends = np.cumsum(counts)
    t = (np.arange(len(index)) - np.repeat(ends - counts, counts) + 1) / np.repeat(counts, counts)
    points = segments.points(index, t)
    if len(points):
        points[ends - 1] = segments.controls[:, 3]
    out: list[tuple[Points, bool]] = []
    first = 0
    for part in parts:
        last = first + len(part.segments)
        low, high = (0 if first == 0 else ends[first - 1]), (ends[last - 1] if last else 0)
        out.append((_pairs(np.concatenate(([part.start], points[low:high]))), part.closed))
        first = last
    return tuple(out)


def _polyline(commands: Commands, steps: int) -> tuple[Points, Points]:
    """All vertices in a row, and the length from each to the next (zero across a moveto)."""
    parts = [vertices for vertices, _ in flatten(commands, steps)]
    points = np.concatenate(parts)
    gaps = np.hypot(*np.diff(points, axis=0).T)
    jumps = np.cumsum([len(part) for part in parts])[:-1] - 1
    gaps[jumps] = 0.0
    return points, gaps


@cached(256)
def sample_arc_length(commands: Commands, n: int = SAMPLES) -> Points | None:
    """`n` points at equal arc length from start to end, shape (n, 2); None for a path without a segment.

    Error about 1e-4 of the size of a curve. A path of length zero gives its vertices.
    """
    if all(letter == "M" for letter, _ in commands):
        return None
    points, gaps = _polyline(commands, outline_steps(commands))
    at = np.concatenate(([0.0], np.cumsum(gaps)))
    if at[-1] == 0:
        out: Points = points[np.linspace(0, len(points) - 1, n).round().astype(int)]
    else:
        goal = np.linspace(0.0, at[-1], n)
        out = np.column_stack((np.interp(goal, at, points[:, 0]), np.interp(goal, at, points[:, 1])))
    out.flags.writeable = False
    return out


class _Reader:
    """Segments as `svg.path` builds them: a moveto is a segment of length zero, `Z` a line."""

    def __init__(self) -> None:
        self.segments: list[_Segment] = []
        self.at = self.start = 0j
        self.control: tuple[str, complex] | None = None

    def add(self, command: RawCommand) -> None:
        letter = command.letter.upper()
        base = self.at if command.letter.islower() else 0j
        control: tuple[str, complex] | None = None
        if letter == "M":
            self.at = self.start = base + complex(*command.args)
            segment = _line(self.at, self.at)
        elif letter in "ZLHV":
            segment = _line(self.at, self._line_end(letter, base, command.args))
        elif letter == "A":
            end = base + complex(*command.args[5:])
            segment = _arc(self.at, (*command.args[:5], end.real, end.imag))
        else:
            points = [base + complex(*command.args[i : i + 2]) for i in range(0, len(command.args), 2)]
            letter = {"S": "C", "T": "Q"}.get(letter, letter)
            if len(points) < (3 if letter == "C" else 2):
                points.insert(0, self._reflected(letter))
            control = (letter, points[-2])
            segment = _curve(self.at, tuple(part for point in points for part in (point.real, point.imag)))
        self.at, self.control = segment.controls[3], control
        self.segments.append(segment)

    def _line_end(self, letter: str, base: complex, args: tuple[float, ...]) -> complex:
        if letter == "Z":
            return self.start
        if letter == "H":
            return complex(base.real + args[0], self.at.imag)
        if letter == "V":
            return complex(self.at.real, base.imag + args[0])
        return base + complex(*args)

    def _reflected(self, letter: str) -> complex:
        if self.control is None or self.control[0] != letter:
            return self.at
        return 2 * self.at - self.control[1]


@cached(256)
def sample_segment_parameter(text: str, n: int = SAMPLES) -> Points | None:
    """The published positions i/(n-1) along a path, shape (n, 2); None when it is unreadable or empty.

    A position picks its segment by the share of total length, then the segment's own parameter runs linearly
    in it, as `Path.point` of the `svg.path` library does.
    """
    commands = published_commands(text)
    if not commands:
        return None
    reader = _Reader()
    for command in commands:
        reader.add(command)
    segments = _Segments.of(reader.segments)
    with np.errstate(all="ignore"):
        lengths = segments.lengths()
        if not np.isfinite(lengths.sum()):
            return None
        out = _pairs(segments.points(*_positions(lengths, np.arange(n) / (n - 1), commands)))
    return out if np.isfinite(out).all() else None


def _positions(
    lengths: Points, goal: Points, commands: tuple[RawCommand, ...]
) -> tuple[NDArray[np.int_], Points]:
    """Segment index and parameter of each position, with the shortcuts of `svg.path` at both ends."""
    count, total = len(lengths), math.fsum(lengths)
    index, t = np.zeros(len(goal), dtype=int), np.zeros(len(goal))
    if total > 0:
        fractions = np.cumsum(lengths / total)
        before = np.concatenate(([0.0], fractions[:-1]))
        index = np.minimum(np.searchsorted(fractions, goal, side="right"), count - 1)
        span = fractions[index] - before[index]
        t = np.where(span > 0, (goal - before[index]) / np.where(span > 0, span, 1), 1.0)
    starts_with_move = commands[0].letter in "Mm" and count > 1
    index[0], t[0] = int(starts_with_move), 0.0
    index[-1], t[-1] = count - 1, 1.0
    return index, t


def path_distance(a: Points, b: Points) -> float:
    """The larger of RMS and 95th percentile of all nearest-sample distances, both ways.

    The percentile is element `ceil(0.95 n) - 1` of the sorted n distances.
    """
    dx = a[:, 0, None] - b[None, :, 0]
    dy = a[:, 1, None] - b[None, :, 1]
    dx *= dx
    dy *= dy
    dx += dy
    squares = np.concatenate((dx.min(axis=1), dx.min(axis=0)))
    squares.sort()
    rms = math.sqrt(float(squares.mean()))
    return max(rms, math.sqrt(float(squares[math.ceil(0.95 * len(squares)) - 1])))


_ASKED_VERTICES, _PIECES = 1536, 4096
_BLOCK = 1_000_000


class _Outline(NamedTuple):
    """Points to ask about, and the straight pieces to measure to: starts and steps to their ends."""

    asked: Points
    starts: Points
    steps: Points


@cached(128)
def _outline(commands: Commands) -> _Outline:
    curves = max(1, sum(1 for letter, _ in commands if letter in "CQA"))
    asked = [vertices for vertices, _ in flatten(commands, max(4, min(24, _ASKED_VERTICES // curves)))]
    parts = [vertices for vertices, _ in flatten(commands, max(4, min(64, _PIECES // curves)))]
    starts = np.concatenate([part[:-1] if len(part) > 1 else part for part in parts])
    ends = np.concatenate([part[1:] if len(part) > 1 else part for part in parts])
    samples = sample_arc_length(commands)
    return _Outline(np.concatenate(asked if samples is None else [*asked, samples]), starts, ends - starts)


def max_deviation(a: Commands, b: Commands) -> float:
    """Largest distance of any point of either path from the other (Hausdorff), in user units.

    Asked at 24 points of each curve and every 128th of the path's length, measured to curves as 64 straight
    pieces (both fewer beyond 64 curves). Infinity when exactly one path is empty.
    """
    if a == b:
        return 0.0
    if not a or not b:
        return math.inf
    first, second = _outline(a), _outline(b)
    return max(_directed(first, second), _directed(second, first))


def _directed(first: _Outline, second: _Outline) -> float:
    """Largest distance from `first` to the pieces of `second`; exact only where the bound leaves doubt."""
    upper = _nearest(first.asked, second.asked)
    order = np.argsort(-upper)
    worst, low, size = 0.0, 0, 4
    while low < len(order) and upper[order[low]] > worst:
        batch = order[low : low + size]
        worst = max(worst, float(_to_pieces(first.asked[batch], second).max()))
        low, size = low + size, min(4 * size, max(4, _BLOCK // len(second.starts)))
    return worst


def _nearest(asked: Points, points: Points) -> Points:
    """Distance to the nearest of `points`, in blocks that bound the memory."""
    out = np.empty(len(asked))
    block = max(1, _BLOCK // len(points))
    for low in range(0, len(asked), block):
        part = asked[low : low + block]
        dx = part[:, 0, None] - points[:, 0]
        dy = part[:, 1, None] - points[:, 1]
        dx *= dx
        dy *= dy
        dx += dy
        out[low : low + block] = np.sqrt(dx.min(axis=1))
    return out


def _to_pieces(points: Points, outline: _Outline) -> Points:
    """Distance of each point to the nearest straight piece."""
    along_x, along_y = outline.steps.T
    squared = along_x * along_x + along_y * along_y
    x = points[:, 0, None] - outline.starts[:, 0]
    y = points[:, 1, None] - outline.starts[:, 1]
    t = np.clip((x * along_x + y * along_y) / np.where(squared > 0, squared, 1), 0, 1)
    x -= t * along_x
    y -= t * along_y
    out: Points = np.sqrt((x * x + y * y).min(axis=1))
    return out


_VERTICES = 40_000


def outline_steps(commands: Commands) -> int:
    """Straight pieces per curve: 64, fewer where there are very many curves."""
    curves = max(1, sum(1 for letter, _ in commands if letter in "CQA"))
    return max(6, min(64, _VERTICES // curves))


def perimeter(commands: Commands) -> float:
    """Length of the outline that a fill has: every subpath closed."""
    total = 0.0
    for vertices, _ in flatten(commands, outline_steps(commands)):
        ring = np.vstack((vertices, vertices[:1]))
        total += float(np.hypot(*np.diff(ring, axis=0).T).sum())
    return total


def path_length(commands: Commands) -> float:
    """Length of what a stroke follows."""
    return float(_polyline(commands, outline_steps(commands))[1].sum()) if commands else 0.0
