"""What a corruption is: one broken fact of a sketch, and the sentence that asks to mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from vbench_env.generate.sketch import Area, Part, Sketch
from vbench_env.registry import Registry
from vbench_env.repair import Repair

Evidence: TypeAlias = dict[str, Any]
"""As a task file has it."""
LEAST_SHARE = 0.0032
"""Share of the drawing that a defect must change by the estimates below: about twice what must be seen."""


@dataclass(frozen=True, slots=True)
class Defect:
    """One corruption of a sketch.

    `needs` are the objects that its evidence goes by; `claims` are facts that no other defect may break too.
    """

    repair: Repair
    sentence: str
    area: Area
    """Where the defect shows."""
    share: float
    """Estimated share of the drawing that it changes."""
    needs: frozenset[str] = frozenset()
    claims: frozenset[str] = frozenset()


Corruption: TypeAlias = Callable[[Sketch, Random], Iterator[Defect]]
"""Defects of one operation that a sketch bears, in an order by lot."""

CORRUPTIONS: Registry[Corruption] = Registry("corruption", "vbench_env.corruptions")


def shuffled(random: Random, items: Any) -> list[Any]:
    """The items in an order by lot."""
    found = list(items)
    random.shuffle(found)
    return found


def said(random: Random, templates: tuple[str, ...], part: Part | None = None, **words: str) -> str:
    """One of the templates as a sentence; `{it}` is the part's name, `{has}`, `{is_}`, `{they}` go with it."""
    many = part is not None and part.plural
    verbs = {"has": "have", "is_": "are", "they": "they", "was": "were", "them": "them", "looks": "look",
             "their": "their"} if many else {
        "has": "has", "is_": "is", "they": "it", "was": "was", "them": "it", "looks": "looks", "their": "its",
    }  # fmt: skip
    text = random.choice(templates).format(it=part.name if part else "", **verbs, **words)
    return text[0].upper() + text[1:]


def number_of(part: Part, prop: str) -> float | None:
    """A property of a part as a number; None when it has none."""
    try:
        return float(part.values.get(prop, ""))
    except ValueError:
        return None


def away(part: Part, sketch: Sketch, axis: str, amount: float, random: Random) -> float:
    """`amount` to the side on which the part stays on the drawing."""
    sides = [amount, -amount]
    random.shuffle(sides)
    for side in sides:
        area = part.area.moved(side, 0.0) if axis == "x" else part.area.moved(0.0, side)
        view = sketch.view
        if (
            area.left >= view.left
            and area.right <= view.right
            and area.top >= view.top
            and area.bottom <= view.bottom
        ):
            return side
    return 0.0


def repair_of(part: Part, operation: str, prop: str, corrupted: Any, evidence: dict[str, Any]) -> Repair:
    """A repair of a part that the instruction names by the part's name."""
    return Repair.model_validate(
        {
            "object": part.key, "operation": operation, "property": prop, "corrupted": corrupted,
            "evidence": evidence, "named": part.name,
        }
    )  # fmt: skip
