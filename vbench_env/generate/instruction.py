"""The words round the requests: how an instruction begins, goes on and ends."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

_INTROS = (
    "", "", "Please correct {subject}.", "Some things went wrong in {subject}.", "Have a look at {subject}.",
    "Here is {subject}, and it needs a repair.", "Before {subject} goes out, please mend what is wrong.",
    "In {subject} something is not right.",
)  # fmt: skip
_JOINTS = ("", "", "", "Also: ", "Then: ", "And: ", "Next: ")
_OUTROS = ("", "", "", "Leave everything else as it is.", "Nothing else should change.", "The rest is fine.")


def instruction_of(random: Random, subject: str, requests: Sequence[str], asides: Sequence[str]) -> str:
    """Requests as one text; asides stand somewhere among them."""
    lines = [f"{random.choice(_JOINTS) if place else ''}{text}" for place, text in enumerate(requests)]
    for aside in asides:
        lines.insert(random.randint(0, len(lines)), aside)
    whole = [random.choice(_INTROS).format(subject=subject), *lines, random.choice(_OUTROS)]
    return " ".join(line for line in whole if line)
