"""Repair accuracy: is the candidate the target? (SVGenius, bug fixing)"""

from __future__ import annotations

from vbench_env.measures.base import MEASURES, Drawings, Measure, Settings, Value, nothing
from vbench_env.scoring import judge
from vbench_env.svg.parse import parse


def take(drawings: Drawings, settings: Settings) -> Value:
    """1 where the candidate says what the target says, else 0."""
    if drawings.candidate is None:
        return nothing("there is no candidate")
    letters = float("".join(drawings.candidate.split()) == "".join(drawings.target.split()))
    if settings.as_published:
        return Value(letters, {"letters": letters})
    if parse(drawings.target).root is None:
        return nothing("the target is not well-formed")
    same = judge(drawings.target, drawings.candidate, corrupted_svg=drawings.start, protected=())
    return Value(float(same.valid and same.preserved), {"letters": letters})


MEASURES.add(
    "repair-accuracy",
    Measure(
        "repair-accuracy", "whether it says what the target says", "higher", take, "SVGenius",
        fault="whether the texts are equal after all white space is deleted, inside words and values too",
    ),
)  # fmt: skip
