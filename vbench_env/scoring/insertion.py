"""Repairs of what is there and in which order: insertions, deletions, reorderings (`surgical`).

An inserted object is the best match among what the candidate has too many under the right parent. It must look
like the target's (computed properties within tolerance) and be painted in the same order relative to every
sibling whose painted box it overlaps; a box that cannot be measured overlaps everything.
"""

from __future__ import annotations

import math

from vbench_env.scoring import stored
from vbench_env.scoring.outcome import Located, Outcome, exact
from vbench_env.scoring.problem import Problem
from vbench_env.scoring.tolerance import family, tolerance
from vbench_env.svg import text as svg_text
from vbench_env.svg.colors import Color, delta_e76
from vbench_env.svg.compare import shown_properties
from vbench_env.svg.geometry import boxes_overlap
from vbench_env.svg.parse import Document, Node
from vbench_env.svg.path_shape import path_distance, sample_arc_length
from vbench_env.svg.references import Referring
from vbench_env.svg.resolve import Resolved, Value


def locate_structure(problem: Problem, candidate: Document, resolved: Resolved, item: Located) -> None:
    """Find what an insertion, deletion or reordering is about in the candidate, and take it out of both trees."""
    repair = item.repair
    if repair.property == "order":
        item.removed = tuple(node for node in (item.target, item.candidate) if node is not None)
        return
    if repair.operation == "delete":
        _locate_extra(problem, candidate, item)
        return
    if item.target is None or problem.rules.insertion == "attributes":
        return
    item.candidate = _best_match(problem, candidate, resolved, item.target)
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


def _best_match(problem: Problem, candidate: Document, resolved: Resolved, target: Node) -> Node | None:
    assert target.parent is not None
    parent = _parent_of(problem, candidate, target.parent)
    if parent is None:
        return None
    known = candidate.by_id(target.id) if target.id else None
    if known is not None and known.parent is parent and known.tag == target.tag:
        return known
    others = {child.id for child in target.parent.children if child is not target and child.id}
    shapes = [child.shape for child in target.parent.children if child is not target]
    spare: list[tuple[float, int, Node]] = []
    for child in parent.children:
        if child.tag != target.tag or (child.id and child.id in others):
            continue
        if child.shape in shapes:
            shapes.remove(child.shape)
            continue
        ratio = subtree_ratio(problem, resolved, target, child)
        spare.append((math.inf if ratio is None else ratio, child.index, child))
    return min(spare, key=lambda entry: entry[:2])[2] if spare else None


def check(problem: Problem, candidate: Document, resolved: Resolved, item: Located) -> None:
    """Measure an insertion, a deletion or a reordering."""
    repair = item.repair
    if repair.property == "order":
        item.outcome = _check_order(problem, item)
    elif repair.operation == "delete":
        gone = item.candidate is None
        item.outcome = exact(gone, comparison="exists", corrupted=True, target=False, found=not gone)
    else:
        item.outcome = _check_insertion(problem, resolved, item)


def _check_insertion(problem: Problem, resolved: Resolved, item: Located) -> Outcome:
    target, found = item.target, item.candidate
    if target is None or found is None:
        return exact(False, comparison="inserted", corrupted=False, target=True, found=False)
    rules = problem.rules
    if rules.insertion == "attributes":
        ratio = stored.subtree_ratio(problem, target, found)
    else:
        ratio = subtree_ratio(problem, resolved, target, found)
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
    box = problem.box(target)
    for sibling, other in pairs:
        if (sibling.index < target.index) == (other.index < found.index):
            continue
        if boxes_overlap(box, problem.box(sibling)):
            return False
    return True


def _paired(ours: list[Node], theirs: list[Node]) -> list[tuple[Node, Node]]:
    from vbench_env.svg.matching import match_children

    return match_children(ours, theirs).pairs


def subtree_ratio(problem: Problem, resolved: Resolved, target: Node, found: Node) -> float | None:
    """The largest distance over tolerance in two subtrees as computed; None where something exact differs."""
    if target.tag != found.tag or len(target.children) != len(found.children):
        return None
    if svg_text.character_data(target)[0] != svg_text.character_data(found)[0]:
        return None
    worst = _own_ratio(problem, resolved, target, found)
    for left, right in zip(target.children, found.children, strict=True):
        inner = subtree_ratio(problem, resolved, left, right) if worst is not None else None
        worst = None if inner is None or worst is None else max(worst, inner)
    return worst


