"""Out of place: out of step in a row, off the line of others, off its mirror image."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from vbench_env.evidence import Axis
from vbench_env.generate.corruptions.base import (
    CORRUPTIONS,
    Defect,
    Evidence,
    away,
    repair_of,
    said,
    shuffled,
)
from vbench_env.generate.markup import num
from vbench_env.generate.sketch import Area, Lined, Mirrored, Part, Row, Sketch

_ROW = (
    "{it} {has} slipped {way}; put {them} back so that {row} is evenly spaced.",
    "{row} should have equal gaps, but {it} {is_} out of step.",
    "Please move {it} so that all steps of {row} are equal again.",
    "{it} {is_} no longer at an even distance from {their} neighbours in {row}.",
)
_LINE = (
    "{it} should {clause}.",
    "{it} {has} been moved by accident and should {clause} again.",
    "{it} {has} slipped {way}: {they} should {clause}.",
    "Put {it} back, which should {clause}.",
)
_MIRROR = (
    "{it} should be the mirror image of {other}, but {has} moved.",
    "Move {it} back so that {they} mirrors {other}.",
)


@CORRUPTIONS.register("move")
def move(sketch: Sketch, random: Random) -> Iterator[Defect]:
    for relation in shuffled(random, sketch.relations):
        if isinstance(relation, Row) and len(relation.parts) >= 4:
            yield from _in_row(sketch, random, relation)
        elif isinstance(relation, Lined):
            axis: Axis = "x" if relation.edge in ("left", "right", "center-x") else "y"
            evidence: Evidence = {"kind": "aligned", "with": list(relation.with_), "edge": relation.edge}
            if relation.own is not None:
                evidence["own"] = relation.own
            part = sketch.parts[relation.part]
            side = sketch.view.width if axis == "x" else sketch.view.height
            shift = away(part, sketch, axis, random.uniform(0.05, 0.11) * side, random)
            sentence = said(random, _LINE, part, clause=relation.clause, way=_way(axis, shift))
            yield from _defect(sketch, part, axis, shift, evidence, sentence, set(relation.with_))
        elif isinstance(relation, Mirrored) and relation.moves:
            axis = "x" if relation.axis == "vertical" else "y"
            part = sketch.parts[relation.part]
            side = sketch.view.width if axis == "x" else sketch.view.height
            shift = away(part, sketch, axis, random.uniform(0.05, 0.1) * side, random)
            at = relation.at if isinstance(relation.at, str) else list(relation.at)
            evidence = {"kind": "symmetric", "of": relation.of, "axis": relation.axis, "at": at}
            others = {relation.of, *([relation.at] if isinstance(relation.at, str) else relation.at)}
            yield from _defect(
                sketch,
                part,
                axis,
                shift,
                evidence,
                said(random, _MIRROR, part, other=relation.of_name),
                others,
            )


def _in_row(sketch: Sketch, random: Random, relation: Row) -> Iterator[Defect]:
    for key in shuffled(random, relation.parts):
        part = sketch.parts[key]
        ends = [sketch.parts[relation.parts[place]].area for place in (0, -1)]
        extent = ends[1].left - ends[0].left if relation.axis == "x" else ends[1].top - ends[0].top
        step = abs(extent) / (len(relation.parts) - 1)
        least = 0.045 * (sketch.view.width if relation.axis == "x" else sketch.view.height)
        shift = away(part, sketch, relation.axis, max(least, random.uniform(0.3, 0.55) * step), random)
        evidence: Evidence = {"kind": "spacing", "row": list(relation.parts), "axis": relation.axis}
        sentence = said(random, _ROW, part, row=relation.name, way=_way(relation.axis, shift))
        yield from _defect(
            sketch, part, relation.axis, shift, evidence, sentence, set(relation.parts) - {key}
        )


def _way(axis: Axis, shift: float) -> str:
    if axis == "x":
        return "to the right" if shift > 0 else "to the left"
    return "down" if shift > 0 else "up"


def _defect(
    sketch: Sketch, part: Part, axis: Axis, shift: float, evidence: Evidence, sentence: str,
    needs: set[str],
) -> Iterator[Defect]:  # fmt: skip
    if not shift:
        return
    prop, corrupted = shifted(part, axis, shift)
    moved = part.area.moved(shift, 0.0) if axis == "x" else part.area.moved(0.0, shift)
    yield Defect(
        repair_of(part, "move", prop, corrupted, evidence), sentence, part.area.joined(moved),
        _changed(part, axis, shift) / sketch.size, frozenset(needs - {"drawing"}),
        frozenset({f"place of {part.key}"}),
    )  # fmt: skip


def _changed(part: Part, axis: Axis, shift: float) -> float:
    size = part.area.width if axis == "x" else part.area.height
    return 1.4 * (part.ink + part.edge) * min(1.0, abs(shift) / max(size, 1.0))


def shifted(part: Part, axis: Axis, shift: float) -> tuple[str, object]:
    """The property that moves a part along an axis of the drawing, and its value after a shift."""
    own = shift / part.scale
    if part.placed not in ("x", "cx"):
        step = f"translate({num(own)} 0)" if axis == "x" else f"translate(0 {num(own)})"
        return "transform", f"{step} {part.values.get('transform', '')}".strip()
    name = axis if part.placed == "x" else f"c{axis}"
    return name, round(float(part.values.get(name, "0")) + own, 2)


def around(area: Area, pad: float) -> Area:
    """An area grown on all sides."""
    return Area(area.left - pad, area.top - pad, area.right + pad, area.bottom + pad)
