"""Numbers, directions, relations and the like, read from the words of an instruction.

Each reader returns None when the words say nothing of its kind. Only whole words count; `-` joins as a space.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}


def normal(words: str) -> str:
    """Lower case, single spaces, straight quotes, hyphens as spaces."""
    text = words.lower().replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return re.sub(r"[\s\-–]+", " ", text).strip()


def _number_words() -> dict[str, int]:
    table = {word: value for value, word in enumerate(_UNITS)}
    for tens, word in enumerate(_TENS, start=2):
        table[word] = 10 * tens
        table |= {f"{word} {unit}": 10 * tens + value for value, unit in enumerate(_UNITS[:10]) if value}
    table["a hundred"] = table["one hundred"] = table["hundred"] = 100
    return table


NUMBER_WORDS = _number_words()
_NUMBER = "|".join(sorted(map(re.escape, NUMBER_WORDS), key=len, reverse=True)) + r"|\d+(?:\.\d+)?"


def number(word: str) -> float:
    """Value of a number written in words or digits."""
    return float(NUMBER_WORDS[word]) if word in NUMBER_WORDS else float(word)


def factor(words: str) -> float | None:
    """A factor or share: `twice`, `half`, `two thirds`, `three times`, `forty percent`, `fully opaque`."""
    text = normal(words)
    for pattern, value in _FIXED_FACTORS:
        if re.search(rf"\b(?:{pattern})\b", text):
            return value
    match = re.search(rf"\b({_NUMBER}) (?:times|fold)\b", text)
    if match:
        return number(match[1])
    match = re.search(rf"\b({_NUMBER}) ?(?:percent\b|per cent\b|%)", text)
    if match:
        return number(match[1]) / 100
    share = _share(text)
    return 1.0 if share is None and re.search(r"\b(?:the same|just as|as \w+ as)\b", text) else share


_FIXED_FACTORS = (
    (r"half (?:transparent|opaque|see through)|semi transparent", 0.5),
    (r"fully opaque|completely opaque|full strength|fully solid|not see through|no longer see through", 1.0),
    (r"fully transparent|invisible", 0.0),
    (r"one and a half times", 1.5), (r"two and a half times", 2.5),
    (r"twice|double|doubled", 2.0), (r"triple|thrice", 3.0),
)  # fmt: skip


def _share(text: str) -> float | None:
    for name, parts in _PARTS.items():
        match = re.search(rf"\b(?:({'|'.join(_UNITS[2:10])}) )?(?:a )?{name}(?:s|es)?\b", text)
        if name == "half" and re.search(r"\b(?:halves|halved)\b", text):
            return 0.5
        if match:
            return (number(match[1]) if match[1] else 1.0) / parts
    return None


def angle(words: str) -> float | None:
    """A turn in degrees, clockwise positive: `a quarter turn clockwise`, `thirty degrees to the left`."""
    text = normal(words)
    match = re.search(rf"\b({_NUMBER}) ?(?:degrees?\b|°)", text)
    if match:
        value = number(match[1])
    elif re.search(r"\bupside down\b|\bhalf (?:a )?turn\b", text):
        value = 180.0
    elif re.search(r"\bquarter (?:of a )?turn\b|\bright angle\b", text):
        value = 90.0
    else:
        return None
    return -value if re.search(r"\b(?:anti ?clockwise|counter ?clockwise|to the left)\b", text) else value


_BEARINGS = (
    (r"(?:up(?:per|wards?)?|top)(?: and to the| towards? the| to the)? right|north ?east", 45.0),
    (r"(?:up(?:per|wards?)?|top)(?: and to the| towards? the| to the)? left|north ?west", 315.0),
    (r"(?:low(?:er)?|down(?:wards?)?|bottom)(?: and to the| towards? the| to the)? right|south ?east", 135.0),
    (r"(?:low(?:er)?|down(?:wards?)?|bottom)(?: and to the| towards? the| to the)? left|south ?west", 225.0),
    (r"up|upwards?|upright|north|vertical(?:ly)?", 0.0), (r"down|downwards?|south", 180.0),
    (r"right|rightwards?|east|level|horizontal(?:ly)?", 90.0), (r"left|leftwards?|west", 270.0),
)  # fmt: skip


def bearing(words: str) -> float | None:
    """A direction in degrees clockwise from straight up: `upper right`, `north`, `at three o'clock`."""
    text = normal(words)
    match = re.search(rf"\b({_NUMBER}) o'clock\b", text)
    if match:
        return number(match[1]) % 12 * 30
    return next((value for pattern, value in _BEARINGS if re.search(rf"\b(?:{pattern})\b", text)), None)


ZERO_BEARINGS = {"up": 0.0, "right": 90.0, "down": 180.0, "left": 270.0}

_HOURS = _UNITS[1:13]


def clock_time(words: str) -> tuple[int, int] | None:
    """Hour (0 to 11) and minute: `ten past ten`, `half past three`, `quarter to nine`, `10:10`, `noon`."""
    text = normal(words)
    match = re.search(r"\b([01]?\d|2[0-3])[:.h]([0-5]\d)\b", text)
    if match:
        return int(match[1]) % 12, int(match[2])
    hour = "|".join([*_HOURS, *map(str, range(1, 13))])
    match = re.search(rf"\b(?:(half|(?:a )?quarter|{_NUMBER})(?: minutes?)? (past|to) )({hour})\b", text)
    if match:
        minutes = 30 if match[1] == "half" else 15 if "quarter" in match[1] else int(number(match[1]))
        clock = int(number(match[3])) * 60 + (minutes if match[2] == "past" else -minutes)
        return clock // 60 % 12, clock % 60
    match = re.search(rf"\b({hour}) o'clock\b", text)
    if match:
        return int(number(match[1])) % 12, 0
    return (0, 0) if re.search(r"\b(?:noon|midday|midnight)\b", text) else None


class Relation(NamedTuple):
    """Own edge and edge of the other object that lie on one line; `center` follows the axis asked for."""

    own: str
    other: str


_LIE = r"(?:rest|sit|stand|lie|li|land|perch|stack)\w* (?:up)?on"
_MEET = r"(?:start|begin|flush|line|align|level|end|stop|reach)\w*(?: up| down)? (?:at|to|with|on)"
_CENTER = r"cent(?:er|re)\w*|in the middle of|halfway|level with|at the same height|lin\w* up with|between"
_RELATIONS = (
    (rf"{_LIE}|on top of|touch\w* the top of", "bottom", "top"),
    (r"hang\w* (?:from|below|off|under)|touch\w* the bottom of", "top", "bottom"),
    (r"(?:right|directly|just) (?:under|below)", "top", "bottom"),
    (r"touch\w* the left (?:side|edge|end) of", "right", "left"),
    (r"touch\w* the right (?:side|edge|end) of", "left", "right"),
    *(
        (rf"{_MEET} the {edge}(?: side| edge| end)?", edge, edge)
        for edge in ("left", "right", "top", "bottom")
    ),
    (rf"{_CENTER}|in line with", "center", "center"),
)


def relation(words: str) -> Relation | None:
    """How an object lies to another: `rests on`, `hangs from`, `centred on`, `level with`."""
    text = normal(words)
    found = (
        Relation(own, other) for pattern, own, other in _RELATIONS if re.search(rf"\b(?:{pattern})\b", text)
    )
    return next(found, None)


def order(words: str) -> Literal["front", "behind"] | None:
    """Whether the words put something in front of or behind something else."""
    text = normal(words)
    if re.search(r"\b(?:behind|under(?:neath)?|beneath|below|to the back|covered by|hidden by)\b", text):
        return "behind"
    if re.search(r"\b(?:in front|over|above|on top|to the front|covers?|overlaps?|hides?)\b", text):
        return "front"
    return None


def everything(words: str) -> bool:
    """Whether the words speak of all other things: `behind everything else`, `in front of all the rest`."""
    pattern = r"everything|all (?:of )?(?:the )?(?:others?|rest)|the rest|the very (?:back|front)"
    return re.search(rf"\b(?:{pattern})\b", normal(words)) is not None


def removal(words: str) -> bool:
    """Whether the words ask to take something away."""
    pattern = (
        r"remov\w+|delet\w+|tak\w+ (?:\w+ ){0,4}?(?:away|out|off)|get rid of|eras\w+|drop|clear away|lose|"
        r"do(?:es)?(?: not|n't) belong|too many|should(?: not|n't) be (?:there|here)|"
        r"(?:must|has to|should|can) go|gone"
    )
    return re.search(rf"\b(?:{pattern})\b", normal(words)) is not None


_QUOTED = re.compile(r""""([^"]+)"|“([^”]+)”|‘([^’]+)’|(?<!\w)'([^']+)'(?!\w)|«([^»]+)»|„([^“”]+)[“”]""")


def quoted(words: str) -> list[str]:
    """Texts in quotes, as written."""
    return [next(group for group in match.groups() if group is not None) for match in _QUOTED.finditer(words)]


def numeral(text: str) -> float | None:
    """The number in a label such as `40 %`, `$1,200`, `12k`; None when there is none or more than one."""
    found = _NUMERAL.findall(text)
    if len(found) != 1:
        return None
    part = re.sub(r"[,\s+]", "", found[0]).replace("−", "-")
    return float(part.rstrip("kKM")) * _SCALES.get(part[-1], 1.0)


_NUMERAL = re.compile(r"[-−+]?(?:\d{1,3}(?:[,\s]\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[kKM]\b)?|[-−+]?\.\d+")
_SCALES = {"k": 1e3, "K": 1e3, "M": 1e6}
