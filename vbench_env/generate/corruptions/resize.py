"""The wrong size: unlike its kind, or unlike the number that it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from vbench_env.generate.corruptions.base import (
    CORRUPTIONS,
    Defect,
    Evidence,
    number_of,
    repair_of,
    said,
    shuffled,
)
from vbench_env.generate.markup import num
from vbench_env.generate.sketch import Alike, Part, Sketch, Valued

_WHAT = {"r": "size", "width": "width", "height": "height", "font-size": "letter size", "box-width": "size"}
_LIKE = (
    "{it} should have the same {what} as {others}.",
    "The {what} of {it} is wrong; make it the same as that of {others}.",
    "{it} {has} come out too {amount}: give {them} the same {what} as {others}.",
)
_VALUED = (
    "{it} {is_} too {amount} for {clause}.",
    "The length of {it} does not fit {clause}; correct the length.",
    "Make {it} as long as {clause} asks for.",
)
_SCALE = re.compile(r"scale\(([-\d.]+)\)")


@CORRUPTIONS.register("resize")
def resize(sketch: Sketch, random: Random) -> Iterator[Defect]:
    for relation in shuffled(random, sketch.relations):
        if isinstance(relation, Alike):
            props = [prop for prop in relation.props if prop in _WHAT]
            for prop, key in shuffled(random, [(p, k) for p in props for k in relation.parts]):
                peer = random.choice([k for k in relation.parts if k != key])
                yield from _like(sketch, random, sketch.parts[key], prop, peer, relation.others)
        elif isinstance(relation, Valued):
            part, value = sketch.parts[relation.part], number_of(sketch.parts[relation.part], relation.prop)
            if value is None:
                continue
            factor = _factor(random)
            evidence: Evidence = {
                "kind": "legend", "value": relation.value, "others": dict(relation.others),
                "measure": relation.prop,
            }  # fmt: skip
            sentence = said(random, _VALUED, part, clause=relation.clause, amount=_amount(factor, "long"))
            yield from _defect(
                sketch, part, relation.prop, relation.prop, value, factor, evidence, sentence,
                frozenset({relation.value, *relation.others, *relation.others.values()}),
            )  # fmt: skip


def _like(sketch: Sketch, random: Random, part: Part, prop: str, peer: str, others: str) -> Iterator[Defect]:
    factor = _factor(random)
    sentence = said(random, _LIKE, part, others=others, what=_WHAT[prop], amount=_amount(factor, "big"))
    if prop != "box-width":
        value = number_of(part, prop)
        if value is not None:
            yield from _defect(
                sketch,
                part,
                prop,
                prop,
                value,
                factor,
                {"kind": "equals", "of": peer},
                sentence,
                frozenset({peer}),
            )
        return
    transform = part.values.get("transform", "")
    found = _SCALE.search(transform)
    if found is None:
        return
    scaled = transform[: found.start(1)] + num(float(found[1]) * factor) + transform[found.end(1) :]
    evidence: Evidence = {"kind": "equals", "of": peer, "property": "box-width"}
    yield from _defect(sketch, part, "transform", prop, scaled, factor, evidence, sentence, frozenset({peer}))


def _factor(random: Random) -> float:
    return random.uniform(0.45, 0.62) if random.random() < 0.6 else random.uniform(1.4, 1.6)


def _amount(factor: float, sort: str) -> str:
    small = {"long": "short", "big": "small"}[sort]
    return small if factor < 1 else sort


def _defect(
    sketch: Sketch, part: Part, prop: str, measure: str, value: float | str, factor: float,
    evidence: Evidence, sentence: str, needs: frozenset[str],
) -> Iterator[Defect]:  # fmt: skip
    corrupted = value if isinstance(value, str) else round(value * factor, 2)
    power = 1 if measure in ("width", "height") else 2
    change = part.ink * abs(1 - min(factor, 1.3) ** power) * 0.8 + part.edge * 0.5
    if measure == "font-size":
        change = part.ink
    grown = max(0.0, factor - 1)
    area = part.area
    area = area.joined(area.moved(area.width * grown, 0)).joined(area.moved(0, area.height * grown))
    yield Defect(
        repair_of(part, "resize", prop, corrupted, evidence), sentence, area, change / sketch.size, needs,
        frozenset({f"size of {part.key}"}),
    )  # fmt: skip
