"""What an instruction must not say, and ids that a drawing should not have.

An instruction sounds like a person looking at the picture: no code, no coordinates, no names from the source.
What stands in quotes, or is drawn as text, may be said whatever it looks like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from vbench_env.svg.parse import Document, Node
from vbench_env.taskkit.color_words import spoken_colors
from vbench_env.taskkit.words import normal


class Mistake(NamedTuple):
    """A piece of wording that is not allowed, and why."""

    piece: str
    message: str
    advice: str


_QUOTES = re.compile(r""""[^"]*"|“[^”]*”|‘[^’]*’|«[^»]*»|(?<!\w)'[^']+'(?!\w)""")
_NUMBER = r"[-+−]?\d+(?:\.\d+)?"
_CODE = (
    (r"#[0-9a-fA-F]{3,8}\b", "a hexadecimal colour", "name the colour in words"),
    (r"(?<!#)\b(?=\w*\d)(?=\w*[a-fA-F])[0-9a-fA-F]{6}\b", "a hexadecimal colour", "name the colour in words"),
    (r"\b(?:rgba?|hsla?|url|matrix|translate|rotate|scale|skew[XY])\s*\(", "a function of the source",
     "say it as one would see it"),
    (rf"\b[MLHVCSQTAmlhvcsqta]\s?{_NUMBER}(?:[\s,]+{_NUMBER})+", "path data", "describe the shape in words"),
    (rf"\(\s*{_NUMBER}\s*[,;]\s*{_NUMBER}\s*\)|\b[xy]\s*=\s*{_NUMBER}", "coordinates",
     "say where by other objects"),
    (rf"{_NUMBER}\s?(?:px|pixels?|units?|user units)\b", "a length in units of the file",
     "compare with another object"),
    (rf"{_NUMBER},\s?{_NUMBER}(?:\s+{_NUMBER},\s?{_NUMBER})+", "coordinates", "say where by other objects"),
)  # fmt: skip
_CAMEL = re.compile(r"\b[a-z]+[A-Z]\w*\b")
_UNDERSCORE = re.compile(r"\b\w*[A-Za-z0-9]_\w+\b")
_NUMBERED = re.compile(r"(?<!#)\b[A-Za-z]{2,}-?\d+\b|\b[a-z]\d+\b")
_HYPHENATED = re.compile(r"\b[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+\b")
_TECHNICAL = re.compile(
    r"\b(?:cx|cy|rx|ry|fx|fy|dx|dy|svg|xml|css|tspan|textpath|viewbox|polyline|polygon|defs|href|xlink|clippath|"
    r"lineargradient|radialgradient|feGaussianBlur|dasharray|dashoffset|linecap|linejoin|miterlimit|"
    r"(?:stroke|fill|font|stop|flood|text|clip|marker|mask|z|letter|dominant|alignment|color|paint|shape|vector)-"
    r"(?:width|opacity|color|rule|size|family|weight|style|anchor|path|start|mid|end|index|spacing|baseline|"
    r"dasharray|dashoffset|linecap|linejoin|order|rendering|effect|decoration|units|interpolation)|"
    r"attributes?|bounding box|sub-?path|user space|hex(?:adecimal)?|rgba?|hsl|inline style|class name)\b",
    re.IGNORECASE,
)


def wording_mistakes(text: str, *drawings: Document) -> list[Mistake]:
    """What `text` says and should not, for an instruction about any of `drawings`."""
    unquoted = _QUOTES.sub(" ", text)
    drawn = {word for drawing in drawings for word in drawn_words(drawing)}
    ids = {name for drawing in drawings for name in drawing.ids}
    found = [*_code(unquoted), *_names(unquoted, drawn, ids)]
    for match in _TECHNICAL.finditer(unquoted):
        if match.group().lower() not in drawn:
            found.append(Mistake(match.group(), "a technical name", "say it as one would see it"))
    return list(dict.fromkeys(found))


def _code(text: str) -> Iterator[Mistake]:
    for pattern, what, advice in _CODE:
        for match in re.finditer(pattern, text):
            yield Mistake(match.group().strip(), what, advice)


def _names(text: str, drawn: set[str], ids: set[str]) -> Iterator[Mistake]:
    advice = "describe the object as it looks"
    for pattern, what in ((_CAMEL, "a camelCase name"), (_UNDERSCORE, "a name with an underscore")):
        for match in pattern.finditer(text):
            if match.group().lower() not in drawn:
                yield Mistake(match.group(), what, advice)
    for pattern, what in ((_NUMBERED, "a numbered name"), (_HYPHENATED, "an id of the drawing")):
        for match in pattern.finditer(text):
            word = match.group()
            if word.lower() not in drawn and (pattern is _NUMBERED or word in ids):
                yield Mistake(word, what, advice)


def drawn_words(drawing: Document) -> set[str]:
    """Words drawn as text, in lower case."""
    texts = (node.text + " " + node.tail for node in drawing.nodes if _in_text(node))
    words: set[str] = set()
    for text in texts:
        words.update(part.strip(".,:;!?()\"'").lower() for part in text.split())
    return words - {""}


def _in_text(node: Node | None) -> bool:
    while node is not None and node.tag != "text":
        node = node.parent
    return node is not None


def says(text: str, piece: str) -> bool:
    """Whether `piece` stands in `text`, case, white space and hyphens aside."""
    return normal(piece) in normal(text)


_TELLING = re.compile(
    r"\b(?:left\w*|right\w*|up(?:per)?|low(?:er|est)?|top\w*|bottom\w*|middle|cent(?:er|re)\w*|first|second|third|"
    r"fourth|fifth|sixth|last|next|beside|behind|between|under|above|below|near\w*|far\w*|inner|outer|corner|of|on|in|"
    r"at|with|from|by|\w+est|big\w*|small\w*|large\w*|tall\w*|short\w*|long\w*|only|hour|minute)\b",
    re.IGNORECASE,
)


def distinguishes(named: str, drawn: set[str]) -> bool:
    """Whether words pick one of several objects that look alike: by place, size, colour, owner or label."""
    words = [word.strip("'s’\"“”.,").lower() for word in named.split()]
    owner = re.search(r"\w['’]s?\b", named)
    return bool(
        _TELLING.search(named) or owner or spoken_colors(named) or any(word in drawn for word in words)
    )


_GIVEAWAYS = frozenset({
    "wrong", "corrupt", "corrupted", "corruption", "stray", "misplaced", "broken", "bad", "extra",
    "defect", "defective", "faulty", "incorrect", "bug", "buggy", "fix", "fixme", "fixed", "orig",
    "original", "decoy", "distractor", "dup", "duplicate", "unwanted", "superfluous", "tampered",
    "changed", "mistake", "glitch", "bogus", "spurious", "intruder", "altered", "damaged",
})  # fmt: skip
_GENERATED = re.compile(
    r"(?:path|rect|g|group|circle|ellipse|line|text|tspan|polygon|polyline|use|svg|layer|shape|object|element|"
    r"item|image|symbol|mask|clip)[-_]?\d+(?:[-_]\d+)*",
    re.IGNORECASE,
)


def giveaway(name: str) -> str | None:
    """The word in an id that says that something is wrong with the object."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    return next((word.lower() for word in words if word.lower() in _GIVEAWAYS), None)


def looks_generated(name: str) -> bool:
    """Whether an id is a tool's counter (`path1234`), which no designer would choose."""
    return _GENERATED.fullmatch(name) is not None
