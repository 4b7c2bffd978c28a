"""Elements of a foreign drawing out of place: off the middle, off the line of another one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from vbench_env.evidence import DRAWING
from vbench_env.generate.corruptions.base import Defect, shuffled
from vbench_env.generate.files.known import Known, box_of, defect_of, sentence_of
from vbench_env.generate.files.look import Seen, View
from vbench_env.generate.markup import num
from vbench_env.taskkit.scene import Box

_ALIGNED = {
    "center-x": "be centred from left to right", "center-y": "be centred from top to bottom",
}  # fmt: skip
_MOVE = ("{name} should {clause}.", "{name} has slipped {way} and should {clause} again.")


def move(known: Known, random: Random) -> Iterator[Defect]:
    view = known.view
    for seen in shuffled(random, known.named):
        box = box_of(view, seen)
        if box is None:
            continue
        for other, edge, clause in shuffled(random, list(_alignments(known, seen, box))):
            axis = "x" if edge in ("left", "right", "center-x") else "y"
            side = view.frame.width if axis == "x" else view.frame.height
            middle = (
                (view.frame.left + view.frame.right) / 2
                if axis == "x"
                else (view.frame.top + view.frame.bottom) / 2
            )
            place = (
                (seen.area.left + seen.area.right) / 2
                if axis == "x"
                else (seen.area.top + seen.area.bottom) / 2
            )
            sign = (
                random.choice((-1, 1)) if abs(place - middle) < 0.02 * side else (1 if place < middle else -1)
            )
            shift = sign * side * random.uniform(0.07, 0.14)
            value = _shifted(view, seen, axis, shift)
            if value is None:
                continue
            way = {("x", 1): "to the right", ("x", -1): "to the left", ("y", 1): "down", ("y", -1): "up"}[
                (axis, sign)
            ]
            name = known.names[seen.key]
            moved = seen.area.moved(shift, 0) if axis == "x" else seen.area.moved(0, shift)
            yield defect_of(
                seen, "move", "transform", value, {"kind": "aligned", "with": [other], "edge": edge}, name,
                sentence_of(random, _MOVE, name=name, clause=clause, way=way), area=seen.area.joined(moved),
                needs=() if other == DRAWING else (other,),
            )  # fmt: skip


def _alignments(known: Known, seen: Seen, box: Box) -> Iterator[tuple[str, str, str]]:
    """References on whose line an edge or centre lies, with the clause that says so."""
    view = known.view
    near = 0.002 * max(view.frame.width, view.frame.height)
    whole = Box(*view.frame)
    for edge, clause in _ALIGNED.items():
        if seen.node.tag != "text" and abs(box.measure(edge) - whole.measure(edge)) < near:
            yield DRAWING, edge, f"{clause} in the drawing"
    for other in known.named:
        there = box_of(view, other) if other is not seen else None
        if there is None:
            continue
        if seen.node.tag == other.node.tag == "text":
            edge = _anchor_edge(view, seen)
            if edge == _anchor_edge(view, other) and abs(box.left - there.left) < near:
                word = {"left": "start at the same left edge as", "right": "end at the same right edge as",
                        "center-x": "be centred on the same line as"}[edge]  # fmt: skip
                yield other.key, edge, f"{word} {known.names[other.key]}"
            if abs(box.bottom - there.bottom) < near:
                yield other.key, "bottom", f"stand at the same height as {known.names[other.key]}"
        elif "text" not in (seen.node.tag, other.node.tag):
            for edge, word in (("center-x", "horizontally"), ("center-y", "vertically")):
                if abs(box.measure(edge) - there.measure(edge)) < near:
                    yield other.key, edge, f"be centred {word} on {known.names[other.key]}"


def _anchor_edge(view: View, seen: Seen) -> str:
    anchor = view.scene.text_of(seen.node, "text-anchor") or "start"
    return {"middle": "center-x", "end": "right"}.get(anchor, "left")


def _shifted(view: View, seen: Seen, axis: str, shift: float) -> str | None:
    """The `transform` that moves an element along an axis of the drawing."""
    back = view.scene.parent_matrix(seen.node).inverse()
    if back is None:
        return None
    dx, dy = back.apply_vector(shift, 0.0) if axis == "x" else back.apply_vector(0.0, shift)
    return f"translate({num(dx)} {num(dy)}) {view.scene.declared(seen.node, 'transform') or ''}".strip()
