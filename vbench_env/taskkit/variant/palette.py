"""Another palette: every colour of a drawing turned by one angle in OKLCH, and the colour words with it.

Turning hues keeps lightness and strength, so equal colours stay equal, legends hold, and what stood out still
does. Greys keep still. A turn is taken only if every colour word of the instruction has one new word that fits all
colours of that name, if different words stay different, and if no other colour comes to be called by a new word.
"""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from vbench_env.svg.document import Edit, SourceDocument
from vbench_env.svg.parse import parse
from vbench_env.svg.schema import COLOR_PROPERTIES
from vbench_env.taskkit.build import shown
from vbench_env.taskkit.variant.color_names import NEUTRAL, WORDS, distance_to, fits, name_of, said
from vbench_env.taskkit.variant.draft import Data, Draft, Step, Unvaried
from vbench_env.taskkit.variant.meanings import Meaning, color_words, meanings
from vbench_env.taskkit.variant.paints import RGB, Shift, colors_in, repaint, repainted, used_colors
from vbench_env.taskkit.variant.policy import Policy
from vbench_env.taskkit.variant.wordings import cased_like, reworded
from vbench_env.taskkit.wording import drawn_words

FAR, NEAR = (40, 180), (6, 20)
"""Degrees of hue by which a palette turns to either side."""
_DRIFT = 6.0
"""By how much farther a colour may come to lie from the examples of its word in a small turn."""
_GREYISH = 14.0
_STRENGTHS = (0.85, 0.92, 1.0, 1.0, 1.08)
_TRIES = 40
_GREY = 0.022
"""OKLCH chroma below which a colour counts as grey and keeps still."""


class Turn(NamedTuple):
    """A turn of all hues in degrees, and a factor of chroma."""

    degrees: int
    strength: float

    @property
    def near(self) -> bool:
        return abs(self.degrees) <= NEAR[1]

    def __str__(self) -> str:
        return f"hues turned by {self.degrees} degrees, chroma times {self.strength:g}"


@lru_cache(maxsize=65536)
def turned(rgb: RGB, turn: Turn) -> RGB:
    """A colour after a turn, at the same lightness; chroma shrinks where sRGB ends."""
    from coloraide import Color

    lightness, chroma, hue = (
        Color("srgb", [channel / 255 for channel in rgb]).convert("oklch").coords(nans=False)
    )
    if chroma < _GREY:
        return rgb
    new = Color("oklch", [lightness, chroma * turn.strength, (hue + turn.degrees) % 360])
    red, green, blue = new.fit("srgb", method="oklch-chroma").convert("srgb").coords(nans=False)
    return tuple(min(255, max(0, round(255 * value))) for value in (red, green, blue))  # type: ignore[return-value]


def with_palette(draft: Draft, random: Random, policy: Policy) -> Step:
    """The draft in other colours, and what was done.

    Raises:
        Unvaried: no turn lets the words be told.
    """
    if policy.palette == "keep":
        raise Unvaried(policy.because or "its colours must stay")
    document = SourceDocument(draft.svg)
    colors = frozenset(used_colors(document)) | frozenset(_data_colors(draft.data))
    if all(turned(rgb, Turn(120, 1.0)) == rgb for rgb in colors):
        raise Unvaried("it has no colours but greys")
    turn, words = _chosen(draft, colors, random, policy)
    data = draft.copied()
    for repair in data["repairs"]:
        _repaint_repair(repair, lambda rgb: turned(rgb, turn))
    data = reworded(data, lambda text: word_edits(text, words, policy))
    words_said = ", ".join(f"{old} is {new}" for old, new in sorted(words.items()) if old != new)
    note = f"{turn}; {words_said}" if words_said else str(turn)
    new = Draft(repaint(document, lambda rgb: turned(rgb, turn)).text, data)
    return Step(new, note, {} if turn.near else {**_id_words(colors, turn), **words})


def _id_words(colors: frozenset[RGB], turn: Turn) -> dict[str, str]:
    """What colour words in ids become, which no instruction uses: names of what the colours nearest to them are."""
    found = {}
    for word, names in WORDS.items():
        near = min(colors, key=lambda rgb: distance_to(rgb, names))
        if not names <= NEUTRAL and fits(near, names):
            new = turned(near, turn)
            found[word] = said(name_of(new), {new})
    return found


