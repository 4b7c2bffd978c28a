"""Another mistake of the same kind in a text: swapped letters, a lost or doubled one, another number."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def misspelled(right: str, wrong: str, random: Random) -> str | None:
    """A text that is wrong as `wrong` is, at another place; None when there is none.

    Args:
        right: the target text.
        wrong: the old corrupted text.
        random: decides the place.
    """
    numbers = [_NUMBER.findall(text) for text in (right, wrong)]
    if any(numbers):
        return _other_number(right, wrong, random) if len(numbers[0]) == len(numbers[1]) == 1 else None
    if len(wrong) == len(right) - 1 and not Counter(wrong) - Counter(right):
        options = [right[:at] + right[at + 1 :] for at in _inner(right)]
    elif len(wrong) == len(right) + 1 and not Counter(right) - Counter(wrong):
        options = [right[:at] + right[at] + right[at:] for at in _inner(right)]
    else:
        options = [_swapped(right, at) for at in _inner(right) if right[at + 1 : at + 2].isalpha()]
    options = sorted({option for option in options if option not in (right, wrong)})
    return random.choice(options) if options else None


def _inner(text: str) -> list[int]:
    """Places of letters that do not begin a word, in words of at least four letters."""
    return [
        match.start() + offset
        for match in re.finditer(r"[^\W\d_]{4,}", text)
        for offset in range(1, len(match[0]))
    ]


def _swapped(text: str, at: int) -> str:
    """Two neighbouring letters swapped; capitals stay where they are."""
    one, other = text[at], text[at + 1]
    if one.isupper() != other.isupper():
        return text
    return text[:at] + other + one + text[at + 2 :]


def _other_number(right: str, wrong: str, random: Random) -> str | None:
    """The number of `wrong` a little farther from or nearer to that of `right`, written alike."""
    one, other = _NUMBER.search(right), _NUMBER.search(wrong)
    assert one is not None and other is not None
    places = len(other[0].partition(".")[2])
    step = 10.0**-places
    gap = float(other[0]) - float(one[0])
    options = [gap + step * turn for turn in (-3, -2, -1, 1, 2, 3)]
    fair = [value for value in options if abs(value) >= max(step, 0.5 * abs(gap)) and value * gap > 0]
    values = [float(one[0]) + value for value in fair if float(one[0]) + value > 0]
    if not values:
        return None
    return wrong[: other.start()] + f"{random.choice(values):.{places}f}" + wrong[other.end() :]
