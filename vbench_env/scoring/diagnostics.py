"""What else changed, and why a repair was missed. Explains a verdict, never decides it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from vbench_env.scoring.outcome import Located, apart
from vbench_env.scoring.preservation import Sides, renaming, reordered, style_instructions
from vbench_env.scoring.problem import Problem, by_path
from vbench_env.scoring.repairs import mask_of
from vbench_env.scoring.scorecard import Change, FailureClass, RepairResult, Subtype
from vbench_env.svg.canonical import Difference
from vbench_env.svg.compare import ResolvedView
from vbench_env.svg.matching import match_children
from vbench_env.svg.parse import Document, Node
from vbench_env.svg.resolve import Resolved
from vbench_env.svg.schema import PRESENTATION

MAX_CHANGES = 200
"""Changes listed at most; a rewritten drawing differs everywhere and the first ones explain it."""

_DEFINITIONS = frozenset(
    """linearGradient radialGradient pattern clipPath mask filter marker symbol defs style stop cursor
    font font-face""".split()
)
_GEOMETRY = frozenset(
    """x y cx cy r rx ry width height x1 y1 x2 y2 dx dy points transform rotate viewBox preserveAspectRatio
    pathLength fx fy fr offset gradientTransform patternTransform refX refY markerWidth markerHeight orient
    gradientUnits patternUnits clipPathUnits maskUnits element""".split()
)
_METADATA_ELEMENTS = frozenset({"title", "desc", "metadata"})


def changes_of(
    problem: Problem, candidate: Document, resolved: Resolved | None, located: list[Located]
) -> tuple[Change, ...]:
    """Everything outside the requested repairs that differs from the target, in document order."""
    mask = mask_of(located, transparent_groups=problem.rules.nesting == "plain-groups")
    sides = Sides(problem, candidate, resolved, mask, renaming(problem, candidate, mask, apart(located)))
    walk = _Walk(sides, reordered(located))
    found: list[Change] = []
    for change in walk.run():
        found.append(change)
        if len(found) >= MAX_CHANGES:
            break
    return tuple(found)


def unnamed_change(problem: Problem, candidate: Document) -> Change:
    """What a failed preservation gate lists where the walk finds no element to name: at least the kind of it."""
    assert candidate.root is not None
    ours, theirs = len(problem.target.nodes), len(candidate.nodes)
    detail = f"the structure differs ({ours} elements, {theirs} in the candidate)"
    return Change(object=problem.root.label, subtype="nesting", detail=detail)


class _Walk:
    def __init__(self, sides: Sides, moved: list[tuple[Node, Node]]) -> None:
        self.sides, self.moved = sides, moved
        self.view = sides.view()
        self.protected = set(sides.problem.protected)

    def run(self) -> Iterator[Change]:
        for target, candidate in self.sides.ids.conflicts:
            yield self._change(target, "reference", "id renamed inconsistently", target.id, candidate.id)
        ours, theirs = (
            style_instructions(document) for document in (self.sides.problem.target, self.sides.candidate)
        )
        if ours != theirs:
            detail = "xml-stylesheet instructions"
            yield self._change(self.sides.problem.root, "root", detail, "; ".join(ours), "; ".join(theirs))
        stack = [*self.moved, (self.sides.problem.root, self.sides.root)]
        while stack:
            target, candidate = stack.pop()
            if self.view.certain(target, candidate):
                continue
            inner = _unwrapped(target, candidate)
            if inner is not candidate:
                yield self._change(target, "nesting", "new group", None, candidate.path)
                candidate = inner
            for difference in self.view.differences(
                target, candidate, self.sides.mask.names(target, candidate)
            ):
                yield self._difference(target, difference)
            if target.tag == candidate.tag == "use" and self._inherits_otherwise(target, candidate):
                yield self._change(target, "paint", "what it draws inherits otherwise", None, None)
            if target.children or candidate.children:
                matched = match_children(
                    self.sides.mask.children(target), self.sides.mask.children(candidate)
                )
                yield from self._structure(matched.deleted, matched.added, matched.moved)
                stack.extend(reversed(matched.pairs))

    def _inherits_otherwise(self, target: Node, candidate: Node) -> bool:
        view, mask = self.view, self.sides.mask
        if not isinstance(view, ResolvedView):
            return False
        return not view.same_instances(target, candidate, mask)

    def _structure(
        self, deleted: Sequence[Node], added: Sequence[Node], moved: Sequence[tuple[Node, Node]]
    ) -> Iterator[Change]:
        same = {node.id or "": node for node in added}
        for node in [node for node in deleted if node.id and node.id in same]:
            other = same[node.id or ""]
            yield self._change(node, "geometry", "element", node.tag, other.tag)
            deleted = [rest for rest in deleted if rest is not node]
            added = [rest for rest in added if rest is not other]
        moved_in = {node.id for group in added for node in group.iter() if node.id}
        within = {_letters(node) for group in added for node in group.iter()[1:]}
        for node in deleted:
            named = node.id and (node.id in moved_in or self.sides.candidate.by_id(node.id) is not None)
            if named or (not node.id and _letters(node) in within):
                yield self._change(node, "nesting", "moved to another parent", node.path, None)
            else:
                subtype: Subtype = "deleted_definition" if _definition(node) else "deleted_object"
                yield self._change(node, subtype, f"{node.tag} is gone", node.path, None)
        gone = {node.id for node in deleted if node.id} | {_letters(node) for node in deleted}
        for node in added:
            wraps = any(inner.id in gone or _letters(inner) in gone for inner in node.iter()[1:])
            if wraps or (node.tag == "g" and node.children):
                yield self._change(node, "nesting", "new group", None, node.path)
            elif (known := self.sides.problem.target.by_id(node.id) if node.id else None) is None:
                yield self._change(node, "added_object", f"new {node.tag}", None, node.path)
            elif known in self.sides.mask.removed:
                yield self._change(known, "nesting", "stands under another parent", known.path, node.path)
        for target, candidate in moved:
            yield self._change(target, "reorder", "painted in another order", target.path, candidate.path)

    def _difference(self, node: Node, difference: Difference) -> Change:
        subtype = subtype_of(node, difference)
        return self._change(node, subtype, difference.name, difference.before, difference.after)

    def _change(
        self, node: Node, subtype: Subtype, detail: str, before: str | None, after: str | None
    ) -> Change:
        protected = node.label in self.protected or node.path in self.protected
        return Change(
            object=node.label,
            subtype=subtype,
            detail=detail,
            before=before,
            after=after,
            protected=protected,
        )


def _unwrapped(target: Node, candidate: Node) -> Node:
    """What a plain new group holds, when that is the target's element itself; else the candidate's element."""
    found = candidate
    while found.tag == "g" and not found.attrs and len(found.children) == 1 and target.attrs:
        found = found.children[0]
    same = found.tag == target.tag and (
        found.id == target.id if target.id else _letters(found) == _letters(target)
    )
    return found if same else candidate


def _letters(node: Node) -> tuple[str, ...]:
    return (node.tag, *(f"{name}={value}" for name, value in sorted(node.attrs.items())))


def _definition(node: Node) -> bool:
    at: Node | None = node
    while at is not None:
        if at.tag in _DEFINITIONS:
            return True
        at = at.parent
    return False


def subtype_of(node: Node, difference: Difference) -> Subtype:
    """The kind of change that a difference is."""
    name = difference.name
    if node.parent is None:
        return "root"
    if node.tag in _METADATA_ELEMENTS or node.tag[0] == "{":
        return "metadata"
    if name == "text":
        return "paint" if node.tag == "style" else "text"
    if name == "d":
        return "path_rewrite"
    if name in _GEOMETRY:
        return "geometry"
    if name == "href" or _refers(difference):
        return "reference"
    if name in PRESENTATION or name.startswith(("css:", "style")):
        return "paint"
    if name in ("id", "class", "role", "lang") or name.startswith(("data-", "aria-", "{")):
        return "metadata"
    return "geometry" if node.tag in ("animate", "animateTransform", "animateMotion", "set") else "metadata"


def _refers(difference: Difference) -> bool:
    before, after = difference.before or "", difference.after or ""
    return "url(#" in before and "url(#" in after


def failure_of(problem: Problem, item: Located, changes: Sequence[Any]) -> FailureClass:
    """Why a repair was missed."""
    outcome, repair = item.outcome, item.repair
    if repair.property == "exists":
        missing = item.candidate is None or _was_there(problem, item.candidate)
        return "untouched" if missing or repair.operation == "delete" else "wrong_value"
    if item.candidate is None:
        return "wrong_object"
    if _untouched(item):
        return "wrong_object" if _elsewhere(item, changes) else "untouched"
    wanted, found, before = _number(outcome.target), _number(outcome.found), _number(outcome.corrupted)
    if wanted is not None and found is not None and before is not None:
        return "overshoot" if (found - wanted) * (before - wanted) < 0 else "wrong_value"
    return "wrong_value"


def _was_there(problem: Problem, candidate: Node) -> bool:
    """Whether what comes nearest to an inserted object stands in the corrupted drawing as it does now."""
    if problem.corrupted is None or problem.corrupted.root is None:
        return False
    start = by_path(problem.corrupted.root, candidate.path)
    return start is not None and start.shape is candidate.shape


def _untouched(item: Located) -> bool:
    outcome = item.outcome
    if outcome.found is not None and outcome.corrupted is not None:
        return bool(str(outcome.found).strip() == str(outcome.corrupted).strip()) or (
            outcome.distance is not None
            and outcome.baseline is not None
            and outcome.distance == outcome.baseline
        )
    return outcome.found is None and outcome.corrupted is None


def _elsewhere(item: Located, changes: Sequence[Any]) -> bool:
    wanted = str(item.outcome.target)
    return any(
        change.detail == item.repair.property and change.after is not None and change.after == wanted
        for change in changes
    )


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def localisation(
    repairs: Sequence[RepairResult], changes: Sequence[Change]
) -> tuple[float | None, float | None]:
    """Precision and recall over objects: touched against requested.

    Where nothing was touched, precision is None (a share of nothing) and recall 0: no requested object was reached.
    """
    requested = {result.object for result in repairs}
    hit = {result.object for result in repairs if result.failure != "untouched"}
    other = {change.object for change in changes} - requested
    touched = len(hit) + len(other)
    precision = len(hit) / touched if touched else None
    recall = len(hit) / len(requested) if requested else None
    return precision, recall
