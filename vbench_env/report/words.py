"""Names of verdicts and numbers as a person reads them."""

from __future__ import annotations

import json
import re
from typing import Any

from markupsafe import Markup

from vbench_env.report.statistics import Rate
from vbench_env.scoring.scorecard import RepairResult
from vbench_env.scoring.tolerance import family

DASH = "–"

STATUS = {
    "PASS": "Passed",
    "SIDE_EFFECTS": "Side effects",
    "NEAR": "Near miss",
    "PARTIAL": "Partly repaired",
    "FAIL": "Not repaired",
    "INVALID": "Invalid drawing",
    "ERR": "No answer",
    "UNSCORED": "Unscored",
}
STATUS_MEANING = {
    "PASS": "All three gates passed.",
    "SIDE_EFFECTS": "Every requested repair was made, but something else changed too.",
    "NEAR": "Valid, nothing else changed, at most one repair missed and at least 80 % of the way there.",
    "PARTIAL": "Some of the requested repairs were made, not all.",
    "FAIL": "None of the requested repairs was made.",
    "INVALID": "What came back is no valid drawing.",
    "ERR": "There was no text to score.",
    "UNSCORED": "Infrastructure failed; this says nothing about the model and is played again on resume.",
}
FAILURE = {
    "untouched": "left as it was",
    "wrong_value": "changed, but not to the right value",
    "wrong_object": "another object was changed instead",
    "overshoot": "went past the target",
    "invalid": "lost with an invalid drawing",
}
SUBTYPE = {
    "added_object": "Object added",
    "deleted_object": "Object deleted",
    "deleted_definition": "Definition deleted",
    "reorder": "Painting order changed",
    "nesting": "Grouping changed",
    "geometry": "Geometry changed",
    "path_rewrite": "Path changed",
    "paint": "Paint changed",
    "text": "Text changed",
    "reference": "Reference changed",
    "metadata": "Metadata changed",
    "root": "Root element changed",
}
STOP = {
    "answer": "answered",
    "submit": "submitted",
    "turns": "ran out of turns",
    "format_errors": "too many messages without a usable action",
    "document_size": "the document grew too large",
    "budget_usd": "spent its dollars",
    "budget_tokens": "spent its tokens",
    "budget_wall": "spent its time",
    "context": "the conversation outgrew the model's context",
    "infrastructure": "infrastructure failed",
}
CUT_OFF = {
    "length": "the provider says so",
    "token_limit": "every allowed token was spent",
    "arguments": "tool arguments break off",
    "document": "the drawing breaks off",
}
OPERATION = {
    "recolor": "Recolour", "move": "Move", "resize": "Resize", "rotate": "Rotate", "reshape": "Reshape",
    "restroke": "Restroke", "opacity": "Change opacity", "text": "Reword", "insert": "Put back",
    "delete": "Remove", "reorder": "Reorder", "relink": "Relink", "mend": "Mend", "shrink": "Shorten",
}  # fmt: skip
_UNITS = {"user units": "units", "CIE76": "ΔE", "degrees": "°", "share": "", "none": "", "": ""}
_VALUE_LENGTH = 90


def plain(name: str) -> str:
    """A stable name as words: `rate_limit` is `rate limit`."""
    return name.replace("_", " ")


def breakable(name: str) -> Markup:
    """A name that may go on in another line after a slash or an underscore."""
    return Markup("<wbr>").join(re.split(r"(?<=[/_])", name))


def percent(share: float | None, digits: int = 0) -> str:
    """`0.166` as `17 %`; a dash for None. What is not all is never rounded to 100, nor what is some to 0."""
    if share is None:
        return DASH
    text = f"{100 * share:.{digits}f}"
    if float(text) == 100 and share < 1:
        return f">{100 - 10**-digits:.{digits}f} %"
    if float(text) == 0 and share > 0:
        return f"<{10**-digits:.{digits}f} %"
    return f"{text} %"


