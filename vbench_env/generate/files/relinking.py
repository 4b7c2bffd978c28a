"""Wrong references in a foreign drawing: what those beside refer to says what is right."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from vbench_env.generate.corruptions.base import Defect, shuffled
from vbench_env.generate.files.kin import SHADE, Family
from vbench_env.generate.files.known import Known, sentence_of
from vbench_env.generate.files.look import LEAST_SHARE, Seen, View
from vbench_env.generate.files.servers import gradient_of, target_of
from vbench_env.repair import Repair
from vbench_env.svg.references import href_target
from vbench_env.svg.schema import GRADIENTS

_KINDS = {
    "fill": frozenset({*GRADIENTS, "pattern"}), "stroke": frozenset({*GRADIENTS, "pattern"}),
    "clip-path": frozenset({"clipPath"}), SHADE: GRADIENTS,
}  # fmt: skip
_FILLED = (
    "{name} should be shaded like {others}.", "The shading of {name} is wrong; use the one of {others}.",
    "Something went wrong with the shading of {name}, which should be the same as that of {others}.",
)  # fmt: skip
_SENTENCES = {
    "fill": _FILLED,
    "stroke": ("The line of {name} should be shaded like that of {others}.",),
    "href": (
        "{name} should be of the same kind as {others}.",
        "{name} has been mixed up with something else; use the same thing there as for {others}.",
    ),
    "clip-path": (
        "{name} is cut out wrongly; it should be cut out with the same outline as {others}.",
        "Something is wrong with the outline at which {name} is cut off; use the one of {others}.",
    ),
    SHADE: (
        "The shading of {name} has the wrong colours; they should be those in the shading of {others}.",
        "{name} should be shaded in the same colours as {others}.",
    ),
}


def relink(known: Known, random: Random) -> Iterator[Defect]:
    """One of those that refer to the same thing refers to another one."""
    view = known.view
    for family in shuffled(random, known.kin.linked):
        prop, value = family.link or ("", "")
        wrong = _others(view, prop, value)
        for seen in shuffled(random, family.members if wrong else ()):
            peer = random.choice([other for other in family.members if other is not seen])
            yield _defect(
                random,
                family,
                seen,
                _holder(view, prop, seen),
                _holder(view, prop, peer),
                random.choice(wrong),
            )


def _defect(random: Random, family: Family, seen: Seen, object_: str, peer: str, wrong: str) -> Defect:
    prop = family.link[0] if family.link else ""
    name = family.names[seen.key]
    repair = Repair(
        object=object_, operation="relink", property="href" if prop == SHADE else prop, corrupted=wrong,
        evidence={"kind": "equals", "of": peer}, named=name,
    )  # fmt: skip
    sentence = sentence_of(random, _SENTENCES[prop], name=name, others=family.others)
    return Defect(
        repair, sentence, seen.area, max(seen.share, LEAST_SHARE), frozenset({peer, seen.key} - {object_})
    )


def _holder(view: View, prop: str, seen: Seen) -> str:
    """The object that holds the reference: the element, or the gradient that shades it."""
    if prop != SHADE:
        return seen.key
    gradient = gradient_of(view.scene, seen.node)
    return (gradient.id if gradient is not None else None) or seen.key


def _others(view: View, prop: str, value: str) -> list[str]:
    """Other things that a property could refer to, written as it is; of symbols, those that are shown elsewhere."""
    nodes, own = view.scene.document.nodes, target_of(value)
    if prop == "href":
        shown = [href_target(node) for node in nodes if node.tag == "use"]
        names = [*shown, *(node.id for node in nodes if node.tag == "symbol")]
    else:
        names = [
            node.id for node in nodes
            if node.tag in _KINDS[prop] and (prop != SHADE or any(child.tag == "stop" for child in node.children))
        ]  # fmt: skip
    found = [name for name in dict.fromkeys(names) if name and name != own]
    return [f"#{name}" if prop in ("href", SHADE) else f"url(#{name})" for name in found]
