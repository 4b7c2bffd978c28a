"""Drawings as pictures, and rings round objects in them.

A drawing enters a page through the renderer or not at all: what cannot be drawn is a reason in words. Rings
are ours: rectangles in pixels of the picture, laid over it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Literal, NamedTuple

from vbench_env.errors import VBenchError
from vbench_env.protected import UNDRAWN_CONTAINERS, find_object
from vbench_env.render import Picture, Renderer, RenderFailure, RenderRequest, frame_of
from vbench_env.render.viewport import viewport_of
from vbench_env.svg.document import Element, SourceDocument
from vbench_env.svg.frames import EMPTY, Box
from vbench_env.svg.parse import Document, Node, parse
from vbench_env.svg.references import href_target, split_urls
from vbench_env.tools.boxes import canvas_box

WIDTH_PX = 480
TALLEST_PX = 680
LARGEST_TEXT = 1_500_000
"""Characters of a drawing in which objects are still looked for."""
_PAD_PX = 5.0
_LEAST_PX = 16.0
_BADGE_PX = 11.0
_MOST_USERS = 4
"""Elements painted by one definition that its ring goes round."""

RingKind = Literal["wanted", "passed", "missed", "change"]
Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture for a page, or the reason why there is none.

    Attributes:
        uri: address of the picture, `data:image/png;base64,...` or a file; None without one, or where the page
            has it already.
        like: the picture of the same task that this one equals pixel for pixel.
        reason: why there is none; None with one.
        notes: what differs from the document, such as a reference that was left out.
    """

    width_px: int
    height_px: int
    uri: str | None = None
    like: Literal["corrupted", "target"] | None = None
    reason: str | None = None
    notes: tuple[str, ...] = ()


class PxBox(NamedTuple):
    """A rectangle in pixels of a picture."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring with a badge at (`badge_x`, `badge_y`). `absent`: the object is not in this drawing, its place is."""

    label: str
    kind: RingKind
    box: PxBox
    absent: bool
    badge_x: float
    badge_y: float


def picture_size(svg: str) -> Size:
    """Pixels of a picture of a drawing in its own proportions, at most `WIDTH_PX` by `TALLEST_PX`."""
    root = parse(svg[:LARGEST_TEXT]).root if len(svg) <= LARGEST_TEXT else None
    viewport = viewport_of(root) if root is not None else None
    if viewport is None or isinstance(viewport, RenderFailure):
        return WIDTH_PX, round(WIDTH_PX * 0.75)
    height = WIDTH_PX * viewport.height / viewport.width
    if height > TALLEST_PX:
        return max(120, round(WIDTH_PX * TALLEST_PX / height)), TALLEST_PX
    return WIDTH_PX, max(40, round(height))


Camera = Callable[[str | None, Size], Shot]
"""Draws a document for a page."""


def take(
    svg: str | None, size: Size, renderer: Renderer, address: Callable[[Picture], str] | None = None
) -> Shot:
    """Draw a document for a page; whatever it holds, only pixels come back.

    Args:
        svg: None where nothing was handed in.
        size: of the picture.
        renderer: draws it.
        address: where a page finds the picture; in the page itself when None.
    """
    if svg is None:
        return Shot(*size, reason="There is no drawing: nothing was handed in.")
    result = renderer.render(RenderRequest(svg, *size))
    if isinstance(result, RenderFailure):
        return Shot(*size, reason=str(result))
    return Shot(*size, uri=(address or _data_address)(result), notes=result.notes)


def packed(picture: Picture) -> bytes:
    """A PNG made smaller without losing a pixel."""
    from PIL import Image

    smaller = BytesIO()
    with Image.open(BytesIO(picture.png), formats=["PNG"]) as image:
        image.convert("RGB").save(smaller, "PNG", compress_level=6)
    return smaller.getvalue()


@lru_cache(maxsize=64)
def _data_address(picture: Picture) -> str:
    """The picture itself; the last ones are kept, for many answers look alike."""
    return "data:image/png;base64," + base64.b64encode(packed(picture)).decode("ascii")


