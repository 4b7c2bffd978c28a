"""Colours: every CSS Color 4 spelling that resolves to sRGB, the published ones, and CIE76 distance.

Colours compare after rounding to eight bits a channel. What has no such value (`currentcolor` aside) is
None and compares as written: system colours, `lab()` and the like outside the sRGB gamut, anything invalid.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Literal, NamedTuple

from vbench_env.svg.caching import cached
from vbench_env.svg.values import NUMBER, WSP

_NAMES = """
    aliceblue:f0f8ff antiquewhite:faebd7 aqua:00ffff aquamarine:7fffd4 azure:f0ffff beige:f5f5dc
    bisque:ffe4c4 black:000000 blanchedalmond:ffebcd blue:0000ff blueviolet:8a2be2 brown:a52a2a
    burlywood:deb887 cadetblue:5f9ea0 chartreuse:7fff00 chocolate:d2691e coral:ff7f50 cornflowerblue:6495ed
    cornsilk:fff8dc crimson:dc143c cyan:00ffff darkblue:00008b darkcyan:008b8b darkgoldenrod:b8860b
    darkgray:a9a9a9 darkgreen:006400 darkgrey:a9a9a9 darkkhaki:bdb76b darkmagenta:8b008b
    darkolivegreen:556b2f darkorange:ff8c00 darkorchid:9932cc darkred:8b0000 darksalmon:e9967a
    darkseagreen:8fbc8f darkslateblue:483d8b darkslategray:2f4f4f darkslategrey:2f4f4f darkturquoise:00ced1
    darkviolet:9400d3 deeppink:ff1493 deepskyblue:00bfff dimgray:696969 dimgrey:696969 dodgerblue:1e90ff
    firebrick:b22222 floralwhite:fffaf0 forestgreen:228b22 fuchsia:ff00ff gainsboro:dcdcdc ghostwhite:f8f8ff
    gold:ffd700 goldenrod:daa520 gray:808080 green:008000 greenyellow:adff2f grey:808080 honeydew:f0fff0
    hotpink:ff69b4 indianred:cd5c5c indigo:4b0082 ivory:fffff0 khaki:f0e68c lavender:e6e6fa
    lavenderblush:fff0f5 lawngreen:7cfc00 lemonchiffon:fffacd lightblue:add8e6 lightcoral:f08080
    lightcyan:e0ffff lightgoldenrodyellow:fafad2 lightgray:d3d3d3 lightgreen:90ee90 lightgrey:d3d3d3
    lightpink:ffb6c1 lightsalmon:ffa07a lightseagreen:20b2aa lightskyblue:87cefa lightslategray:778899
    lightslategrey:778899 lightsteelblue:b0c4de lightyellow:ffffe0 lime:00ff00 limegreen:32cd32 linen:faf0e6
    magenta:ff00ff maroon:800000 mediumaquamarine:66cdaa mediumblue:0000cd mediumorchid:ba55d3
    mediumpurple:9370db mediumseagreen:3cb371 mediumslateblue:7b68ee mediumspringgreen:00fa9a
    mediumturquoise:48d1cc mediumvioletred:c71585 midnightblue:191970 mintcream:f5fffa mistyrose:ffe4e1
    moccasin:ffe4b5 navajowhite:ffdead navy:000080 oldlace:fdf5e6 olive:808000 olivedrab:6b8e23
    orange:ffa500 orangered:ff4500 orchid:da70d6 palegoldenrod:eee8aa palegreen:98fb98 paleturquoise:afeeee
    palevioletred:db7093 papayawhip:ffefd5 peachpuff:ffdab9 peru:cd853f pink:ffc0cb plum:dda0dd
    powderblue:b0e0e6 purple:800080 rebeccapurple:663399 red:ff0000 rosybrown:bc8f8f royalblue:4169e1
    saddlebrown:8b4513 salmon:fa8072 sandybrown:f4a460 seagreen:2e8b57 seashell:fff5ee sienna:a0522d
    silver:c0c0c0 skyblue:87ceeb slateblue:6a5acd slategray:708090 slategrey:708090 snow:fffafa
    springgreen:00ff7f steelblue:4682b4 tan:d2b48c teal:008080 thistle:d8bfd8 tomato:ff6347 turquoise:40e0d0
    violet:ee82ee wheat:f5deb3 white:ffffff whitesmoke:f5f5f5 yellow:ffff00 yellowgreen:9acd32
