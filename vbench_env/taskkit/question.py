"""What evidence is asked: one repair, in the corrupted drawing, under one wording of the instruction."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vbench_env.evidence import Words
from vbench_env.repair import Repair
from vbench_env.svg.schema import PRESENTATION
from vbench_env.taskkit.build import put_value
from vbench_env.taskkit.outlines import read_outline, vertices
from vbench_env.taskkit.scene import BOX_MEASURES, Scene, Unfounded
from vbench_env.taskkit.unknowns import TRANSFORMS, Axis, solve, unknown
from vbench_env.taskkit.wording import says

PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Question:
    """A repair to answer.

    `scene` is the corrupted drawing in which the repairs that stand earlier in the task are done; `wording`
    is `plain`, `terse` or `chatty`, and `instruction` the text that goes with it.
    """

    repair: Repair
    scene: Scene
    instruction: str
    wording: str = PLAIN

    def about(self, repair: Repair, scene: Scene) -> Question:
        """The same question about another repair and drawing."""
        return replace(self, repair=repair, scene=scene)

    def words(self, words: Words) -> str:
        """The words of evidence in this wording; they must stand in the instruction."""
        if isinstance(words, dict):
            if self.wording not in words:
                raise Unfounded(f"`words` has no entry for the {self.wording} wording; add one")
            words = words[self.wording]
        if not says(self.instruction, words):
            raise Unfounded(f"the words {words!r} do not stand in the {self.wording} instruction")
        return words

    @property
    def kind(self) -> str:
        """`color`, `text`, `number`, `rotation`, `outline`, ...: what sort of value is asked for."""
        prop, operation = self.repair.property, self.repair.operation
        if operation in ("insert", "delete", "reorder", "text"):
            return operation
        if prop == "transform":
            return "rotation" if operation == "rotate" else "transform"
        if prop in TRANSFORMS:
            return "keyword"
        if prop in ("d", "points"):
            return "outline"
        if operation == "relink" or prop in ("href", "clip-path", "mask", "filter"):
            return "reference"
        info = PRESENTATION.get(prop)
        if info is not None and info.kind in ("color", "paint"):
            return "color"
        if info is not None and info.kind in ("keyword", "keywords", "dashes"):
            return "keyword"
        return "number"

    def changed(self, value: str) -> Scene:
        """The drawing with the object's property set to `value`."""
        return Scene(put_value(self.scene.svg, self.repair.object, self.repair.property, value))

    def at(self, own: str, goal: float, vertex: int | None = None) -> str:
        """The value at which the object's measure `own` is `goal`."""
        name, axis = self.repair.object, axis_of(own)
        free = unknown(self.scene, self.repair, axis, vertex)
        if vertex is None:
            return solve(self.scene, self.repair, free, goal, lambda scene: scene.measure(name, own))
        return solve(
            self.scene, self.repair, free, goal, lambda scene: vertex_at(scene, self.repair, vertex, axis)
        )

    def turned(self, goal: float) -> str:
        """The value at which the object's rotation on the drawing is `goal` degrees."""
        name = self.repair.object
        free = unknown(self.scene, self.repair)
        return solve(
            self.scene, self.repair, free, 0.0, lambda scene: (scene.rotation(name) - goal + 180) % 360 - 180
        )


def vertex_at(scene: Scene, repair: Repair, number: int, axis: Axis) -> float:
    """Where a vertex of the object's outline lies on the drawing."""
    text = scene.text(repair.object, repair.property) or ""
    points = vertices(read_outline(repair.property, text))
    place = scene.matrix(scene.node(repair.object)).apply(*points[number])
    return place[0 if axis == "x" else 1]


_VERTICAL = frozenset(
    {"top", "bottom", "center-y", "box-height", "y", "cy", "y1", "y2", "height", "ry", "dy"}
)


def axis_of(measure: str) -> Axis:
    """The axis along which a measure lies."""
    return "y" if measure in _VERTICAL else "x"


def is_box(measure: str) -> bool:
    return measure in BOX_MEASURES
