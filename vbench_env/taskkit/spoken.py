"""Evidence in words and customs: what the instruction states, and what everybody knows."""

from __future__ import annotations

import re
from typing import Any

from vbench_env.evidence import Convention, Stated
from vbench_env.svg.parse import Node
from vbench_env.taskkit.build import shown
from vbench_env.taskkit.color_words import hex_of, spoken_colors
from vbench_env.taskkit.question import Question
from vbench_env.taskkit.scene import Unfounded
from vbench_env.taskkit.words import (
    ZERO_BEARINGS,
    angle,
    bearing,
    clock_time,
    everything,
    factor,
    normal,
    numeral,
    order,
    quoted,
    relation,
    removal,
)


def answer_stated(question: Question, evidence: Stated) -> Any:
    """The value that the words of the instruction give."""
    words = question.words(evidence.words)
    kind = question.kind
    if kind == "delete":
        if not removal(words):
            raise Unfounded(f"the words {words!r} do not ask to take something away")
        return None
    if kind == "reorder":
        return _stated_order(question, evidence, words)
    if kind == "text":
        return _one(quoted(words), words, "text in quotes")
    if kind == "rotation":
        return _stated_turn(question, evidence, words)
    if kind in ("color", "reference", "keyword"):
        return _stated_word(question, evidence, words, kind)
    return _stated_number(question, evidence, words)


def _one(found: list[Any], words: str, what: str) -> Any:
    if len(found) != 1:
        raise Unfounded(f"the words {words!r} must hold one {what}, not {len(found)}")
    return found[0]


def _stated_order(question: Question, evidence: Stated, words: str) -> dict[str, str | None]:
    said = order(words)
    if said is None:
        raise Unfounded(f"the words {words!r} put nothing in front of or behind anything")
    scene = question.scene
    node = scene.node(question.repair.object)
    if everything(words):
        siblings = [child for child in node.parent.children if child is not node] if node.parent else []
        return {"before": siblings[0].label if siblings and said == "behind" else None}
    if evidence.of is None:
        raise Unfounded("say which object (`of`) it lies in front of or behind")
    other = scene.node(evidence.of)
    while other.parent is not None and other.parent is not node.parent:
        other = other.parent
    if other.parent is None or other is node:
        raise Unfounded(f"{evidence.of!r} does not share a parent with the object")
    return {"before": other.label if said == "behind" else _next_label(other, node)}


def _next_label(other: Node, node: Node) -> str | None:
    siblings = [child for child in other.parent.children if child is not node] if other.parent else []
    place = siblings.index(other) + 1
    return siblings[place].label if place < len(siblings) else None


def _stated_turn(question: Question, evidence: Stated, words: str) -> str:
    scene, name = question.scene, question.repair.object
    if evidence.of is not None:
        return question.turned(scene.rotation(evidence.of))
    return question.turned(_said_angle(evidence, words, scene.rotation(name)))


def _said_angle(evidence: Stated, words: str, current: float) -> float:
    by = angle(words)
    if by is not None:
        return current + by
    towards = bearing(words)
    if towards is None:
        raise Unfounded(f"the words {words!r} name no direction or angle")
    return towards - ZERO_BEARINGS[evidence.points]


_KEYWORDS = {"round": "round", "rounded": "round", "square": "square", "butt": "butt", "flat": "butt",
             "bevel": "bevel", "bevelled": "bevel", "miter": "miter", "mitred": "miter", "solid": "none",
             "bold": "bold", "italic": "italic", "upright": "normal", "left": "start", "right": "end",
             "centred": "middle", "centered": "middle"}  # fmt: skip


def _stated_word(question: Question, evidence: Stated, words: str, kind: str) -> str:
    prop = evidence.property or question.repair.property
    if evidence.of is not None:
        value = question.scene.text(evidence.of, prop)
        if value is None:
            raise Unfounded(f"{evidence.of!r} has no {prop}")
        return value
    if kind == "color":
        color = _one(spoken_colors(words), words, "colour")
        return hex_of(color.rgb)
    if kind == "keyword":
        found = [_KEYWORDS[word] for word in re.findall(r"[a-z]+", normal(words)) if word in _KEYWORDS]
        return str(_one(found, words, "keyword (round, square, solid, ...)"))
    raise Unfounded("name an object that refers to the same thing in `of`")


