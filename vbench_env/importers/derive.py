"""Repairs from two drawings: what differs between before and target, as repairs that the scorer can check.

    written differences -> repairs -> the scorer drops those that say the same -> what is left over, if anything

Elements are paired like the scorer pairs them when it explains a change. Differences as written give a first list of
repairs; the scorer then says which of them the start already meets (`1.0` for `1`) and what they leave unexplained,
such as objects that a style sheet paints. A pair of drawings is refused when something stays unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from vbench_env.repair import Operation, Repair, infer_operation
from vbench_env.scoring import SURGICAL, Scorecard
from vbench_env.scoring.problem import Problem
from vbench_env.scoring.scorecard import Change
from vbench_env.scoring.scorer import score_problem
from vbench_env.svg.document import SourceDocument
from vbench_env.svg.matching import Matched, match_children
from vbench_env.svg.parse import XLINK_HREF, Document, Node, parse
from vbench_env.svg.style_edit import places, winning
from vbench_env.svg.transform import decompose, parse_transform

MOST_REPAIRS = 24
"""Repairs of one task; what takes more has changed the drawing as a whole."""
_ROUNDS = 6

Reason = Literal[
    "missing", "unreadable", "duplicate", "no-op", "malformed-start", "malformed-target", "invalid-target",
    "restructured", "style-sheet", "global-change", "unnamed", "not-expressible", "self-check",
]  # fmt: skip

MEANING: dict[Reason, str] = {
    "missing": "a drawing or the instruction is missing",
    "unreadable": "the file or row cannot be read",
    "duplicate": "the same start, target and instruction as another row",
    "no-op": "start and target say the same, or the target is no smaller where it should be",
    "malformed-start": "the start is not well-formed XML",
    "malformed-target": "the target is not well-formed XML",
    "invalid-target": "the target breaks a rule of the validity gate",
    "restructured": "elements were wrapped, unwrapped, moved to another parent or replaced",
    "style-sheet": "rules of a style sheet changed in a way that no object shows",
    "global-change": "more repairs than one task may have",
    "unnamed": "objects without ids beside one that was added, removed or moved: nothing says which is which",
    "not-expressible": "something differs that none of the twelve operations changes",
    "self-check": "no repair or full repair is judged wrongly",
}


class Refused(NamedTuple):
    """Why a row gives no task."""

    reason: Reason
    detail: str


class _Stop(Exception):
    def __init__(self, reason: Reason, detail: str) -> None:
        self.refused = Refused(reason, detail)


def derive(before_svg: str, target_svg: str, most: int = MOST_REPAIRS) -> tuple[Repair, ...] | Refused:
    """The repairs that lead from `before_svg` to `target_svg`, or why there are none that can be checked."""
    target, start = parse(target_svg), parse(before_svg)
    if target.root is None:
        return Refused("malformed-target", target.faults[0].message)
    if start.root is None:
        return Refused("malformed-start", start.faults[0].message)
    try:
        if _verdict(before_svg, target_svg, []).preserved:
            return Refused("no-op", "start and target say the same")
        return _Derivation(target, start, before_svg, target_svg, most).run()
    except _Stop as stop:
        return stop.refused


def _verdict(before_svg: str, target_svg: str, repairs: list[Repair]) -> Scorecard:
    """The start judged as an answer: which repairs it already meets, and what they leave unexplained."""
    return score_problem(Problem(target_svg, before_svg, tuple(repairs), (), SURGICAL), before_svg)


class _Derivation:
    def __init__(
        self, target: Document, start: Document, before_svg: str, target_svg: str, most: int
    ) -> None:
        self.target, self.start = target, start
        self.before_svg, self.target_svg, self.most = before_svg, target_svg, most
        self.source = SourceDocument(before_svg)

    def run(self) -> tuple[Repair, ...]:
        assert self.target.root is not None and self.start.root is not None
        repairs = self._limited(list(_distinct(self._differences(self.target.root, self.start.root))))
        for _ in range(_ROUNDS):
            card = _verdict(self.before_svg, self.target_svg, repairs)
            needed = [r for r, result in zip(repairs, card.repairs, strict=True) if not result.passed]
            if len(needed) < len(repairs):
                repairs = needed
                continue
            if card.preserved:
                break
            repairs = self._limited([*repairs, *self._unexplained(card, repairs)])
        else:
            raise _Stop("not-expressible", "the differences do not settle")
        return tuple(repairs)

    def _limited(self, repairs: list[Repair]) -> list[Repair]:
        if len(repairs) > 4 * self.most or (self._settled(repairs) and len(repairs) > self.most):
            raise _Stop(
                "global-change", f"{len(repairs)} differences; a task has at most {self.most} repairs"
            )
        return repairs

    def _settled(self, repairs: list[Repair]) -> bool:
        """Whether the start meets none of the repairs."""
        if len(repairs) <= self.most:
            return False
        card = _verdict(self.before_svg, self.target_svg, repairs)
        return sum(not result.passed for result in card.repairs) > self.most

    def _unexplained(self, card: Scorecard, known: list[Repair]) -> list[Repair]:
        """Repairs of what `known` leaves over; stops where that is nothing a repair can change."""
        taken = {(repair.object, repair.property) for repair in known}
        try:
            found = [_of_change(change) for change in card.changes]
            new = [repair for repair in found if (repair.object, repair.property) not in taken]
            if not new:
                raise _Stop("not-expressible", _told(card))
        except _Stop as stop:
            sheet = stop.refused.reason == "style-sheet"
            raise (stop if sheet else _unnamed(card, known) or stop) from None
        return list(_distinct(new))

    def _differences(self, target: Node, start: Node) -> Iterator[Repair]:
        stack = [(target, start)]
        while stack:
            t, c = stack.pop()
            yield from _properties(t, c)
            yield from _texts(t, c)
            if t.children or c.children:
                matched = match_children(t.children, c.children)
                yield from self._structure(t, c, matched)
                stack.extend(reversed(matched.pairs))

    def _structure(self, target: Node, start: Node, matched: Matched) -> Iterator[Repair]:
        _refuse_restructured(matched)
        at_home = {c: t for t, c in matched.pairs}
        for node in matched.deleted:
            yield Repair(
                object=node.label, operation="insert", property="exists", corrupted=False, target=True
            )
        for node in matched.added:
            yield Repair(
                object=node.label, operation="delete", property="exists", corrupted=True, target=False,
                element=self._markup(node), parent=target.label, before=_following(start, node, at_home),
            )  # fmt: skip
        for t, c in matched.moved:
            steady = {node: home for node, home in at_home.items() if (home, node) not in matched.moved}
            place = {"before": _following(start, c, steady)}
            yield Repair(object=t.label, operation="reorder", property="order", corrupted=place)

    def _markup(self, node: Node) -> str:
        elements = self.source.elements
        if len(elements) != len(self.start.nodes):
            return f"<{node.tag}/>"
        return elements[self.start.nodes.index(node)].source


def _following(parent: Node, node: Node, at_home: dict[Node, Node]) -> str | None:
    """The target's name of the next sibling that the target has too; None at the end."""
    behind = parent.children[node.index + 1 :]
    return next((at_home[other].label for other in behind if other in at_home), None)