def points(share: float) -> str:
    """A difference of shares in points: `+6`, `−12`, `0`."""
    value = round(100 * share)
    return f"{value:+d}".replace("-", "−") if value else "0"


def interval(rate: Rate) -> str:
    """`3 to 56 %`."""
    if rate.low is None or rate.high is None:
        return DASH
    return f"{100 * rate.low:.0f}–{100 * rate.high:.0f} %"


def number(value: float | None) -> str:
    """Three significant digits at most behind the point; a dash for None."""
    if value is None:
        return DASH
    if value and abs(value) < 0.01:
        return f"{value:.1g}"
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) < 100 else f"{value:,.0f}"


def measure(value: float | None, unit: str) -> str:
    """A distance with its unit."""
    sign = _UNITS.get(unit, unit)
    return f"{number(value)}{'' if sign in ('', '°') else ' '}{sign}"


def dollars(value: float | None) -> str:
    """`$0.0123`; a dash for None."""
    if value is None:
        return DASH
    return f"${value:.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def seconds(value: float | None) -> str:
    """`850 ms`, `12 s`, `3 min 5 s`."""
    if value is None:
        return DASH
    if value < 1:
        return f"{1000 * value:.0f} ms"
    if value < 100:
        return f"{value:.1f} s" if value < 10 else f"{value:.0f} s"
    return f"{value // 60:.0f} min {value % 60:.0f} s" if value < 3600 else f"{value / 3600:.1f} h"


def count(value: int) -> str:
    """`1,234`."""
    return f"{value:,}"


def large(value: float) -> str:
    """`812`, `12.3 k`, `4.5 M`."""
    if value < 1000:
        return f"{value:.0f}"
    power, unit = (1e6, "M") if value >= 1e6 else (1e3, "k")
    return f"{value / power:.1f}".removesuffix(".0") + f" {unit}"


def plural(value: int, word: str) -> str:
    """`1 task`, `2 tasks`."""
    return f"{value:,} {word}" if value == 1 else f"{value:,} {word}s"


def size(length: int) -> str:
    """Bytes as `812 bytes`, `12 kB`, `2.1 MB`."""
    if length < 1000:
        return plural(length, "byte")
    return f"{length / 1000:.0f} kB" if length < 1_000_000 else f"{length / 1e6:.1f} MB"


def value_text(value: Any, length: int = _VALUE_LENGTH) -> str:
    """A value of a scorecard in one short line, the middle of a long one left out."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "there" if value else "not there"
    if isinstance(value, float):
        return f"{value:.6g}"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    half = (length - 3) // 2
    return f"{text[:half]} … {text[-half:]}"


def outcome(repair: RepairResult) -> str:
    """How a repair went, in a few words."""
    if repair.passed:
        return "repaired"
    if repair.failure is not None:
        return FAILURE[repair.failure]
    return "not measured" if repair.comparison == "none" else "right, but the drawing is not valid"


def deviation(repair: RepairResult) -> str:
    """Distance against tolerance in words."""
    if repair.unit == "tolerances":
        return f"largest deviation is {number(repair.distance)} of its tolerance"
    unit = repair.unit
    if unit == "user units" and family(repair.property).unit == "share":
        unit = "share"
    return f"off by {measure(repair.distance, unit)}, allowed {measure(repair.tolerance, unit)}"


def repair_value(repair: RepairResult, value: Any) -> str:
    """A value of a repair: a place among siblings, a matrix, or the value as it is."""
    if repair.comparison == "order" or repair.operation == "reorder":
        return _place(value)
    text = value_text(value)
    if repair.property.lower().endswith("transform") and len(text.split()) == 6 and "(" not in text:
        return f"matrix({text})"
    return text


def _place(value: Any) -> str:
    if isinstance(value, int):
        return f"place {value + 1}"
    if isinstance(value, dict) and "before" in value:
        return f"before {value['before']}" if value["before"] else "last"
    return value_text(value)
