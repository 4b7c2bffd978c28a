"""Defects of what is a mirror image in a foreign drawing: of another element, or of its own other half."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from vbench_env.evidence import DRAWING
from vbench_env.generate.corruptions.base import Defect, shuffled
from vbench_env.generate.files.ids import named_members
from vbench_env.generate.files.kin import Family
from vbench_env.generate.files.known import Known, box_of, defect_of, sentence_of
from vbench_env.generate.files.look import LEAST_SHARE, Seen
from vbench_env.generate.files.middles import middle_line
from vbench_env.generate.files.reach import adjoin
from vbench_env.generate.files.reshaping import area_outline, dented
from vbench_env.render.compare import Mask
from vbench_env.repair import Repair
from vbench_env.taskkit.outlines import write_outline

_MIRROR = (
    "{name} has lost its shape: it should be the mirror image of {other} across {line}.",
    "{name} is dented, but should be the mirror image of {other} across {line}.",
)
_MISSING = (
    "The {noun} on the {side} has lost its counterpart: add {missing}, across {line}.",
    "There should be two {noun}s. Add {missing}, on the other side of {line}.",
)
_HALF = (
    "The right half of {name} is out of shape; it should mirror the left half across {line}.",
    "{name} is dented on the right: make that half the mirror image of the left half, across {line}.",
)
_PLACED = {"circle": "cx", "ellipse": "cx", "rect": "x", "path": "d", "polygon": "points"}
_ALIKE = 0.85
"""Share of the pixels of two mirror images that must be common."""


def _pairs(known: Known) -> Iterator[tuple[Family, str, str]]:
    """Two elements that mirror each other, with the object on the mirror line and words for the line."""
    for pair in known.kin.facing:
        found = middle_line(known, "x", pair.x, *pair.keys)
        family = known.kin.family(pair) if found is not None else None
        if found is not None and family is not None and _mirrored(*(seen.mask for seen in family.members)):
            yield family, *found


def _mirrored(one: Mask, other: Mask) -> bool:
    """Whether two masks are mirror images but for their place."""
    first, second = _cut(one)[:, ::-1], _cut(other)
    height, width = (min(sides) for sides in zip(first.shape, second.shape, strict=True))
    if max(abs(one - two) for one, two in zip(first.shape, second.shape, strict=True)) > 3:
        return False
    first, second = first[:height, :width], second[:height, :width]
    return float((first & second).sum()) >= _ALIKE * float((first | second).sum())


def _cut(mask: Mask) -> Mask:
    rows, columns = np.nonzero(mask)
    return mask[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def reshape(known: Known, random: Random) -> Iterator[Defect]:
    for family, at, line in _pairs(known):
        for place in shuffled(random, (0, 1)):
            seen, peer = family.members[place], family.members[1 - place]
            found = area_outline(known.view.scene, seen)
            changed = dented(found[1], random) if found else None
            if found is None or changed is None:
                continue
            name = family.names[seen.key]
            sentence = sentence_of(random, _MIRROR, name=name, other=_other(family, peer), line=line)
            yield defect_of(
                seen, "reshape", found[0], write_outline(found[0], changed), _symmetric(peer.key, at), name, sentence,
                needs=(peer.key, *(() if at == DRAWING else (at,))),
            )  # fmt: skip


def _other(family: Family, peer: Seen) -> str:
    """The other one of two, after the first has been named: `the left one`."""
    return family.names[peer.key].split(" of ")[0]


def _symmetric(of: str, at: str) -> dict[str, object]:
    return {"kind": "symmetric", "of": of, "axis": "vertical", "at": at}


def insert(known: Known, random: Random) -> Iterator[Defect]:
    view = known.view
    start = sum(len(family.members) for family in known.kin.twins)
    for family, at, line in _pairs(known):
        keys = named_members(view, family, start)
        start += 2
        nodes = [seen.node for seen in family.members]
        prop = _PLACED.get(nodes[0].tag)
        same = view.scene.matrix(nodes[0]) == view.scene.matrix(nodes[1])
        if keys is None or prop is None or not same or not adjoin(view.scene, nodes, family.boxes):
            continue
        known.given.update(zip(keys, nodes, strict=True))
        for place in shuffled(random, (0, 1)):
            seen, key, peer = family.members[place], keys[place], keys[1 - place]
            side = "left" if family.boxes[1 - place].left < family.boxes[place].left else "right"
            missing = f"the mirror image of the {family.noun}"
            sentence = sentence_of(random, _MISSING, noun=family.noun, side=side, missing=missing, line=line)
            evidence = {"kind": "equals", "of": peer, "except": {prop: _symmetric(peer, at)}}
            repair = Repair(
                object=key, operation="insert", property="exists", corrupted=False, target=True, named=missing,
                evidence=evidence,
            )  # fmt: skip
            needs = frozenset({peer} if at == DRAWING else {peer, at})
            yield Defect(repair, sentence, seen.area, seen.share, needs, frozenset({f"pair {family.noun}"}))


def halves(known: Known, random: Random) -> Iterator[Defect]:
    """The right half of an element that is its own mirror image."""
    view = known.view
    for seen in shuffled(random, known.named):
        found, box = area_outline(view.scene, seen), box_of(view, seen)
        if found is None or [letter for letter, _ in found[1]].count("M") != 1:
            continue
        if box is None or seen.share < 2 * LEAST_SHARE:
            continue
        middle = box.measure("center-x")
        line = middle_line(known, "x", middle, seen.key)
        matrix = view.scene.matrix(seen.node)
        back = matrix.inverse()
        if line is None or back is None or matrix.b or matrix.c or matrix.a <= 0 or not _own_image(seen.mask):
            continue
        changed = dented(found[1], random, right_of=back.apply(middle, 0.0)[0])
        if changed is None:
            continue
        name = known.names[seen.key]
        yield defect_of(
            seen, "reshape", found[0], write_outline(found[0], changed),
            {**_symmetric(seen.key, line[0]), "keep": "left"}, name,
            sentence_of(random, _HALF, name=name, line=line[1]), needs=() if line[0] == DRAWING else (line[0],),
        )  # fmt: skip


def _own_image(mask: Mask) -> bool:
    cut = _cut(mask)
    return _mirrored(cut, cut)
