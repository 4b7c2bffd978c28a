"""Build `corrupted.svg`: the target with the corrupted values of some repairs put in.

`derive` is the one function that undoes and redoes repairs. It always starts from the target, so leaving a
repair out of the list is undoing it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from vbench_env.errors import TaskError
from vbench_env.protected import find_object
from vbench_env.repair import Repair
from vbench_env.svg.cascade import Sheets, is_css
from vbench_env.svg.document import Edit, Element, Refusal, SourceDocument, apply_edits
from vbench_env.svg.edit import Change, put_attributes, put_text, text_of
from vbench_env.svg.parse import Node
from vbench_env.svg.restructure import insert, relocate, remove
from vbench_env.svg.schema import PRESENTATION
from vbench_env.svg.style_edit import drop_declaration, put_declaration, winning
from vbench_env.task import all_repairs, read_drawing
from vbench_env.task_file import CORRUPTED_NAME, TARGET_NAME, read_task_file
from vbench_env.taskkit.stylesheet import style_rules


def build_task(folder: str | Path, write: bool = True) -> str:
    """Text of `corrupted.svg` for a task folder; written there unless `write` is false.

    Where the kind of the task has it drawn by hand, it stays as it is.

    Raises:
        TaskError: a repair cannot be put into the target; the message names it and says what to do.
    """
    folder = Path(folder)
    data = read_task_file(folder)
    target = read_drawing(folder / TARGET_NAME)
    if data.goal.hand_drawn:
        return read_drawing(folder / CORRUPTED_NAME)
    try:
        repairs = all_repairs(data, target)
        corrupted = derive(without_canary(target, data.canary), repairs, shared=data.kind == "style")
    except TaskError as error:
        raise TaskError(f"{folder / 'task.yaml'}: {error}") from error
    if write:
        (folder / CORRUPTED_NAME).write_text(corrupted, encoding="utf-8", newline="\n")
    return corrupted


def canary_line(canary: str) -> str:
    """The last line of a target drawing."""
    return f"<!-- {canary} -->"


def without_canary(target_svg: str, canary: str) -> str:
    """The target without its canary line."""
    return target_svg.replace(canary_line(canary) + "\n", "").replace(canary_line(canary), "")


def derive(target_svg: str, repairs: Sequence[Repair], *, shared: bool = False) -> str:
    """The target with the corrupted value of each of `repairs`; only the letters that must change do.

    Args:
        target_svg: the drawing as it should be.
        repairs: those to undo; mends come last, on the text and all at once.
        shared: change a rule of a style sheet that several objects share, where all of them get one value.

    Raises:
        TaskError: an object is not there, or its property cannot be changed; the message says which and why.
    """
    drawing = _Drawing(target_svg)
    jobs = [(repair, drawing.locate(repair, place)) for place, repair in enumerate(repairs)]
    drawing.together = [(repair, found.node) for repair, found in jobs] if shared else []
    for repair, found in jobs:
        if repair.operation == "mend":
            continue
        try:
            _corrupt(drawing, repair, found)
        except (TaskError, Refusal) as error:
            raise TaskError(f"repair of {repair.property} of {repair.object!r}: {error}") from error
    return damaged(drawing.document.text, [repair for repair in repairs if repair.operation == "mend"])


def damaged(text: str, mends: Sequence[Repair]) -> str:
    """The text with the pieces of all mends replaced at once.

    Raises:
        TaskError: a piece does not stand in one place, or two of them overlap.
    """
    edits = sorted((_damage(text, mend), mend.object) for mend in mends)
    for (edit, name), (following, other) in pairwise(edits):
        if following.start < edit.end:
            raise TaskError(f"the damages of {name!r} and {other!r} overlap; make one of them")
    return apply_edits(text, [edit for edit, _ in edits])


def _damage(text: str, mend: Repair) -> Edit:
    find = mend.corrupted["find"]
    count, start = text.count(find), text.find(find)
    if count != 1:
        where = "nowhere" if not count else f"in {count} places"
        advice = "give a piece that stands in one place of the drawing"
        raise TaskError(f"mend of {mend.object!r}: the text to find stands {where}; {advice}")
    return Edit(start, start + len(find), mend.corrupted["put"])


def shown(value: Any) -> str:
    """A value of `task.yaml` as it is written into a drawing."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{round(value, 6):.6f}".rstrip("0").rstrip(".")
    if isinstance(value, list | tuple):
        return " ".join(",".join(map(shown, v)) if isinstance(v, list | tuple) else shown(v) for v in value)
    return str(value)


