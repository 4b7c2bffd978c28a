"""What a caller of `judge` states about its drawings, checked against them: a slip there would be a wrong verdict."""

from __future__ import annotations

from vbench_env.errors import TaskError, UnknownName
from vbench_env.scoring import stored
from vbench_env.scoring.accepted import accept_of, given_value
from vbench_env.scoring.computed import computed_property, plain_value
from vbench_env.scoring.problem import Problem, find
from vbench_env.svg.canonical import collapse
from vbench_env.svg.parse import Document, Node
from vbench_env.svg.resolve import Resolved, ResolveOptions, Space, Value
from vbench_env.svg.schema import PRESENTATION, attribute_kind
from vbench_env.svg.text import text_content
from vbench_env.task import Repair

_SAME = 1e-3
"""How far a stated value may be from the drawing's, as rounded when it was written down."""


def check_request(problem: Problem) -> None:
    """Compare the repairs and protected names of a problem with its drawings.

    Raises:
        UnknownName: a repaired or protected object that its drawing does not have.
        TaskError: an `after` that says something else than the target, or an `accept` of no known form.
    """
    for name, node in problem.protected_nodes:
        if node is None:
            raise UnknownName("protected object of the target", name, _names(problem.target))
    for repair in problem.repairs:
        if repair.accept is not None:
            accept_of(repair)
        _check_repair(problem, repair)


def _check_repair(problem: Problem, repair: Repair) -> None:
    target = find(problem.target, repair.object)
    if repair.property == "exists" and repair.operation == "delete":
        if target is not None:
            raise TaskError(f"repairs: {repair.object!r} is to be gone (after: False), but the target has it")
        if problem.corrupted is not None and find(problem.corrupted, repair.object) is None:
            raise UnknownName(
                "object to delete in the corrupted drawing", repair.object, _names(problem.corrupted)
            )
    elif target is None:
        raise UnknownName("repaired object of the target", repair.object, _names(problem.target))
    elif repair.target is not None and (found := contradiction(problem, repair, target)) is not None:
        raise TaskError(
            f"repairs: {repair.property} of {repair.object!r} is {repair.target!r} after the repair, "
            f"but {found!r} in the target; say what the target holds, or leave `after` out"
        )


def contradiction(problem: Problem, repair: Repair, target: Node) -> str | None:
    """What the target's object has instead of the stated value; None where both agree, as written or as computed."""
    name = repair.property
    if name in ("exists", "order", "size", "rotate", "rotation"):
        return None
    if name == "text":
        written_text = text_content(target)
        return None if collapse(written_text) == collapse(str(repair.target)) else written_text
    written = stored.check_value(problem, name, None, repair.target, target)
    if written.passed and (written.distance or 0.0) <= _SAME:
        return None
    resolved = problem.resolved or Resolved(problem.target, ResolveOptions(), Space())
    computed = (computed_property if name in PRESENTATION else plain_value)(resolved, target, name)
    if _alike(given_value(target.tag, name, repair.target), computed):
        return None
    if written.found is None and computed is None:
        known = name in PRESENTATION or attribute_kind(target.tag, name) is not None
        return "nothing" if known else None
    return str(computed if written.found is None else written.found)


def _alike(stated: Value, computed: Value) -> bool:
    if isinstance(stated, float) and isinstance(computed, float):
        return abs(stated - computed) <= _SAME
    return stated is None or stated == computed


def _names(document: Document) -> list[str]:
    return [name for name in document.ids if name]
