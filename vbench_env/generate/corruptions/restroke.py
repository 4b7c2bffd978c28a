"""Another stroke than its kind: too thick, dashed, or no longer dashed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from vbench_env.generate.corruptions.base import CORRUPTIONS, Defect, number_of, repair_of, said, shuffled
from vbench_env.generate.markup import num
from vbench_env.generate.sketch import Alike, Part, Sketch

_WIDTH = (
    "The line of {it} is too {amount}; make it as thick as that of {others}.",
    "{it} should be drawn with a line of the same thickness as {others}.",
    "Give {it} the same line thickness as {others}.",
)
_DASHES = (
    "{it} should be drawn with the same kind of line as {others}.",
    "{it} should have the same line pattern as {others}, {wrong}.",
    "The line pattern of {it} is wrong; use that of {others}.",
)


@CORRUPTIONS.register("restroke")
def restroke(sketch: Sketch, random: Random) -> Iterator[Defect]:
    for relation in shuffled(random, sketch.relations):
        if not isinstance(relation, Alike):
            continue
        for prop, key in shuffled(random, [(p, k) for p in relation.props for k in relation.parts]):
            part = sketch.parts[key]
            peer = random.choice([k for k in relation.parts if k != key])
            if prop == "stroke-width":
                yield from _width(sketch, random, part, peer, relation.others)
            elif prop == "stroke-dasharray":
                yield from _dashes(sketch, random, part, peer, relation.others)


def _width(sketch: Sketch, random: Random, part: Part, peer: str, others: str) -> Iterator[Defect]:
    width = number_of(part, "stroke-width")
    if not width:
        return
    factor = random.choice((0.3, 2.5, 3.0))
    sentence = said(random, _WIDTH, part, others=others, amount="thin" if factor < 1 else "thick")
    yield _defect(
        sketch,
        part,
        "stroke-width",
        round(width * factor, 2),
        peer,
        sentence,
        abs(factor - 1) * part.edge * 0.8,
    )


def _dashes(sketch: Sketch, random: Random, part: Part, peer: str, others: str) -> Iterator[Defect]:
    width = number_of(part, "stroke-width") or 1.0
    dashed = part.values.get("stroke-dasharray", "none") != "none"
    wrong = None if dashed else f"{num(3 * width)} {num(3 * width)}"
    said_wrong = "and not a solid line" if dashed else "and not dashes"
    if wrong is None and "stroke-dasharray" not in part.values:
        return
    sentence = said(random, _DASHES, part, others=others, wrong=said_wrong)
    yield _defect(sketch, part, "stroke-dasharray", wrong or "none", peer, sentence, 0.4 * part.edge)


def _defect(
    sketch: Sketch, part: Part, prop: str, corrupted: object, peer: str, sentence: str, change: float
) -> Defect:
    return Defect(
        repair_of(part, "restroke", prop, corrupted, {"kind": "equals", "of": peer}), sentence, part.area,
        change / sketch.size, frozenset({peer}), frozenset({f"{prop} of {part.key}"}),
    )  # fmt: skip
