"""The words round the requests: how an instruction begins, goes on and ends."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

_INTROS = (
    "", "", "Please correct {subject}.", "Have a look at {subject}.",
    "Before {subject} goes out, please mend what is wrong.",
)  # fmt: skip
_INTROS_ONE = (
    "Here is {subject}, and it needs a repair.", "In {subject} something is not right.",
    "There is a mistake in {subject}.",
)  # fmt: skip
_INTROS_MANY = (
    "Some things went wrong in {subject}.", "Here is {subject}, and it needs a few repairs.",
    "There are some mistakes in {subject}.",
)  # fmt: skip
_JOINTS = ("", "", "", "Also: ", "Then: ", "And: ", "Next: ")
_OUTROS = ("", "", "", "Leave everything else as it is.", "Nothing else should change.", "The rest is fine.")


def instruction_of(random: Random, subject: str, requests: Sequence[str], asides: Sequence[str]) -> str:
    """Requests as one text; asides stand somewhere among them."""
    lines = [_joined(random.choice(_JOINTS) if place else "", text) for place, text in enumerate(requests)]
    for aside in asides:
        lines.insert(random.randint(1, len(lines)), aside)
    intros = _INTROS + (_INTROS_MANY if len(requests) > 1 else _INTROS_ONE)
    whole = [random.choice(intros).format(subject=subject), *lines, random.choice(_OUTROS)]
    return " ".join(line for line in whole if line)


def _joined(joint: str, text: str) -> str:
    """A request after a joint goes on in lower case, unless its first word is a name."""
    first = text.split(" ", 1)[0]
    return joint + (text[0].lower() + text[1:] if joint and first in _COMMON else text)


_COMMON = frozenset(
    "The A One There Remove Please Somebody Give Make Move Put Turn Correct Recolour Fill".split()
)
