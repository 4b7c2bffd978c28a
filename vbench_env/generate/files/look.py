"""Looking at a foreign drawing: which elements show, where, in which colours.

Every element that matters is hidden once, and what changes in the picture is what shows of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vbench_env.errors import VBenchError
from vbench_env.generate.sketch import Area
from vbench_env.protected import drawn_nodes
from vbench_env.render import get_renderer
from vbench_env.render.compare import Mask, Pixels, changed_pixels
from vbench_env.svg.colors import Color, parse_color
from vbench_env.svg.parse import Node
from vbench_env.taskkit.build import put_value
from vbench_env.taskkit.scene import Box, Scene, Unfounded, content_text
from vbench_env.taskkit.variant.color_names import SURE, distances
from vbench_env.taskkit.visibility import pixels
from vbench_env.taskkit.wording import looks_generated

WIDTH_PX = 400
_TALLEST_PX = 2048
LEAST_SHARE = 0.0024
"""Share of the picture that an element must show to be worth a defect."""
_SHAPES, _TEXTS = 9, 6
"""How many of the largest shapes and of the texts are looked at."""
_COMMON = 0.0006
"""Share of the pixels from which a colour counts as there."""

RGB = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Seen:
    """An element as it shows in the picture."""

    node: Node
    key: str
    """Id when a designer would use it, else structural path."""
    mask: Mask
    share: float
    area: Area


class View:
    """A drawing with its picture and the elements that show in it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg
        self.scene = Scene(svg)
        self.frame = _frame(self.scene)
        self.size_px = _size_px(self.frame)
        self.renderer = get_renderer("resvg")
        self.picture: Pixels = pixels(svg, self.renderer, self.size_px)
        self.seen: tuple[Seen, ...] = tuple(self._looked())

    def _looked(self) -> Iterator[Seen]:
        for node in _worth_it(self.scene):
            key = name_of_node(node)
            try:
                hidden = pixels(put_value(self.svg, key, "display", "none"), self.renderer, self.size_px)
            except (VBenchError, ValueError):
                continue
            mask = changed_pixels(self.picture, hidden)
            share = float(mask.mean())
            if share >= LEAST_SHARE:
                yield Seen(node, key, mask, share, self.area_of(mask))

    def area_of(self, mask: Mask) -> Area:
        """Where the pixels of a mask lie on the drawing."""
        rows, columns = (places.tolist() for places in np.nonzero(mask))
        width, height = self.frame.width / mask.shape[1], self.frame.height / mask.shape[0]
        return Area(
            self.frame.left + min(columns) * width, self.frame.top + min(rows) * height,
            self.frame.left + (max(columns) + 1) * width, self.frame.top + (max(rows) + 1) * height,
        )  # fmt: skip

    @cached_property
    def texts(self) -> Counter[str]:
        """How often each text stands in the drawing."""
        return Counter(content_text(node) for node in self.scene.document.nodes if node.tag == "text")

    @cached_property
    def words(self) -> frozenset[str]:
        """Basic words of all colours in the picture."""
        return words_in(self.picture.reshape(-1, 3))

    def words_beside(self, seen: Seen) -> frozenset[str]:
        """Basic words of all colours in the picture but where an element shows."""
        return words_in(self.picture[~seen.mask])

    def color(self, seen: Seen, prop: str) -> RGB | None:
        """As `color_of`, of what is seen."""
        return self.color_of(seen.node, prop)

    def color_of(self, node: Node, prop: str) -> RGB | None:
        """A colour of an element as the source gives it; None when it is none, a reference, or see-through."""
        text = self.scene.text_of(node, prop) or ""
        if text.lower() == "currentcolor":
            text = self.scene.text_of(node, "color") or ""
        found = parse_color(text)
        return found.rgb if isinstance(found, Color) and found.alpha == 255 else None


def _size_px(frame: Area) -> tuple[int, int]:
    """Pixels of a picture that shows the whole drawing without borders."""
    return WIDTH_PX, max(1, min(_TALLEST_PX, round(WIDTH_PX * frame.height / frame.width)))


def _frame(scene: Scene) -> Area:
    box = scene.box("drawing")
    if box.right <= box.left or box.bottom <= box.top:
        raise Unfounded("the drawing has no size")
    return Area(*box)


def _worth_it(scene: Scene) -> list[Node]:
    """The elements that may show: the largest shapes, and texts."""
    shapes: list[tuple[float, Node]] = []
    texts: list[Node] = []
    for node in plain_nodes(scene):
        if node.tag == "text":
            texts.append(node)
            continue
        box = painted_box(scene, node)
        if box is not None:
            shapes.append(((box.right - box.left + 1e-6) * (box.bottom - box.top + 1e-6), node))
    shapes.sort(key=lambda item: (-item[0], item[1].path))
    return [node for _, node in shapes[:_SHAPES]] + texts[:_TEXTS]


def painted_box(scene: Scene, node: Node) -> Box | None:
    """The painted box of an element; None where it cannot be measured."""
    try:
        return scene.box_of(node)
    except (ValueError, OverflowError):
        return None


def plain_nodes(scene: Scene) -> list[Node]:
    """The drawn elements that stand in the coordinates of the drawing: in no inner drawing."""
    return [node for node in drawn_nodes(scene.document) if not _within(node, ("svg", "foreignObject"))]


def _within(node: Node, tags: tuple[str, ...]) -> bool:
    around = node.parent
    while around is not None and around.parent is not None:
        if around.tag in tags:
            return True
        around = around.parent
    return False


def name_of_node(node: Node) -> str:
    """The id of an element when it is a good one, else its structural path."""
    name = node.id
    return name if name and not looks_generated(name) and "/" not in name else node.path


def mostly(shown: Pixels, rgb: RGB) -> bool:
    """Whether at least half of these pixels are of a colour, or nearly so."""
    return float((abs(shown.astype(int) - list(rgb)).max(axis=1) <= 24).mean()) >= 0.5


def words_in(colors: Pixels | Sequence[RGB]) -> frozenset[str]:
    """Basic colour words that fit colours which take more than a trace of the pixels."""
    array = np.asarray(colors, dtype=np.uint8)
    if array.size == 0:
        return frozenset()
    coarse = (array >> 4).astype(np.int64)
    values, counts = np.unique(coarse[:, 0] * 256 + coarse[:, 1] * 16 + coarse[:, 2], return_counts=True)
    found: set[str] = set()
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        if count / len(array) >= _COMMON:
            rgb = (value // 256 * 16 + 8, value // 16 % 16 * 16 + 8, value % 16 * 16 + 8)
            nearest = distances(rgb)
            found.update(word for distance, word in nearest if distance <= SURE * nearest[0][0] + 4.0)
    return frozenset(found)