def _refuse_restructured(matched: Matched) -> None:
    """Elements that only changed their parent, or their own name, are not made anew by a repair."""
    gone = {_letters(inner) for node in matched.deleted for inner in node.iter()}
    come = {_letters(inner) for node in matched.added for inner in node.iter()}
    wrapped = [node for node in matched.added if node.children and gone & set(map(_letters, node.iter()[1:]))]
    wrapped += [
        node for node in matched.deleted if node.children and come & set(map(_letters, node.iter()[1:]))
    ]
    if wrapped:
        raise _Stop("restructured", f"{wrapped[0].label} holds what stood beside it")
    names = {node.id for node in matched.added if node.id}
    if swapped := [node for node in matched.deleted if node.id in names]:
        raise _Stop("restructured", f"{swapped[0].label} is another element")


def _letters(node: Node) -> tuple[object, ...]:
    return node.tag, tuple(sorted(node.attrs.items())), node.text.strip()


def _unnamed(card: Scorecard, known: list[Repair]) -> _Stop | None:
    """The stop for objects that nothing tells apart, where that is what is left over."""
    restocked = any(repair.operation in ("insert", "delete", "reorder") for repair in known)
    nameless = [change.object for change in card.changes if change.object.startswith("svg/")]
    return _Stop("unnamed", f"{nameless[0]} and others; give them ids") if restocked and nameless else None


_ASIDE = frozenset({"id", "class", "style", "role", "lang", "tabindex", "version", "type", "media", "title"})
_ASIDE_KINDS = ("{", "data-", "aria-", "on", "xml")
"""Beginnings of names that say nothing about how an object looks; what differs there is left to the scorer."""


