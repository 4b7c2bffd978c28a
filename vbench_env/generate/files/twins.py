"""Defects of elements that have twins: what the others of a family look like says what is right.

The family is stated as a sketch, as composed scenes state theirs, and the corruptions of composed scenes do the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from vbench_env.generate.corruptions import CORRUPTIONS
from vbench_env.generate.corruptions.base import Defect, said, shuffled
from vbench_env.generate.files.ids import named_members
from vbench_env.generate.files.kin import Family
from vbench_env.generate.files.known import Known, Offer
from vbench_env.generate.files.look import Seen, View
from vbench_env.generate.files.order import Line
from vbench_env.generate.files.reach import adjoin
from vbench_env.generate.sketch import Alike, Area, Part, Relation, Row, Sketch
from vbench_env.repair import Repair
from vbench_env.taskkit.color_words import hex_of

_STROKES = ("stroke-width", "stroke-dasharray")
_SIZES = {"circle": ("r",), "rect": ("width", "height")}
_KEPT = (
    "fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "x", "y", "cx", "cy", "r", "width", "height",
    "d", "points", "transform", "href", "clip-path",
)  # fmt: skip
_PLACED = {"circle": "cx", "ellipse": "cx", "rect": "x", "use": "x", "path": "d"}
_STEP = 0.004
"""Share of a row's length by which its steps may differ."""
_THIRD = (
    "The middle one of three {noun}s is missing: add {missing}, halfway between the other two.",
    "There should be three {noun}s in a {sort}. Put {missing} halfway between the two that are there.",
)


def likeness(operation: str) -> Offer:
    """Defects of an operation that the twins of an element show how to repair."""

    def offer(known: Known, random: Random) -> Iterator[Defect]:
        parts: dict[str, Part] = {}
        relations: list[Relation] = []
        for family in known.kin.twins:
            keys = [seen.key for seen in family.members]
            parts.update((seen.key, part_of(known.view, family, seen, seen.key)) for seen in family.members)
            relations += [_alike(known.view, family), *_rows(family, keys, least=4)]
        yield from CORRUPTIONS.get(operation)(sketch_of(known, parts, relations), random)

    return offer


def insert(known: Known, random: Random) -> Iterator[Defect]:
    """One within an even row is missing; members without ids get some in the target."""
    view, start = known.view, 0
    parts: dict[str, Part] = {}
    rows: list[Row] = []
    nouns: list[str] = []
    for family in known.kin.twins:
        keys = named_members(view, family, start)
        start += len(family.members)
        if keys is None:
            continue
        for row in _rows(family, keys, least=3):
            if not _in_reach(view, family, keys, row):
                continue
            for key, seen in zip(keys, family.members, strict=True):
                parts[key] = part_of(view, family, seen, key)
                known.given[key] = seen.node
            rows.append(row)
            nouns.append(family.noun)
    for row, noun in shuffled(random, zip(rows, nouns, strict=True)):
        if len(row.parts) == 3:
            yield _third(known, random, parts, row, noun)
        else:
            yield from CORRUPTIONS.get("insert")(sketch_of(known, parts, [row]), random)


def _third(known: Known, random: Random, parts: dict[str, Part], row: Row, noun: str) -> Defect:
    """The middle one of three."""
    before, key, after = row.parts
    part, missing, size = parts[key], f"another {row.noun} like them", known.view.frame
    prop = part.placed.replace("x", row.axis) if part.placed in ("x", "cx") else part.placed
    spacing = {"kind": "spacing", "row": list(row.parts), "axis": row.axis}
    repair = Repair(
        object=key, operation="insert", property="exists", corrupted=False, target=True, named=missing,
        evidence={"kind": "equals", "of": before, "except": {prop: spacing}},
    )  # fmt: skip
    sentence = said(random, _THIRD, noun=noun, missing=missing, sort="row" if row.axis == "x" else "column")
    return Defect(
        repair, sentence, part.area, part.ink / (size.width * size.height), frozenset({before, after}),
        frozenset({f"row {row.name}"}),
    )  # fmt: skip


def sketch_of(known: Known, parts: dict[str, Part], relations: Sequence[Relation]) -> Sketch:
    """What is known, as corruptions of composed scenes take it."""
    return Sketch(known.view.svg, "", "", "", Area(*known.view.frame), "", parts, tuple(relations))


def part_of(view: View, family: Family, seen: Seen, key: str) -> Part:
    """A member of a family as a part that goes by `key`."""
    scene, node = view.scene, seen.node
    values = {name: text for name in _KEPT if (text := scene.text_of(node, name)) is not None}
    size = view.frame.width * view.frame.height
    width = _number(values.get("stroke-width", "")) if values.get("stroke", "none") != "none" else 0.0
    scale = scene.matrix(node).scale_factor or 1.0
    edge = 2 * (seen.area.width + seen.area.height) * width * scale
    return Part(
        key, family.names[seen.key], node.tag, seen.area, seen.share * size, values, edge, _backdrop(view, seen),
        _placed(view, family), scale,
    )  # fmt: skip


def _number(text: str) -> float:
    try:
        return float(text.removesuffix("px"))
    except ValueError:
        return 0.0


def _placed(view: View, family: Family) -> str:
    """By what the members differ in their place."""
    nodes = [seen.node for seen in family.members]
    if len({view.scene.declared(node, "transform") or "" for node in nodes}) > 1:
        return "transform"
    return _PLACED.get(nodes[0].tag, "points")


def _backdrop(view: View, seen: Seen) -> str:
    """The commonest colour round an element."""
    mask = seen.mask
    rows, columns = np.nonzero(mask)
    ring = np.zeros_like(mask)
    ring[max(0, rows.min() - 3) : rows.max() + 4, max(0, columns.min() - 3) : columns.max() + 4] = True
    ring[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1] = False
    around = view.picture[ring & ~mask]
    if not len(around):
        return ""
    colors, counts = np.unique(around, axis=0, return_counts=True)
    red, green, blue = colors[int(counts.argmax())].tolist()
    return hex_of((red, green, blue))


def _alike(view: View, family: Family) -> Alike:
    first = family.members[0].node
    props = ["opacity", *_SIZES.get(first.tag, ())]
    if (view.scene.text_of(first, "stroke") or "none") != "none":
        props += _STROKES
    return Alike(tuple(seen.key for seen in family.members), tuple(props), family.others)


def _rows(family: Family, keys: Sequence[str], *, least: int) -> Iterator[Row]:
    """The lines of a family that go in even steps, of at least so many members."""
    for line in family.lines:
        if len(line.places) >= least and line.straight and _even(family, line):
            parts = tuple(keys[place] for place in line.places)
            if len(parts) > 3 or line.count == 1:
                yield Row(parts, line.axis, line.called(family.noun), family.kind, copies=True)


def _even(family: Family, line: Line) -> bool:
    boxes = [family.boxes[place] for place in line.places]
    along = np.array([box.measure(f"center-{line.axis}") for box in boxes])
    across = np.array([box.measure("center-y" if line.axis == "x" else "center-x") for box in boxes])
    near = _STEP * float(np.ptp(along))
    return bool(np.ptp(np.diff(along)) <= near and np.ptp(across) <= near)


def _in_reach(view: View, family: Family, keys: Sequence[str], row: Row) -> bool:
    places = [keys.index(key) for key in row.parts]
    nodes = [family.members[place].node for place in places]
    return adjoin(view.scene, nodes, [family.boxes[place] for place in places])