def _stated_number(question: Question, evidence: Stated, words: str) -> str:
    if question.repair.operation == "move" or question.kind == "outline":
        return _stated_place(question, evidence, words)
    scene, name, prop = question.scene, question.repair.object, question.repair.property
    if question.repair.operation == "rotate" and evidence.of is None:
        return shown(_said_angle(evidence, words, scene.number(name, prop)))
    share = factor(words)
    if share is None:
        if evidence.of is not None and relation(words) is not None:
            return _stated_place(question, evidence, words)
        raise Unfounded(f"the words {words!r} hold no factor or share")
    if question.kind == "transform":
        base = scene.measure(evidence.of or name, evidence.property or "box-width")
        return question.at(evidence.property or "box-width", share * base)
    if evidence.of is not None:
        return shown(share * scene.measure(evidence.of, evidence.property or prop))
    return shown(share if prop.endswith("opacity") else share * scene.number(name, prop))


def _stated_place(question: Question, evidence: Stated, words: str) -> str:
    found = relation(words)
    if found is None or evidence.of is None:
        raise Unfounded(f"say how it lies to another object (`of`); the words are {words!r}")
    for axis in _axes(question, words) if found.own == "center" else ("",):
        own, other = (f"center-{axis}", f"center-{axis}") if axis else found
        value = question.at(own, question.scene.measure(evidence.of, other))
        part = question.repair
        question = question.about(part, question.changed(value))
    return value


def _axes(question: Question, words: str) -> tuple[str, ...]:
    prop, text = question.repair.property, normal(words)
    if prop[-1] in "xy" or prop[:1] in "xy":
        return ("x",) if "x" in prop else ("y",)
    if re.search(r"\b(?:level with|same height|vertically)\b", text):
        return ("y",)
    return ("x",) if "horizontally" in text else ("x", "y")


def answer_convention(question: Question, evidence: Convention) -> Any:
    """The value that a convention gives."""
    table = {
        "clock": _clock, "traffic-light": _lamp, "status": _status, "axis-tick": _tick, "sequence": _sequence,
        "total": _total, "remainder": _remainder, "flag": _flag, "compass": _compass,
    }  # fmt: skip
    return table[evidence.name](question, evidence)


def _clock(question: Question, evidence: Convention) -> str:
    if isinstance(evidence.time, dict):
        words = question.scene.text(evidence.time["text"], "text") or ""
    else:
        words = question.words(evidence.time or "")
    time = clock_time(words)
    if time is None:
        raise Unfounded(f"{words!r} is no time of day that can be read")
    hour, minute = time
    turn = {"hour": 30.0 * (hour + minute / 60), "minute": 6.0 * minute, "second": 0.0}[
        evidence.hand or "hour"
    ]
    return question.turned(turn - ZERO_BEARINGS[evidence.points])


_LAMPS = {"top": "#dc2626", "middle": "#f59e0b", "bottom": "#16a34a"}
_STATES = {"error": "#dc2626", "warning": "#f59e0b", "success": "#16a34a", "info": "#2563eb"}


def _lamp(question: Question, evidence: Convention) -> str:
    return _LAMPS[evidence.lamp or "top"]


def _status(question: Question, evidence: Convention) -> str:
    return _STATES[evidence.state or "error"]


def _tick(question: Question, evidence: Convention) -> str:
    """The missing number of a row that goes in equal steps, written like its neighbours."""
    scene, place = question.scene, _place_in(evidence.row, question)
    texts = {i: scene.text(name, "text") or "" for i, name in enumerate(evidence.row) if i != place}
    numbers = {i: _value(text) for i, text in texts.items()}
    (first, start), *_, (last, end) = numbers.items()
    step = (end - start) / (last - first)
    if any(
        abs(start + step * (i - first) - value) > 1e-6 * max(1.0, abs(end)) for i, value in numbers.items()
    ):
        raise Unfounded("the other numbers of the row do not go in equal steps")
    return _written_like(texts[first], start + step * (place - first))


def _place_in(row: tuple[str, ...], question: Question) -> int:
    if row.count(question.repair.object) != 1 or len(row) < 3:
        raise Unfounded("the row must hold the repaired object once, and at least two others")
    return row.index(question.repair.object)


def _value(text: str) -> float:
    value = numeral(text)
    if value is None:
        raise Unfounded(f"the text {text!r} holds no single number")
    return value


