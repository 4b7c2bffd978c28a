"""Outlines of elements for comparison: equal up to their place, or not."""

from __future__ import annotations

from dataclasses import dataclass

from vbench_env.svg.parse import Node
from vbench_env.svg.path_data import Commands, bounds
from vbench_env.svg.values import parse_length
from vbench_env.taskkit.outlines import Unfit, read_outline, vertices
from vbench_env.taskkit.scene import Scene

_NEAR = 0.004
"""Share of an outline's size by which equal ones may differ."""
_LENGTHS = {"rect": ("width", "height", "rx", "ry"), "circle": ("r",), "ellipse": ("rx", "ry")}
_PROPERTIES = {"path": "d", "polygon": "points", "polyline": "points"}


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
    found = outline_of(scene, node)
    box = bounds(found[1]) if found is not None else None
    if found is None or box is None:
        return None
    outline = found[1]
    size = max(box[2] - box[0], box[3] - box[1])
    letters = "".join(command.letter for command in outline)
    return Shape(f"{letters} {turn}", tuple(_relative(outline, box)), size)


def kind_of_corners(scene: Scene, node: Node) -> str:
    """What a straight outline is called by its corners: triangle, rectangle, diamond, or just shape."""
    found = outline_of(scene, node)
    if found is None or any(letter not in "MLZ" for letter, _ in found[1]):
        return "shape"
    outline = found[1]
    matrix = scene.matrix(node)
    corners = list(
        dict.fromkeys((round(x, 2), round(y, 2)) for x, y in (matrix.apply(*p) for p in vertices(outline)))
    )
    if [letter for letter, _ in outline].count("M") != 1 or len(corners) not in (3, 4):
        return "shape"
    if len(corners) == 3:
        return "triangle"
    xs, ys = sorted(x for x, _ in corners), sorted(y for _, y in corners)
    near = 0.02 * max(xs[3] - xs[0], ys[3] - ys[0])
    if max(xs[1] - xs[0], xs[3] - xs[2], ys[1] - ys[0], ys[3] - ys[2]) <= near:
        return "rectangle"
    middle = [abs(values[place] - (values[0] + values[3]) / 2) for values in (xs, ys) for place in (1, 2)]
    return "diamond" if max(middle) <= near else "shape"


def outline_of(scene: Scene, node: Node) -> tuple[str, Commands] | None:
    """The property that holds an element's outline, and its commands; None when it has none, or an unreadable one."""
    prop = _PROPERTIES.get(node.tag)
    if prop is None:
        return None
    try:
        return prop, read_outline(prop, scene.declared(node, prop) or "")
    except Unfit:
        return None


def _length(scene: Scene, node: Node, prop: str) -> float:
    length = parse_length(scene.text_of(node, prop) or "")
    return (length.to_px() or 0.0) if length is not None else 0.0


def _relative(outline: Commands, box: tuple[float, float, float, float]) -> list[float]:
    """All numbers of an outline, places counted from its top left corner."""
    found: list[float] = []
    for letter, args in outline:
        start = 5 if letter == "A" else 0
        found += args[:start]
        found += [value - box[place % 2] for place, value in enumerate(args[start:])]
    return found
