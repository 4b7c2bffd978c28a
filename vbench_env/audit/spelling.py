"""Other spellings of one value: numbers, lists, colours, path data, transforms.

Every function keeps the value: numbers as decimals, colours to the eighth bit, path data and transforms to the
last digits of a double.
"""

from __future__ import annotations

import colorsys
import random
import re
from collections.abc import Callable
from decimal import Decimal

from vbench_env.svg.colors import NAMED_COLORS, Color
from vbench_env.svg.path_data import Command, Commands, parse_path
from vbench_env.svg.transform import Function, Matrix, parse_functions, parse_transform
from vbench_env.svg.values import NUMBER

_NUMBER = re.compile(NUMBER)
_NAMES = {color: name for name, color in NAMED_COLORS.items()}


def number(text: str, rng: random.Random) -> str:
    """Another spelling of a number."""
    value = Decimal(text)
    forms = [f"{value:f}", _plain(value)]
    if "." in forms[0]:
        forms.append(forms[0] + "0" * rng.randint(1, 3))
    else:
        forms += [forms[0] + ".0", forms[0] + ".00"]
    sign = "-" if forms[0].startswith("-") else ""
    body = forms[1].lstrip("-")
    if body.startswith("0.") and len(body) > 2:
        forms.append(sign + body[1:])
    elif not body.startswith("."):
        forms.append(sign + "0" + body)
    if not sign:
        forms.append("+" + body)
    exponent = rng.randint(-3, 3)
    forms.append(f"{_plain(value.scaleb(-exponent))}{rng.choice('eE')}{exponent}")
    return rng.choice(forms)


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def numbers(text: str, rng: random.Random, *, abut: bool = False) -> str:
    """Another spelling of a list of numbers, separators included; `abut` where a sign may stand for one."""
    found = _NUMBER.findall(text)
    if not found:
        return text
    out = number(found[0], rng)
    for item in found[1:]:
        spelled = number(item, rng)
        out += _separator(spelled, rng, abut) + spelled
    return rng.choice(("", " ")) + out + rng.choice(("", " ", "\n"))


def _separator(after: str, rng: random.Random, abut: bool) -> str:
    choices = [" ", ",", ", ", " , ", "\n", "\t"]
    return rng.choice([*choices, ""] if abut and after[0] == "-" else choices)


def exact(value: float) -> str:
    """A double with every digit it needs, as SVG writes numbers."""
    return _plain(Decimal(repr(value)))


def color(value: Color, rng: random.Random, *, wide: bool = True) -> str:
    """Another CSS Color 4 spelling of an eight-bit colour; `wide` adds those that few renderers know."""
    makers: list[Callable[[Color, random.Random], str | None]] = [
        _hex,
        _short_hex,
        _name,
        _rgb,
        _percent,
        _modern,
    ]
    makers += [_slashed, _hsl, _hwb, _function] if wide else []
    rng.shuffle(makers)
    return next(found for maker in makers if (found := maker(value, rng)) is not None)


def _alpha(value: Color) -> str | None:
    return None if value.alpha == 255 else repr(value.alpha / 255)


def _hex(value: Color, rng: random.Random) -> str:
    text = value.hex + ("ff" if value.alpha == 255 and rng.random() < 0.3 else "")
    return text.upper() if rng.random() < 0.5 else text


def _short_hex(value: Color, rng: random.Random) -> str | None:
    digits = value.hex[1:]
    pairs = [digits[at : at + 2] for at in range(0, len(digits), 2)]
    return "#" + "".join(pair[0] for pair in pairs) if all(pair[0] == pair[1] for pair in pairs) else None


def _name(value: Color, rng: random.Random) -> str | None:
    name = _NAMES.get(value)
    return None if name is None else rng.choice((name, name.upper(), name.title()))


def _rgb(value: Color, rng: random.Random) -> str:
    alpha = _alpha(value)
    gap = rng.choice((",", ", ", " , "))
    channels = gap.join(map(str, value.rgb))
    if alpha is not None:
        return f"rgba({channels}{gap}{alpha})"
    return rng.choice((f"rgb({channels})", f"RGB( {channels} )", f"rgba({channels}{gap}1)"))


def _percent(value: Color, rng: random.Random) -> str:
    channels = ", ".join(f"{exact(channel / 2.55)}%" for channel in value.rgb)
    alpha = _alpha(value)
    return f"rgb({channels})" if alpha is None else f"rgba({channels}, {alpha})"


def _modern(value: Color, rng: random.Random) -> str | None:
    return f"rgb({' '.join(map(str, value.rgb))})" if value.alpha == 255 else None


def _slashed(value: Color, rng: random.Random) -> str:
    alpha = _alpha(value)
    return f"rgb({' '.join(map(str, value.rgb))}{rng.choice((' / 1', '/100%')) if alpha is None else f' / {alpha}'})"


def _hsl(value: Color, rng: random.Random) -> str:
    hue, light, full = colorsys.rgb_to_hls(*(channel / 255 for channel in value.rgb))
    parts = f"{exact(hue * 360)}", f"{exact(full * 100)}%", f"{exact(light * 100)}%"
    alpha = _alpha(value)
    if rng.random() < 0.5:
        return f"hsl({', '.join(parts)})" if alpha is None else f"hsla({', '.join(parts)}, {alpha})"
    turn = rng.choice((parts[0] + "deg", exact(hue) + "turn"))
    return f"hsl({turn} {parts[1]} {parts[2]}{'' if alpha is None else f' / {alpha}'})"


