"""What an instruction says, taken apart: clauses, the thing each is about, and the thing it is compared with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

COLOURS = {
    "red": "#e53935 #ef4444 #dc2626 #d8432e #b91c1c", "green": "#22c55e #16a34a #2f7d5b #a3e635 #65a30d",
    "blue": "#2563eb #3b82f6 #1d4ed8 #2f6fa8 #0ea5e9 #60a5fa", "yellow": "#fde047 #facc15 #eab308 #ffff00",
    "amber": "#f59e0b #fbbf24 #eba72d", "orange": "#f97316 #fb923c #ea580c #ffa500",
    "black": "#000000 #111827 #18233b", "white": "#ffffff #f8fafc", "grey": "#808080 #94a3b8 #cbd5e1 #64748b",
    "gray": "#808080 #94a3b8 #cbd5e1 #64748b", "brown": "#92400e #78350f #8b5a2b #a16207",
    "pink": "#ec4899 #f9a8d4 #f472b6", "purple": "#8b5cf6 #7c3aed #a855f7 #800080",
    "magenta": "#d946ef #c026d3 #ff00ff", "teal": "#14b8a6 #0d9488 #008080", "cream": "#fef3c7 #f5e8cb",
    "pale yellow": "#fef3c7 #fef9c3", "light blue": "#e0f2fe #bae6fd #add8e6", "dark": "#0f172a #1e293b #18233b",
}  # fmt: skip
"""What the colour words usually look like in drawings."""

_COLOUR = "|".join(sorted(COLOURS, key=len, reverse=True))
_STOP = frozenset(
    "a an and another are as at back be been below by did does for from had has have in into is it its just left "
    "like make more of on one only or other out over put same should side so than that the their them then there "
    "these they this to too turn under up was were when where which with".split()
) - {"left"}  # fmt: skip
_SYNONYMS = {
    "cable": "wire", "treetop": "crown", "middle": "center", "centre": "center", "sample": "key", "swatch": "key",
    "legend": "key", "picture": "image", "wording": "label", "name": "label", "sign": "sign", "gray": "grey",
    "stripe": "band", "upper": "top", "bicycle": "bike", "lower": "bottom",
}  # fmt: skip
COPIES = frozenset({"dup", "duplicate", "extra", "stray", "copy"})
"""Words that drawings use for what is there once too often."""
_COPY_SAID = re.compile(r"\b(?:duplicated?|extra|copied|copy|stray|second)\b")
_COMPARISON = re.compile(
    r"\b(?:the same(?: \w+)? as|as \w+ as|exactly like|just like|like|level with|than|with the colou?r of|"
    r"of the colou?r of|as those of|as that of|(?:colou?r|dashes|shape|width|tiles) of|"
    r"colou?r that the (?:legend|key) shows for)\b"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that is said. `subject` and `other` are the words before and after a comparison."""

    text: str
    """Lower case, single spaces."""
    original: str
    subject: str
    other: str | None


def clauses(instruction: str) -> Iterator[list[Clause]]:
    """The clauses of each sentence, in order."""
    for sentence in re.split(r"(?<=[.!?])[\"”]?\s+", instruction):
        found = [_clause(part) for part in _parts(sentence) if part.strip(" .")]
        if found:
            yield found


def _parts(sentence: str) -> list[str]:
    return re.split(
        r"\s*[;:]\s+|,\s+and\s+|,\s+but\s+|,\s+so\s+|,\s+|\s+while\s+|\s+and\s+(?=(?:the|remove|move|make|its)\b)",
        sentence,
    )


def _clause(part: str) -> Clause:
    text = re.sub(r"\s+", " ", part.lower().replace("’", "'")).strip(" .")
    found = _COMPARISON.search(text)
    if found is None:
        return Clause(text, part, text, None)
    legend = "legend " if "legend" in found[0] else ""
    return Clause(text, part, text[: found.start()], legend + text[found.end() :])


def words(text: str) -> set[str]:
    """Words that may name a thing: lower case, singular, without those that say nothing."""
    found = re.findall(r"[a-z]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower().replace("'s", ""))
    plain = {_singular(word) for word in found if word not in _STOP}
    return {_SYNONYMS.get(word, word) for word in plain}


def spoken(text: str) -> set[str]:
    """Words that name what a clause is about.

    Of two colours only the right one counts; what is there twice may be called a copy in the drawing.
    """
    found, colour = words(text), wanted_colour(text)
    if colour is not None:
        found -= {word for name in COLOURS for word in name.split()} - set(colour.split())
    return found | COPIES if _COPY_SAID.search(text) else found


_PLACE = re.compile(
    r"\b(?:stands?|sits?|lies|in|on|of|from|behind|near|by|at|that|under|above|below|beside)\b"
)


def said_aside(text: str) -> set[str]:
    """Words of a clause that only say where its thing is, or what it belongs to."""
    found = _PLACE.search(text, 4)
    return words(text[found.start() :]) - words(text[: found.start()]) if found else set()


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def wanted_colour(text: str) -> str | None:
    """The colour word that a clause asks for; None when it asks for none.

    `red instead of green` asks for green; so does `the green stripe was painted red`.
    """
    if found := re.search(rf"\binstead of (?:\w+ )?({_COLOUR})\b", text):
        return found[1]
    asked = (
        rf"\b(?:should|mak(?:e|ing)|paint|must|turn|return|needs?)\b.*?\b({_COLOUR})\b(?: again| colou?r|$)"
    )
    turned = re.search(rf"\b({_COLOUR})\b.*\b(?:turned|painted|gone|went|come out|became)\b", text)
    if turned and not re.match(r"(?:turn|make|paint)\b", text):
        return turned[1]
    found = re.search(asked, text) or re.search(rf"\bshould (?:be|glow|have)\b.*?\b({_COLOUR})\b", text)
    return found[1] if found else None


def says(text: str, pattern: str) -> bool:
    """Whether a clause matches a pattern of whole words."""
    return re.search(rf"\b(?:{pattern})\b", text) is not None


def quotation(original: str) -> str | None:
    """The text in double quotes that something should read."""
    found = re.search(r"\b(?:reads?|says?|spells?|be)\b[^\"“]*[\"“]([^\"”]+)[\"”]", original)
    return found[1] if found else None


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def ordinal(text: str) -> tuple[int, bool] | None:
    """Place in a row, from 0, and whether it is counted from the right: `third ... from the left`."""
    found = re.search(rf"\b({'|'.join(_ORDINALS)})\b.*\bfrom the (left|right)\b", text)
    return (_ORDINALS.index(found[1]), found[2] == "right") if found else None
