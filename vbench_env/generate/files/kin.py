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
from vbench_env.generate.files.called import (
    Drawn,
    color_word,
    kind_word,
    mistakable,
    paint_of,
    size_of,
    words_of,
)  # fmt: skip
from vbench_env.generate.files.look import LEAST_SHARE, Seen, View, name_of_node, painted_box, plain_nodes
from vbench_env.generate.files.order import Line, lines_of, names_of
from vbench_env.generate.files.servers import colors_of
from vbench_env.generate.files.shapes import Shape, shape_of
from vbench_env.generate.scenes.base import ORDINALS
from vbench_env.render.compare import Mask, changed_pixels
from vbench_env.repair import Repair
from vbench_env.svg.parse import Node
from vbench_env.taskkit.build import derive
from vbench_env.taskkit.scene import Box
from vbench_env.taskkit.visibility import pixels

_MOST_DRAWN = 700
"""Drawn elements beyond which no families are looked for."""
_MOST_FAMILIES, _MOST_MEMBERS, _MOST_FACING, _MOST_HIDDEN = 6, 40, 60, 4
_LEAST_SEEN = 0.0018
"""Share of the picture that each member of a family must show."""
Link = tuple[str, str]
"""A property, and the reference that it holds."""
SHADE = "shade"
"""Stands for the property of a gradient that says whose colours it takes over."""
_LINKS = ("fill", "stroke", "href", "clip-path")


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
        paint = paint_of(scene, node)
        if paint[0] == "none" and paint[1] in ("none", "") and node.tag not in ("use", "image"):
            return None
        box = painted_box(scene, node)
        return Drawn(node, box, paint, words_of(scene, node, paint)) if box is not None else None

    @cached_property
    def twins(self) -> tuple[Family, ...]:
        """Families whose members differ in their place only."""
        groups = sorted(self._alike(), key=lambda group: (-size_of(group[0].box), group[0].node.path))
        return tuple(self._families(((group, None) for group in groups), twins=True))

    @cached_property
    def linked(self) -> tuple[Family, ...]:
        """Families whose members refer to one thing."""
        return tuple(self._families(self._users(), twins=False))

    @cached_property
    def facing(self) -> tuple[Pair, ...]:
        """Two of equal paint at one height whose boxes mirror each other, the largest first."""
        frame, found = self.view.frame, []
        large = [item for item in self.drawn if size_of(item.box) >= LEAST_SHARE * frame.width * frame.height]
        for place, one in enumerate(large[:_MOST_FACING]):
            for other in large[place + 1 : _MOST_FACING]:
                if one.node.tag == other.node.tag and one.paint == other.paint and _level(one.box, other.box):
                    middle = (one.box.measure("center-x") + other.box.measure("center-x")) / 2
                    found.append(Pair((one, other), middle))
        found.sort(key=lambda pair: (-size_of(pair.group[0].box), pair.keys))
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
            if size_of(item.box) < least or (shape := shape_of(self.view.scene, item.node)) is None:
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
        color, kind = color_word(self.view, group[0].node, union), kind_word(self.view, group, members)
        boxes = [item.box for item in group]
        lines = lines_of(boxes)
        if color is None or mistakable(self.drawn, group, color, kind):
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


def _level(one: Box, other: Box) -> bool:
    """Whether two boxes of one size lie beside each other at one height."""
    near = 0.02 * max(one.right - one.left, one.bottom - one.top)
    return (
        abs(one.top - other.top) <= near
        and abs(one.bottom - other.bottom) <= near
        and abs((one.right - one.left) - (other.right - other.left)) <= near
        and (one.left >= other.right - near or other.left >= one.right - near)
    )


def _pairs(group: Sequence[Drawn]) -> Iterator[tuple[Drawn, Drawn]]:
    """Neighbours from left to right, and from top to bottom within what begins at one place."""
    across = sorted(group, key=lambda item: (item.box.left, item.box.top, item.node.path))
    down = sorted(group, key=lambda item: (item.box.top, item.box.left, item.node.path))
    yield from pairwise(across)
    yield from pairwise(down)


def _overlap(one: Box, other: Box) -> bool:
    wide = min(one.right, other.right) - max(one.left, other.left)
    tall = min(one.bottom, other.bottom) - max(one.top, other.top)
    least = min(size_of(one), size_of(other))
    return wide > 0 and tall > 0 and wide * tall > 0.08 * least
