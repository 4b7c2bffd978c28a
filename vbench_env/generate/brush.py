"""What a scene draws with: elements go to the tree, parts and relations to the sketch that comes of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from vbench_env.generate.markup import NAMESPACE, Element, draw_hand, markup, num, write
from vbench_env.generate.palette import Palette
from vbench_env.generate.sketch import Area, Part, Relation, Sketch, Spare
from vbench_env.svg.schema import PRESENTATION
from vbench_env.svg.values import parse_points

_GLYPH_WIDTH, _GLYPH_INK = 0.52, 0.14
"""Width and ink of an average letter, for a font size of 1."""
_PLACED = {"rect": "x", "use": "x", "text": "x", "image": "x", "circle": "cx", "ellipse": "cx"}
_WRAPPERS = ("artboard", "sheet", "content", "canvas", "frame")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a task shall be like, as far as the scene has a say in it."""

    size: float = 0.3
    """From 0 (few things) to 1 (many)."""
    depth: int = 0
    """Groups round everything."""


class Brush:
    """Draws one scene of a genre; see `scenes` for how it is used."""

    def __init__(self, genre: str, random: Random, palette: Palette, plan: Plan) -> None:
        self.genre, self.random, self.palette, self.plan = genre, random, palette, plan
        self.hand = draw_hand(random)
        self.title, self.subject = genre, "the drawing"
        self.asides: list[str] = []
        self._root = Element("svg", {"xmlns": NAMESPACE})
        self._stack = [self._root]
        self._offsets: list[tuple[float, float]] = [(0.0, 0.0)]
        self._origin: dict[int, tuple[float, float]] = {}
        self._context: list[dict[str, str]] = [{}]
        self._given: dict[int, dict[str, str]] = {}
        self._parts: dict[str, Part] = {}
        self._relations: list[Relation] = []
        self._defs: Element | None = None
        self.width = self.height = 0.0

    def page(self, width: float, height: float, background: str | None = None) -> None:
        """Begin the drawing: its size, its background, and the groups that the plan wants round everything."""
        border = 24.0 if self.plan.depth else 0.0
        self.width, self.height = width, height
        self._view = Area(0.0, 0.0, width + 2 * border, height + 2 * border)
        self.background = background or self.palette.paper
        box = {"width": num(self._view.width), "height": num(self._view.height)}
        if self.hand.sized:
            self._root.attrs |= box
        self._root.attrs["viewBox"] = f"0 0 {box['width']} {box['height']}"
        self._root.children.append(Element("rect", {"id": "backdrop", **box, "fill": self.background}))
        for depth, name in enumerate(_WRAPPERS[: self.plan.depth]):
            at = (border, border) if depth == 0 else (0.0, 0.0)
            self._open("g", name, at, {})

    def define(self, element: Element) -> None:
        """Put an element (gradient, symbol, marker, clip path) among the definitions."""
        if self._defs is None:
            self._defs = Element("defs")
            self._root.children.insert(0, self._defs)
        self._defs.children.append(element)

    @contextmanager
    def group(
        self, key: str | None = None, at: tuple[float, float] = (0.0, 0.0), **attrs: object
    ) -> Iterator[Element]:
        """A group moved by `at`; what is drawn inside is in its coordinates."""
        before = len(self._stack)
        yield self._open("g", key, at, _texts(attrs))
        del self._stack[before:], self._offsets[before:], self._context[before:]

    def _open(self, tag: str, key: str | None, at: tuple[float, float], attrs: dict[str, str]) -> Element:
        element = Element(tag, {"id": key} if key else {})
        x, y = self._offsets[-1]
        self._note(element, attrs)
        if at != (0.0, 0.0):
            element.attrs["transform"] = f"translate({num(at[0])} {num(at[1])})"
        element.attrs |= attrs
        self._stack[-1].children.append(element)
        self._stack.append(element)
        self._offsets.append((x + at[0], y + at[1]))
        self._context.append({**self._context[-1], **_inherited(attrs)})
        return element

    def add(
        self, tag: str, key: str | None = None, look: str = "", text: str | None = None, **attrs: object
    ) -> Element:
        """Draw an element; underscores in attribute names are hyphens."""
        written = _texts(attrs)
        element = Element(tag, {**({"id": key} if key else {}), **written}, text=text, look=look)
        self._note(element, written)
        self._stack[-1].children.append(element)
        return element

    def _note(self, element: Element, attrs: dict[str, str]) -> None:
        self._origin[id(element)] = self._offsets[-1]
        self._given[id(element)] = {**self._context[-1], **attrs}

    def part(
        self,
        element: Element,
        name: str,
        *,
        area: Area | None = None,
        ink: float | None = None,
        backdrop: str | None = None,
        shows: float = 1.0,
        placed: str | None = None,
        plural: bool = False,
    ) -> str:
        """Say what an element is called; returns its key.

        Args:
            element: it needs an id.
            name: words with article that name this object only.
            area: where it paints, in the coordinates it is drawn in; measured for plain shapes and texts.
            ink: how much of it shows, in square units; measured likewise.
            backdrop: colour behind it; the page's when None.
            shows: share of it that nothing covers.
            placed: how it is moved, where that is not plain from its tag.
            plural: whether the name is a plural.
        """
        key = element.attrs["id"]
        values = self._given[id(element)] | ({"text": element.text} if element.text is not None else {})
        own, painted, edge = measured(element, values)
        area = area or own
        x, y = self._origin[id(element)]
        placed = placed or _PLACED.get(element.tag, "transform")
        self._parts[key] = Part(
            key, name, element.tag, area.moved(x, y), shows * (painted if ink is None else ink), values, shows * edge,
            backdrop or self.background, placed, 1.0, plural,
        )  # fmt: skip
        return key

    def relate(self, *relations: Relation) -> None:
        """State facts about parts."""
        self._relations += relations

    def spare(
        self, element: Element, name: str, parent: str, before: str | None, area: Area | None = None,
        ink: float | None = None,
    ) -> None:  # fmt: skip
        """An object that does not belong here, in the coordinates of where the brush is now."""
        values = {**self._context[-1], **element.attrs}
        own, painted, edge = measured(element, values)
        x, y = self._offsets[-1]
        self._relations.append(
            Spare(
                element.attrs["id"],
                name,
                markup(element, self.hand),
                parent,
                before,
                (area or own).moved(x, y),
                painted + edge if ink is None else ink,
            )
        )

    def sketch(self) -> Sketch:
        """The finished drawing."""
        return Sketch(
            write(self._root, self.hand), self.genre, self.title, self.subject, self._view, self.background,
            self._parts, tuple(self._relations), tuple(color for _, color in self.palette.accents),
            tuple(self.asides),
        )  # fmt: skip


