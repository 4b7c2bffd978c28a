"""What is there, and in which order: something missing, something too many, something covered, a wrong link."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from vbench_env.generate.corruptions.base import CORRUPTIONS, Defect, Evidence, repair_of, said, shuffled
from vbench_env.generate.sketch import Linked, Row, Sketch, Spare, Stacked
from vbench_env.repair import Repair

_MISSING = (
    "There is a gap in {row}: add the missing {noun} there, like its neighbours and evenly spaced.",
    "One {noun} is missing from {row}; put one more of the same into the gap, in step with the others.",
    "A {noun} has been lost from {row}. Fill the gap with another one, at equal distances.",
)
_EXTRA = (
    "Remove {spare}, which does not belong in the picture.",
    "{spare} does not belong there; please delete it.",
    "Somebody left {spare} by accident: take it away.",
    "Please get rid of {spare}.",
)
_COVERED = (
    "{it} should be in front of {back}.",
    "{it} {has} got behind {back} by mistake; bring {them} in front of {back}.",
    "{back} covers {it}, but {it} should be in front of {back}.",
)
_LINKED = {
    "href": (
        "{it} should be of the same kind as {others}.",
        "{it} {has} been mixed up with something else; use the same thing there as for {others}.",
        "Something of another kind has got into the place of {it}: make {them} like {others}.",
    ),
    "marker-end": (
        "{it} {has} the wrong end; it should be the same as that of {others}.",
        "The end of {it} should look like those of {others}.",
    ),
    "fill": (
        "{it} should be shaded like {others}.",
        "The shading of {it} is wrong; use the one of {others}.",
    ),
}


@CORRUPTIONS.register("insert")
def insert(sketch: Sketch, random: Random) -> Iterator[Defect]:
    for relation in shuffled(random, [r for r in sketch.relations if isinstance(r, Row) and r.copies]):
        for place in shuffled(random, range(1, len(relation.parts) - 1)):
            if len(relation.parts) < 4:
                continue
            part = sketch.parts[relation.parts[place]]
            peer = relation.parts[place - 1]
            prop = "transform" if part.placed == "transform" else part.placed.replace("x", relation.axis)
            evidence: Evidence = {
                "kind": "equals", "of": peer,
                "except": {prop: {"kind": "spacing", "row": list(relation.parts), "axis": relation.axis}},
            }  # fmt: skip
            sentence = said(random, _MISSING, row=relation.name, noun=relation.noun)
            repair = repair_of(part, "insert", "exists", None, evidence).model_copy(
                update={"named": relation.name, "corrupted": False, "target": True}
            )
            yield Defect(
                repair, sentence, part.area, (part.ink + part.edge) / sketch.size,
                frozenset(relation.parts) - {part.key}, frozenset({f"row {relation.name}"}),
            )  # fmt: skip


@CORRUPTIONS.register("delete")
def delete(sketch: Sketch, random: Random) -> Iterator[Defect]:
    for relation in shuffled(random, [r for r in sketch.relations if isinstance(r, Spare)]):
        sentence = said(random, _EXTRA, spare=relation.name)
        repair = Repair(
            object=relation.key, operation="delete", property="exists", corrupted=True, target=False,
            element=relation.element, parent=relation.parent, before=relation.before, named=relation.name,
            evidence={"kind": "stated", "words": sentence.rstrip(".")},
        )  # fmt: skip
        yield Defect(
            repair, sentence, relation.area, relation.ink / sketch.size, frozenset(),
            frozenset({f"inside {relation.parent}"}),
        )  # fmt: skip


@CORRUPTIONS.register("reorder")
def reorder(sketch: Sketch, random: Random) -> Iterator[Defect]:
    for relation in shuffled(random, [r for r in sketch.relations if isinstance(r, Stacked)]):
        part, back = sketch.parts[relation.front], sketch.parts[relation.back]
        words = f"in front of {back.name}"
        sentence = said(random, _COVERED, part, back=back.name)
        evidence: Evidence = {"kind": "stated", "words": words, "of": back.key}
        yield Defect(
            repair_of(part, "reorder", "order", {"before": back.key}, evidence), sentence, part.area,
            relation.shows / sketch.size, frozenset({back.key}), frozenset({f"order of {back.key}"}),
        )  # fmt: skip


@CORRUPTIONS.register("relink")
def relink(sketch: Sketch, random: Random) -> Iterator[Defect]:
    for relation in shuffled(random, [r for r in sketch.relations if isinstance(r, Linked)]):
        for key in shuffled(random, relation.parts):
            part, wrong = sketch.parts[key], random.choice(relation.wrong)
            peer = random.choice([k for k in relation.parts if k != key])
            yield Defect(
                repair_of(part, "relink", relation.prop, wrong, {"kind": "equals", "of": peer}),
                said(random, _LINKED[relation.prop], part, others=relation.others), part.area,
                0.65 * (part.ink + part.edge) / sketch.size, frozenset({peer}),
                frozenset({f"{relation.prop} of {part.key}"}),
            )  # fmt: skip
