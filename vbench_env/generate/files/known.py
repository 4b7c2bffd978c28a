"""What is known of a foreign drawing when defects are looked for, and how a defect is put together.

What a defect is called must hold in the corrupted drawing: a recoloured element is the only one of its (new)
colour, a wrong text is quoted as it stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from vbench_env.generate.corruptions.base import Defect, said
from vbench_env.generate.files.kin import Kin
from vbench_env.generate.files.look import Seen, View, painted_box
from vbench_env.generate.files.naming import absent_words, names
from vbench_env.generate.sketch import Area
from vbench_env.repair import Repair
from vbench_env.svg.parse import Node
from vbench_env.svg.values import parse_length
from vbench_env.taskkit.scene import Box


@dataclass(frozen=True, slots=True)
class Known:
    """A view with what its elements are called and the colours that are free."""

    view: View
    names: dict[str, str]
    free: list[str]
    kin: Kin
    given: dict[str, Node]
    """Ids that elements get in the target when a defect goes by them."""

    @classmethod
    def of(cls, view: View) -> Known:
        return cls(view, names(view), absent_words(view), Kin(view), {})

    @property
    def named(self) -> list[Seen]:
        return [seen for seen in self.view.seen if seen.key in self.names]


Offer = Callable[[Known, Random], Iterator[Defect]]


def defect_of(
    seen: Seen, operation: str, prop: str, corrupted: Any, evidence: dict[str, Any], named: str, sentence: str,
    *, share: float | None = None, needs: tuple[str, ...] = (), area: Area | None = None, claim: str = "",
) -> Defect:  # fmt: skip
    repair = Repair.model_validate(
        {
            "object": seen.key, "operation": operation, "property": prop, "corrupted": corrupted,
            "evidence": evidence, "named": named,
        }
    )  # fmt: skip
    return Defect(
        repair, sentence, area or seen.area, seen.share if share is None else share, frozenset(needs),
        frozenset({claim} if claim else ()),
    )  # fmt: skip


def sentence_of(random: Random, templates: tuple[str, ...], **words: str) -> str:
    """One of the templates as a sentence."""
    return said(random, templates, None, **words)


def box_of(view: View, seen: Seen) -> Box | None:
    """The painted box of an element; None where it cannot be measured, or the picture shows it elsewhere."""
    box = painted_box(view.scene, seen.node)
    if box is None or seen.node.tag == "text":
        return box
    width = (
        number_of(view, seen, "stroke-width") if view.scene.text_of(seen.node, "stroke") != "none" else 0.0
    )
    pad = 2 * (width or 0.0) * (view.scene.matrix(seen.node).scale_factor or 1.0)
    pad += 3 * view.frame.width / view.size_px[0]
    around = Area(box.left - pad, box.top - pad, box.right + pad, box.bottom + pad)
    return box if around.joined(seen.area) == around else None


def number_of(view: View, seen: Seen, prop: str) -> float | None:
    """A length of an element in user units; None where it has none."""
    length = parse_length(view.scene.text_of(seen.node, prop) or "")
    return length.to_px() if length is not None else None
