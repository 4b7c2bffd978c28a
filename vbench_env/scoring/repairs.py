"""The repair gate: locate every requested object in the candidate, measure it, and build the mask.

`locate` finds the objects and the elements that leave both trees (insertions, deletions, reorderings), `measure`
checks the values. What the two rule sets do differently lives in `stored` (published) and `computed`
(surgical).
"""

from __future__ import annotations

from vbench_env.scoring import stored
from vbench_env.scoring.outcome import Located, Outcome, exact
from vbench_env.scoring.problem import Problem, find
from vbench_env.scoring.reading import camel_case, stored_value
from vbench_env.svg.diff import Mask, by_place
from vbench_env.svg.parse import Document, Node
from vbench_env.task import Repair


def locate(problem: Problem, candidate: Document, repair: Repair) -> Located:
    """The object of a repair in both trees, by id, else by place (an object to delete by id only)."""
    found = Located(repair)
    if repair.property == "exists" and repair.operation == "delete":
        found.candidate = candidate.by_id(repair.object)
        found.removed = (found.candidate,) if found.candidate is not None else ()
        return found
    found.target = find(problem.target, repair.object)
    if found.target is None:
        return found
    found.candidate = counterpart(problem, candidate, found.target)
    if repair.property == "exists":
        found.removed = tuple(node for node in (found.target, found.candidate) if node is not None)
    return found


def counterpart(problem: Problem, candidate: Document, target: Node) -> Node | None:
    """A target element's counterpart in the candidate: by id, else by place."""
    name = target.attrs.get("id")
    found = candidate.by_id(name) if name else None
    if found is None and candidate.root is not None:
        found = by_place(candidate.root, target, problem.root)
    return found


def measure(problem: Problem, located: Located) -> None:
    """Check a located repair on stored values, and free its property where it has an object."""
    repair = located.repair
    if repair.property == "exists":
        if repair.operation == "delete":
            gone = located.candidate is None
            located.outcome = exact(gone, comparison="exists", corrupted=True, target=False, found=not gone)
        else:
            located.outcome = stored.check_insertion(problem, located.target, located.candidate)
        return
    located.outcome = check_stored(problem, located)
    if located.candidate is not None and located.target is not None:
        located.masked = frozenset({repair.property, camel_case(repair.property)})


def check_stored(problem: Problem, located: Located) -> Outcome:
    """A located property as it is stored against the target's value."""
    repair = located.repair
    target = repair.target
    if target is None and located.target is not None:
        target = stored_value(located.target, repair.property)
    return stored.check_value(problem, repair.property, repair.corrupted, target, located.candidate)


def mask_of(located: list[Located], *, transparent_groups: bool = False) -> Mask:
    """The mask of all located repairs."""
    mask = Mask(transparent_groups=transparent_groups)
    for item in located:
        mask.removed.update(item.removed)
        if item.target is not None and item.candidate is not None and item.masked:
            mask.free(item.target, item.candidate, item.masked)
        for target, candidate, names in item.inside:
            mask.free(target, candidate, names)
    return mask