class _Found(NamedTuple):
    """Where a repair applies: its object (the parent, for `delete`), and the sibling that follows."""

    node: Node
    before: Node | None = None


class _Drawing:
    """The target's tree, and the text as edited so far; `order` says which element stands where now."""

    def __init__(self, text: str) -> None:
        self.document = SourceDocument(text)
        parsed = self.document.parsed
        self.sheets = Sheets(parsed)
        self.nodes = list(parsed.nodes)
        if len(self.nodes) != len(self.document.outline.names):
            raise TaskError("elements that come from entities cannot be edited; write them out in target.svg")
        self.order: list[Node | None] = list(parsed.nodes)
        self.parsed = parsed
        self.together: list[tuple[Repair, Node]] = []

    def element(self, node: Node) -> Element:
        return Element(self.document, self.order.index(node))

    def take(self, change: Change) -> None:
        self.document = change.document

    def locate(self, repair: Repair, place: int) -> _Found:
        field = f"repairs[{place}]"
        if repair.operation == "delete":
            node = self.find(repair.parent or "", f"{field}.parent")
            before = self.find(repair.before, f"{field}.before") if repair.before else None
            if before is not None and before.parent is not node:
                raise TaskError(f"{field}.before: {repair.before!r} is not inside {repair.parent!r}")
            return _Found(node, before)
        node = self.find(repair.object, f"{field}.object")
        if repair.operation != "reorder" or repair.corrupted["before"] is None:
            return _Found(node)
        before = self.find(repair.corrupted["before"], f"{field}.corrupted.before")
        if before.parent is not node.parent or before is node:
            raise TaskError(f"{field}.corrupted.before: must be a sibling of {repair.object!r}")
        return _Found(node, before)

    def find(self, name: str, field: str) -> Node:
        node = find_object(self.parsed, name)
        if node is None:
            raise TaskError(
                f"{field}: the drawing has no object {name!r}; name an id or a path such as svg/g[2]"
            )
        return node


def _corrupt(drawing: _Drawing, repair: Repair, found: _Found) -> None:
    if repair.operation == "insert":
        _take_out(drawing, found.node)
    elif repair.operation == "delete":
        _put_in(drawing, found, repair.element or "")
    elif repair.operation == "reorder":
        _put_elsewhere(drawing, found)
    elif repair.operation == "text":
        drawing.take(put_text(drawing.element(found.node), shown(repair.corrupted)))
    else:
        value = None if repair.corrupted is None else shown(repair.corrupted)
        _store(drawing, found.node, repair.property, value)


def _take_out(drawing: _Drawing, node: Node) -> None:
    element = drawing.element(node)
    drawing.take(remove(element))
    del drawing.order[element.index : element.index + len(node.iter())]


def _put_in(drawing: _Drawing, found: _Found, markup: str) -> None:
    if found.before is not None:
        change, _ = insert(drawing.element(found.before), "before", markup)
        place = drawing.order.index(found.before)
    else:
        change, _ = insert(drawing.element(found.node), "last_in", markup)
        place = _end(drawing, found.node)
    added = len(change.document.outline.names) - len(drawing.order)
    drawing.order[place:place] = [None] * added
    drawing.take(change)


def _put_elsewhere(drawing: _Drawing, found: _Found) -> None:
    element, parent = drawing.element(found.node), found.node.parent
    if parent is None:
        raise TaskError("the root cannot change its place")
    siblings = drawing.element(parent).children
    if found.before is None and siblings[-1] != element:
        drawing.take(relocate(element, "after", siblings[-1]))
    elif found.before is not None:
        drawing.take(relocate(element, "before", drawing.element(found.before)))
    size = len(found.node.iter())
    moved = drawing.order[element.index : element.index + size]
    del drawing.order[element.index : element.index + size]
    place = drawing.order.index(found.before) if found.before is not None else _end(drawing, parent)
    drawing.order[place:place] = moved


