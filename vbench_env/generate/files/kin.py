"""Elements of a foreign drawing that belong together: twins that differ in their place only, users of one thing.

A family has a name (`orange circles`) that fits nothing else in the picture, and its members are told apart by
their order (`the second of the five orange circles from the left`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

import numpy as np

from vbench_env.errors import VBenchError
from vbench_env.generate.files.look import LEAST_SHARE, Seen, View, name_of_node, plain_nodes, words_in
from vbench_env.generate.files.order import Line, lines_of, names_of
from vbench_env.generate.files.servers import colors_of
from vbench_env.generate.files.shapes import Shape, kind_of_corners, shape_of
from vbench_env.generate.scenes.base import ORDINALS
from vbench_env.render.compare import Mask, changed_pixels
from vbench_env.repair import Repair
from vbench_env.svg.colors import Color, parse_color
from vbench_env.svg.parse import Node
from vbench_env.taskkit.build import derive
from vbench_env.taskkit.scene import Box, Unfounded
from vbench_env.taskkit.variant.color_names import name_of
from vbench_env.taskkit.visibility import pixels

_MOST_DRAWN = 700
"""Drawn elements beyond which no families are looked for."""
_MOST_FAMILIES, _MOST_MEMBERS, _MOST_FACING, _MOST_HIDDEN = 6, 40, 60, 4
_LEAST_SEEN = 0.0018
"""Share of the picture that each member of a family must show."""
_PAINT = (
    "fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "fill-opacity", "stroke-opacity", "filter",
    "mask",
)  # fmt: skip
Link = tuple[str, str]
"""A property, and the reference that it holds."""
SHADE = "shade"
"""Stands for the property of a gradient that says whose colours it takes over."""
_LINKS = ("fill", "stroke", "href", "clip-path")


@dataclass(frozen=True, slots=True)
class Drawn:
    """An element that paints something, with what is needed to compare it."""

    node: Node
    box: Box
    paint: tuple[str, ...]
    words: frozenset[str] | None
    """Words that fit its colours; None when they cannot be told."""


@dataclass(frozen=True, slots=True)
class Family:
    """Visible elements that go by one name."""

    members: tuple[Seen, ...]
    names: dict[str, str]
    color: str
    kind: str
    lines: tuple[Line, ...]
    """Its members as rows or columns, by their place in `members`."""
    boxes: tuple[Box, ...]
    link: Link | None = None
    """Of users: what they refer to."""

    @property
    def noun(self) -> str:
        return f"{self.color} {self.kind}"

    @property
    def others(self) -> str:
        return "the other one" if len(self.members) == 2 else f"the other {self.noun}s"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two elements whose boxes mirror each other."""

    group: tuple[Drawn, Drawn]
    x: float
    """Where the mirror line stands."""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(name_of_node(item.node) for item in self.group)


