"""Numbers written anew in the spelling of the old ones: decimals, leading zeros and separators as there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vbench_env.svg.document import Edit, apply_edits
from vbench_env.svg.values import NUMBER

MORE_DECIMALS = 2
_NUMBER = re.compile(NUMBER)
_FIXED = re.compile(r"[+-]?\d+\.(\d*0)")


def spelled(value: float, like: str = "") -> str:
    """A number with at most two decimals more than `like` has.

    Numbers that a tool pads with zeros stay padded; `.5` stays without its zero.
    """
    places = len(like.partition(".")[2]) if "e" not in like.lower() else 4
    digits = min(places + MORE_DECIMALS, 6)
    fixed = _FIXED.fullmatch(like)
    if fixed and places >= MORE_DECIMALS:
        return f"{value + 0.0:.{places}f}"
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else str(round(value))
    text = "0" if text in ("-0", "") else text
    bare = like.lstrip("+-").startswith(".") and text.lstrip("-").startswith("0.")
    return text.replace("0.", ".", 1) if bare else text


def rewritten(text: str, values: Sequence[float | str | None]) -> str:
    """`text` with its numbers replaced in order; None keeps one, a string is put in as it is."""
    return rewritten_at(text, [match.span() for match in _NUMBER.finditer(text)], values)


def rewritten_at(text: str, spans: Sequence[tuple[int, int]], values: Sequence[float | str | None]) -> str:
    """`text` with the numbers at `spans` replaced; a space goes in where two would run together."""
    edits: list[Edit] = []
    for (start, end), value in zip(spans, values, strict=True):
        if value is None:
            continue
        new = value if isinstance(value, str) else spelled(value, text[start:end])
        if new != text[start:end]:
            edits.append(Edit(start, end, _apart(text, start, end, new)))
    return apply_edits(text, edits)


def _apart(text: str, start: int, end: int, new: str) -> str:
    touching = start and (text[start - 1].isdigit() or text[start - 1] == ".")
    before = " " if touching and new[0] != "-" else ""
    after = " " if text[end : end + 1].isdigit() or text[end : end + 1] == "." else ""
    return before + new + after