class Places:
    """Where the objects of one drawing are in its picture."""

    def __init__(self, svg: str | None, size: Size) -> None:
        self.size = size
        self._source = SourceDocument(svg) if svg and len(svg) <= LARGEST_TEXT else None
        self._parsed: Document | None = self._source.parsed if self._source is not None else None
        root = self._parsed.root if self._parsed is not None else None
        frame = frame_of(root, RenderRequest("", *size)) if root is not None else None
        self._frame = None if isinstance(frame, RenderFailure) else frame
        self._known: dict[str, PxBox | None] = {}
        self._users: dict[str, list[Node]] | None = None

    @property
    def readable(self) -> bool:
        """Whether objects can be looked for: the drawing is well-formed and not too large."""
        return self._frame is not None

    def box(self, name: str) -> PxBox | None:
        """The box of an object by id or structural path; None when it is not there, or nobody can say where."""
        if name not in self._known:
            self._known[name] = self._measured(name)
        return self._known[name]

    def _measured(self, name: str) -> PxBox | None:
        if self._parsed is None or self._frame is None:
            return None
        node = find_object(self._parsed, name)
        if node is None or node.parent is None:
            return None
        box = EMPTY if _defined(node) else self._box_of(node)
        if box.empty:
            for user in self._painted_by(node):
                box = box.union(self._box_of(user))
        return None if box.empty else self._in_pixels(box)

    def _painted_by(self, definition: Node) -> list[Node]:
        """Elements that paint by means of a definition (a gradient and the like), or of the one it stands in."""
        if self._users is None:
            self._users = _users(self._parsed) if self._parsed is not None else {}
        node: Node | None = definition
        while node is not None and node.parent is not None:
            if users := self._users.get(node.id or ""):
                return users[:_MOST_USERS]
            node = node.parent
        return []

    def _box_of(self, node: Node) -> Box:
        source, parsed = self._source, self._parsed
        if source is None or parsed is None:
            return EMPTY
        try:
            placed = canvas_box(Element(source, parsed.nodes.index(node)))
        except (VBenchError, ValueError, ArithmeticError, RecursionError):
            return EMPTY
        return EMPTY if placed is None else placed.box

    def _in_pixels(self, box: Box) -> PxBox | None:
        """The box, a little larger and inside the picture; None when it lies outside."""
        if self._frame is None:
            return None
        width, height = self.size
        left, top = self._frame.to_px(box.left, box.top)
        right, bottom = self._frame.to_px(box.right, box.bottom)
        if not (left < width and right > 0 and top < height and bottom > 0):
            return None
        left, right = _widened(left, right, width)
        top, bottom = _widened(top, bottom, height)
        return PxBox(round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1))


def _widened(low: float, high: float, side: int) -> tuple[float, float]:
    grow = max(_PAD_PX, (_LEAST_PX - (high - low)) / 2)
    return max(1.5, low - grow), min(side - 1.5, high + grow)


def _defined(node: Node) -> bool:
    """Whether an element is, or stands in, something that is drawn only where it is referred to."""
    at: Node | None = node
    while at is not None and at.tag not in UNDRAWN_CONTAINERS:
        at = at.parent
    return at is not None


def _users(document: Document) -> dict[str, list[Node]]:
    """Elements that refer to an id: by `href`, or by `url(#id)` in an attribute."""
    found: dict[str, list[Node]] = {}
    for node in document.nodes:
        names = {href_target(node)}
        for value in node.attrs.values():
            urls = split_urls(value) if "url(" in value else None
            names.update(urls.ids if urls is not None else ())
        for name in names - {None}:
            found.setdefault(str(name), []).append(node)
    return found


def rings(wanted: Iterable[tuple[str, RingKind, PxBox, bool]], size: Size) -> tuple[Ring, ...]:
    """Rings with badges that do not cover each other, where that is possible.

    Args:
        wanted: label, kind, box, and whether the object is absent, of each ring.
        size: of the picture.
    """
    taken: list[tuple[float, float]] = []
    found = []
    for label, kind, box, absent in wanted:
        x, y = _badge_place(box, taken, size)
        taken.append((x, y))
        found.append(Ring(label, kind, box, absent, round(x, 1), round(y, 1)))
    return tuple(found)


def _badge_place(box: PxBox, taken: list[tuple[float, float]], size: Size) -> tuple[float, float]:
    right, bottom = box.x + box.width, box.y + box.height
    corners = [(box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom)]
    inside = [
        (_inside(x, size[0]), _inside(y, size[1]))
        for x, y in [*corners, (box.x + box.width / 2, box.y), (box.x, box.y + box.height / 2)]
    ]
    free = (
        place for place in inside
        if all(abs(place[0] - x) + abs(place[1] - y) > 2 * _BADGE_PX for x, y in taken)
    )  # fmt: skip
    return next(free, inside[0])


def _inside(value: float, side: int) -> float:
    return min(max(value, _BADGE_PX + 1), side - _BADGE_PX - 1)