def _chosen(
    draft: Draft, colors: frozenset[RGB], random: Random, policy: Policy
) -> tuple[Turn, dict[str, str]]:
    meant = meanings(draft, colors, policy.keep_words)
    drawn = drawn_words(parse(draft.svg)) & WORDS.keys()
    far = policy.palette == "far" and not drawn
    reason = ""
    for turn in [*(_turns(random, FAR) if far else []), *_turns(random, NEAR)]:
        try:
            _require_distinct(colors, turn)
            return turn, _same_words(meant, turn) if turn.near else _new_words(meant, turn)
        except Unvaried as error:
            reason = str(error)
    raise Unvaried(reason)


def _turns(random: Random, span: tuple[int, int]) -> list[Turn]:
    sides = [random.choice((-1, 1)) for _ in range(_TRIES)]
    return [Turn(side * random.randint(*span), random.choice(_STRENGTHS)) for side in sides]


def _require_distinct(colors: frozenset[RGB], turn: Turn) -> None:
    if len({turned(rgb, turn) for rgb in colors}) < len(colors):
        raise Unvaried("two colours would become one")


def _same_words(meant: dict[str, Meaning], turn: Turn) -> dict[str, str]:
    """The words unchanged, where all that they mean is called so as well as before."""
    for word, meaning in meant.items():
        for rgb in meaning.colors:
            new = turned(rgb, turn)
            drift = distance_to(new, WORDS[word]) - distance_to(rgb, WORDS[word])
            if drift > _DRIFT and not fits(new, WORDS[word]):
                raise Unvaried(f"what is called {word} would be called otherwise")
    return {word: word for word in meant}


def _new_words(meant: dict[str, Meaning], turn: Turn) -> dict[str, str]:
    """A new word for each colour word in use.

    Raises:
        Unvaried: a word would have none, or one that fits what it must be told from.
    """
    found = {word: _new_word(word, meaning, turn) for word, meaning in meant.items()}
    for word, new in found.items():
        alike = [other for other in found if WORDS[other] & WORDS[word]]
        if any(found[other] == new for other in found if other not in alike):
            raise Unvaried(f"{word} and another word would both become {new}")
    return found


def _new_word(word: str, meaning: Meaning, turn: Turn) -> str:
    new = {turned(rgb, turn) for rgb in meaning.colors}
    if WORDS[word] <= NEUTRAL:
        if any(distance_to(rgb, WORDS[word]) > _GREYISH and not fits(rgb, WORDS[word]) for rgb in new):
            raise Unvaried(f"what is called {word} would get a colour")
        return word
    names = [name for name in sorted({name_of(rgb) for rgb in new}) if name not in NEUTRAL]
    fitting = [name for name in names if all(fits(rgb, frozenset({name})) for rgb in new)]
    if not fitting:
        raise Unvaried(f"what is called {word} would have no one name")
    best = min(fitting, key=lambda name: sum(distance_to(rgb, frozenset({name})) for rgb in new))
    if any(name_of(turned(rgb, turn)) == best for rgb in meaning.others):
        raise Unvaried(f"something beside what is called {word} would be called {best} too")
    return said(best, new)


def word_edits(text: str, words: dict[str, str], policy: Policy) -> list[Edit]:
    """The edits that put new colour words into a text, with the article that fits."""
    edits: list[Edit] = []
    for match in color_words(text, policy.keep_words):
        new = words[match[0].lower()]
        if new == match[0].lower():
            continue
        edits.append(Edit(match.start(), match.end(), cased_like(new, match[0])))
        article = re.search(r"\b(an?)\s+$", text[: match.start()], re.IGNORECASE)
        if article is not None:
            wanted = "an" if new[0] in "aeiou" else "a"
            if wanted != article[1].lower():
                edits.append(Edit(article.start(1), article.end(1), cased_like(wanted, article[1])))
    return sorted(edits)


def _repaint_repair(repair: Data, shift: Shift) -> None:
    if repair["property"] not in COLOR_PROPERTIES:
        return
    if isinstance(repair.get("corrupted"), str):
        repair["corrupted"] = repainted(repair["corrupted"], shift)
    accept = repair.get("accept") or {}
    if "choice" in accept:
        accept["choice"] = [repainted(shown(value), shift) for value in accept["choice"]]
    if isinstance(accept.get("interval"), list):
        accept["interval"][0] = repainted(shown(accept["interval"][0]), shift)


def _data_colors(data: Data) -> list[RGB]:
    found: list[RGB] = []
    for repair in data["repairs"]:
        values: list[Any] = [repair.get("corrupted"), *((repair.get("accept") or {}).get("choice") or ())]
        if repair["property"] in COLOR_PROPERTIES:
            found += [rgb for value in values if isinstance(value, str) for rgb in colors_in(value)]
    return found