def _texts(attrs: dict[str, object]) -> dict[str, str]:
    return {
        name.rstrip("_").replace("_", "-"): num(value) if isinstance(value, int | float) else str(value)
        for name, value in attrs.items()
        if value is not None
    }


def _inherited(attrs: dict[str, str]) -> dict[str, str]:
    return {k: v for k, v in attrs.items() if k in PRESENTATION and PRESENTATION[k].inherited}


def measured(element: Element, values: dict[str, str]) -> tuple[Area, float, float]:
    """Box, painted area and stroked length times width of a plain shape or text, in its own coordinates."""

    def get(name: str) -> float:
        return float(values.get(name, 0) or 0)

    filled = values.get("fill") != "none"
    stroke = get("stroke-width") if values.get("stroke", "none") != "none" else 0.0
    if element.tag == "circle":
        area = _around(get("cx"), get("cy"), get("r"), get("r"))
        ink, length = math.pi * get("r") ** 2, 2 * math.pi * get("r")
    elif element.tag == "ellipse":
        area = _around(get("cx"), get("cy"), get("rx"), get("ry"))
        ink, length = math.pi * get("rx") * get("ry"), math.pi * (get("rx") + get("ry"))
    elif element.tag == "line":
        xs, ys = sorted((get("x1"), get("x2"))), sorted((get("y1"), get("y2")))
        area = Area(xs[0], ys[0], xs[1], ys[1])
        ink, length = 0.0, math.hypot(area.width, area.height)
    elif element.tag in ("polygon", "polyline"):
        return _of_points(
            parse_points(values.get("points", "")) or (), element.tag == "polygon" and filled, stroke
        )
    elif element.tag == "text":
        return _of_text(values)
    else:
        area = Area(get("x"), get("y"), get("x") + get("width"), get("y") + get("height"))
        ink, length = area.width * area.height, 2 * (area.width + area.height)
    return area, ink if filled else 0.0, length * stroke


def _around(cx: float, cy: float, rx: float, ry: float) -> Area:
    return Area(cx - rx, cy - ry, cx + rx, cy + ry)


def _of_points(
    pairs: tuple[tuple[float, float], ...] | list[tuple[float, float]], closed: bool, stroke: float
) -> tuple[Area, float, float]:
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    ring = list(zip(pairs, [*pairs[1:], pairs[0]], strict=True))
    ink = abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in ring)) / 2 if closed else 0.0
    length = sum(math.dist(a, b) for a, b in (ring if closed else ring[:-1]))
    return Area(min(xs), min(ys), max(xs), max(ys)), ink, length * stroke


def _of_text(values: dict[str, str]) -> tuple[Area, float, float]:
    size = float(values.get("font-size", "16"))
    text = values.get("text", "")
    width = len(text) * size * _GLYPH_WIDTH
    x, y = float(values.get("x", 0) or 0), float(values.get("y", 0) or 0)
    left = x - {"middle": width / 2, "end": width}.get(values.get("text-anchor", "start"), 0.0)
    letters = sum(letter.isalnum() for letter in text)
    return Area(left, y - 0.8 * size, left + width, y + 0.25 * size), letters * size * size * _GLYPH_INK, 0.0
