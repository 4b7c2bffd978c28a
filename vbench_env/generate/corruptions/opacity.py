"""Faded: an object that has become see-through."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from vbench_env.generate.corruptions.base import CORRUPTIONS, Defect, repair_of, said, shuffled
from vbench_env.generate.palette import distance, readable
from vbench_env.generate.sketch import Alike, Part, Sketch

_LIKE = (
    "{it} {has} faded; {they} should be as strong as {others}.",
    "{it} {is_} paler than {others}, and should be just as opaque.",
    "{it} should be as little see-through as {others}.",
)
_STATED = (
    "{it} {has} become see-through and should be fully opaque.",
    "{it} {has} faded: make {them} fully opaque again.",
)
_LEAST_CONTRAST = 35.0


@CORRUPTIONS.register("opacity")
def opacity(sketch: Sketch, random: Random) -> Iterator[Defect]:
    for relation in shuffled(random, sketch.relations):
        if not isinstance(relation, Alike) or "opacity" not in relation.props:
            continue
        for key in shuffled(random, relation.parts):
            part = sketch.parts[key]
            if not _contrasts(part):
                continue
            peer = random.choice([k for k in relation.parts if k != key])
            wrong = round(random.uniform(0.22, 0.38), 2)
            if random.random() < 0.5 and float(part.values.get("opacity", "1")) == 1.0:
                sentence, evidence = said(random, _STATED, part), {"kind": "stated", "words": "fully opaque"}
            else:
                sentence = said(random, _LIKE, part, others=relation.others)
                evidence = {"kind": "equals", "of": peer}
            yield Defect(
                repair_of(part, "opacity", "opacity", wrong, evidence), sentence, part.area,
                (part.ink + part.edge) / sketch.size, frozenset({peer}), frozenset({f"opacity of {part.key}"}),
            )  # fmt: skip


def _contrasts(part: Part) -> bool:
    colors = [part.values.get("fill", "#000000")] if part.ink else [part.values.get("stroke", "none")]
    return all(readable(c) and distance(c, part.backdrop) >= _LEAST_CONTRAST for c in colors)
