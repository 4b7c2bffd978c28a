"""What people call a colour, and how sure that is: the basic colour words over CIE L*a*b*.

Each word has examples that everybody would call so. A colour has the word of its nearest example; other words
whose examples are about as near fit it too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

from vbench_env.svg.colors import lab

RGB = tuple[int, int, int]

_EXAMPLES = """
    red d32f2f e53935 c62828 b71c1c ff0000 dc143c d8433d e5573d a82020 f44336 8f1d1d c2402a
    orange ff6b3d ff7a45 e2703a ff9800 f57c00 e67e22 ff7f0e fb8c00 e8862e f39c3c ffb74d ff8c42 f2883b ffdcb5 ffcc99
    yellow ffeb3b fdd835 ffd54f f1c40f fff176 ffd700 eec643 fff59d e8c547 ffe066 fff9c4 fff3b0 fcf3bf
    green 4caf50 2e7d32 1b5e20 66bb6a a5d6a7 008000 90c978 c8e6c9 3f8f5b 8bc34a 6b8e23 0f5132 33691e aed581 7cb342
        9ccc65 386641 2fbf71 558b2f
        e8f5e9 d5f0d6 dcedc8
    turquoise 00bcd4 26a69a 009688 4dd0e1 80cbc4 00796b 1d7a78 40e0d0 5fc9c0 00a5a5 b2dfdb 2ab7a9 e0f7fa d0f0ee b2ebf2
    blue 2196f3 1565c0 0d47a1 90caf9 3f51b5 0000ff 1f77b4 64b5f6 bbdefb 283593 5b8def 4a7fb5 1a237e 2c5f8a 87b5e0
        e3f2fd d6e4f7 dbeafe cfe2f3
    purple 9c27b0 7b1fa2 4a148c ba68c8 673ab7 b39ddb 8e44ad 5e35b1 d1c4e9 9575cd 6a3d9a ce93d8 7e57c2
        f3e5f5 e8dff5 ede7f6 e1d5f0
    pink f06292 f48fb1 f8bbd0 ff69b4 ff80ab ec407a ffc0cb f3a6c0 e86ca0 d94a8c f7c6d9 ffcdd2 f8d7da
        fadbd8 fbd9d0 f5c6cb
    brown 795548 5d4037 8d6e63 6d4c41 a0522d 8b4513 8a5a2f 4e342e a1662f 7a4b27 9b6a43 b07d4f
    beige f5f5dc f5ecd7 f5e8cb faebd7 efe0c0 e6d3b1 d9c7a3 fbf1e0 e8dcc4
    white ffffff fafafa f5f7fa
    grey 9e9e9e 757575 bdbdbd 616161 e0e0e0 8a8f98 6b7280 a3a8b0 546e7a 90a4ae cfd8dc
    black 000000 1a1a1a 212121 15181d 262b36
"""
NEUTRAL = frozenset({"white", "grey", "black"})
WORDS: dict[str, frozenset[str]] = {
    word: frozenset(names.split())
    for word, names in {
        "red": "red", "scarlet": "red", "crimson": "red", "orange": "orange", "amber": "orange yellow",
        "yellow": "yellow", "golden": "yellow orange", "green": "green", "turquoise": "turquoise",
        "teal": "turquoise", "cyan": "turquoise blue", "blue": "blue", "navy": "blue black", "purple": "purple",
        "violet": "purple", "lilac": "purple", "lavender": "purple", "mauve": "purple", "pink": "pink",
        "magenta": "pink purple", "brown": "brown", "beige": "beige", "cream": "beige white", "ivory": "beige white",
        "white": "white", "grey": "grey", "gray": "grey", "black": "black", "silver": "grey",
    }.items()
}  # fmt: skip
"""Words for colours that an instruction may use, and the basic words that fit what they name."""
SURE = 1.2
"""How many times as far as the nearest word another one may be that still fits."""


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[str, tuple[float, float, float]], ...]:
    found, word = [], ""
    for part in _EXAMPLES.split():
        digits = part if len(part) == 6 and all(c in "0123456789abcdef" for c in part) else ""
        if not digits:
            word = part
            continue
        found.append((word, lab((int(part[:2], 16), int(part[2:4], 16), int(part[4:], 16)))))
    return tuple(found)


@lru_cache(maxsize=8192)
def distances(rgb: RGB) -> tuple[tuple[float, str], ...]:
    """For each basic word the distance to its nearest example, nearest first."""
    best: dict[str, float] = {}
    place = lab(rgb)
    for word, example in _table():
        best[word] = min(best.get(word, math.inf), math.dist(place, example))
    return tuple(sorted((distance, word) for word, distance in best.items()))


def name_of(rgb: RGB) -> str:
    """The basic word for a colour."""
    return distances(rgb)[0][1]


def distance_to(rgb: RGB, names: frozenset[str]) -> float:
    """Distance to the nearest example of any of these basic words."""
    return min(distance for distance, name in distances(rgb) if name in names)


def fits(rgb: RGB, names: frozenset[str]) -> bool:
    """Whether a colour may be called by one of these basic words: no other is clearly nearer."""
    return distance_to(rgb, names) <= SURE * distances(rgb)[0][0] + 2.0


def said(name: str, colors: Iterable[RGB]) -> str:
    """The word that people say for a basic one: dark turquoise is teal."""
    dark = all(lab(rgb)[0] < _TEAL for rgb in colors)
    return "teal" if name == "turquoise" and dark else name


_TEAL = 50.0
"""CIE L*a*b* lightness below which turquoise is called teal."""
