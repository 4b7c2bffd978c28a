"""Missing shapes round a text: what the shape round another text looks like, and where it stands, says the rest."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from vbench_env.generate.corruptions.base import Defect
from vbench_env.generate.files.called import paint_of
from vbench_env.generate.files.ids import id_for
from vbench_env.generate.files.known import Known, box_of, sentence_of
from vbench_env.generate.files.labels import labelled
from vbench_env.generate.files.look import Seen, name_of_node
from vbench_env.generate.files.shapes import shape_of
from vbench_env.repair import Repair
from vbench_env.svg.parse import Node
from vbench_env.taskkit.scene import content_text

_MISSING = (
    "{missing} is missing: draw it like {like}, in the same way round its text.",
    "There should be {article} {kind} round “{text}” as there is round “{other}”; add {missing}.",
)
_FIRST = 300
"""Number of the first id that is made up for these."""
_NEAR = 0.002


def insert(known: Known, random: Random) -> Iterator[Defect]:
    view = known.view
    labels = {key: node for key, (_, node) in labelled(view).items()}
    ringed = [seen for seen in known.named if known.names[seen.key].endswith("”") and seen.key in labels]
    for number, seen in enumerate(ringed):
        text = labels[seen.key]
        like = [
            other
            for other in ringed
            if other is not seen and _alike(known, (seen, text), (other, labels[other.key]))
        ]
        peer = random.choice(like) if like else seen
        keys = [
            id_for(view, one.node, known.names[one.key].split()[1], _FIRST + place)
            for one, place in ((seen, number), (peer, ringed.index(peer)))
        ]
        if peer is not seen and keys[0] is not None and keys[1] is not None:
            known.given.update({keys[0]: seen.node, keys[1]: peer.node})
            yield _defect(known, random, (seen, keys[0], text), (peer, keys[1], labels[peer.key]))


def _defect(known: Known, random: Random, one: tuple[Seen, str, Node], two: tuple[Seen, str, Node]) -> Defect:
    (seen, key, text), (peer, like, other) = one, two
    name, kind = known.names[seen.key], known.names[seen.key].split()[1]
    place = {
        "kind": "equals", "of": name_of_node(text), "property": "center-x",
        "like": [like, name_of_node(other)],
    }  # fmt: skip
    repair = Repair(
        object=key, operation="insert", property="exists", corrupted=False, target=True, named=name,
        evidence={"kind": "equals", "of": like, "except": {"transform": place}},
    )  # fmt: skip
    article = "an" if kind[0] in "aeiou" else "a"
    sentence = sentence_of(
        random, _MISSING, missing=name, like=known.names[peer.key], kind=kind, article=article,
        text=content_text(text), other=content_text(other),
    )  # fmt: skip
    needs = frozenset({like, name_of_node(text), name_of_node(other)})
    return Defect(repair, sentence, seen.area, seen.share, needs, frozenset({f"ring {name}"}))


def _alike(known: Known, one: tuple[Seen, Node], two: tuple[Seen, Node]) -> bool:
    """Whether two shapes at one height are equal, and stand round their texts and in the file in the same way."""
    (seen, text), (other, label) = one, two
    view, frame = known.view, known.view.frame
    ours, theirs = shape_of(view.scene, seen.node), shape_of(view.scene, other.node)
    if seen.node.tag != other.node.tag or ours is None or theirs is None or not ours.same(theirs):
        return False
    if paint_of(view.scene, seen.node) != paint_of(view.scene, other.node):
        return False
    if (
        seen.node.parent is None
        or seen.node.parent is not text.parent
        or other.node.parent is not label.parent
    ):
        return False
    boxes = [box_of(view, seen), box_of(view, other), view.scene.box_of(text), view.scene.box_of(label)]
    mine, its, here, there = boxes
    if mine is None or its is None or here is None or there is None:
        return False
    near = _NEAR * max(frame.width, frame.height)
    shift = (mine.measure("center-x") - here.left) - (its.measure("center-x") - there.left)
    level = max(abs(mine.top - its.top), abs(here.top - there.top))
    return abs(shift) <= near and level <= near
