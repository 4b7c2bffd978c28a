"""Values that follow from a rule which the others of a kind keep: a scale, a list, even numbers."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Sequence

from vbench_env.numeric.match import nearest
from vbench_env.numeric.view import Item, View
from vbench_env.svg.number_edit import number_text

LISTS = (
    ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
     "December"),
    ("Spring", "Summer", "Autumn", "Winter"),
    ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
)  # fmt: skip
_NUMBER = re.compile(r"^[^\d]*?(\d+(?:[.,]\d+)?)[^\d]*$")
_FIT = 0.03


def scaled(view: View, item: Item, prop: str) -> float | None:
    """The size that the number beside an object asks for, on the scale of the others of its kind."""
    own = _beside(view, item)
    ratios = [
        size / shown
        for other in view.kin[item.place]
        if (size := other.number(prop)) and (shown := _beside(view, other))
    ]
    if own is None or len(ratios) < 2:
        return None
    ratio = statistics.median(ratios)
    fitting = sum(abs(found / ratio - 1) < _FIT for found in ratios)
    return round(own * ratio, 2) if fitting >= max(2, len(ratios) / 2) else None


def _beside(view: View, item: Item) -> float | None:
    """The number in the nearest text level with an object, or else above or below it."""
    texts = nearest(item, view.items, 0.7 * view.diagonal)
    level = [text for text in texts if item.box.top <= text.center[1] <= item.box.bottom]
    above = [text for text in texts if item.box.left <= text.center[0] <= item.box.right]
    for text in (*level, *above):
        found = _NUMBER.match(text.text)
        if found:
            return float(found[1].replace(",", "."))
    return None


def listed(item: Item, kin: Sequence[Item]) -> Iterator[str]:
    """What a text should say so that a row of texts goes on like its list, or in even numbers."""
    for axis in (0, 1):
        row = sorted((*kin, item), key=lambda other: other.center[axis])
        level = {round(other.center[1 - axis]) for other in row}
        if len(row) < 3 or len(level) > 2:
            continue
        place, texts = row.index(item), [other.text for other in row]
        yield from _from_lists(place, texts)
        found = _even(place, texts)
        if found is not None:
            yield found


def _from_lists(place: int, texts: Sequence[str]) -> Iterator[str]:
    for names in LISTS:
        for short in (0, 3):
            cut = [name[:short] if short else name for name in names]
            starts = [
                (cut.index(text) - n) % len(cut) for n, text in enumerate(texts) if n != place and text in cut
            ]
            if len(starts) >= max(2, len(texts) - 2) and len(set(starts)) == 1:
                yield cut[(starts[0] + place) % len(cut)]


def _even(place: int, texts: Sequence[str]) -> str | None:
    numbers = [
        (n, float(text))
        for n, text in enumerate(texts)
        if n != place and re.fullmatch(r"-?\d+(?:\.\d+)?", text)
    ]
    if len(numbers) < 2 or len(numbers) < len(texts) - 1:
        return None
    (a, first), (b, last) = numbers[0], numbers[-1]
    step = (last - first) / (b - a)
    if any(abs(first + (n - a) * step - value) > 1e-6 for n, value in numbers):
        return None
    return number_text(round(first + (place - a) * step, 6))
