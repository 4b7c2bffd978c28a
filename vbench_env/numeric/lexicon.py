"""The words of a request: clauses, and what kinds of object, operation, size and place they speak of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from vbench_env.repair import Operation
from vbench_env.svg.colors import lab
from vbench_env.taskkit.color_words import spoken_colors
from vbench_env.taskkit.words import normal, quoted

_STOP = frozenset(
    "a an and are as at be been but by did do does for from had has have in into is it its just like make of on or "
    "other others out please put same should so than that the their them then there these they this to too was "
    "were which with one ones all again back".split()
)

CUES: dict[Operation, str] = {
    "recolor": r"\w*colou?r\w*|painted|tint|hue|red|green|blue|yellow|orange|purple|pink|brown|gr[ae]y|black|white|"
    r"amber|teal",
    "move": r"slid|slipped|slides?|shifted|moved?|drift\w*|centr\w+|center\w*|level|lin(?:e|ed) up|in line|align\w*|"
    r"off to|out of (?:line|place)|evenly|spac\w+|distance|steps?|starts?|ends?|stands?|edge|back|equal|height|"
    r"neighbou?rs?|sunk|risen|hangs?|sits?|middle|place",
    "resize": r"small\w*|big\w*|large\w*|wide\w*|narrow\w*|short\w*|tall\w*|high\w*|long\w*|size|sized|width|height|"
    r"length|percentage|number|fits?|shrunk|grown|radius|reach\w*|diameter",
    "rotate": r"turn\w*|rotat\w*|lean\w*|tilt\w*|slant\w*|upright|askew|crooked|tipp\w+|points?|parallel|straight|hand|"
    r"direction|degrees|skew\w*",
    "reshape": r"shapes?|shaped|outline|dent\w*|bulg\w*|bent|corner|kink\w*|symmetr\w*|spike|pulled|curve|vertex|tip|"
    r"mirror\w*",
    "restroke": r"thick\w*|thin\w*|heavy|heavier|weight|dash\w*|dott\w*|dots|stroke\w*|solid|broken|fine",
    "opacity": r"faint\w*|fad\w+|transparen\w*|see through|solid|opaque|paler?|ghost\w*|strong\w*|opacity|washed|"
    r"weak\w*|bright\w*",
    "text": r"reads?|says?|spell\w*|typo|misspel\w*|letters?|word\w*|labell?ed|text|called|wrong name|"
    r"wrong number|written",
    "insert": r"missing|gap|lost|gone|add|empty|one more|lacks?|hole|vanished|disappeared",
    "delete": r"remove\w*|extra|belong|stray|duplicate\w*|too many|tak\w+ (?:it|them|this)? ?(?:away|out)|delete\w*|"
    r"twice|surplus|spare|get rid",
    "reorder": r"behind|in front|covers?|covered|hid\w*|on top|underneath|beneath|over|under",
    "relink": r"symbol\w*|icon\w*|kind|drawn as|pattern|plate|filling|filled|marker\w*|pin|look",
}  # fmt: skip
"""Words that speak of an operation; most words speak of several."""
OPERATIONS: tuple[Operation, ...] = tuple(CUES)
"""The operations that candidates are made for."""
_CUES = {operation: re.compile(rf"\b(?:{pattern})\b") for operation, pattern in CUES.items()}

_KINDS = {
    "circle": "circle circles disc discs disk dot dots ball round buoy sun coin bubble knob wheel",
    "ellipse": "ellipse oval", "ring": "ring rings hoop rim",
    "rect": "rectangle rectangles box boxes card panel plate tile block", "square": "square squares tile",
    "bar": "bar bars column strip stripe post block band", "box": "box card panel block tile button",
    "line": "line lines curve stroke rule wire pipe track beam hand edge axis",
    "triangle": "triangle triangles arrowhead tip", "diamond": "diamond rhombus", "hexagon": "hexagon",
    "pentagon": "pentagon", "star": "star stars", "shape": "shape outline area polygon path figure arrow",
    "text": "text word words label title heading headline caption number name letter line sign",
    "symbol": "symbol icon sign", "group": "group", "picture": "picture photo",
}  # fmt: skip

_BIG = re.compile(
    r"\b(?:bigger|biggest|large|larger|largest|big|tall|taller|tallest|wide|widest|long|longest)\b"
)
_SMALL = re.compile(r"\b(?:smaller|smallest|small|little|tiny|short|shortest|narrow|narrowest)\b")
_SIDES = {
    "left": (-1, 0),
    "right": (1, 0),
    "top": (0, -1),
    "upper": (0, -1),
    "bottom": (0, 1),
    "lower": (0, 1),
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_COMPARED = (
    re.compile(
        r"\b(?:the same(?: \w+){0,2} as|as \w+ as|exactly like|just like|like|level with|than|in line with|"
        r"match(?:es|ing)?|of the colou?r of|as those of|as that of|colou?r of|equal to|"
        r"cent(?:re|er)e?d (?:on|in|over)|goes with|legend|number beside)\b"
    ),
    re.compile(r"\b(?:between|behind|in front of|beside|next to|above|below|neighbou?rs)\b"),
)
"""What sets one thing against another, and what does so where the first says nothing."""
_SPLIT = re.compile(r"(?<=[.!?;])[\"”']?\s+|\s*;\s+|\n+")
_PRONOUN = re.compile(
    r"^(?:please )?(?:it|its|they|their|put it|give it|make it|bring it|set it|move it|turn it|so)\b"
)


@dataclass(frozen=True)
class Clause:
    """What one sentence says: `subject` before, `other` after its first comparison."""

    original: str

    @cached_property
    def text(self) -> str:
        return normal(self.original)

    @cached_property
    def parts(self) -> tuple[str, str]:
        found = next((found for pattern in _COMPARED if (found := pattern.search(self.text))), None)
        return (self.text, "") if found is None else (self.text[: found.start()], self.text[found.end() :])

    @cached_property
    def cues(self) -> tuple[float, ...]:
        """For each operation, from 0 to 1, how much the words speak of it."""
        return tuple(min(1.0, 0.5 * len(set(_CUES[op].findall(self.text)))) for op in OPERATIONS)

    @cached_property
    def said(self) -> Said:
        return Said(self.text)

    @cached_property
    def subject(self) -> Said:
        return Said(self.parts[0])

    @cached_property
    def other(self) -> Said:
        return Said(self.parts[1])

    @cached_property
    def quotes(self) -> tuple[str, ...]:
        return tuple(quoted(self.original))

    @cached_property
    def colors(self) -> tuple[tuple[float, float, float], ...]:
        """CIE L*a*b* of its colour words, from left to right."""
        return tuple(lab(color.rgb) for color in spoken_colors(self.text))


class Said:
    """Words that may pick out an object."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words(text)
        self.colors = tuple(lab(color.rgb) for color in spoken_colors(text))
        self.kinds = frozenset(kind for kind, said in KIND_WORDS.items() if self.words & said)
        self.size = float(bool(_BIG.search(text))) - float(bool(_SMALL.search(text)))
        sides = [side for word, side in _SIDES.items() if re.search(rf"\b{word}\b(?! of)", text)]
        self.side = (float(sum(x for x, _ in sides)), float(sum(y for _, y in sides)))
        self.middle = bool(re.search(r"\b(?:middle|centre|center|central)\b", text))
        self.rank = next((n for n, word in enumerate(_ORDINALS) if re.search(rf"\b{word}\b", text)), None)
        self.last = bool(re.search(r"\blast\b", text))
        self.backwards = bool(re.search(r"from the (?:right|bottom)", text))


def _kind_words() -> dict[str, frozenset[str]]:
    return {kind: words(said) for kind, said in _KINDS.items()}


def words(text: str) -> frozenset[str]:
    """Words that may name a thing: lower case, singular, without those that say nothing."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower().replace("'s", "")
    found = re.findall(r"[^\W\d_]+|\d+", spaced)
    return frozenset(_singular(word) for word in found if word not in _STOP)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if re.search(r"(?:x|ch|sh|ss)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


KIND_WORDS = _kind_words()


def clauses(instruction: str) -> tuple[Clause, ...]:
    """The sentences of a request that speak of an operation; one that goes on about `it` belongs to the one before."""
    found: list[str] = []
    for part in _SPLIT.split(instruction):
        if not part.strip(" ."):
            continue
        if found and _PRONOUN.match(normal(part)):
            found[-1] += " " + part.strip()
        else:
            found.append(part.strip())
    said = tuple(Clause(part) for part in found)
    return tuple(clause for clause in said if any(clause.cues)) or said
