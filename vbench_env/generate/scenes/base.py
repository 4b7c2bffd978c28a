"""Scene grammars: functions that draw one scene of their genre with a brush."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from vbench_env.generate.brush import Brush
from vbench_env.generate.markup import Element, num
from vbench_env.generate.sketch import Reads
from vbench_env.registry import Registry

Scene: TypeAlias = Callable[[Brush], None]

SCENES: Registry[Scene] = Registry("genre", "vbench_env.scenes")

ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip

SANS = "Arial, Helvetica, sans-serif"
SERIF = "Georgia, 'Times New Roman', serif"


def ordinal(place: int) -> str:
    """`first` for 0, and so on."""
    return ORDINALS[place]


def between(brush: Brush, least: int, most: int) -> int:
    """A number of things: the more, the larger the plan's size."""
    wanted = least + (most - least) * brush.plan.size
    return max(least, min(most, round(wanted + brush.random.uniform(-0.6, 0.6))))


def slug(text: str) -> str:
    """A name for ids made of a label."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def pick(random: Random, items: tuple[str, ...], count: int) -> list[str]:
    """Some of the items by lot."""
    return random.sample(items, count)


def lettering(brush: Brush, key: str, text: str, x: float, y: float, size: float, **attrs: object) -> Element:
    """A text in the brush's letters; `attrs` as for `Brush.add`."""
    given = {"font_family": SANS, "fill": brush.palette.ink, **attrs}
    return brush.add("text", key, "", text, x=x, y=y, font_size=size, **given)


def heading(
    brush: Brush, text: str, wrong: tuple[str, ...], x: float = 40, y: float = 60, size: float = 34
) -> str:
    """The big title of a drawing; `wrong` are titles that it could be mistaken for."""
    family = brush.random.choice((SANS, SERIF))
    element = lettering(brush, "title", text, x, y, size, font_family=family, font_weight="bold")
    key = brush.part(element, "the big title")
    brush.relate(Reads(key, text, wrong))
    return key


def spare_disc(
    brush: Brush, key: str, name: str, x: float, y: float, r: float, fill: str, parent: str,
    before: str | None = None,
) -> None:  # fmt: skip
    """A disc that does not belong where it lies."""
    attrs = {"id": key, "cx": num(x), "cy": num(y), "r": num(r), "fill": fill}
    brush.spare(Element("circle", attrs), name, parent, before)
