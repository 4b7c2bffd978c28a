"""Path data: the strict grammar, an absolute normal form, and the published token form.

`parse_path` reads SVG 2 section 9.3.9 to the letter (compact arc flags, abutting numbers) and gives absolute
commands of six kinds: `M x y`, `L x y`, `C x1 y1 x2 y2 x y`, `Q x1 y1 x y`, `A rx ry rotation large sweep x
y` and `Z`. Arcs stay arcs. Geometry on arrays is in `path_shape`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from vbench_env.svg.caching import cached
from vbench_env.svg.values import COMMA_WSP, NUMBER, WSP, decimal_text

LARGEST = 3.4e38
"""Numbers beyond single precision are errors (SVG 2 section 4.2)."""


class Command(NamedTuple):
    """One absolute command: a letter of `MLCQAZ` and its numbers."""

    letter: str
    args: tuple[float, ...]


Commands = tuple[Command, ...]


class PathError(ValueError):
    """Path data outside the grammar; `position` is the 0-based offset of the first wrong character."""

    def __init__(self, reason: str, position: int) -> None:
        self.reason, self.position = reason, position
        super().__init__(f"{reason} at character {position + 1} of the path data")


class RawCommand(NamedTuple):
    """A command as written, implicit repetitions spelled out; `args` of `A` hold flags as 0 or 1."""

    letter: str
    args: tuple[float, ...]


COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
"""Numbers per command (SVG 2 section 9.3)."""

_SPLIT = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])")
_TOKEN = re.compile(NUMBER)
_ARGS = re.compile(rf"[ \t\n\r\f]*+(?:(?>{NUMBER})(?:{COMMA_WSP}?+(?>{NUMBER}))*+[ \t\n\r\f]*+)?+")
_C = rf"{COMMA_WSP}?+"
_N = rf"((?>{NUMBER}))"
_ARC = re.compile(rf"{_N}{_C}{_N}{_C}{_N}{_C}([01]){_C}([01]){_C}{_N}{_C}{_N}")
_ARC_GAP = re.compile(COMMA_WSP)
_BLANK = re.compile(r"[ \t\n\r\f]*")


def _read(text: str) -> Iterator[RawCommand]:
    """The commands as written; raises PathError."""
    pieces = _SPLIT.split(text)
    at = len(pieces[0])
    if pieces[0].strip(WSP):
        raise PathError("path data starts with a moveto, M or m", at - len(pieces[0].lstrip(WSP)))
    for index in range(1, len(pieces), 2):
        letter, body = pieces[index], pieces[index + 1]
        if index == 1 and letter not in "Mm":
            raise PathError(f"path data starts with a moveto, not {letter}", at)
        yield from _sets(letter, body, at + 1)
        at += 1 + len(body)


def _sets(letter: str, body: str, at: int) -> Iterator[RawCommand]:
    count = COUNTS[letter.upper()]
    if count == 7:
        numbers = _arc_numbers(body, at)
    elif _ARGS.fullmatch(body):
        numbers = tuple(map(float, _TOKEN.findall(body)))
    else:
        end = _ARGS.match(body).end()  # type: ignore[union-attr]
        raise PathError(f"unexpected {body[end]!r}", at + end)
    if count == 0:
        if numbers:
            raise PathError("closepath takes no numbers", at)
        yield RawCommand(letter, ())
        return
    if not numbers or len(numbers) % count:
        raise PathError(f"{letter} takes numbers in sets of {count}, not {len(numbers)}", at + len(body))
    if max(map(abs, numbers)) > LARGEST:
        raise PathError("a number is too large", at)
    yield RawCommand(letter, numbers[:count])
    letter = {"M": "L", "m": "l"}.get(letter, letter)
    for start in range(count, len(numbers), count):
        yield RawCommand(letter, numbers[start : start + count])


def _arc_numbers(body: str, at: int) -> tuple[float, ...]:
    numbers: list[float] = []
    position = _BLANK.match(body).end()  # type: ignore[union-attr]
    while position < len(body):
        match = _ARC.match(body, position)
        if match is None:
            raise PathError("an arc takes rx ry rotation flag flag x y, flags being 0 or 1", at + position)
        numbers.extend(map(float, match.groups()))
        position = match.end()
        if not body[position:].strip(WSP):
            break
        gap = _ARC_GAP.match(body, position)
        position = gap.end() if gap else position
    return tuple(numbers)


class _Pen:
    """The state of SVG 2 section 9.3: current point, subpath start, last control point."""

    def __init__(self) -> None:
        self.out: list[Command] = []
        self.x = self.y = self.start_x = self.start_y = 0.0
        self.control: tuple[str, float, float] | None = None
        self.closed = False

    def draw(self, letter: str, args: tuple[float, ...]) -> None:
        upper = letter.upper()
        if upper == "Z":
            self.out.append(Command("Z", ()))
            self.x, self.y, self.control, self.closed = self.start_x, self.start_y, None, True
            return
        if letter != upper:
            args = self._absolute(upper, args)
        if upper == "M":
            self.start_x, self.start_y = args
        elif self.closed:
            self.out.append(Command("M", (self.start_x, self.start_y)))
        self.closed = False
        self._add(upper, args)

    def _absolute(self, letter: str, args: tuple[float, ...]) -> tuple[float, ...]:
        x, y = self.x, self.y
        if letter == "H":
            return (args[0] + x,)
        if letter == "V":
            return (args[0] + y,)
        if letter == "A":
            return (*args[:5], args[5] + x, args[6] + y)
        return tuple(value + (y if index % 2 else x) for index, value in enumerate(args))

    def _add(self, letter: str, args: tuple[float, ...]) -> None:
        control: tuple[str, float, float] | None = None
        if letter == "H":
            letter, args = "L", (args[0], self.y)
        elif letter == "V":
            letter, args = "L", (self.x, args[0])
        elif letter == "S":
            letter, args = "C", (*self._reflected("C"), *args)
        elif letter == "T":
            letter, args = "Q", (*self._reflected("Q"), *args)
        elif letter == "A":
            args = (abs(args[0]), abs(args[1]), *args[2:])
        if letter in "CQ":
            control = (letter, args[-4], args[-3])
        self.x, self.y, self.control = args[-2], args[-1], control
        self.out.append(Command(letter, args))

    def _reflected(self, letter: str) -> tuple[float, float]:
        if self.control is None or self.control[0] != letter:
            return self.x, self.y
        return 2 * self.x - self.control[1], 2 * self.y - self.control[2]


@cached(2048)
def read_path(text: str) -> Commands | PathError:
    """`parse_path` with the error as a value (so that it is cached too)."""
    pen = _Pen()
    try:
        for letter, args in _read(text):
            pen.draw(letter, args)
    except PathError as error:
        return error
    if any(abs(value) > LARGEST for command in pen.out for value in command.args):
        return PathError("a coordinate is too large", 0)
    return tuple(pen.out)


def parse_path(text: str) -> Commands:
    """Path data in absolute normal form; empty text is an empty path.

    A command right after `Z` gets the `M` that it implies. Radii of arcs lose their sign.

    Raises:
        PathError: the text is outside the grammar of SVG 2 section 9.3.9.
    """
    found = read_path(text)
    if isinstance(found, PathError):
        raise PathError(found.reason, found.position)
    return found


def raw_commands(text: str) -> tuple[RawCommand, ...]:
    """The commands as written, implicit repetitions spelled out. Raises PathError."""
    return tuple(_read(text))


@cached(4096)
def numbers(text: str) -> tuple[str, tuple[float, ...]] | None:
    """Command letters as written (repetitions spelled out) and all numbers; None outside the grammar."""
    try:
        commands = raw_commands(text)
    except PathError:
        return None
    return "".join(letter for letter, _ in commands), tuple(value for _, args in commands for value in args)


def format_path(commands: Commands) -> str:
    """Path data with every digit of its numbers; `parse_path` gives the same commands back."""
    return "".join(letter + " ".join(_text(value) for value in args) for letter, args in commands)


def _text(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def subpaths(commands: Commands) -> list[Commands]:
    """Each subpath with its `M`."""
    found: list[list[Command]] = []
    for command in commands:
        if command.letter == "M":
            found.append([])
        found[-1].append(command)
    return [tuple(part) for part in found]


def closed_flags(commands: Commands) -> tuple[bool, ...]:
    """Whether each subpath ends with `Z`."""
    return tuple(part[-1].letter == "Z" for part in subpaths(commands))


def closed(commands: Commands) -> Commands:
    """The path with every subpath closed, as a fill sees it (SVG 2 section 13.4)."""
    found: list[Command] = []
    for part in subpaths(commands):
        found.extend(part)
        if part[-1].letter != "Z":
            found.append(Command("Z", ()))
    return tuple(found)


class Arc(NamedTuple):
    """An elliptical arc about its centre: point(t) at angle `theta + t * delta`, all angles in radians."""

    cx: float
    cy: float
    rx: float
    ry: float
    rotation: float
    theta: float
    delta: float

    def point(self, angle: float) -> tuple[float, float]:
        cosine, sine = math.cos(self.rotation), math.sin(self.rotation)
        u, v = self.rx * math.cos(angle), self.ry * math.sin(angle)
        return self.cx + cosine * u - sine * v, self.cy + sine * u + cosine * v


def arc_center(x0: float, y0: float, args: tuple[float, ...]) -> Arc | None:
    """Centre form of the arc command `args` drawn from (x0, y0), radii scaled up where they must be.

    None when it is a straight line (a zero radius) or nothing (equal ends). SVG 2 appendix B.2.4 and B.2.5.
    """
    rx, ry, degrees, large, sweep, x, y = args
    if rx == 0 or ry == 0 or (x0 == x and y0 == y):
        return None
    phi = math.radians(degrees % 360)
    cosine, sine = math.cos(phi), math.sin(phi)
    half_x, half_y = (x0 - x) / 2, (y0 - y) / 2
    px, py = (cosine * half_x + sine * half_y) / rx, (cosine * half_y - sine * half_x) / ry
    size = px * px + py * py
    if size == 0 or not math.isfinite(size):
        return None
    if size > 1:
        scale = math.sqrt(size)
        rx, ry, px, py, size = rx * scale, ry * scale, px / scale, py / scale, 1.0
    factor = math.sqrt(max(0.0, 1 / size - 1)) * (-1 if bool(large) == bool(sweep) else 1)
    ux, uy = factor * py, -factor * px
    theta = math.atan2(py - uy, px - ux)
    delta = (math.atan2(-py - uy, -px - ux) - theta) % math.tau
    if not sweep:
        delta -= math.tau
    cx = cosine * rx * ux - sine * ry * uy + (x0 + x) / 2
    cy = sine * rx * ux + cosine * ry * uy + (y0 + y) / 2
    return Arc(cx, cy, rx, ry, phi, theta, delta)


Bounds = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@cached(2048)
def bounds(commands: Commands) -> Bounds | None:
    """Exact box of what the path draws; None for a path without a segment."""
    xs: list[float] = []
    ys: list[float] = []
    x = y = start_x = start_y = 0.0
    for letter, args in commands:
        if letter == "Z":
            xs.append(x)
            ys.append(y)
            x, y = start_x, start_y
            continue
        if letter == "M":
            start_x, start_y = args
        else:
            xs.append(x)
            ys.append(y)
            _extremes(letter, args, x, y, xs, ys)
        x, y = args[-2:]
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None


def _extremes(
    letter: str, args: tuple[float, ...], x: float, y: float, xs: list[float], ys: list[float]
) -> None:
    xs.append(args[-2])
    ys.append(args[-1])
    if letter == "A":
        arc = arc_center(x, y, args)
        for angle in _arc_extremes(arc) if arc else ():
            px, py = arc.point(angle)  # type: ignore[union-attr]
            xs.append(px)
            ys.append(py)
    elif letter in "CQ":
        xs.extend(_curve_extremes((x, *args[::2])))
        ys.extend(_curve_extremes((y, *args[1::2])))


def _arc_extremes(arc: Arc) -> list[float]:
    """Angles inside the arc where x or y is extreme."""
    tangent_x = math.atan2(-arc.ry * math.sin(arc.rotation), arc.rx * math.cos(arc.rotation))
    tangent_y = math.atan2(arc.ry * math.cos(arc.rotation), arc.rx * math.sin(arc.rotation))
    low, high = sorted((arc.theta, arc.theta + arc.delta))
    found: list[float] = []
    for base in (tangent_x, tangent_x + math.pi, tangent_y, tangent_y + math.pi):
        angle = base + math.ceil((low - base) / math.tau) * math.tau
        if angle <= high:
            found.append(angle)
    return found


def _curve_extremes(p: tuple[float, ...]) -> list[float]:
    """Values of a quadratic or cubic Bezier coordinate where its derivative is zero inside (0, 1)."""
    if min(p[0], p[-1]) <= min(p[1:-1]) and max(p[1:-1]) <= max(p[0], p[-1]):
        return []
    if len(p) == 3:
        p = (p[0], p[0] + 2 * (p[1] - p[0]) / 3, p[2] + 2 * (p[1] - p[2]) / 3, p[2])
    c = p[1] - p[0]
    b = 2 * (p[0] - 2 * p[1] + p[2])
    a = p[3] - 3 * p[2] + 3 * p[1] - p[0]
    return [_cubic(p, t) for t in _roots(a, b, c) if 0 < t < 1]


def _roots(a: float, b: float, c: float) -> list[float]:
    """Real roots of a*t*t + b*t + c, without cancellation."""
    if abs(a) < 1e-12 * max(abs(b), abs(c)):
        return [-c / b] if b else []
    discriminant = b * b - 4 * a * c
    if discriminant < 0 or a == 0:
        return []
    q = -(b + math.copysign(math.sqrt(discriminant), b)) / 2
    return [q / a] + ([c / q] if q else [])


def _cubic(p: tuple[float, ...], t: float) -> float:
    u = 1 - t
    return u * u * u * p[0] + 3 * u * u * t * p[1] + 3 * u * t * t * p[2] + t * t * t * p[3]


_PUBLISHED = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])|([-+]?(?>[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)")
_PUBLISHED_GAP = re.compile(r"[ \t\n\r,]*")


@cached(2048)
def _written_tokens(text: str) -> tuple[str, ...] | None:
    """Letters and numbers as written; numbers may abut only where a sign follows."""
    tokens: list[str] = []
    at, end = len(text) - len(text.lstrip(" \t\n\r")), 0
    while at < len(text):
        match = _PUBLISHED.match(text, at)
        if match is None:
            return None
        if match[2] and at == end and tokens and not tokens[-1].isalpha() and match[2][0] not in "+-":
            return None
        tokens.append(match[0])
        end = match.end()
        at = _PUBLISHED_GAP.match(text, end).end()  # type: ignore[union-attr]
        if match[1] and "," in text[end:at]:
            return None
    return tuple(tokens)


@cached(2048)
def published_commands(text: str) -> tuple[RawCommand, ...] | None:
    """The commands that the `svg.path` library (7.x) reads; None where it, or the token form, refuses.

    Its habits: a path may start with a drawing command, from (0, 0), but not with `Z`; radii may not be
    negative. The path ends silently, whatever follows, where a repeated set fails in its first argument: at a
    negative first radius, and at a lone number where a pair of coordinates begins.
    """
    tokens = _written_tokens(text)
    if not tokens:
        return None if tokens is None else ()
    if not tokens[0].isalpha():
        return None
    found: list[RawCommand] = []
    starts = [index for index, token in enumerate(tokens) if token.isalpha()]
    for start, stop in zip(starts, [*starts[1:], len(tokens)], strict=True):
        goes_on = _published_sets(tokens[start], tokens[start + 1 : stop], found)
        if goes_on is None:
            return None
        if not goes_on:
            break
    letters = [command.letter.upper() for command in found]
    if "Z" in letters and "M" not in letters[: letters.index("Z")]:
        return None
    return tuple(found)


def _published_sets(letter: str, tokens: tuple[str, ...], found: list[RawCommand]) -> bool | None:
    """Append the sets of one letter; False where the path silently ends, None where they are wrong."""
    count = COUNTS[letter.upper()]
    if count == 0:
        found.append(RawCommand(letter, ()))
        return None if tokens else True
    if not tokens:
        return None
    for start in range(0, len(tokens), count):
        values = tuple(map(float, tokens[start : start + count]))
        if start and (values[0] < 0 if count == 7 else len(values) == 1 < count):
            return False
        if len(values) < count or (count == 7 and not _published_arc(values, tokens[start + 3 : start + 5])):
            return None
        found.append(RawCommand(letter, values))
        letter = {"M": "L", "m": "l"}.get(letter, letter)
    return True


def _published_arc(values: tuple[float, ...], flags: tuple[str, ...]) -> bool:
    return values[0] >= 0 and values[1] >= 0 and set(flags) <= {"0", "1"}


@cached(2048)
def path_tokens(text: str) -> tuple[str, ...] | None:
    """The published normal form: letters and decimal numbers as written; None where it is invalid there."""
    if published_commands(text) is None:
        return None
    tokens = _written_tokens(text) or ()
    return tuple(token if token.isalpha() else decimal_text(token) for token in tokens)
