"""Why an episode failed, in one class with its evidence.

The classes follow the order in which an answer can go wrong, as in vTikZ's analysis of failures: is there an answer
that can be read, was the right place found, is the change right and complete, did anything else change. The first
question with the answer no gives the class. They are read off the scorecard and decide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from vbench_env.scoring.scorecard import Change, RepairResult, Scorecard

FailingClass = Literal[
    "no_answer", "cut_off", "too_long", "not_well_formed", "unsafe", "not_valid", "no_change", "wrong_place",
    "side_effects", "too_large", "incomplete", "wrong_value", "incomplete_and_side_effects",
    "wrong_value_and_side_effects",
]  # fmt: skip

MEANING: dict[FailingClass, str] = {
    "no_answer": "There was no text to score.",
    "cut_off": "The answer was cut off, and what there is of it is no valid drawing.",
    "too_long": "The answer is larger than the size budget, and was not read to its end.",
    "not_well_formed": "What came back is not well-formed.",
    "unsafe": "What came back would execute, fetch or read something outside of itself.",
    "not_valid": "What came back breaks a rule of SVG or a limit.",
    "no_change": "Everything is as it was at the start.",
    "wrong_place": "Something was changed, but nothing of what was asked for.",
    "side_effects": "Everything asked for was done, and something else changed.",
    "too_large": "The drawing is the same, but the file is not small enough.",
    "incomplete": "A part of what was asked for was not begun; nothing else changed.",
    "wrong_value": "The right things were changed, to wrong values; nothing else changed.",
    "incomplete_and_side_effects": "A part of what was asked for was not begun, and something else changed.",
    "wrong_value_and_side_effects": "The right things were changed to wrong values, and something else changed.",
}
_SHOWN = 3
_LONGEST = 200


class Failing(NamedTuple):
    """A class of failure and what shows it, in one line."""

    kind: FailingClass
    evidence: str


def failing(card: Scorecard, cut_off: Sequence[str] = (), stop: str | None = None) -> Failing | None:
    """Why a scored episode failed; None when it passed.

    Args:
        card: the verdict.
        cut_off: why its answer counts as cut off, as the record has it.
        stop: why the episode ended.
    """
    if card.passed:
        return None
    found = _unreadable(card, cut_off, stop) if not card.valid else _missed(card)
    return Failing(found.kind, _short(found.evidence))


def _unreadable(card: Scorecard, cut_off: Sequence[str], stop: str | None) -> Failing:
    if card.status == "ERR":
        return Failing("no_answer", "no text came back")
    if stop == "document_size":
        return Failing(
            "too_long", "the answer is larger than the size budget, so that it was not read to its end"
        )
    fault = card.faults[0] if card.faults else None
    reason = "no reason is recorded" if fault is None else fault.message
    where = f" at {fault.place}" if fault is not None and fault.place else ""
    if cut_off:
        return Failing("cut_off", f"{', '.join(cut_off)}: {reason}{where}")
    kind: FailingClass = "not_valid"
    if fault is not None and fault.kind == "malformed":
        kind = "not_well_formed"
    elif fault is not None and fault.kind == "security":
        kind = "unsafe"
    return Failing(kind, f"{reason}{where}")


def _missed(card: Scorecard) -> Failing:
    missed = [repair for repair in card.repairs if not repair.passed]
    begun = [repair for repair in missed if repair.failure not in ("untouched", "wrong_object")]
    changed = not card.preserved
    if not missed:
        return Failing("side_effects", _changes(card.changes))
    if len(missed) == len(card.repairs) and not begun:
        if not changed:
            return Failing("no_change", f"{_repairs(missed)}; nothing else differs from the start")
        return Failing("wrong_place", f"{_repairs(missed)}; {_changes(card.changes)}")
    if card.kind == "optimisation" and not changed:
        return Failing("too_large", _saving(card, missed[0]))
    kind: FailingClass = "wrong_value" if len(begun) == len(missed) else "incomplete"
    if not changed:
        return Failing(kind, _repairs(missed))
    both: FailingClass = (
        "wrong_value_and_side_effects" if kind == "wrong_value" else "incomplete_and_side_effects"
    )
    return Failing(both, f"{_repairs(missed)}; {_changes(card.changes)}")


def _saving(card: Scorecard, repair: RepairResult) -> str:
    share = card.measures.get("saving_share", 0.0)
    return f"{repair.found} bytes, {share:.0%} of what can be saved; {repair.target} bytes are possible"


def _repairs(missed: Sequence[RepairResult]) -> str:
    shown = [f"{repair.object} {repair.property} {_how(repair)}" for repair in missed[:_SHOWN]]
    return _listed(shown, len(missed), "missed")


def _how(repair: RepairResult) -> str:
    if repair.failure in (None, "untouched", "wrong_object") or repair.found is None:
        return (repair.failure or "missed").replace("_", " ")
    return f"is {_value(repair.found)} for {_value(repair.target)}"


def _changes(changes: Sequence[Change]) -> str:
    shown = [_change(change) for change in changes[:_SHOWN]]
    return _listed(shown, len(changes), "changed") if changes else "something else changed that no list shows"


def _change(change: Change) -> str:
    what = f"{change.object} {change.detail or change.subtype.replace('_', ' ')}"
    if change.before is None and change.after is None:
        return what
    return f"{what} {_value(change.before)} to {_value(change.after)}"


def _value(value: object) -> str:
    text = " ".join(str("nothing" if value is None else value).split())
    return text if len(text) <= 32 else f"{text[:29]}..."


def _listed(shown: Sequence[str], count: int, verb: str) -> str:
    more = f" and {count - len(shown)} more" if count > len(shown) else ""
    return f"{verb}: {', '.join(shown)}{more}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
