"""What elements of a foreign drawing are called by their look: colour and kind, and whether that fits others too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vbench_env.generate.files.look import Seen, View, mostly, words_in
from vbench_env.generate.files.shapes import kind_of_corners
from vbench_env.generate.sketch import Area
from vbench_env.protected import DRAWN
from vbench_env.render.compare import Mask
from vbench_env.svg.colors import Color, parse_color
from vbench_env.svg.parse import Node
from vbench_env.svg.references import href_target
from vbench_env.taskkit.scene import Box, Scene
from vbench_env.taskkit.variant.color_names import name_of

_PAINT = (
    "fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "fill-opacity", "stroke-opacity", "filter",
    "mask",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Drawn:
    """An element that paints something, with what is needed to compare it."""

    node: Node
    box: Box
    paint: tuple[str, ...]
    words: frozenset[str] | None
    """Words that fit its colours; None when they cannot be told."""


def paint_of(scene: Scene, node: Node) -> tuple[str, ...]:
    """How an element is painted, as its properties say it."""
    return tuple(scene.text_of(node, name) or "" for name in _PAINT)


def words_of(scene: Scene, node: Node, paint: Sequence[str]) -> frozenset[str] | None:
    """Words that fit the colours of an element; None when they cannot be told."""
    if node.tag == "image":
        return None
    texts = [*paint[:2]]
    if node.tag == "use":
        target = scene.document.by_id(href_target(node) or "")
        inside = target.iter() if target is not None else []
        texts += [
            scene.text_of(part, prop) or ""
            for part in inside
            if part.tag in DRAWN
            for prop in ("fill", "stroke")
        ]
    found: set[str] = set()
    for text in texts:
        color = parse_color(text)
        if isinstance(color, Color):
            found |= words_in([color.rgb])
        elif text not in ("none", ""):
            return None
    return frozenset(found)


def color_word(view: View, node: Node, mask: Mask) -> str | None:
    """The word for the colour that its paint gives it or, where that is no plain one, for most of the pixels."""
    fill, stroke = (view.color_of(node, prop) for prop in ("fill", "stroke"))
    shown = view.picture[mask]
    if fill is not None and mostly(shown, fill):
        return name_of(fill)
    outlined = view.scene.text_of(node, "fill") == "none" or fill is not None
    if stroke is not None and outlined and node.tag != "use":
        return f"{name_of(stroke)} outlined"
    coarse, counts = np.unique(shown >> 4, axis=0, return_counts=True)
    votes: dict[str, int] = {}
    for (red, green, blue), count in zip(coarse.tolist(), counts.tolist(), strict=True):
        word = name_of((red * 16 + 8, green * 16 + 8, blue * 16 + 8))
        votes[word] = votes.get(word, 0) + count
    word = max(sorted(votes), key=votes.__getitem__)
    return word if votes[word] >= 0.65 * int(counts.sum()) else None


def kind_word(view: View, group: Sequence[Drawn], members: Sequence[Seen]) -> str:
    """What one would call each of them."""
    node, box = group[0].node, group[0].box
    sizes = [size_of(item.box) for item in group]
    if len({item.node.tag for item in group}) > 1 or min(sizes) < 0.96 * max(sizes):
        return "shape"
    if not _fills(members[0].area, box):
        return "shape"
    wide, tall = box.right - box.left, box.bottom - box.top
    equal = abs(wide - tall) < 0.06 * max(wide, tall)
    filled = members[0].share * view.frame.width * view.frame.height / max(1e-9, wide * tall)
    if node.tag in ("circle", "ellipse"):
        return "circle" if equal else "oval"
    if node.tag in ("path", "use") and equal and 0.74 < filled < 0.83:
        return "circle"
    if node.tag == "use":
        return "square" if equal and filled > 0.96 else "shape"
    kind = "rectangle" if node.tag == "rect" else kind_of_corners(view.scene, node)
    return "square" if kind == "rectangle" and equal else kind


def _fills(area: Area, box: Box) -> bool:
    """Whether what shows of an element reaches as far as its box."""
    return area.width > 0.85 * (box.right - box.left) and area.height > 0.85 * (box.bottom - box.top)


def mistakable(drawn: Iterable[Drawn], group: Sequence[Drawn], color: str, kind: str) -> bool:
    """Whether something else might go by the same name."""
    own = {id(item.node) for item in group}
    size = [_extent(item.box) for item in group]
    aspect = _aspect(group[0].box)
    for other in drawn:
        if id(other.node) in own or (other.words is not None and color.split()[0] not in other.words):
            continue
        extent = _extent(other.box)
        if extent <= min(size) / 2.5 or (kind != "shape" and extent >= max(size) * 2.5):
            continue
        loose = kind == "shape" or other.node.tag in ("path", "polygon", "polyline", "use", "image")
        if loose and (kind == "shape" or 0.75 < _aspect(other.box) / aspect < 1.33):
            return True
        if _KINDS.get(other.node.tag) in (kind, _BROAD.get(kind)):
            return True
    return False


_KINDS = {"circle": "circle", "ellipse": "oval", "rect": "rectangle"}
_BROAD = {"square": "rectangle", "circle": "oval", "oval": "circle"}


def size_of(box: Box) -> float:
    """The area of a box."""
    return (box.right - box.left) * (box.bottom - box.top)


def _extent(box: Box) -> float:
    return max(box.right - box.left, box.bottom - box.top)


def _aspect(box: Box) -> float:
    return max(box.right - box.left, 1e-6) / max(box.bottom - box.top, 1e-6)