def _end(drawing: _Drawing, node: Node) -> int:
    """Place in `order` behind all that `node` holds."""
    start = drawing.order.index(node)
    inside = {id(part) for part in node.iter()}
    end = start + 1
    while end < len(drawing.order) and (drawing.order[end] is None or id(drawing.order[end]) in inside):
        end += 1
    return end


def _store(drawing: _Drawing, node: Node, name: str, value: str | None) -> None:
    """Put a property's value where the drawing keeps it; None takes the property out.

    The place is the strongest of: the `style` attribute, a rule that only this object matches, the attribute.
    A property that a shared rule gives is overridden in `style`; what is only inherited goes where the object
    keeps its other properties.
    """
    element = drawing.element(node)
    style = element.get("style") or ""
    rule = _winning_rule(drawing.sheets, node, name)
    if winning(style, name) and not (rule and rule.important):
        changed = _changed(style, name, value)
        drawing.take(put_attributes(element, {"style": changed if changed.strip() else None}))
    elif rule is None and (value is None or not _keeps_in_style(element, style, name)):
        drawing.take(put_attributes(element, {_qualified(element, name): value}))
    elif rule and _matches_only(drawing, rule.number, _partners(drawing, node, name, value)):
        _store_in_rule(drawing, rule.number, name, value)
    elif value is None or (rule and rule.important):
        reason = "an !important rule" if rule and rule.important else "a rule"
        raise TaskError(f"{reason} that other objects share gives {name}; give the object a rule of its own")
    else:
        drawing.take(put_attributes(element, {"style": put_declaration(style, name, value)}))


def _keeps_in_style(element: Element, style: str, name: str) -> bool:
    return bool(style.strip()) and name in PRESENTATION and element.attribute(name) is None


def _changed(css: str, name: str, value: str | None) -> str:
    return drop_declaration(css, name) if value is None else put_declaration(css, name, value)


def _qualified(element: Element, name: str) -> str:
    """The attribute's name as written: a drawing may say `xlink:href` for `href`."""
    written = [attribute.name for attribute in element.attributes]
    if name == "href" and name not in written:
        return next((other for other in written if other.endswith(":href")), name)
    return name


class _Rule(NamedTuple):
    number: int
    important: bool


def _winning_rule(sheets: Sheets, node: Node, name: str) -> _Rule | None:
    """The rule whose declaration of `name` counts for `node`."""
    best: _Rule | None = None
    for number in sheets.match(node).rules:
        for item in sheets.rules[number].declarations:
            if item.name == name and (item.important or best is None or not best.important):
                best = _Rule(number, item.important)
    return best


def _partners(drawing: _Drawing, node: Node, name: str, value: str | None) -> set[Node]:
    """The objects that get this value of this property: the one at hand, and those that are changed with it."""
    same = {
        other
        for repair, other in drawing.together
        if repair.property == name and repair.corrupted is not None and shown(repair.corrupted) == value
    }
    return {node, *same}


def _matches_only(drawing: _Drawing, rule: int, nodes: set[Node]) -> bool:
    return all(other in nodes or rule not in drawing.sheets.match(other).rules for other in drawing.nodes)


def _store_in_rule(drawing: _Drawing, rule: int, name: str, value: str | None) -> None:
    for style in (node for node in drawing.sheets.styles if is_css(node)):
        css = text_of(drawing.element(style))
        rules = style_rules(css)
        if rule < len(rules):
            _, start, end = rules[rule]
            changed = css[:start] + _changed(css[start:end], name, value) + css[end:]
            drawing.take(put_text(drawing.element(style), changed))
            return
        rule -= len(rules)
    raise TaskError(f"the rule that gives {name} cannot be found in <style>")


def put_value(svg: str, name: str, prop: str, value: str | None) -> str:
    """The drawing with one property of one object set, stored where the drawing keeps it."""
    drawing = _Drawing(svg)
    _store(drawing, drawing.find(name, "object"), prop, value)
    return drawing.document.text