def _hwb(value: Color, rng: random.Random) -> str:
    hue, _, _ = colorsys.rgb_to_hsv(*value.rgb)
    white, black = min(value.rgb) / 2.55, 100 - max(value.rgb) / 2.55
    alpha = _alpha(value)
    return f"hwb({exact(hue * 360)} {exact(white)}% {exact(black)}%{'' if alpha is None else f' / {alpha}'})"


def _function(value: Color, rng: random.Random) -> str:
    channels = " ".join(exact(channel / 255) for channel in value.rgb)
    alpha = _alpha(value)
    return f"color(srgb {channels}{'' if alpha is None else f' / {alpha}'})"


def path(text: str, rng: random.Random) -> str | None:
    """The same geometry in other commands: relative, `H`, `V`, implicit repetition, compact numbers.

    None for data outside the grammar, or without a command.
    """
    try:
        commands = parse_path(text)
    except ValueError:
        return None
    return _PathWriter(commands, rng).run() if commands else None


class _PathWriter:
    """Writes absolute commands; every choice is the generator's."""

    def __init__(self, commands: Commands, rng: random.Random) -> None:
        self.commands, self.rng = commands, rng
        self.x = self.y = self.start_x = self.start_y = 0.0
        self.relative = rng.choice((0.0, 0.5, 1.0))
        self.compact = rng.random() < 0.5
        self.last = ""

    def run(self) -> str:
        out = "".join(self._command(command) for command in self.commands)
        return out if self.rng.random() < 0.7 else f" {out}\n"

    def _command(self, command: Command) -> str:
        letter, args = command
        if letter == "Z":
            self.x, self.y, self.last = self.start_x, self.start_y, ""
            return self.rng.choice(("Z", "z", " Z "))
        relative = self.rng.random() < self.relative
        written, numbers_of = self._shape(letter, args, relative)
        self.x, self.y = args[-2:]
        if letter == "M":
            self.start_x, self.start_y = args
        written = written.lower() if relative else written
        repeats = written == self.last and self.rng.random() < 0.5
        self.last = {"M": "L", "m": "l"}.get(written, written)
        body = self._numbers(numbers_of, letter == "A")
        return (" " if repeats else written + ("" if self.compact else " ")) + body

    def _shape(self, letter: str, args: tuple[float, ...], relative: bool) -> tuple[str, list[str]]:
        x, y = (self.x, self.y) if relative else (0.0, 0.0)
        if letter == "A":
            ends = [exact(args[5] - x), exact(args[6] - y)]
            return letter, [
                exact(args[0]),
                exact(args[1]),
                exact(args[2]),
                f"{args[3]:.0f}",
                f"{args[4]:.0f}",
                *ends,
            ]
        if letter == "L" and args[1] == self.y and self.rng.random() < 0.5:
            return "H", [exact(args[0] - x)]
        if letter == "L" and args[0] == self.x and self.rng.random() < 0.5:
            return "V", [exact(args[1] - y)]
        return letter, [exact(value - (y if place % 2 else x)) for place, value in enumerate(args)]

    def _numbers(self, items: list[str], arc: bool) -> str:
        out = items[0]
        for place, item in enumerate(items[1:], 1):
            if self.compact and (item[0] == "-" or (arc and place in (4, 5))):
                out += item
            else:
                out += self.rng.choice((" ", ",")) + item
        return out


def transform(text: str, rng: random.Random) -> str | None:
    """The same matrix by other functions; None outside the grammar."""
    functions = parse_functions(text)
    matrix = parse_transform(text)
    if functions is None or matrix is None or not functions:
        return None
    if rng.random() < 0.3:
        return _matrix(matrix, rng)
    parts: list[str] = []
    for function in functions:
        parts.extend(_parts(function, rng))
    if rng.random() < 0.3:
        parts.insert(rng.randint(0, len(parts)), rng.choice(("translate(0)", "scale(1)", "rotate(360)")))
    return rng.choice((" ", ",", "")).join(parts)


def _parts(function: Function, rng: random.Random) -> list[str]:
    name, args = function
    values = [exact(value) for value in args]
    if name == "translate" and rng.random() < 0.6:
        x, y = values[0], values[1] if len(values) > 1 else "0"
        return rng.choice(([f"translate({x} {y})"], [f"translate({x})", f"translate(0 {y})"]))
    if name == "scale" and rng.random() < 0.6:
        return [f"scale({values[0]} {values[-1]})"]
    if name == "rotate" and rng.random() < 0.6:
        turn = f"rotate({exact(args[0] + 360 * rng.choice((-1, 0, 1)))})"
        if len(args) == 1:
            return [turn]
        return [
            f"translate({values[1]} {values[2]})",
            turn,
            f"translate({exact(-args[1])} {exact(-args[2])})",
        ]
    if rng.random() < 0.2:
        return [_matrix(parse_transform(f"{name}({' '.join(values)})") or Matrix(), rng)]
    return [f"{name}{rng.choice(('', ' '))}({rng.choice((',', ' ', ', ')).join(values)})"]


def _matrix(matrix: Matrix, rng: random.Random) -> str:
    return f"matrix({rng.choice((',', ' ')).join(map(exact, matrix))})"