def _properties(target: Node, start: Node) -> Iterator[Repair]:
    """A repair for each attribute or declaration that is written differently."""
    ours, theirs = _written(target), _written(start)
    for name in (*ours, *(name for name in theirs if name not in ours)):
        if ours.get(name) != theirs.get(name):
            yield _of_property(target.label, name, theirs.get(name), ours.get(name))


def _written(node: Node) -> dict[str, str]:
    """Attributes and declarations of `style` by property, the declaration where both are there."""
    style = node.attrs.get("style", "")
    found = {"href" if name == XLINK_HREF else name: value for name, value in node.attrs.items()}
    found = {
        name: value
        for name, value in found.items()
        if name not in _ASIDE and not name.startswith(_ASIDE_KINDS)
    }
    for name in {place.name for place in places(style)}:
        place = winning(style, name)
        if place is not None:
            found[name] = style[place.value_start : place.value_end]
    return found


_REFERRING = frozenset(
    {"href", "clip-path", "mask", "filter", "marker", "marker-start", "marker-mid", "marker-end"}
)


def operation_of(name: str, before: str | None, after: str | None) -> Operation:
    """The operation that changes a property from one written value to another."""
    if name in _REFERRING or "url(" in (after or ""):
        return "relink"
    if name in ("transform", "gradientTransform", "patternTransform"):
        return _operation_of_transform(before, after)
    if name in ("display", "visibility"):
        return "opacity"
    if name == "viewBox":
        return "resize"
    return infer_operation(name, after)


def _operation_of_transform(before: str | None, after: str | None) -> Operation:
    one, other = parse_transform(before or ""), parse_transform(after or "")
    if one is None or other is None:
        return "move"
    was, wanted = decompose(one), decompose(other)
    if abs(was.rotate - wanted.rotate) > 1e-6:
        return "rotate"
    same_size = all(abs(a - b) <= 1e-9 for a, b in zip(was.scale, wanted.scale, strict=True))
    return "move" if same_size else "resize"


def _of_property(label: str, name: str, before: str | None, after: str | None) -> Repair:
    operation = operation_of(name, before, after)
    return Repair(object=label, operation=operation, property=name, corrupted=_value(before))


def _value(text: str | None) -> Any:
    """A written value, as a number where it is one."""
    try:
        number = float(text or "")
    except ValueError:
        return text
    if text is None or not text.replace(".", "").replace("-", "").isdigit():
        return text
    return int(number) if number.is_integer() and "." not in text else number


_TEXT = frozenset({"text", "tspan", "textPath", "title", "desc"})


def _texts(target: Node, start: Node) -> Iterator[Repair]:
    """A repair for character data that differs, on the smallest element that holds all of it."""
    own = target.tag in _TEXT and target.text != start.text
    behind = target.parent is not None and target.parent.tag in _TEXT and target.tail != start.tail
    for node, other, differs in ((target, start, own), (target.parent, start.parent, behind)):
        if differs and node is not None and other is not None:
            text = "".join(_pieces(other)).strip()
            yield Repair(object=node.label, operation="text", property="text", corrupted=text)


def _pieces(node: Node) -> Iterator[str]:
    yield node.text
    for child in node.children:
        yield from _pieces(child)
        yield child.tail


_CHANGED = frozenset({"geometry", "path_rewrite", "paint", "text", "reference", "root"})


def _of_change(change: Change) -> Repair:
    """The repair of something that the scorer found changed; stops where no repair changes it."""
    name = change.detail
    if change.subtype == "paint" and name == "text":
        raise _Stop("style-sheet", f"the rules of {change.object} differ")
    if change.subtype not in _CHANGED or not name.replace("-", "").isalpha() or name in ("id", "element"):
        raise _Stop("not-expressible", f"{change.subtype} of {change.object}: {name}")
    if name == "text":
        return Repair(object=change.object, operation="text", property="text", corrupted=change.after or "")
    return _of_property(change.object, name, change.after, change.before)


def _distinct(repairs: Iterator[Repair] | list[Repair]) -> Iterator[Repair]:
    seen: set[tuple[str, str]] = set()
    for repair in repairs:
        key = repair.object, repair.property
        if key not in seen:
            seen.add(key)
            yield repair


def _told(card: Scorecard) -> str:
    shown = [f"{change.subtype} of {change.object}: {change.detail}" for change in card.changes[:3]]
    return "; ".join(shown) or "the scorer sees a difference that it cannot name"