def _written_like(pattern: str, value: float) -> str:
    """`value` in the spelling of `pattern`: unit, decimals and thousands as there."""
    match = re.search(r"[-−+]?\d[\d,]*(?:\.(\d+))?", pattern)
    assert match is not None
    thousands = "," if "," in match.group() or (abs(value) >= 1000 and "," in pattern) else ""
    number = f"{value:{thousands}.{len(match[1] or '')}f}"
    return pattern[: match.start()] + number + pattern[match.end() :]


_SEQUENCES = {
    "weekdays": ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    "months": (
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ),
    "letters": tuple("abcdefghijklmnopqrstuvwxyz"),
    "numbers": tuple(map(str, range(0, 101))),
    "roman": ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"),
}  # fmt: skip


def _sequence(question: Question, evidence: Convention) -> str:
    items = _SEQUENCES[evidence.of or "numbers"]
    place = _place_in(evidence.row, question)
    texts = {i: question.scene.text(n, "text") or "" for i, n in enumerate(evidence.row) if i != place}
    starts = {(_item(items, text) - i) % len(items) for i, text in texts.items()}
    if len(starts) != 1:
        raise Unfounded(f"the other texts of the row do not follow the {evidence.of}")
    found = items[(starts.pop() + place) % len(items)]
    pattern = next(iter(texts.values()))
    short = found[: len(pattern)] if len(pattern) < len(items[_item(items, pattern)]) else found
    return short.upper() if pattern.isupper() else short.capitalize() if pattern[:1].isupper() else short


def _item(items: tuple[str, ...], text: str) -> int:
    word = text.strip().lower()
    exact = [i for i, item in enumerate(items) if item == word]
    found = exact or [i for i, item in enumerate(items) if len(word) > 1 and item.startswith(word)]
    if len(found) != 1:
        raise Unfounded(f"{text!r} is no single item of the sequence")
    return found[0]


def _total(question: Question, evidence: Convention) -> str:
    texts = [question.scene.text(name, "text") or "" for name in evidence.parts]
    return _written_like(_own_text(question), sum(map(_value, texts)))


def _remainder(question: Question, evidence: Convention) -> str:
    texts = [question.scene.text(name, "text") or "" for name in evidence.parts]
    whole = evidence.whole
    total = _value(question.scene.text(whole, "text") or "") if isinstance(whole, str) else float(whole or 0)
    return _written_like(_own_text(question), total - sum(map(_value, texts)))


def _own_text(question: Question) -> str:
    return question.scene.text(question.repair.object, "text") or ""


_FLAGS: dict[str, tuple[str, ...]] = {
    "france": ("#0055a4", "#ffffff", "#ef4135"), "italy": ("#009246", "#ffffff", "#ce2b37"),
    "ireland": ("#169b62", "#ffffff", "#ff883e"), "belgium": ("#000000", "#fae042", "#ed2939"),
    "germany": ("#000000", "#dd0000", "#ffce00"), "netherlands": ("#ae1c28", "#ffffff", "#21468b"),
    "austria": ("#ed2939", "#ffffff", "#ed2939"), "romania": ("#002b7f", "#fcd116", "#ce1126"),
    "poland": ("#ffffff", "#dc143c"), "ukraine": ("#005bbb", "#ffd500"),
    "estonia": ("#0072ce", "#000000", "#ffffff"),
    "hungary": ("#cd2a3e", "#ffffff", "#436f4d"), "bulgaria": ("#ffffff", "#00966e", "#d62612"),
}  # fmt: skip
"""Stripes from the left or from the top."""


def _flag(question: Question, evidence: Convention) -> str:
    stripes = _FLAGS.get((evidence.country or "").lower())
    number = evidence.stripe or 0
    if stripes is None or not 1 <= number <= len(stripes):
        raise Unfounded(
            f"no stripe {number} of a flag of {evidence.country!r} is known; known: {', '.join(_FLAGS)}"
        )
    return stripes[number - 1]


def _compass(question: Question, evidence: Convention) -> str:
    towards = bearing(evidence.direction or "")
    if towards is None:
        raise Unfounded(f"{evidence.direction!r} is no direction")
    if question.kind == "rotation":
        return question.turned(towards - ZERO_BEARINGS[evidence.points])
    return ("N", "NE", "E", "SE", "S", "SW", "W", "NW")[round(towards / 45) % 8]
