"""The wrong colour: unlike its kind, unlike its legend, or unlike what is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from vbench_env.generate.corruptions.base import CORRUPTIONS, Defect, Evidence, repair_of, said, shuffled
from vbench_env.generate.palette import far_color, readable
from vbench_env.generate.sketch import Alike, Colored, Keyed, Part, Sketch

_LIKE = (
    "{it} {has} the wrong colour; give {them} the same colour as {others}.",
    "{it} should have the same colour as {others}.",
    "Somebody changed the colour of {it}, so please match {them} to {others} again.",
    "The colour of {it} is off: make {them} look like {others}.",
    "{it} {has} come out in another colour than {others}, and all of these should be the same.",
)
_KEYED = (
    "{it} {is_} not in the colour that the legend gives for {label}; use that one.",
    "The legend shows which colour belongs to {label}, and {it} should have it.",
    "Recolour {it} so that it goes with {label} in the legend again.",
)
_STATED = (
    "{it} should be {color}.",
    "Please make {it} {color} again.",
    "{it} {was} meant to be {color}.",
    "{it} {has} lost its colour and should be {color}.",
)


@CORRUPTIONS.register("recolor")
def recolor(sketch: Sketch, random: Random) -> Iterator[Defect]:
    for relation in shuffled(random, sketch.relations):
        if isinstance(relation, Alike):
            props = [prop for prop in relation.props if prop in ("fill", "stroke")]
            for prop, key in shuffled(random, [(p, k) for p in props for k in relation.parts]):
                peer = random.choice([k for k in relation.parts if k != key])
                part = sketch.parts[key]
                sentence = said(random, _LIKE, part, others=relation.others)
                evidence: Evidence = {"kind": "equals", "of": peer}
                yield from _defect(sketch, random, part, prop, evidence, sentence, peer)
        elif isinstance(relation, Keyed):
            part = sketch.parts[relation.part]
            sentence = said(random, _KEYED, part, label=f"“{relation.label_text}”")
            evidence = {"kind": "legend", "swatch": relation.swatch, "label": relation.label}
            if relation.shown != relation.own:
                evidence["property"] = relation.shown
            yield from _defect(sketch, random, part, relation.own, evidence, sentence, relation.swatch)
        elif isinstance(relation, Colored):
            part = sketch.parts[relation.part]
            sentence = said(random, _STATED, part, color=relation.phrase)
            evidence = {"kind": "stated", "words": relation.phrase}
            yield from _defect(sketch, random, part, relation.prop, evidence, sentence)


def _defect(
    sketch: Sketch, random: Random, part: Part, prop: str, evidence: Evidence, sentence: str,
    peer: str | None = None,
) -> Iterator[Defect]:  # fmt: skip
    value = part.values.get(prop, "")
    if not readable(value):
        return
    wrong = far_color(random, (value, part.backdrop), sketch.colors)
    if wrong is None:
        return
    painted = part.edge if prop == "stroke" else part.ink
    yield Defect(
        repair_of(part, "recolor", prop, wrong, evidence), sentence, part.area, painted / sketch.size,
        frozenset({peer} if peer else ()), frozenset({f"{prop} of {part.key}"}),
    )  # fmt: skip