def _own_ratio(problem: Problem, resolved: Resolved, target: Node, found: Node) -> float | None:
    assert problem.resolved is not None
    ours, theirs = problem.resolved.own(target), resolved.own(found)
    values: list[tuple[str, Value, Value]] = []
    for left, right in ((ours.plain, theirs.plain), (ours.properties, theirs.properties)):
        for name in left.keys() | right.keys():
            if not name.startswith("aria-"):
                values.append((name, left.get(name), right.get(name)))
    for name in shown_properties(target):
        values.append((name, ours.context.get(name), theirs.context.get(name)))
    worst = 0.0
    for name, a, b in values:
        ratio = 0.0 if a == b else value_ratio(problem, name, a, b, target)
        if ratio is None:
            return None
        worst = max(worst, ratio)
    return worst


def value_ratio(problem: Problem, name: str, a: Value, b: Value, node: Node) -> float | None:
    """Distance over tolerance of two values of a property; None where it is exact and they differ."""
    from vbench_env.scoring.computed import limit_of, plain_value

    assert problem.resolved is not None
    if a is None:
        a = plain_value(problem.resolved, node, name)
    if b is None:
        b = plain_value(problem.resolved, node, name) if a is None else _initial_like(node, name)
    if a == b:
        return 0.0
    if type(a) is Color and type(b) is Color:
        alpha = abs(a.alpha - b.alpha) / 255 / 0.12
        kind = family(name, problem.rules.tolerances)
        limit = tolerance(kind, None, target=None, width=problem.width, height=problem.height)
        return max(delta_e76(a.rgb, b.rgb) / limit, alpha)
    if type(a) is float and type(b) is float:
        return _over(abs(a - b), limit_of(problem, name, None, a, node))
    if type(a) is Referring or type(b) is Referring or type(a) is not tuple or type(b) is not tuple:
        return None
    if a[0] == "matrix" and b[0] == "matrix":
        from vbench_env.scoring.placement import corners_of, displacement
        from vbench_env.svg.transform import Matrix

        moved = displacement(Matrix(*a[1:]), Matrix(*b[1:]), corners_of(problem, node))
        return _over(moved, limit_of(problem, "transform", None, None, node))
    if a[0] == "path" and b[0] == "path":
        return _path_ratio(problem, a, b)
    if a[0] == b[0] == "list" and len(a) == len(b) and all(type(x) is float for x in (*a[1:], *b[1:])):
        rms = (sum((x - y) ** 2 for x, y in zip(a[1:], b[1:], strict=True)) / (len(a) - 1)) ** 0.5
        mean = sum(map(abs, a[1:])) / (len(a) - 1)
        return _over(rms, limit_of(problem, name, None, mean, node))
    return None


def _initial_like(node: Node, name: str) -> Value:
    from vbench_env.svg.resolve import ResolveOptions, attribute_value, initial
    from vbench_env.svg.schema import PRESENTATION, initial_value

    if name in PRESENTATION:
        return initial(name)
    text = initial_value(node.tag, name)
    return None if text is None else attribute_value(node.tag, name, text, ResolveOptions())


def _over(distance: float, limit: float) -> float:
    return distance / limit if limit > 0 else math.inf


def _path_ratio(problem: Problem, a: Value, b: Value) -> float | None:
    from vbench_env.scoring.computed import limit_of

    first, second = sample_arc_length(_commands(a)), sample_arc_length(_commands(b))
    if first is None or second is None:
        return None
    return _over(path_distance(first, second), limit_of(problem, "d", None, None))


_ARITY = {"M": 2, "L": 2, "C": 6, "Q": 4, "A": 7, "Z": 0}


def _commands(value: Value):  # type: ignore[no-untyped-def]
    from vbench_env.svg.path_data import Command

    numbers = iter(value[2:])
    return tuple(Command(letter, tuple(next(numbers) for _ in range(_ARITY[letter]))) for letter in value[1])
