"""Evidence about where things lie: aligned edges, equal spacing, mirror images."""

from __future__ import annotations

from vbench_env.evidence import DRAWING, Aligned, Spacing, Symmetric
from vbench_env.svg.transform import IDENTITY
from vbench_env.taskkit.build import shown
from vbench_env.taskkit.outlines import (
    completed,
    completed_points,
    mapped,
    mirror,
    read_outline,
    write_outline,
)
from vbench_env.taskkit.question import Question, axis_of
from vbench_env.taskkit.scene import Box, Scene, Unfounded
from vbench_env.taskkit.unknowns import Axis

SLACK = 0.005
"""How far references may disagree, as a share of the drawing's larger side."""


def answer_aligned(question: Question, evidence: Aligned) -> str:
    """The value at which the object's edge lies on the line of the others' edges."""
    scene = question.scene
    own = evidence.own or evidence.edge
    if axis_of(own) != axis_of(evidence.edge):
        raise Unfounded(f"{own} and {evidence.edge} lie along different axes")
    found = [scene.measure(name, evidence.edge) for name in evidence.with_]
    goal = agreed(scene, found, f"the {evidence.edge} of {', '.join(evidence.with_)}")
    return question.at(own, goal, evidence.vertex)


def agreed(scene: Scene, values: list[float], what: str) -> float:
    """The mean of values that must agree."""
    view = scene.box(DRAWING)
    spread = max(values) - min(values)
    if spread > SLACK * max(view.measure("box-width"), view.measure("box-height")):
        raise Unfounded(f"{what} differ by {spread:.2f} units, so they lead to no one value")
    return sum(values) / len(values)


def answer_spacing(question: Question, evidence: Spacing) -> str:
    """The value at which the object stands at its place in an evenly spaced row."""
    name = question.repair.object
    if evidence.row.count(name) != 1:
        raise Unfounded(f"the row must hold the repaired object {name!r} once")
    if evidence.measure == "center":
        return question.at(f"center-{evidence.axis}", _center_goal(question, evidence))
    own, goal = _gap_goal(question, evidence)
    return question.at(own, goal)


def _center_goal(question: Question, evidence: Spacing) -> float:
    scene, place = question.scene, evidence.row.index(question.repair.object)
    measure = f"center-{evidence.axis}"
    others = [(i, scene.measure(n, measure)) for i, n in enumerate(evidence.row) if i != place]
    (first, start), (last, end) = others[0], others[-1]
    step = (end - start) / (last - first)
    agreed(scene, [value - step * (i - first) for i, value in others], "the steps of the row")
    return start + step * (place - first)


_ENDS: dict[Axis, tuple[str, str]] = {"x": ("left", "right"), "y": ("top", "bottom")}


def _gap_goal(question: Question, evidence: Spacing) -> tuple[str, float]:
    """Own edge and where it lies when all gaps are equal."""
    scene, row = question.scene, evidence.row
    near, far = _ENDS[evidence.axis]
    place = row.index(question.repair.object)
    boxes = [scene.box(name) for name in row]
    gaps = [
        boxes[i + 1].measure(near) - boxes[i].measure(far)
        for i in range(len(row) - 1)
        if place not in (i, i + 1)
    ]
    resizing = question.repair.operation == "resize"
    if 0 < place < len(row) - 1:
        before, after = boxes[place - 1].measure(far), boxes[place + 1].measure(near)
        if resizing:
            return far, after - (boxes[place].measure(near) - before)
        size = boxes[place].measure(far) - boxes[place].measure(near)
        gap = (after - before - size) / 2
        agreed(scene, [*gaps, gap], "the gaps of the row")
        return near, before + gap
    gap = agreed(scene, gaps, "the gaps of the row")
    if place == 0:
        return (near if resizing else far), boxes[1].measure(near) - gap
    return near, boxes[place - 1].measure(far) + gap


def answer_symmetric(question: Question, evidence: Symmetric) -> str:
    """The value at which the object is the mirror image of the other, or of its own half."""
    vertical = evidence.axis == "vertical"
    names = (evidence.at,) if isinstance(evidence.at, str) else evidence.at
    center = question.scene.boxes(names).measure("center-x" if vertical else "center-y")
    if evidence.of == question.repair.object:
        return _own_half(question, evidence, vertical, center)
    if question.kind == "outline" and question.repair.operation != "move":
        return _mirrored_outline(question, evidence, vertical, center)
    image = _mirrored_box(question.scene.box(evidence.of), vertical, center)
    if question.kind == "rotation":
        return _mirrored_turn(question, evidence, image)
    return _mirrored_measure(question, evidence, vertical, image)


def _own_half(question: Question, evidence: Symmetric, vertical: bool, center: float) -> str:
    repair, scene = question.repair, question.scene
    if question.kind != "outline" or evidence.keep is None:
        raise Unfounded("an object mirrors its own half only in d or points, and `keep` must say which half")
    commands = read_outline(repair.property, scene.text(repair.object, repair.property) or "")
    node = scene.node(repair.object)
    matrix = scene.matrix(node)
    drawn = mapped(commands, matrix)
    if repair.property == "points":
        whole = completed_points(drawn, vertical, center, evidence.keep, closed=node.tag == "polygon")
    else:
        whole = completed(drawn, vertical, center, evidence.keep)
    return write_outline(repair.property, mapped(whole, matrix.inverse() or IDENTITY))


def _mirrored_outline(question: Question, evidence: Symmetric, vertical: bool, center: float) -> str:
    repair, scene = question.repair, question.scene
    commands = read_outline(repair.property, scene.text(evidence.of, repair.property) or "")
    back = scene.matrix(scene.node(repair.object)).inverse() or IDENTITY
    image = back @ mirror(vertical, center) @ scene.matrix(scene.node(evidence.of))
    return write_outline(repair.property, mapped(commands, image))


def _mirrored_box(box: Box, vertical: bool, center: float) -> Box:
    if vertical:
        return Box(2 * center - box.right, box.top, 2 * center - box.left, box.bottom)
    return Box(box.left, 2 * center - box.bottom, box.right, 2 * center - box.top)


def _mirrored_turn(question: Question, evidence: Symmetric, image: Box) -> str:
    """Of the two turns that a mirror image can have, the one whose box fits."""
    turn = question.scene.rotation(evidence.of)
    name = question.repair.object

    def misfit(value: str) -> float:
        box = question.changed(value).box(name)
        return sum(abs(one - two) for one, two in zip(box, image, strict=True))

    return min((question.turned(-turn), question.turned(180 - turn)), key=misfit)


_ALONG_X = frozenset({"x", "cx", "x1", "x2", "dx"})
_ALONG_Y = frozenset({"y", "cy", "y1", "y2", "dy"})


def _mirrored_measure(question: Question, evidence: Symmetric, vertical: bool, image: Box) -> str:
    prop = question.repair.property
    if question.kind in ("transform", "outline"):
        return question.at("left" if vertical else "top", image.left if vertical else image.top)
    if prop in ("x1", "x2", "y1", "y2"):
        ends = {"1": "2", "2": "1"}
        edge = ("left", "right") if prop[0] == "x" else ("top", "bottom")
        number = question.scene.number
        here = number(question.repair.object, prop) <= number(question.repair.object, prop[0] + ends[prop[1]])
        own = edge[0] if here else edge[1]
        return question.at(own, image.measure(own))
    if prop in _ALONG_X or prop in _ALONG_Y:
        own = "left" if prop in _ALONG_X else "top"
        return question.at(own, image.measure(own))
    return shown(question.scene.number(evidence.of, prop))
