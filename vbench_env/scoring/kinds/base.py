"""What a kind of task is to the scorer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from vbench_env.registry import Registry
from vbench_env.scoring.problem import find
from vbench_env.scoring.rules import Rules
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.svg.document import Edit, Element, SourceDocument
from vbench_env.task import Task


def start_fault(card: Scorecard) -> str | None:
    """Why a start that should be valid, unrepaired and otherwise whole is not; None when it is."""
    blind = [f"{item.object}.{item.property}" for item in card.repairs if item.passed]
    if blind:
        return f"these rules do not see what is wrong with {', '.join(blind)}"
    return None if card.preserved else "a defect counts as an unrequested change"


def mutated(task: Task) -> str | None:
    """The target with a new `data-*` attribute on its first protected object; None when it protects nothing."""
    document = SourceDocument(task.target_svg)
    parsed = document.parsed
    nodes = {node for name in task.protected if (node := find(parsed, name)) is not None}
    first = next((index for index, node in enumerate(parsed.nodes) if node in nodes), None)
    if first is None:
        return None
    element = Element(document, first)
    taken = {attribute.name for attribute in element.attributes}
    name = next(name for name in _fresh_names() if name not in taken)
    place = element.start + 1 + len(element.name)
    return document.edited([Edit(place, place, f' {name}="1"')], "the mutated target").text


def _fresh_names() -> Iterable[str]:
    number = 0
    while True:
        yield f"data-control-{number}" if number else "data-control"
        number += 1


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of task.

    Attributes:
        name: as in `task.yaml`.
        score: judges a candidate (None: nothing was handed in) under a rule set.
        start_fault: why the verdict on the start is not the one that it must have, or None.
        mutated: the target with one change that the preservation gate must see; None when there is nothing to change.
    """

    name: str
    score: Callable[[Task, str | bytes | None, Rules], Scorecard]
    start_fault: Callable[[Scorecard], str | None] = start_fault
    mutated: Callable[[Task], str | None] = mutated


KINDS: Registry[Kind] = Registry("task kind")
