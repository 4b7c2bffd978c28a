"""Colours of composed scenes: themes whose colours have names that people use."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from vbench_env.svg.colors import Color, lab, parse_color
from vbench_env.taskkit.color_words import hex_of, spoken_colors

_JITTER = 4
_FAR = 32.0
"""CIE76 distance from which two colours cannot be taken for each other."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of one drawing. `accents` are words and the colours that stand for them here."""

    paper: str
    panel: str
    line: str
    ink: str
    soft: str
    accents: tuple[tuple[str, str], ...]

    def color(self, place: int) -> str:
        return self.accents[place % len(self.accents)][1]

    def word(self, place: int) -> str:
        return self.accents[place % len(self.accents)][0]


_THEMES: tuple[tuple[str, str, str, str, str, tuple[str, ...]], ...] = (
    ("#fbf9f4", "#ffffff", "#d9d4c7", "#2f3640", "#7b8190",
     ("steel blue", "tomato", "goldenrod", "sea green", "medium purple", "sienna")),
    ("#f4f7fa", "#ffffff", "#d3dce6", "#1f2d3d", "#6b7a8c",
     ("royal blue", "dark orange", "teal", "crimson", "slate blue", "olive")),
    ("#fff8f0", "#fffdf9", "#ecd9c2", "#3b2a20", "#8a7565",
     ("terracotta", "forest green", "mustard", "navy", "burgundy", "teal")),
    ("#f3f6f1", "#fcfdfb", "#cfdacb", "#26332b", "#6f8074",
     ("forest green", "chocolate", "steel blue", "gold", "crimson", "midnight blue")),
    ("#1f2430", "#2a3040", "#434c61", "#eef1f6", "#a5afc2",
     ("turquoise", "coral", "gold", "orchid", "lime green", "sky blue")),
    ("#17262b", "#20343b", "#3a5560", "#f1f5f4", "#9db4b8",
     ("salmon", "khaki", "medium aquamarine", "plum", "orange", "light blue")),
    ("#fdf4f6", "#ffffff", "#ecd3da", "#3a2530", "#8e6f7c",
     ("deep pink", "indigo", "dark turquoise", "orange", "olive", "maroon")),
    ("#f6f4fb", "#ffffff", "#d9d4ea", "#2b2540", "#7a7392",
     ("slate blue", "hot pink", "dark cyan", "amber", "firebrick", "sea green")),
)  # fmt: skip


def draw_palette(random: Random) -> Palette:
    """A theme by lot, its accents in another order and a shade of their own."""
    paper, panel, line, ink, soft, words = random.choice(_THEMES)
    order = random.sample(words, len(words))
    return Palette(paper, panel, line, ink, soft, tuple((word, _shade(word, random)) for word in order))


def _shade(word: str, random: Random) -> str:
    red, green, blue = named_color(word)
    return hex_of(tuple(min(255, max(0, c + random.randint(-_JITTER, _JITTER))) for c in (red, green, blue)))  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def named_color(word: str) -> tuple[int, int, int]:
    """The colour that a phrase stands for."""
    return spoken_colors(word)[0].rgb


def readable(color: str) -> bool:
    """Whether a value is a colour of its own (not `none`, not a reference)."""
    return isinstance(parse_color(color), Color)


@lru_cache(maxsize=4096)
def distance(one: str, other: str) -> float:
    """CIE76 distance of two colours as written; 0 when one of them cannot be read."""
    first, second = parse_color(one), parse_color(other)
    if not isinstance(first, Color) or not isinstance(second, Color):
        return 0.0
    return math.dist(lab(first.rgb), lab(second.rgb))


_OTHERS = (
    "#8a8f98", "#c2412d", "#2f6fb5", "#3f8f5a", "#e0a526", "#7a4fa3", "#111827", "#e5e7eb", "#d9739b", "#19a7b8",
    "#6b4a2f", "#b7d63a",
)  # fmt: skip


def far_color(random: Random, avoid: tuple[str, ...], preferred: tuple[str, ...] = ()) -> str | None:
    """A colour that differs clearly from all of `avoid`; one of `preferred` now and then."""
    pools = [preferred, _OTHERS] if random.random() < 0.5 else [_OTHERS, preferred]
    for pool in pools:
        fit = [c for c in pool if all(distance(c, o) >= _FAR for o in avoid if readable(o))]
        if fit:
            return random.choice(fit)
    return None
