"""Words for what a foreign drawing shows: colours that are there once, texts, places."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache

from vbench_env.generate.files.labels import labelled
from vbench_env.generate.files.look import RGB, Seen, View, mostly
from vbench_env.svg.colors import lab
from vbench_env.taskkit.color_words import color_words, spoken_colors
from vbench_env.taskkit.scene import content_text
from vbench_env.taskkit.variant.color_names import name_of

LOUD: dict[str, str] = {
    "green": "#14a314", "blue": "#1f4fe0", "red": "#e01020", "purple": "#8e24aa", "orange": "#ff8a00",
    "pink": "#ff66b8", "turquoise": "#00c0c8", "yellow": "#ffe31a",
}  # fmt: skip
"""Colours that nobody takes for another, by their basic words."""
_KINDS = {"rect": "rectangle", "circle": "circle", "ellipse": "oval", "line": "line", "text": "text", "use": "symbol",
          "image": "picture"}  # fmt: skip
_CLEAR = 9.0
"""CIE76 distance up to which a phrase says a colour."""
_SAYABLE = re.compile(r"[A-Za-zÀ-ž][\wÀ-ž .,:%&+-]{1,28}")


def kind_of(view: View, seen: Seen) -> str:
    """What one would call an element."""
    if seen.node.tag in _KINDS:
        return _KINDS[seen.node.tag]
    return "line" if view.scene.text_of(seen.node, "fill") == "none" else "shape"


def absent_words(view: View) -> list[str]:
    """Loud colours that the drawing has nothing of."""
    return [word for word in LOUD if word not in view.words]


@lru_cache(maxsize=1)
def _phrases() -> tuple[tuple[str, tuple[float, float, float]], ...]:
    plain = [word for word in color_words() if spoken_colors(word) and len(spoken_colors(word)) == 1]
    adjectives = ("light", "dark", "pale", "deep", "bright", "muted", "soft")
    basic = (
        "red",
        "orange",
        "yellow",
        "green",
        "turquoise",
        "blue",
        "purple",
        "pink",
        "brown",
        "grey",
        "beige",
    )
    both = [f"{adjective} {word}" for adjective in adjectives for word in basic]
    return tuple(
        (phrase, lab(found[0].rgb))
        for phrase in dict.fromkeys([*basic, "black", "white", *both, *plain])
        if len(found := spoken_colors(phrase)) == 1 and found[0].phrase == phrase
    )


@lru_cache(maxsize=4096)
def phrase_for(rgb: RGB) -> str | None:
    """The words that say a colour best; None when none does well."""
    place = lab(rgb)
    distance, phrase = min((math.dist(place, there), phrase) for phrase, there in _phrases())
    return phrase if distance <= _CLEAR else None


def names(view: View) -> dict[str, str]:
    """For elements that can be told from all others in any place and size: the words that do."""
    found: dict[str, str] = {}
    for seen in view.seen:
        if seen.node.tag == "text":
            text = content_text(seen.node)
            if view.texts[text] == 1 and sayable(text):
                found[seen.key] = f"the text “{text}”"
            continue
        name = _by_color(view, seen)
        if name is not None:
            found[seen.key] = name
    for key, (kind, node) in labelled(view).items():
        if key not in found and sayable(content_text(node)):
            found[key] = f"the {kind} for “{content_text(node)}”"
    repeated = Counter(found.values())
    return {key: name for key, name in found.items() if repeated[name] == 1}


def _by_color(view: View, seen: Seen) -> str | None:
    """By a colour that nothing else has."""
    for prop in ("fill", "stroke"):
        rgb = view.color(seen, prop)
        if rgb is None:
            continue
        word = name_of(rgb)
        if mostly(view.picture[seen.mask], rgb) and word not in view.words_beside(seen):
            return f"the {word} {kind_of(view, seen)}"
    return None


def sayable(text: str) -> bool:
    """Whether a text can be quoted in a sentence."""
    return _SAYABLE.fullmatch(text) is not None and sum(letter.isalpha() for letter in text) >= 2


_PLACES = (
    ("in the top left corner", 0.1, 0.1), ("in the top right corner", 0.9, 0.1),
    ("in the bottom left corner", 0.1, 0.9), ("in the bottom right corner", 0.9, 0.9),
    ("in the middle", 0.5, 0.5), ("at the left edge", 0.1, 0.5), ("at the right edge", 0.9, 0.5),
    ("in the middle of the top edge", 0.5, 0.1), ("in the middle of the bottom edge", 0.5, 0.9),
)  # fmt: skip


def places() -> tuple[tuple[str, float, float], ...]:
    """Words for places of a drawing, with shares of its width and height."""
    return _PLACES