class Kin:
    """The families of a drawing, found when they are asked for."""

    def __init__(self, view: View) -> None:
        self.view = view

    @cached_property
    def drawn(self) -> tuple[Drawn, ...]:
        nodes = plain_nodes(self.view.scene)
        if len(nodes) > _MOST_DRAWN:
            return ()
        return tuple(item for node in nodes if (item := self._drawn(node)) is not None)

    def _drawn(self, node: Node) -> Drawn | None:
        scene = self.view.scene
        if node.tag == "text":
            return None
        paint = self.paint(node)
        if paint[0] == "none" and paint[1] in ("none", "") and node.tag not in ("use", "image"):
            return None
        try:
            box = scene.box_of(node)
        except (Unfounded, ValueError, OverflowError):
            return None
        return Drawn(node, box, paint, self._words(node, paint))

    def paint(self, node: Node) -> tuple[str, ...]:
        """How an element is painted, as its properties say it."""
        return tuple(self.view.scene.text_of(node, name) or "" for name in _PAINT)

    def _words(self, node: Node, paint: tuple[str, ...]) -> frozenset[str] | None:
        if node.tag in ("use", "image"):
            return None
        found: set[str] = set()
        for text in paint[:2]:
            color = parse_color(text)
            if isinstance(color, Color):
                found |= words_in([color.rgb])
            elif text not in ("none", ""):
                return None
        return frozenset(found)

    @cached_property
    def twins(self) -> tuple[Family, ...]:
        """Families whose members differ in their place only."""
        groups = sorted(self._alike(), key=lambda group: (-_size(group[0].box), group[0].node.path))
        return tuple(self._families(((group, None) for group in groups), twins=True))

    @cached_property
    def linked(self) -> tuple[Family, ...]:
        """Families whose members refer to one thing."""
        return tuple(self._families(self._users(), twins=False))

    @cached_property
    def facing(self) -> tuple[Pair, ...]:
        """Two of equal paint at one height whose boxes mirror each other, the largest first."""
        frame, found = self.view.frame, []
        large = [item for item in self.drawn if _size(item.box) >= LEAST_SHARE * frame.width * frame.height]
        for place, one in enumerate(large[:_MOST_FACING]):
            for other in large[place + 1 : _MOST_FACING]:
                if one.node.tag == other.node.tag and one.paint == other.paint and _level(one.box, other.box):
                    middle = (one.box.measure("center-x") + other.box.measure("center-x")) / 2
                    found.append(Pair((one, other), middle))
        found.sort(key=lambda pair: (-_size(pair.group[0].box), pair.keys))
        return tuple(found[:_MOST_FAMILIES])

    def family(self, pair: Pair) -> Family | None:
        """A pair by its name, if it has one."""
        return self._family(list(pair.group), False, None)

    def _families(
        self, groups: Iterable[tuple[list[Drawn], Link | None]], *, twins: bool
    ) -> Iterator[Family]:
        for group, link in islice(groups, _MOST_FAMILIES):
            family = self._family(group, twins, link)
            if family is not None:
                yield family

    def _alike(self) -> list[list[Drawn]]:
        """Groups of elements of equal paint, outline and size."""
        least = 0.5 * LEAST_SHARE * self.view.frame.width * self.view.frame.height
        buckets: dict[tuple[object, ...], list[tuple[Shape, list[Drawn]]]] = {}
        for item in self.drawn:
            if _size(item.box) < least or (shape := shape_of(self.view.scene, item.node)) is None:
                continue
            groups = buckets.setdefault((item.node.tag, item.paint, shape.letters), [])
            group = next((group for first, group in groups if first.same(shape)), None)
            if group is None:
                groups.append((shape, [item]))
            else:
                group.append(item)
        whole = [group for groups in buckets.values() for _, group in groups]
        return [group for group in whole if 2 <= len(group) <= _MOST_MEMBERS]

    def _users(self) -> list[tuple[list[Drawn], Link]]:
        """Groups of elements that refer to one thing by one property, the gradients that shade them included."""
        found: dict[Link, list[Drawn]] = {}
        scene = self.view.scene
        shading = Counter(scene.text_of(item.node, "fill") for item in self.drawn)
        for item in self.drawn:
            for prop in _LINKS:
                value = scene.declared(item.node, prop) or ""
                if value.startswith("#" if prop == "href" else "url(#"):
                    found.setdefault((prop, value), []).append(item)
            colors = colors_of(scene, item.node)
            if colors is not None and shading[scene.text_of(item.node, "fill")] == 1:
                found.setdefault((SHADE, f"#{colors}"), []).append(item)
        return [(group, link) for link, group in found.items() if 2 <= len(group) <= len(ORDINALS)]

    def _family(self, group: list[Drawn], twins: bool, link: Link | None) -> Family | None:
        """The group as a family; None when its members do not show, or no words fit them alone."""
        members = self._shown(group)
        if members is None or (
            twins and min(m.share for m in members) < 0.75 * max(m.share for m in members)
        ):
            return None
        union = np.logical_or.reduce([member.mask for member in members])
        color, kind = self._color(group[0].node, union), self._kind(group, members)
        boxes = [item.box for item in group]
        lines = lines_of(boxes)
        if color is None or self._mistakable(group, color, kind):
            return None
        names = names_of(lines, len(group), f"{color} {kind}")
        if names is None:
            return None
        keyed = {member.key: name for member, name in zip(members, names, strict=True)}
        return Family(tuple(members), keyed, color, kind, tuple(lines), tuple(boxes), link)

    def _shown(self, group: Sequence[Drawn]) -> list[Seen] | None:
        """What shows of each; None when one of them hardly shows."""
        apart = not any(_overlap(one.box, other.box) for one, other in _pairs(group))
        if not apart and len(group) > _MOST_HIDDEN:
            return None
        union = self._without(group) if apart else None
        found = []
        for item in group:
            mask = self._without([item]) if union is None else union & self._inside(item, union)
            share = float(mask.mean()) if mask is not None else 0.0
            if mask is None or share < _LEAST_SEEN:
                return None
            found.append(Seen(item.node, name_of_node(item.node), mask, share, self.view.area_of(mask)))
        return found

    def _without(self, group: Sequence[Drawn]) -> Mask | None:
        """Which pixels change when some elements are hidden; None when that cannot be drawn."""
        keys = [name_of_node(item.node) for item in group]
        gone = [Repair(object=key, operation="opacity", property="display", corrupted="none") for key in keys]
        view = self.view
        try:
            return changed_pixels(view.picture, pixels(derive(view.svg, gone), view.renderer, view.size_px))
        except (VBenchError, ValueError):
            return None

    def _inside(self, item: Drawn, like: Mask) -> Mask:
        """The pixels of an element's box and the stroke round it."""
        frame, mask = self.view.frame, np.zeros_like(like)
        pad = 0.004 * max(frame.width, frame.height)
        across, down = like.shape[1] / frame.width, like.shape[0] / frame.height
        left, right = (
            (item.box.left - pad - frame.left) * across,
            (item.box.right + pad - frame.left) * across,
        )
        top, bottom = (item.box.top - pad - frame.top) * down, (item.box.bottom + pad - frame.top) * down
        mask[max(0, int(top)) : max(0, int(bottom) + 1), max(0, int(left)) : max(0, int(right) + 1)] = True
        return mask

    def _color(self, node: Node, mask: Mask) -> str | None:
        """The word for the colour that its paint gives it or, where that is no plain one, for most of the pixels."""
        fill, stroke = (self.view.color_of(node, prop) for prop in ("fill", "stroke"))
        shown = self.view.picture[mask]
        if fill is not None and float((abs(shown.astype(int) - list(fill)).max(axis=1) <= 24).mean()) >= 0.5:
            return name_of(fill)
        outlined = self.view.scene.text_of(node, "fill") == "none" or fill is not None
        if stroke is not None and outlined and node.tag != "use":
            return f"{name_of(stroke)} outlined"
        coarse, counts = np.unique(shown >> 4, axis=0, return_counts=True)
        votes: dict[str, int] = {}
        for (red, green, blue), count in zip(coarse.tolist(), counts.tolist(), strict=True):
            word = name_of((red * 16 + 8, green * 16 + 8, blue * 16 + 8))
            votes[word] = votes.get(word, 0) + count
        word = max(sorted(votes), key=votes.__getitem__)
        return word if votes[word] >= 0.65 * int(counts.sum()) else None

    def _kind(self, group: Sequence[Drawn], members: Sequence[Seen]) -> str:
        """What one would call each of them."""
        node, box = group[0].node, group[0].box
        sizes = [_size(item.box) for item in group]
        if len({item.node.tag for item in group}) > 1 or min(sizes) < 0.96 * max(sizes):
            return "shape"
        wide, tall = box.right - box.left, box.bottom - box.top
        equal = abs(wide - tall) < 0.06 * max(wide, tall)
        filled = members[0].share * self.view.frame.width * self.view.frame.height / max(1e-9, wide * tall)
        if node.tag in ("circle", "ellipse"):
            return "circle" if equal else "oval"
        if node.tag == "path" and equal and 0.74 < filled < 0.83:
            return "circle"
        kind = "rectangle" if node.tag == "rect" else kind_of_corners(self.view.scene, node)
        return "square" if kind == "rectangle" and equal else kind

    def _mistakable(self, group: Sequence[Drawn], color: str, kind: str) -> bool:
        """Whether something else might go by the same name."""
        own = {id(item.node) for item in group}
        size = [_extent(item.box) for item in group]
        aspect = _aspect(group[0].box)
        for other in self.drawn:
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


