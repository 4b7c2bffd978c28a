"""Turned: unlike its kind, away from where it should point, a clock hand at another time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from vbench_env.generate.corruptions.base import CORRUPTIONS, Defect, Evidence, repair_of, said, shuffled
from vbench_env.generate.markup import num
from vbench_env.generate.sketch import Alike, Area, Facing, Part, Sketch, Timed

_LONG, _COMPACT = 0.8, 0.3
"""Share of its ink that a turn changes, for pointers and for things of any form."""
_ANGLE = re.compile(r"rotate\(([-\d.]+)")
_LIKE = (
    "{it} {is_} turned the wrong way; {they} should point the same way as {others}.",
    "Turn {it} so that {they} {looks} like {others}.",
)
_FACING = ("{it} should {clause}.", "{it} {is_} turned the wrong way and should {clause}.")
_TIMED = ("{it} should {clause}.", "Turn {it}, which should {clause}.")


@CORRUPTIONS.register("rotate")
def rotate(sketch: Sketch, random: Random) -> Iterator[Defect]:
    for relation in shuffled(random, sketch.relations):
        if isinstance(relation, Alike) and "rotation" in relation.props:
            for key in shuffled(random, relation.parts):
                peer = random.choice([k for k in relation.parts if k != key])
                part = sketch.parts[key]
                sentence = said(random, _LIKE, part, others=relation.others)
                evidence: Evidence = {"kind": "equals", "of": peer}
                yield from _defect(sketch, random, part, evidence, sentence, {peer}, _COMPACT)
        elif isinstance(relation, Facing):
            part = sketch.parts[relation.part]
            evidence = {"kind": "stated", "words": relation.clause, "points": relation.zero}
            yield from _defect(
                sketch, random, part, evidence, said(random, _FACING, part, clause=relation.clause), set()
            )
        elif isinstance(relation, Timed):
            part = sketch.parts[relation.part]
            evidence = {
                "kind": "convention", "name": "clock", "hand": relation.hand, "time": {"text": relation.text},
            }  # fmt: skip
            sentence = said(random, _TIMED, part, clause=relation.clause)
            yield from _defect(sketch, random, part, evidence, sentence, {relation.text})


def _defect(
    sketch: Sketch,
    random: Random,
    part: Part,
    evidence: Evidence,
    sentence: str,
    needs: set[str],
    changed: float = _LONG,
) -> Iterator[Defect]:
    transform = part.values.get("transform", "")
    found = _ANGLE.search(transform)
    if found is None:
        return
    turn = random.choice((-1, 1)) * random.choice((40, 55, 70, 95, 120, 140))
    angle = (float(found[1]) + turn) % 360
    corrupted = transform[: found.start(1)] + num(angle) + transform[found.end(1) :]
    yield Defect(
        repair_of(part, "rotate", "transform", corrupted, evidence), sentence, _swept(part),
        changed * (part.ink + part.edge) / sketch.size, frozenset(needs), frozenset({f"turn of {part.key}"}),
    )  # fmt: skip


def _swept(part: Part) -> Area:
    area = part.area
    grow = max(0.0, (area.height - area.width) / 2)
    tall = max(0.0, (area.width - area.height) / 2)
    return area.moved(-grow, -tall).joined(area.moved(grow, tall))
