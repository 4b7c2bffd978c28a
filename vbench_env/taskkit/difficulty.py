"""How hard a task is, by what can be measured, and the formula as data.

    points = sum over FORMULA of weight * scale(measure)

with the measures: repairs (a rule over many objects is one); objects (drawn elements); look-alikes (mean number,
over the repairs, of other drawn elements of the same kind and about the same size); depth (mean nesting of the
repaired objects); size (characters of the corrupted source). A level begins at its points in `LEVELS`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from vbench_env.protected import drawn_nodes, find_object
from vbench_env.repair import Repair
from vbench_env.svg.parse import Node
from vbench_env.svg.schema import PRESENTATION
from vbench_env.task import Task
from vbench_env.task_file import Difficulty
from vbench_env.taskkit.scene import Box, Scene, Unfounded


class Term(NamedTuple):
    """A weight and how the measure is scaled."""

    weight: float
    scale: Callable[[float], float]


def _log(value: float) -> float:
    return math.log2(1 + value)


def _plain(value: float) -> float:
    return value


FORMULA: dict[str, Term] = {
    "repairs": Term(1.0, _plain),
    "objects": Term(0.5, _log),
    "lookalikes": Term(0.5, _log),
    "depth": Term(0.5, _plain),
    "kilocharacters": Term(0.5, _log),
}
LEVELS: tuple[tuple[float, Difficulty], ...] = ((13.9, "very hard"), (11.0, "hard"), (8.0, "medium"))
"""Points from which a level begins; below all of them a task is easy."""

_ALIKE = 0.25
"""Sizes are alike when they differ by at most this share."""


class Measures(NamedTuple):
    """The measures of a task that the formula takes."""

    repairs: float
    objects: float
    lookalikes: float
    depth: float
    kilocharacters: float

    @property
    def points(self) -> float:
        return sum(term.weight * term.scale(getattr(self, name)) for name, term in FORMULA.items())

    @property
    def level(self) -> Difficulty:
        return next((level for least, level in LEVELS if self.points >= least), "easy")


def measure_difficulty(task: Task) -> Measures:
    """The measures of `task`, taken on its target (look-alikes, depth) and corrupted source (size)."""
    scene = Scene(task.target_svg)
    drawn = drawn_nodes(scene.document)
    nodes = [repaired_node(scene, repair) for repair in task.repairs]
    sizes = {node: size for node in drawn if (size := _size(scene, node)) is not None}
    alike = [_alike(node, sizes) for node in nodes if node is not None]
    depths = [node.path.count("/") for node in nodes if node is not None]
    count = max(1, len(task.repairs))
    return Measures(
        repairs=task.goal.requests(task.repairs), objects=len(drawn), lookalikes=sum(alike) / count,
        depth=sum(depths) / max(1, len(depths)), kilocharacters=len(task.corrupted_svg) / 1000,
    )  # fmt: skip


def repaired_node(scene: Scene, repair: Repair) -> Node | None:
    """The repaired object in the target; for a deletion, its parent."""
    name = repair.parent if repair.operation == "delete" else repair.object
    return find_object(scene.document, name or "")


def _size(scene: Scene, node: Node) -> tuple[float, float] | None:
    try:
        box: Box = scene.box_of(node)
    except Unfounded:
        return None
    return box.measure("box-width"), box.measure("box-height")


def lookalikes(scene: Scene, repair: Repair) -> int:
    """Other drawn elements of the kind, style and about the size of the repaired object."""
    node = find_object(scene.document, repair.object)
    if node is None:
        return 0
    sizes = {
        other: size for other in drawn_nodes(scene.document) if (size := _size(scene, other)) is not None
    }
    alike = {other: size for other, size in sizes.items() if _look(scene, other) == _look(scene, node)}
    return _alike(node, alike)


def _look(scene: Scene, node: Node) -> tuple[str | None, ...]:
    return tuple(scene.text_of(node, prop) for prop in ("fill", "stroke", "href"))


def _alike(node: Node, sizes: dict[Node, tuple[float, float]]) -> int:
    own = sizes.get(node)
    return sum(
        other is not node and other.tag == node.tag and (own is None or _close(size, own))
        for other, size in sizes.items()
    )


def _close(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(abs(a - b) <= _ALIKE * max(a, b) for a, b in zip(one, other, strict=True))


def is_styled(scene: Scene, node: Node) -> bool:
    """Whether an object has cascaded or inherited properties, or lies under a transform."""
    around: Node | None = node
    while around is not None:
        if around.attrs.get("transform") or (around is node and scene.sheets.match(node).rules):
            return True
        if around is not node and (scene.sheets.match(around).rules or _gives_properties(around)):
            return True
        around = around.parent
    return False


def _gives_properties(node: Node) -> bool:
    declared = {part.partition(":")[0].strip() for part in node.attrs.get("style", "").split(";")}
    names = declared | set(node.attrs)
    return any(PRESENTATION[name].inherited for name in names if name in PRESENTATION)
