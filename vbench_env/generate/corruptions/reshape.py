"""Out of shape: an outline with a corner pulled away."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

from vbench_env.generate.corruptions.base import CORRUPTIONS, Defect, Evidence, repair_of, said, shuffled
from vbench_env.generate.sketch import Alike, Area, Part, Sketch, Traced
from vbench_env.svg.path_data import Commands
from vbench_env.taskkit.outlines import Unfit, read_outline, vertices, with_vertex, write_outline

_LIKE = (
    "{it} {has} lost {their} shape, which should be the same as that of {others}.",
    "{it} {is_} out of shape: give {them} the same outline as {others}, without moving {them}.",
    "One corner of {it} has been pulled away; the shape should be that of {others}.",
)
_TRACED = (
    "{it} misses {point}: the corner there should lie on the middle of it again.",
    "{it} should run through the middle of {point}, as {they} does with the others.",
)


@CORRUPTIONS.register("reshape")
def reshape(sketch: Sketch, random: Random) -> Iterator[Defect]:
    for relation in shuffled(random, sketch.relations):
        if isinstance(relation, Alike):
            for prop in ("d", "points"):
                for key in shuffled(random, relation.parts if prop in relation.props else ()):
                    yield from _bent(sketch, random, sketch.parts[key], prop, relation)
        elif isinstance(relation, Traced):
            yield from _off(sketch, random, relation)


def _bent(sketch: Sketch, random: Random, part: Part, prop: str, relation: Alike) -> Iterator[Defect]:
    try:
        outline = read_outline(prop, part.values.get(prop, ""))
    except Unfit:
        return
    found = _pulled(outline, random)
    if found is None:
        return
    changed, area = found
    peer = random.choice([key for key in relation.parts if key != part.key])
    evidence: Evidence = {"kind": "equals", "of": peer, "offset": "auto"}
    sentence = said(random, _LIKE, part, others=relation.others)
    yield Defect(
        repair_of(part, "reshape", prop, write_outline(prop, changed), evidence), sentence, part.area,
        0.9 * area * part.scale**2 / sketch.size, frozenset({peer}), frozenset({f"shape of {part.key}"}),
    )  # fmt: skip


def _pulled(outline: Commands, random: Random) -> tuple[Commands, float] | None:
    """One vertex pulled towards the middle so that the top left corner of the box stays; with the area it costs."""
    points = vertices(outline)
    if len(points) < 4:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    middle = (sum(xs) / len(xs), sum(ys) / len(ys))
    for place in shuffled(random, range(1, len(points))):
        others = points[:place] + points[place + 1 :]
        if min(x for x, _ in others) > min(xs) or min(y for _, y in others) > min(ys):
            continue
        x, y = points[place]
        new = (x + 0.75 * (middle[0] - x), y + 0.75 * (middle[1] - y))
        before, after = points[place - 1], points[(place + 1) % len(points)]
        area = abs(_triangle(before, (x, y), after) - _triangle(before, new, after))
        if area > 0.0 and outline[place].letter in "ML":
            return with_vertex(with_vertex(outline, place, 0, new[0]), place, 1, new[1]), area
    return None


def _triangle(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2


def _off(sketch: Sketch, random: Random, relation: Traced) -> Iterator[Defect]:
    part = sketch.parts[relation.part]
    prop = "points" if "points" in part.values else "d"
    outline = read_outline(prop, part.values[prop])
    axis = 0 if relation.axis == "x" else 1
    place = vertices(outline)[relation.vertex]
    shift = random.choice((-1, 1)) * random.uniform(0.75, 1.0) * relation.reach
    changed = with_vertex(outline, relation.vertex, axis, round(place[axis] + shift, 2))
    on = sketch.parts[relation.on].area
    area = Area(on.left - 30, on.top - relation.reach - 8, on.right + 30, on.bottom + relation.reach + 8)
    width = float(part.values.get("stroke-width", "1"))
    legs = _legs(outline, relation.vertex) + _legs(changed, relation.vertex)
    evidence: Evidence = {
        "kind": "aligned", "with": [relation.on], "edge": f"center-{relation.axis}", "vertex": relation.vertex,
    }  # fmt: skip
    yield Defect(
        repair_of(part, "reshape", prop, write_outline(prop, changed), evidence),
        said(random, _TRACED, part, point=relation.on_name), area,
        0.7 * width * legs / sketch.size, frozenset({relation.on}), frozenset({f"shape of {part.key}"}),
    )  # fmt: skip


def _legs(outline: Commands, vertex: int) -> float:
    """Length of the two pieces that meet in a vertex."""
    points = vertices(outline)
    return sum(math.dist(points[vertex], points[vertex + step]) for step in (-1, 1))
