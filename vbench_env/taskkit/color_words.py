"""Colours as people say them: CSS names, names of the design trade, and adjectives before either.

Each phrase stands for one sRGB colour. An adjective changes the colour in CIE L*a*b*; a phrase that CSS
itself names (`dark green`, `sky blue`) has CSS's colour. Source of names: CSS Color 4 section 6.1.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from vbench_env.svg.colors import NAMED_COLORS, lab

RGB = tuple[int, int, int]

_TRADE = """
    amber:ffbf00 apricot:fbceb1 brass:b5a642 brick:b22222 bronze:cd7f32 burgundy:800020 champagne:f7e7ce
    charcoal:36454f cobalt:0047ab copper:b87333 cream:fffdd0 emerald:50c878 graphite:41424c jade:00a86b
    lemon:fff44f lilac:c8a2c8 mauve:e0b0ff mint:98ff98 mustard:e1ad01 ochre:cc7722 peach:ffe5b4 rose:ff007f
    ruby:e0115f rust:b7410e sand:c2b280 sapphire:0f52ba scarlet:ff2400 slate:708090 taupe:483c32
    terracotta:e2725b
"""
_SPELLED = {
    "navy blue": "navy", "sky blue": "skyblue", "royal blue": "royalblue", "steel blue": "steelblue",
    "slate blue": "slateblue", "powder blue": "powderblue", "midnight blue": "midnightblue",
    "forest green": "forestgreen", "lime green": "limegreen", "sea green": "seagreen", "olive green": "olive",
    "spring green": "springgreen", "lawn green": "lawngreen", "hot pink": "hotpink", "deep pink": "deeppink",
    "slate grey": "slategrey", "slate gray": "slategray", "brick red": "firebrick", "rosy brown": "rosybrown",
    "saddle brown": "saddlebrown", "sandy brown": "sandybrown", "off white": "whitesmoke",
}  # fmt: skip
_HALVES = ("light", "dark", "medium", "pale")

_ADJECTIVES: dict[str, tuple[float, float, float]] = {
    "light": (0.0, 0.45, 0.75), "pale": (0.0, 0.6, 0.5), "soft": (0.0, 0.25, 0.75),
    "bright": (0.0, 0.1, 1.15), "vivid": (0.0, 0.0, 1.25), "dark": (0.4, 0.0, 0.9),
    "deep": (0.25, 0.0, 1.0), "rich": (0.1, 0.0, 1.15),
    "muted": (0.05, 0.0, 0.55), "dusty": (0.0, 0.15, 0.5), "warm": (0.0, 0.0, 1.0), "cool": (0.0, 0.0, 1.0),
}  # fmt: skip
"""Share of the way to black, share of the way to white, factor of chroma."""
_TEMPERATURE = {"warm": 65.0, "cool": 265.0}
"""Hue angle (degrees) to which the adjective turns a colour, by at most `_TURN`."""
_TURN = 15.0
_TINT = 8.0
"""Chroma that such an adjective gives to a grey."""


class SpokenColor(NamedTuple):
    """A colour phrase found in words."""

    phrase: str
    rgb: RGB


def _table() -> dict[str, RGB]:
    names = {name: color.rgb for name, color in NAMED_COLORS.items() if color.alpha == 255}
    table = dict(names)
    for entry in _TRADE.split():
        name, _, digits = entry.partition(":")
        table.setdefault(name, (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)))
    table |= {spoken: names[name] for spoken, name in _SPELLED.items()}
    for half in _HALVES:
        table |= {
            f"{half} {n.removeprefix(half)}": c for n, c in names.items() if n.startswith(half) and n != half
        }
    return table


@lru_cache(maxsize=1)
def color_words() -> dict[str, RGB]:
    """Every colour phrase without free adjectives, in lower case."""
    return _table()


def spoken_colors(words: str) -> list[SpokenColor]:
    """Colour phrases in `words` from left to right, the longest at each place; `-` counts as a space."""
    text = re.findall(r"[a-z]+", words.lower().replace("-ish", ""))
    table = color_words()
    found: list[SpokenColor] = []
    place = 0
    while place < len(text):
        taken = next((n for n in (2, 1) if " ".join(text[place : place + n]) in table), 0)
        if not taken:
            place += 1
            continue
        phrase = " ".join(text[place : place + taken])
        first = place
        while first and text[first - 1] in _ADJECTIVES:
            first -= 1
        found.append(_modified(text[first:place], phrase, table[phrase]))
        place += taken
    return found


def _modified(adjectives: list[str], name: str, rgb: RGB) -> SpokenColor:
    for adjective in reversed(adjectives):
        rgb = _adjusted(rgb, adjective)
    return SpokenColor(" ".join([*adjectives, name]), rgb)


def _adjusted(rgb: RGB, adjective: str) -> RGB:
    black, white, chroma = _ADJECTIVES[adjective]
    lightness, a, b = lab(rgb)
    lightness = lightness * (1 - black)
    lightness += (100 - lightness) * white
    if adjective in _TEMPERATURE:
        a, b = _turned(a, b, _TEMPERATURE[adjective])
    return from_lab(lightness, a * chroma, b * chroma)


def _turned(a: float, b: float, towards: float) -> tuple[float, float]:
    if math.hypot(a, b) < _TINT:
        return a + _TINT * math.cos(math.radians(towards)), b + _TINT * math.sin(math.radians(towards))
    hue = math.degrees(math.atan2(b, a))
    turn = (towards - hue + 180) % 360 - 180
    hue = math.radians(hue + min(max(turn, -_TURN), _TURN))
    return math.hypot(a, b) * math.cos(hue), math.hypot(a, b) * math.sin(hue)


def from_lab(lightness: float, a: float, b: float) -> RGB:
    """Eight-bit sRGB of a CIE L*a*b* (D65) colour; channels out of range are clipped."""
    fy = (lightness + 16) / 116
    x, y, z = (
        n * (f**3 if f > 6 / 29 else 3 * (6 / 29) ** 2 * (f - 4 / 29))
        for f, n in zip((fy + a / 500, fy, fy - b / 200), (0.95047, 1.0, 1.08883), strict=True)
    )
    linear = (
        3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
        -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
        0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
    )
    red, green, blue = (_gamma(channel) for channel in linear)
    return red, green, blue


def _gamma(channel: float) -> int:
    channel = min(max(channel, 0.0), 1.0)
    value = 12.92 * channel if channel <= 0.0031308 else 1.055 * math.pow(channel, 1 / 2.4) - 0.055
    return round(255 * value)


def hex_of(rgb: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)
