"""Kind `optimisation`: the same drawing in fewer bytes.

Validity as for every task. The repair gate asks for a share of the achievable saving, which is that of the hidden
target. The preservation gate asks that the drawing look the same at several sizes, that every id to keep stand once
and name what it named (`scoring.naming`), and that what no picture shows stay (`scoring.unseen`). How the file is
written is free, and so are metadata, classes, and definitions that nothing keeps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from vbench_env.kind import OptimisationGoal
from vbench_env.scoring.assemble import no_text, unreadable
from vbench_env.scoring.kinds.base import Kind
from vbench_env.scoring.naming import renamed
from vbench_env.scoring.pictures import LookDifference, Undrawable, look_difference, pixels, size_of
from vbench_env.scoring.problem import Problem
from vbench_env.scoring.rules import Rules
from vbench_env.scoring.scorecard import Change, RepairResult, Scorecard, ValidityFault
from vbench_env.scoring.scorer import prepared
from vbench_env.scoring.unseen import unseen_changes
from vbench_env.scoring.validity import document_faults
from vbench_env.svg.document import SourceDocument
from vbench_env.svg.edit import put_attributes
from vbench_env.svg.parse import Document, Fault, parse
from vbench_env.task import Task

NAMED_PX = 256
"""Width of the pictures in which a kept id is hidden."""


def score(task: Task, svg: str | bytes | None, rules: Rules) -> Scorecard:
    """Valid, small enough, and the same to look at, to refer to and to read."""
    problem = prepared(
        task,
        rules,
        "start",
        lambda: Problem(task.corrupted_svg, task.corrupted_svg, (), task.protected, rules),
    )
    if svg is None:
        return _finish(task, no_text(problem, task.task_id), svg)
    if len(svg) > problem.longest:
        fault = Fault(
            "limit", f"document has {len(svg)} characters, far more than the task's drawings", limit="growth"
        )
        return _finish(task, unreadable(problem, [fault], task.task_id), svg)
    candidate = parse(svg, rules.limits)
    faults = document_faults(candidate, rules, problem.baseline)
    if candidate.root is None or any(fault.limit for fault in faults):
        return _finish(task, unreadable(problem, faults, task.task_id), svg)
    goal = _goal(task)
    changes = changed(task.corrupted_svg, svg, goal.sizes, goal.tolerance, task.protected)
    listed = tuple(
        ValidityFault(kind=fault.kind, message=fault.message, place=fault.place, line=fault.line)
        for fault in faults
    )
    lost = {change.object for change in changes if change.protected}
    rate = len(lost) / len(task.protected) if task.protected else 0.0
    card = Scorecard(
        task_id=task.task_id, rules=rules.name, reward=0, valid=not faults, repaired=False,
        preserved=not faults and not changes, status="FAIL", preservation=1.0 - rate, unintended_change_rate=rate,
        target_match=not faults and svg == task.target_svg, faults=listed, changes=changes,
    )  # fmt: skip
    return _finish(task, card, svg)


def _finish(task: Task, card: Scorecard, svg: str | bytes | None) -> Scorecard:
    """The scorecard with its saving and what follows from it."""
    start, least = size_bytes(task.corrupted_svg), size_bytes(task.target_svg)
    own = start if svg is None else size_bytes(svg)
    saving = (start - own) / (start - least) if start > least else 0.0
    goal = _goal(task)
    enough = card.valid and saving >= goal.share
    graded = min(1.0, max(0.0, saving)) if card.valid else 0.0
    result = RepairResult(
        object="document", operation="shrink", property="bytes", passed=enough, distance=float(max(0, own - least)),
        tolerance=(1 - goal.share) * (start - least), baseline=float(start - least), unit="bytes", progress=graded,
        comparison="saving", corrupted=start, target=least, found=own,
        failure=None if enough else "untouched" if own == start else "wrong_value",
    )  # fmt: skip
    status = card.status
    if card.valid:
        status = ("PASS" if card.preserved else "SIDE_EFFECTS") if enough else "FAIL"
    elif status != "ERR":
        status = "INVALID"
    return card.model_copy(update={
        "kind": "optimisation", "repairs": (result,), "repaired": enough, "reward": int(enough and card.preserved),
        "status": status, "edit_completion": float(enough), "repair_progress": graded,
        "graded": graded if card.preserved else 0.0,
        "measures": {"bytes": float(own), "saving": (start - own) / start if start else 0.0, "saving_share": saving},
    })  # fmt: skip


def size_bytes(svg: str | bytes) -> int:
    """Bytes of a file, as UTF-8 where it is text."""
    return len(svg if isinstance(svg, bytes) else svg.encode("utf-8", "surrogatepass"))


def _goal(task: Task) -> OptimisationGoal:
    assert isinstance(task.goal, OptimisationGoal)
    return task.goal


@lru_cache(maxsize=64)
def changed(
    start: str, svg: str | bytes, sizes: tuple[int, ...], tolerance: float, names: tuple[str, ...]
) -> tuple[Change, ...]:
    """What a drawing says otherwise than the start: ids, words, pictures, and what ids name. The same for all rules."""
    first, second = parse(start), parse(svg)
    said = (*_named(names, second), *unseen_changes(first, second))
    try:
        seen = [_look(start, svg, size_of(first, width)) for width in sizes]
    except Undrawable as error:
        return (*said, Change(object=_label(first), subtype="root", detail=f"it cannot be drawn: {error}"))
    bad = [look for look in seen if not look.within(tolerance)]
    if bad:
        return (*said, *(Change(object=_label(first), subtype="paint", detail=_told(look)) for look in bad))
    size = size_of(first, min(NAMED_PX, max(sizes)))
    there = [name for name in names if second.by_id(name) is not None]
    return (*said, *(change for name in there if (change := renamed(start, svg, name, size)) is not None))


def _look(first: str | bytes, second: str | bytes, size: tuple[int, int]) -> LookDifference:
    return look_difference(pixels(first, size), pixels(second, size))


def _told(look: LookDifference) -> str:
    return (
        f"the picture {look.width_px} px wide differs in {look.share:.2%} of its pixels, by {look.spot:.0f} of 255 in "
        "the worst spot"
    )


def _named(names: Sequence[str], candidate: Document) -> Iterator[Change]:
    """Ids to keep that do not stand."""
    for name in names:
        if candidate.by_id(name) is None:
            yield Change(object=name, subtype="deleted_object", detail="the id is gone", protected=True)


def _label(document: Document) -> str:
    return document.root.label if document.root is not None else "svg"


def start_fault(card: Scorecard) -> str | None:
    """A start has to be the same as itself and too large."""
    if card.repaired:
        return "the start is small enough"
    return None if card.preserved else "the start is not its own equal"


def mutated(task: Task) -> str | None:
    """The target without the first id to keep that nothing in it refers to; None when there is none."""
    document = SourceDocument(task.target_svg)
    free = [name for name in task.protected if f"#{name}" not in document.text]
    found = next((element for name in free for element in document.with_id(name)), None)
    return None if found is None else put_attributes(found, {"id": None}).document.text


OPTIMISATION = Kind("optimisation", score, start_fault, mutated)
