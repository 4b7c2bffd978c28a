"""Outlines of elements for comparison: equal up to their place, or not."""

from __future__ import annotations

from dataclasses import dataclass

from vbench_env.svg.parse import Node
from vbench_env.svg.path_data import bounds
from vbench_env.svg.values import parse_length
from vbench_env.taskkit.outlines import Unfit, read_outline
from vbench_env.taskkit.scene import Scene

_NEAR = 0.004
"""Share of an outline's size by which equal ones may differ."""
_LENGTHS = {"rect": ("width", "height", "rx", "ry"), "circle": ("r",), "ellipse": ("rx", "ry")}


@dataclass(frozen=True, slots=True)
class Shape:
    """An outline without its place; `letters` must be equal, `numbers` nearly."""

    letters: str
    numbers: tuple[float, ...]
    size: float

    def same(self, other: Shape) -> bool:
        near = _NEAR * self.size
        return self.letters == other.letters and all(
            abs(one - two) <= near for one, two in zip(self.numbers, other.numbers, strict=True)
        )


def shape_of(scene: Scene, node: Node) -> Shape | None:
    """The outline of an element in its own coordinates, with how they lie on the drawing; None when it has none."""
    matrix = scene.matrix(node)
    turn = tuple(round(value, 4) for value in matrix[:4])
    if node.tag in _LENGTHS:
        values = tuple(_length(scene, node, prop) for prop in _LENGTHS[node.tag])
        return Shape(repr(turn), values, max(values)) if max(values) > 0 else None
    if node.tag == "use":
        return Shape(f"{scene.declared(node, 'href')} {turn}", (), 1.0)
    prop = "points" if node.tag in ("polygon", "polyline") else "d"
    if node.tag not in ("path", "polygon", "polyline"):
        return None
    try:
        outline = read_outline(prop, scene.declared(node, prop) or "")
    except Unfit:
        return None
    box = bounds(outline)
    if box is None:
        return None
    size = max(box[2] - box[0], box[3] - box[1])
    letters = "".join(command.letter for command in outline)
    return Shape(f"{letters} {turn}", tuple(_relative(outline, box)), size)


def _length(scene: Scene, node: Node, prop: str) -> float:
    length = parse_length(scene.text_of(node, prop) or "")
    return (length.to_px() or 0.0) if length is not None else 0.0


def _relative(outline: object, box: tuple[float, float, float, float]) -> list[float]:
    """All numbers of an outline, places counted from its top left corner."""
    found: list[float] = []
    for letter, args in outline:  # type: ignore[attr-defined]
        start = 5 if letter == "A" else 0
        found += args[:start]
        found += [value - box[place % 2] for place, value in enumerate(args[start:])]
    return found
