"""Repairs of what is there and in which order: insertions, deletions, reorderings (`surgical`).

An inserted object is the best match among what the candidate has too many under the right parent. It must look
like the target's (computed properties within tolerance) and be painted in the same order relative to every
sibling whose painted box it overlaps; a box that cannot be measured overlaps everything.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from vbench_env.scoring import stored
from vbench_env.scoring.likeness import Likeness
from vbench_env.scoring.outcome import Located, Outcome, exact
from vbench_env.scoring.overlap import may_overlap
from vbench_env.scoring.problem import Problem
from vbench_env.svg.matching import match_children
from vbench_env.svg.parse import Document, Node


def locate_structure(
    problem: Problem, candidate: Document, likeness: Likeness, item: Located, taken: set[Node]
) -> None:
    """Find what an insertion, deletion or reordering is about in the candidate, and take it out of both trees.

    `taken` are the objects of other such repairs, in the target and (as found so far) in the candidate.
    """
    repair = item.repair
    if repair.property == "order":
        item.removed = tuple(node for node in (item.target, item.candidate) if node is not None)
        return
    if repair.operation == "delete":
        _locate_extra(problem, candidate, item)
        return
    if item.target is None or problem.rules.insertion == "attributes":
        return
    item.candidate = _best_match(problem, candidate, likeness, item.target, taken)
    item.removed = tuple(node for node in (item.target, item.candidate) if node is not None)


def _locate_extra(problem: Problem, candidate: Document, item: Located) -> None:
    """An extra object: by id, or (without one) what is written like it under the same parent."""
    extra = problem.start_of(item.repair.object, None)
    if item.candidate is None and extra is not None and extra.id is None and extra.parent is not None:
        parent = _parent_of(problem, candidate, extra.parent)
        twins = [child for child in parent.children if child.shape is extra.shape] if parent else []
        wanted = _count_in_target(problem, extra)
        item.candidate = twins[-1] if len(twins) > wanted else None
    item.removed = (item.candidate,) if item.candidate is not None else ()


def _count_in_target(problem: Problem, extra: Node) -> int:
    assert extra.parent is not None
    parent = _parent_of(problem, problem.target, extra.parent)
    return sum(child.shape is extra.shape for child in parent.children) if parent else 0


def _parent_of(problem: Problem, candidate: Document, parent: Node) -> Node | None:
    if parent.id is not None and candidate.by_id(parent.id) is not None:
        return candidate.by_id(parent.id)
    top = parent
    while top.parent is not None:
        top = top.parent
    if parent is top:
        return candidate.root
    node, steps = parent, []
    while node.parent is not None:
        steps.append(node.index)
        node = node.parent
    found = candidate.root
    for index in reversed(steps):
        if found is None or index >= len(found.children):
            return None
        found = found.children[index]
    return found if found is not None and found.tag == parent.tag else None


MAX_SPARE = 64
"""Objects without a counterpart that are compared with an inserted one; those near its place come first."""


def _best_match(
    problem: Problem, candidate: Document, likeness: Likeness, target: Node, taken: set[Node]
) -> Node | None:
    assert target.parent is not None
    parent = _parent_of(problem, candidate, target.parent)
    if parent is None:
        return None
    known = candidate.by_id(target.id) if target.id else None
    if known is not None and known.parent is parent and known.tag == target.tag:
        return known
    spare = [child for child in _spare(target, parent, taken, likeness.names) if child not in taken]
    ratios = [(likeness.ratio(target, child), child) for child in spare]
    ranked = [(math.inf if ratio is None else ratio, child.index, child) for ratio, child in ratios]
    return min(ranked, key=lambda entry: entry[:2])[2] if ranked else None


def _spare(target: Node, parent: Node, taken: set[Node], names: Mapping[str, str]) -> list[Node]:
    """Children of the candidate's parent that may be the inserted object: those that no sibling accounts for."""
    assert target.parent is not None
    siblings = [child for child in target.parent.children if child is not target and child not in taken]
    named = {child.id for child in siblings if child.id}
    alike = sum(child.tag == target.tag for child in parent.children)
    if alike <= sum(child.tag == target.tag for child in siblings):
        return []
    known = Counter(map(_letters, siblings))
    spare = []
    for child in parent.children:
        if child.tag != target.tag or (child.id and names.get(child.id, child.id) in named):
            continue
        letters = _letters(child)
        if known[letters] > 0:
            known[letters] -= 1
        else:
            spare.append(child)
    return sorted(spare, key=lambda child: abs(child.index - target.index))[:MAX_SPARE]


