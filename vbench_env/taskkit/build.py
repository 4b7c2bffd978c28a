"""Build `corrupted.svg`: the target with the corrupted values of some repairs put in.

`derive` is the one function that undoes and redoes repairs. It always starts from the target, so leaving a repair
out of the list is undoing it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vbench_env.errors import TaskError
from vbench_env.protected import find_object
from vbench_env.repair import Repair
from vbench_env.svg.cascade import Sheets, is_css, parse_sheet
from vbench_env.svg.parse import Document, Node, parse
from vbench_env.task import read_drawing
from vbench_env.task_file import CORRUPTED_NAME, TARGET_NAME, read_task_file
from vbench_env.taskkit.source import Piece, take_apart
from vbench_env.taskkit.stylesheet import append, blocks, change, declarations


def build_task(folder: str | Path, write: bool = True) -> str:
    """Text of `corrupted.svg` for a task folder; written there unless `write` is false.

    Raises:
        TaskError: a repair cannot be put into the target; the message names it and says what to do.
    """
    folder = Path(folder)
    data = read_task_file(folder)
    target = read_drawing(folder / TARGET_NAME)
    try:
        corrupted = derive(without_canary(target, data.canary), data.repairs)
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


def derive(target_svg: str, repairs: Sequence[Repair]) -> str:
    """The target with the corrupted value of each of `repairs`; only the letters that must change do."""
    drawing = _Drawing(target_svg)
    jobs = [(repair, drawing.locate(repair, place)) for place, repair in enumerate(repairs)]
    for repair, found in jobs:
        try:
            _corrupt(drawing, repair, found)
        except TaskError as error:
            raise TaskError(f"repair of {repair.property} of {repair.object!r}: {error}") from error
    return drawing.top.write()


def shown(value: Any) -> str:
    """A value of `task.yaml` as it is written into a drawing."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{round(value, 6):.6f}".rstrip("0").rstrip(".")
    if isinstance(value, list | tuple):
        return " ".join(",".join(map(shown, v)) if isinstance(v, list | tuple) else shown(v) for v in value)
    return str(value)


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a repair applies: its object (the parent, for `delete`), and the sibling that follows."""

    piece: Piece
    node: Node
    before: Piece | None = None


class _Drawing:
    def __init__(self, text: str) -> None:
        self.document: Document = parse(text)
        self.top = take_apart(text)
        self.sheets = Sheets(self.document)
        pieces = list(self.top.elements())
        if len(pieces) != len(self.document.nodes):
            raise TaskError("elements that come from entities cannot be edited; write them out in target.svg")
        self.pieces = dict(zip(self.document.nodes, pieces, strict=True))

    def locate(self, repair: Repair, place: int) -> _Found:
        if repair.operation == "delete":
            node = self._node(repair.parent or "", f"repairs[{place}].parent")
            before = self._node(repair.before, f"repairs[{place}].before") if repair.before else None
            if before is not None and before.parent is not node:
                raise TaskError(f"repairs[{place}].before: {repair.before!r} is not inside {repair.parent!r}")
            return _Found(self.pieces[node], node, self.pieces[before] if before is not None else None)
        node = self._node(repair.object, f"repairs[{place}].object")
        if repair.operation != "reorder" or repair.corrupted["before"] is None:
            return _Found(self.pieces[node], node)
        before = self._node(repair.corrupted["before"], f"repairs[{place}].corrupted.before")
        if before.parent is not node.parent or before is node:
            raise TaskError(f"repairs[{place}].corrupted.before: must be a sibling of {repair.object!r}")
        return _Found(self.pieces[node], node, self.pieces[before])

    def _node(self, name: str, field: str) -> Node:
        node = find_object(self.document, name)
        if node is None:
            raise TaskError(f"{field}: target.svg has no object {name!r}; name an id or a path such as svg/g[2]")
        return node


def _corrupt(drawing: _Drawing, repair: Repair, found: _Found) -> None:
    if repair.operation == "insert":
        found.piece.take_out()
    elif repair.operation == "delete":
        found.piece.put_in(_extra(repair.element or ""), found.before)
    elif repair.operation == "reorder":
        parent = found.piece.parent
        if parent is None:
            raise TaskError("the root cannot change its place")
        found.piece.take_out()
        parent.put_in(found.piece, found.before)
    elif repair.operation == "text":
        if found.piece.has_elements:
            raise TaskError("the object holds elements; name the tspan whose text it is")
        found.piece.set_text(shown(repair.corrupted))
    else:
        value = None if repair.corrupted is None else shown(repair.corrupted)
        store(drawing, found.piece, found.node, repair.property, value)


def _extra(markup: str) -> Piece:
    pieces = take_apart(markup.strip())
    elements = [item for item in pieces.items if isinstance(item, Piece)]
    document = parse(_WRAP.format(markup))
    if document.root is None or len(elements) != 1 or len(pieces.items) != 1:
        raise TaskError("`element` must be the markup of one element")
    return elements[0]


_WRAP = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{}</svg>'


def store(drawing: _Drawing, piece: Piece, node: Node, name: str, value: str | None) -> None:
    """Put a property's value where the drawing keeps it; None takes the property out.

    The place is the strongest of: the `style` attribute, a rule that only this object matches, the attribute.
    A property that a shared rule gives is overridden in `style`; one that is only inherited becomes an attribute.
    """
    style = piece.get("style") or ""
    in_style = any(place.name == name for place in declarations(style))
    rule = _winning_rule(drawing.sheets, node, name)
    if in_style and not (rule and rule.important):
        changed = change(style, name, value)
        piece.set("style", changed if changed and changed.strip() else None)
    elif rule is None:
        piece.set(name, value)
    elif _matches_only(drawing, rule.index, node):
        _store_in_rule(drawing, rule.index, name, value)
    elif value is None:
        raise TaskError(f"a rule that other objects share gives {name}; it cannot be taken out for one object")
    elif rule.important:
        raise TaskError(f"an !important rule that other objects share gives {name}; give the object a rule of its own")
    else:
        piece.set("style", append(style, name, value))


@dataclass(frozen=True, slots=True)
class _Rule:
    index: int
    important: bool


def _winning_rule(sheets: Sheets, node: Node, name: str) -> _Rule | None:
    """The rule whose declaration of `name` counts for `node`."""
    best: _Rule | None = None
    for index in sheets.match(node).rules:
        for item in sheets.rules[index].declarations:
            if item.name == name and (item.important or best is None or not best.important):
                best = _Rule(index, item.important)
    return best


def _matches_only(drawing: _Drawing, index: int, node: Node) -> bool:
    return all(
        other is node or index not in drawing.sheets.match(other).rules for other in drawing.document.nodes
    )


def _store_in_rule(drawing: _Drawing, index: int, name: str, value: str | None) -> None:
    counted = 0
    for style in (node for node in drawing.sheets.styles if is_css(node)):
        piece = drawing.pieces[style]
        text = "".join(item for item in piece.items if isinstance(item, str))
        for block in blocks(text):
            if not parse_sheet(block.prelude + "{fill:red}").rules:
                continue
            if counted == index:
                changed = change(text, name, value, block.start, block.end)
                if changed is None:
                    raise TaskError(f"the declaration of {name} cannot be found in <style>")
                piece.items = [changed]
                return
            counted += 1
    raise TaskError(f"the rule that gives {name} cannot be found in <style>")
