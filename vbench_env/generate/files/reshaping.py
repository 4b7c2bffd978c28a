"""Outlines of a foreign drawing out of shape, where twins show the right one; and how an outline is dented."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

from vbench_env.evidence import DRAWING, Axis
from vbench_env.generate.corruptions.base import Defect, shuffled
from vbench_env.generate.files.kin import Family
from vbench_env.generate.files.known import Known, defect_of, number_of, sentence_of
from vbench_env.generate.files.look import Seen
from vbench_env.generate.files.middles import middle_line
from vbench_env.generate.files.shapes import outline_of
from vbench_env.svg.path_data import Command, Commands, bounds
from vbench_env.taskkit.outlines import vertices, with_vertex, write_outline
from vbench_env.taskkit.scene import Scene

_LIKE = (
    "{name} has lost its shape, which should be the same as that of {others}.",
    "{name} is out of shape: give it the same outline as {others}, without moving it.",
    "Something has dented {name}; it should have the same outline as {others}.",
)
_CORNERS = (
    "The corners of {name} should be as round as those of {others}.",
    "{name} should have corners of the same roundness as {others}.",
)
_REACH, _DEPTH = 0.3, 0.8
"""How far round its deepest point a dent reaches (share of the size), and how far it goes towards the middle."""


def area_outline(scene: Scene, seen: Seen) -> tuple[str, Commands] | None:
    """The property that holds the outline of a path or polygon, and its commands."""
    return outline_of(scene, seen.node) if seen.node.tag in ("path", "polygon") else None


def like_twins(known: Known, random: Random) -> Iterator[Defect]:
    for family in known.kin.twins:
        for seen in shuffled(random, family.members):
            peer = random.choice([other for other in family.members if other is not seen])
            if seen.node.tag == "rect":
                yield from _corners(known, random, family, seen, peer)
            found = area_outline(known.view.scene, seen)
            changed = dented(found[1], random, keep_corner=True) if found else None
            if found is None or changed is None:
                continue
            name = family.names[seen.key]
            sentence = sentence_of(random, _LIKE, name=name, others=family.others)
            yield defect_of(
                seen, "reshape", found[0], write_outline(found[0], changed),
                {"kind": "equals", "of": peer.key, "offset": "auto"}, name, sentence, needs=(peer.key,),
            )  # fmt: skip


def _corners(known: Known, random: Random, family: Family, seen: Seen, peer: Seen) -> Iterator[Defect]:
    """A rectangle whose corners are less round, or rounder, than those of its twins."""
    view = known.view
    radius, sides = number_of(view, seen, "rx"), [number_of(view, seen, prop) for prop in ("width", "height")]
    if not radius or view.scene.declared(seen.node, "ry") or not all(sides):
        return
    most = 0.5 * min(side for side in sides if side)
    name = family.names[seen.key]
    yield defect_of(
        seen, "reshape", "rx", 0 if radius > 0.5 * most else round(most, 3), {"kind": "equals", "of": peer.key}, name,
        sentence_of(random, _CORNERS, name=name, others=family.others), needs=(peer.key,),
    )  # fmt: skip


_CORNER = (
    "The {which} corner of {name} should lie on {line} again.",
    "The {which} corner of {name} has been pulled aside; it belongs on {line}.",
)


def corners(known: Known, random: Random) -> Iterator[Defect]:
    """A corner that should lie on the middle line of the drawing or of something else."""
    for seen in shuffled(random, known.named):
        found = area_outline(known.view.scene, seen)
        if found is None or any(command.letter == "A" for command in found[1]):
            continue
        for which, place, axis in shuffled(random, list(_tips(known.view.scene, seen, found[1]))):
            yield from _aside(known, random, seen, found, (which, place, axis))


def _tips(scene: Scene, seen: Seen, outline: Commands) -> Iterator[tuple[str, int, Axis]]:
    """Corners that lie further out than all others: what they are called, their number, and where they may slip."""
    matrix = scene.matrix(seen.node)
    drawn = [matrix.apply(*point) for point in vertices(outline)]
    letters = [command.letter for command in outline if command.letter != "Z"]
    if not 3 <= len(drawn) <= 40 or letters.count("M") != 1:
        return
    wide, tall = (max(p[i] for p in drawn) - min(p[i] for p in drawn) for i in (0, 1))
    for which, side, sign in (("top", 1, -1), ("bottom", 1, 1), ("left", 0, -1), ("right", 0, 1)):
        order = sorted(range(len(drawn)), key=lambda place: -sign * drawn[place][side])
        ahead = abs(drawn[order[0]][side] - drawn[order[1]][side])
        place = order[0]
        after = letters[(place + 1) % len(letters)]
        if ahead > 0.1 * (tall if side else wide) and place and letters[place] == "L" and after in "LM":
            yield which, place, "x" if side else "y"


def _aside(
    known: Known, random: Random, seen: Seen, found: tuple[str, Commands], tip: tuple[str, int, Axis]
) -> Iterator[Defect]:
    view, (prop, outline), (which, place, axis) = known.view, found, tip
    matrix = view.scene.matrix(seen.node)
    back, (x, y) = matrix.inverse(), matrix.apply(*vertices(outline)[place])
    line = middle_line(known, axis, x if axis == "x" else y, seen.key)
    if line is None or back is None or matrix.b or matrix.c:
        return
    shift = random.choice((-1, 1)) * 0.35 * (seen.area.width if axis == "x" else seen.area.height)
    at = back.apply(x + shift, y) if axis == "x" else back.apply(x, y + shift)
    changed = with_vertex(outline, place, 0 if axis == "x" else 1, round(at[0 if axis == "x" else 1], 3))
    other, words = line
    evidence = {"kind": "aligned", "with": [other], "edge": f"center-{axis}", "vertex": place}
    name = known.names[seen.key]
    yield defect_of(
        seen, "reshape", prop, write_outline(prop, changed), evidence, name,
        sentence_of(random, _CORNER, which=which, name=name, line=words), needs=() if other == DRAWING else (other,),
        share=0.2 * seen.share,
    )  # fmt: skip


def dented(
    outline: Commands, random: Random, *, keep_corner: bool = False, right_of: float | None = None
) -> Commands | None:
    """An outline with a dent; None when it bears none.

    Args:
        outline: what to change.
        random: says where.
        keep_corner: the top left corner of its box stays.
        right_of: only points at a greater x may move.
    """
    box, points = bounds(outline), vertices(outline)
    if box is None or len(points) < 3:
        return None
    size = max(box[2] - box[0], box[3] - box[1])
    for x, y in shuffled(random, sorted(set(points)))[:16]:
        if right_of is not None and x - right_of < 0.15 * size:
            continue
        reach = _REACH * size if right_of is None else min(_REACH * size, 0.4 * (x - right_of))
        changed = _pulled(outline, (x, y), ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), reach, right_of)
        after = bounds(changed)
        if after is None or _area(outline, changed) < 0.04 * size * size:
            continue
        if not keep_corner or max(abs(after[0] - box[0]), abs(after[1] - box[1])) < 1e-4 * size:
            return changed
    return None


def _pulled(
    outline: Commands, place: tuple[float, float], goal: tuple[float, float], reach: float,
    right_of: float | None,
) -> Commands:  # fmt: skip
    """All points near a place pulled towards a goal, the nearer the further."""

    def moved(x: float, y: float) -> tuple[float, float]:
        if right_of is not None and x <= right_of:
            return x, y
        share = _DEPTH * math.exp(-((math.dist((x, y), place) / reach) ** 2))
        if share < 0.1:
            return x, y
        return x + share * (goal[0] - x), y + share * (goal[1] - y)

    found = []
    for letter, args in outline:
        start = 5 if letter == "A" else 0
        pairs = [moved(*args[at : at + 2]) for at in range(start, len(args), 2)]
        found.append(Command(letter, (*args[:start], *(value for pair in pairs for value in pair))))
    return tuple(found)


def _area(one: Commands, other: Commands) -> float:
    """How much less or more two outlines of equal commands enclose, by their corners."""
    return abs(_enclosed(one) - _enclosed(other))


def _enclosed(outline: Commands) -> float:
    points = vertices(outline)
    return 0.5 * sum(
        x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True)
    )