def _letters(node: Node) -> tuple[object, ...]:
    """What a start tag says, its id aside."""
    return (node.tag, *((name, value) for name, value in node.attrs.items() if name != "id"))


def check(problem: Problem, likeness: Likeness, item: Located) -> None:
    """Measure an insertion, a deletion or a reordering."""
    repair = item.repair
    if repair.property == "order":
        item.outcome = _check_order(problem, item)
    elif repair.operation == "delete":
        gone = item.candidate is None
        item.outcome = exact(gone, comparison="exists", corrupted=True, target=False, found=not gone)
    else:
        item.outcome = _check_insertion(problem, likeness, item)


def _check_insertion(problem: Problem, likeness: Likeness, item: Located) -> Outcome:
    target, found = item.target, item.candidate
    if target is None or found is None:
        return exact(False, comparison="inserted", corrupted=False, target=True, found=False)
    rules = problem.rules
    if rules.insertion == "attributes":
        ratio = stored.subtree_ratio(problem, target, found)
    else:
        ratio = likeness.ratio(target, found)
    if ratio is None:
        return Outcome(False, None, None, None, 0.0, "inserted", "tolerances", False, True, True)
    ordered = rules.mask == "property" or (
        same_parent(problem, target, found) and in_order(problem, target, found)
    )
    passed = ratio <= 1.0 + 1e-9 and ordered
    comparison = "inserted" if ordered else "inserted-order"
    return Outcome(passed, ratio, 1.0, None, float(passed), comparison, "tolerances", False, True, True)


def _check_order(problem: Problem, item: Located) -> Outcome:
    target, found = item.target, item.candidate
    if target is None or found is None or not same_parent(problem, target, found):
        return exact(False, comparison="order", target=item.repair.target, found=None)
    start = problem.start_of(item.repair.object, target)
    before = item.repair.corrupted if start is None else start.index
    passed = in_order(problem, target, found)
    return exact(passed, comparison="order", corrupted=before, target=target.index, found=found.index)


def same_parent(problem: Problem, target: Node, found: Node) -> bool:
    """Whether both stand under the same parent."""
    ours, theirs = target.parent, found.parent
    if ours is None or theirs is None:
        return ours is theirs
    if ours.id is not None and theirs.id is not None and ours.id == theirs.id:
        return True
    return ours.tag == theirs.tag and _steps(ours) == _steps(theirs)


def _steps(node: Node) -> list[int]:
    steps = []
    at = node
    while at.parent is not None:
        steps.append(at.index)
        at = at.parent
    return steps


def in_order(problem: Problem, target: Node, found: Node) -> bool:
    """Whether the object stands on the same side of every sibling that it overlaps."""
    assert target.parent is not None and found.parent is not None
    ours = [child for child in target.parent.children if child is not target]
    theirs = [child for child in found.parent.children if child is not found]
    pairs = _paired(ours, theirs)
    for sibling, other in pairs:
        if (sibling.index < target.index) == (other.index < found.index):
            continue
        if may_overlap(problem, target, sibling):
            return False
    return True


def _paired(ours: list[Node], theirs: list[Node]) -> list[tuple[Node, Node]]:
    return match_children(ours, theirs).pairs