def _extent(box: Box) -> float:
    return max(box.right - box.left, box.bottom - box.top)


def _aspect(box: Box) -> float:
    return max(box.right - box.left, 1e-6) / max(box.bottom - box.top, 1e-6)


def _level(one: Box, other: Box) -> bool:
    """Whether two boxes of one size lie beside each other at one height."""
    near = 0.02 * max(one.right - one.left, one.bottom - one.top)
    return (
        abs(one.top - other.top) <= near
        and abs(one.bottom - other.bottom) <= near
        and abs((one.right - one.left) - (other.right - other.left)) <= near
        and (one.left >= other.right - near or other.left >= one.right - near)
    )


def _size(box: Box) -> float:
    return (box.right - box.left) * (box.bottom - box.top)


def _pairs(group: Sequence[Drawn]) -> Iterator[tuple[Drawn, Drawn]]:
    """Neighbours from left to right, and from top to bottom within what begins at one place."""
    across = sorted(group, key=lambda item: (item.box.left, item.box.top, item.node.path))
    down = sorted(group, key=lambda item: (item.box.top, item.box.left, item.node.path))
    yield from pairwise(across)
    yield from pairwise(down)


def _overlap(one: Box, other: Box) -> bool:
    wide = min(one.right, other.right) - max(one.left, other.left)
    tall = min(one.bottom, other.bottom) - max(one.top, other.top)
    least = min(_size(one), _size(other))
    return wide > 0 and tall > 0 and wide * tall > 0.08 * least
