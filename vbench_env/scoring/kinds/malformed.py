"""Kind `malformed`: a file that is not well-formed has to say what it was meant to say.

The candidate is compared with the target like any other. What differs inside an object whose markup was broken is a
mend that was missed; what differs elsewhere fails the preservation gate. So the reward is that of the kind
`repair`, and the list of differences says only to which gate a difference belongs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.parsers import expat

from vbench_env.scoring.assemble import rejudged
from vbench_env.scoring.diagnostics import MAX_CHANGES
from vbench_env.scoring.kinds.base import Kind
from vbench_env.scoring.problem import Problem, find
from vbench_env.scoring.rules import Rules
from vbench_env.scoring.scorecard import Change, RepairResult, Scorecard
from vbench_env.scoring.scorer import prepared, score_problem
from vbench_env.svg.parse import Document
from vbench_env.task import Repair, Task


def score(task: Task, svg: str | bytes | None, rules: Rules) -> Scorecard:
    """Well-formed, sound, and the target's meaning."""
    others = tuple(repair for repair in task.repairs if repair.operation != "mend")
    problem = prepared(
        task,
        rules,
        "mended",
        lambda: Problem(task.target_svg, task.corrupted_svg, others, task.protected, rules),
    )
    card = score_problem(problem, svg, task.task_id)
    mends = [repair for repair in task.repairs if repair.operation == "mend"]
    belongs = _owners(problem.target, mends, card.changes)
    lost = _lost(problem.target, mends, card.changes)
    results = iter(card.repairs)
    repairs = tuple(
        _mended(repair, card, belongs.get(repair.object) or lost.get(repair.object, ()))
        if repair.operation == "mend"
        else next(results)
        for repair in task.repairs
    )
    owned = {change for changes in belongs.values() for change in changes}
    elsewhere = tuple(change for change in card.changes if change not in owned)
    preserved = card.valid and (card.preserved or bool(card.changes and not elsewhere))
    card = card.model_copy(update={
        "kind": "malformed", "changes": elsewhere, "measures": {"readable": readable(svg)},
    })  # fmt: skip
    return rejudged(card, repairs, preserved=preserved)


def readable(svg: str | bytes | None) -> float:
    """Share of a text before the first place at which it is not well-formed; 1 for a well-formed one."""
    if not svg:
        return 0.0
    parser = expat.ParserCreate(namespace_separator="}")
    try:
        data = svg.encode("utf-8") if isinstance(svg, str) else svg
        parser.Parse(data, True)
    except expat.ExpatError:
        return min(len(data) - 1, max(0, parser.ErrorByteIndex)) / len(data)
    except (UnicodeError, ValueError, LookupError):
        return 0.0
    return 1.0


def _owners(
    target: Document, mends: Sequence[Repair], changes: Sequence[Change]
) -> Mapping[str, tuple[Change, ...]]:
    """The changes that lie inside the object of a mend, by its name; of nested objects the innermost counts."""
    objects = {node: repair.object for repair in mends if (node := find(target, repair.object)) is not None}
    found: dict[str, tuple[Change, ...]] = {}
    for change in changes:
        node = find(target, change.object)
        around = node
        while around is not None and around not in objects:
            around = around.parent
        if around is not None and (around is node or around is not target.root):
            found[objects[around]] = (*found.get(objects[around], ()), change)
    return found


def _lost(
    target: Document, mends: Sequence[Repair], changes: Sequence[Change]
) -> Mapping[str, tuple[Change, ...]]:
    """Mends missed though nothing is said of their objects: what holds these is gone, or the list is full."""
    gone = {find(target, change.object): change for change in changes if change.subtype.startswith("deleted")}
    found: dict[str, tuple[Change, ...]] = {}
    for repair in mends:
        around = find(target, repair.object)
        while around is not None and around not in gone:
            around = around.parent
        if around is not None:
            found[repair.object] = (gone[around],)
        elif len(changes) >= MAX_CHANGES:
            found[repair.object] = (changes[-1],)
    return found


def _mended(repair: Repair, card: Scorecard, changes: Sequence[Change]) -> RepairResult:
    passed = card.valid and not changes
    found = repair.corrupted["find"] if passed else _told(changes[0]) if changes else None
    return RepairResult(
        object=repair.object, operation=repair.operation, property=repair.property, passed=passed,
        progress=float(passed), unit="none", comparison="markup" if card.valid else "none",
        corrupted=repair.corrupted["put"] or None, target=repair.corrupted["find"], found=found,
        failure="wrong_value" if card.valid and changes else None,
    )  # fmt: skip


def _told(change: Change) -> str:
    """A change in a few words."""
    value = change.after if change.after is not None else "nothing"
    return f"{change.object}: {change.detail or change.subtype} {value}"


def start_fault(card: Scorecard) -> str | None:
    """A start has to be broken."""
    return "the drawing that agents get is well-formed" if card.valid else None


MALFORMED = Kind("malformed", score, start_fault)