"""


class Color(NamedTuple):
    """An sRGB colour, each channel 0 to 255."""

    r: int
    g: int
    b: int
    alpha: int = 255

    @property
    def rgb(self) -> tuple[int, int, int]:
        return (self.r, self.g, self.b)

    @property
    def hex(self) -> str:
        """`#rrggbb`, or `#rrggbbaa` when it is not opaque."""
        text = f"#{self.r:02x}{self.g:02x}{self.b:02x}"
        return text if self.alpha == 255 else f"{text}{self.alpha:02x}"


def _from_hex(digits: str) -> Color:
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    return Color(*(int(digits[at : at + 2], 16) for at in range(0, len(digits), 2)))


NAMED_COLORS: dict[str, Color] = {
    name: _from_hex(digits) for name, _, digits in (item.partition(":") for item in _NAMES.split())
} | {"transparent": Color(0, 0, 0, 0)}
"""The 148 names of CSS Color 4 section 6.1, and `transparent`."""

PUBLISHED_NAMES = frozenset({
    "aqua", "black", "blue", "fuchsia", "gray", "green", "lime", "maroon", "navy", "olive", "purple", "red",
    "silver", "teal", "white", "yellow", "orange", "grey",
})  # fmt: skip
"""The names that the published evaluator knows: the 16 of HTML, `orange` and `grey`."""

_HEX = re.compile(r"#((?:[0-9A-Fa-f]{3}){1,2}|(?:[0-9A-Fa-f]{4}){1,2})")
_FUNCTION = re.compile(r"([A-Za-z]+)\(([^()]*)\)")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ARGUMENT = re.compile(rf"({NUMBER})(%|deg|grad|rad|turn)?", re.IGNORECASE)
_PARTS = re.compile(rf"{NUMBER}(?:%|[A-Za-z]+)?|[A-Za-z][A-Za-z0-9-]*|[,/]|[^ \t\n\r\f]")
_DEGREES = {"": 1.0, "deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}


class _Channel(NamedTuple):
    """An argument of a colour function; the unit of `none` is `none`."""

    value: float
    unit: str


@cached(8192)
def parse_color(text: str) -> Color | Literal["currentcolor"] | None:
    """A CSS Color 4 `<color>` as eight-bit sRGB.

    Returns:
        The colour, `"currentcolor"`, or None for anything else (also out of gamut and system colours).
    """
    text = text.strip(WSP)
    if "/*" in text:
        text = _COMMENT.sub(" ", text).strip(WSP)
    match = _HEX.fullmatch(text)
    if match is not None:
        return _from_hex(match[1])
    name = text.lower()
    if name == "currentcolor":
        return "currentcolor"
    named = NAMED_COLORS.get(name)
    if named is not None:
        return named
    function = _FUNCTION.fullmatch(text)
    return _parse_function(function[1].lower(), function[2]) if function else None


def _parse_function(name: str, body: str) -> Color | None:
    parts: list[str] = _PARTS.findall(body)
    space = ""
    if name == "color" and parts:
        space = parts.pop(0).lower()
        if space in _NOT_IN_COLOR_FUNCTION:
            return None
    legacy = "," in parts
    channels = _channels(parts, legacy)
    if channels is None or (legacy and name not in _LEGACY):
        return None
    *values, opacity = channels
    alpha = _alpha(opacity)
    if alpha is None or (legacy and any(channel.unit == "none" for channel in channels)):
        return None
    if name in ("rgb", "rgba"):
        return _rgb(values, alpha, legacy)
    if name in ("hsl", "hsla", "hwb"):
        return _hue_based(name, values, alpha, legacy)
    return _converted(space or name, values, alpha)


_LEGACY = frozenset({"rgb", "rgba", "hsl", "hsla"})


def _channels(parts: list[str], legacy: bool) -> list[_Channel] | None:
    """Three channels and the alpha, or None when their number or separators are wrong."""
    if legacy:
        if len(parts) not in (5, 7) or any(part != "," for part in parts[1::2]):
            return None
        parts = parts[::2]
    elif len(parts) == 5 and parts[3] == "/":
        parts = parts[:3] + parts[4:]
    elif len(parts) != 3:
        return None
    channels = [_channel(part) for part in parts]
    if len(channels) == 3:
        channels.append(_Channel(1.0, ""))
    return None if None in channels else channels  # type: ignore[return-value]


def _channel(part: str) -> _Channel | None:
    if part.lower() == "none":
        return _Channel(0.0, "none")
    match = _ARGUMENT.fullmatch(part)
    if match is None or not math.isfinite(float(match[1])):
        return None
    return _Channel(float(match[1]), (match[2] or "").lower())


def _alpha(channel: _Channel) -> float | None:
    if channel.unit not in ("", "%", "none"):
        return None
    value = channel.value / 100 if channel.unit == "%" else channel.value
    return min(1.0, max(0.0, value))


def _bits(value: float) -> int:
    """A channel in 0..1 as 0..255, clamped, half rounded up as browsers do."""
    return min(255, max(0, math.floor(value * 255 + 0.5 + 1e-7)))


def _rgb(values: list[_Channel], alpha: float, legacy: bool) -> Color | None:
    units = {channel.unit for channel in values} - {"none"}
    if not units <= {"", "%"} or (legacy and len(units) > 1):
        return None
    red, green, blue = (
        channel.value / 100 if channel.unit == "%" else channel.value / 255 for channel in values
    )
    return Color(_bits(red), _bits(green), _bits(blue), _bits(alpha))


def _hue_based(name: str, values: list[_Channel], alpha: float, legacy: bool) -> Color | None:
    hue, first, second = values
    others = {first.unit, second.unit} - {"none"}
    allowed = {"%"} if legacy else {"", "%"}
    if not others <= allowed or hue.unit not in (*_DEGREES, "none"):
        return None
    turn = hue.value * _DEGREES.get(hue.unit, 1.0) % 360
    to_rgb = _hwb if name == "hwb" else _hsl
    red, green, blue = to_rgb(turn, first.value / 100, second.value / 100)
    return Color(_bits(red), _bits(green), _bits(blue), _bits(alpha))


def _hsl(hue: float, saturation: float, lightness: float) -> tuple[float, float, float]:
    """CSS Color 4 section 7.1; a negative saturation is zero."""
    spread = max(0.0, saturation) * min(lightness, 1 - lightness)

    def channel(offset: float) -> float:
        k = (offset + hue / 30) % 12
        return lightness - spread * max(-1.0, min(k - 3, 9 - k, 1.0))

    return channel(0), channel(8), channel(4)


def _hwb(hue: float, white: float, black: float) -> tuple[float, float, float]:
    """CSS Color 4 section 8.1."""
    white, black = max(0.0, white), max(0.0, black)
    if white + black >= 1:
        gray = white / (white + black)
        return gray, gray, gray
    red, green, blue = (channel * (1 - white - black) + white for channel in _hsl(hue, 1.0, 0.5))
    return red, green, blue


_SPACES: dict[str, tuple[float, float, float]] = {
    "lab": (100, 125, 125), "lch": (100, 150, 0), "oklab": (1, 0.4, 0.4), "oklch": (1, 0.4, 0),
    "srgb": (1, 1, 1), "srgb-linear": (1, 1, 1), "display-p3": (1, 1, 1), "a98-rgb": (1, 1, 1),
    "prophoto-rgb": (1, 1, 1), "rec2020": (1, 1, 1), "xyz": (1, 1, 1), "xyz-d50": (1, 1, 1),
    "xyz-d65": (1, 1, 1),
}  # fmt: skip
"""What 100 % means per channel (CSS Color 4 sections 9 and 10); 0 marks the hue."""
_CONVERTER_NAMES = {"xyz": "xyz-d65"}
_NOT_IN_COLOR_FUNCTION = frozenset({"lab", "lch", "oklab", "oklch"})


def _converted(space: str, values: list[_Channel], alpha: float) -> Color | None:
    """Through coloraide to sRGB; None outside the gamut by more than the eight-bit rounding."""
    scales = _SPACES.get(space)
    if scales is None:
        return None
    numbers: list[float] = []
    for (value, unit), scale in zip(values, scales, strict=True):
        if unit not in (("", "%", "none") if scale else (*_DEGREES, "none")):
            return None
        numbers.append(
            value * scale / 100 if unit == "%" else value * (1 if scale else _DEGREES.get(unit, 1))
        )
    if space in _NOT_IN_COLOR_FUNCTION:
        numbers[0] = min(scales[0], max(0.0, numbers[0]))
    if space in ("lch", "oklch"):
        numbers[1] = max(0.0, numbers[1])
    from coloraide import Color as Converter

    srgb = Converter(_CONVERTER_NAMES.get(space, space), numbers).convert("srgb").coords(nans=False)
    if any(not -0.5 <= channel * 255 < 255.5 for channel in srgb):
        return None
    red, green, blue = (_bits(channel) for channel in srgb)
    return Color(red, green, blue, _bits(alpha))


class Paint(NamedTuple):
    """A `fill` or `stroke`: `kind` is `none`, `color`, `currentcolor`, `url` or `context`.

    `reference` is the inside of `url()`, without quotes. The colour of a `url` is its fallback.
    """

    kind: Literal["none", "color", "currentcolor", "url", "context"]
    color: Color | None = None
    reference: str | None = None
    fallback: str = ""


_URL = re.compile(r"url\(\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'()]*))\s*\)\s*(.*)", re.IGNORECASE | re.DOTALL)


def parse_url(text: str) -> tuple[str, str] | None:
    """`url(reference) rest` as (reference, rest); None when the text does not start with a `url()`."""
    match = _URL.fullmatch(text.strip(WSP))
    if match is None:
        return None
    reference = next(group for group in match.groups()[:3] if group is not None)
    return reference, match[4].strip(WSP)


@cached(8192)
def parse_paint(text: str) -> Paint | None:
    """A `<paint>` (SVG 2 section 13.2); None when it is invalid or has no eight-bit sRGB value."""
    color = parse_color(text)
    if isinstance(color, Color):
        return Paint("color", color)
    if color == "currentcolor":
        return Paint("currentcolor")
    word = text.strip(WSP).lower()
    if word == "none":
        return Paint("none")
    if word in ("context-fill", "context-stroke"):
        return Paint("context", fallback=word)
    url = parse_url(text)
    if url is None:
        return None
    if not url[1]:
        return Paint("url", reference=url[0])
    inner = None if url[1].lower().startswith("url(") else parse_paint(url[1])
    if inner is None or inner.kind not in ("none", "color", "currentcolor"):
        return None
    return Paint("url", inner.color, url[0], inner.kind)


_PUBLISHED_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})")
_PUBLISHED_RGB = re.compile(r"rgb\(\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\)")


@cached(8192)
def published_color(text: str) -> tuple[int, int, int] | None:
    """The colours that the published evaluator knows: `#rgb`, `#rrggbb`, `rgb(int, int, int)`, 18 names."""
    text = text.strip().lower()
    if text in PUBLISHED_NAMES:
        return NAMED_COLORS[text].rgb
    match = _PUBLISHED_HEX.fullmatch(text)
    if match is not None:
        return _from_hex(match[1]).rgb
    match = _PUBLISHED_RGB.fullmatch(text)
    if match is None:
        return None
    red, green, blue = (int(group) for group in match.groups())
    return (red, green, blue) if max(red, green, blue) <= 255 else None


_WHITE = (0.95047, 1.0, 1.08883)
_TO_XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)


@lru_cache(maxsize=8192)
def lab(rgb: tuple[int, int, int]) -> tuple[float, float, float]:
    """CIE L*a*b* (D65, 2 degrees) of an eight-bit sRGB colour."""
    linear = [_linear(channel / 255) for channel in rgb]
    fx, fy, fz = (
        _cube_root(sum(weight * part for weight, part in zip(row, linear, strict=True)) / white)
        for row, white in zip(_TO_XYZ, _WHITE, strict=True)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _cube_root(value: float) -> float:
    return float(value ** (1 / 3)) if value > 0.008856 else 7.787 * value + 16 / 116


@lru_cache(maxsize=8192)
def delta_e76(first: tuple[int, int, int], second: tuple[int, int, int]) -> float:
    """CIE76 distance of two eight-bit sRGB colours."""
    return math.dist(lab(first), lab(second))
