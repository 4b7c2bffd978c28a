"""A whole drawing written anew under a frame of its root: mirrored, moved, scaled, text still readable.

Every number that is a place or a length changes where it stands; nothing is wrapped. Texts keep their letters:
they are anchored at the mirrored place with the other end, so that their boxes are mirrored and their words are
not.
"""

from __future__ import annotations

from collections.abc import Iterator

from vbench_env.svg.document import Element, SourceDocument
from vbench_env.svg.edit import put_several, put_text, text_of
from vbench_env.svg.parse import Node, Shape
from vbench_env.svg.schema import GRADIENTS, SHAPES, TEXT_ELEMENTS
from vbench_env.svg.style_edit import places, put_declaration
from vbench_env.taskkit.stylesheet import style_rules
from vbench_env.taskkit.variant.draft import Unvaried
from vbench_env.taskkit.variant.frames import Frame, carried
from vbench_env.taskkit.variant.kinds import (
    Pairs,
    gradient_values,
    region_values,
    use_values,
    view_of,
    viewport_values,
)
from vbench_env.taskkit.variant.moved import (
    LENGTHS,
    PLACES,
    Viewport,
    moved_path,
    moved_place,
    moved_points,
    moved_step,
    moved_viewbox,
    scaled_property,
)
from vbench_env.taskkit.variant.spaces import Space, Spaces

_SWAPPED = {"start": "end", "end": "start"}
_PLACED_BY_CSS = frozenset({"x", "y", "cx", "cy", "d", "transform", "transform-origin", "offset-path"})
_READING = frozenset({"writing-mode", "direction", "glyph-orientation-vertical", "unicode-bidi"})
_FIXED_PRIMITIVES = frozenset({
    "feTurbulence", "feDisplacementMap", "feConvolveMatrix", "feDiffuseLighting", "feSpecularLighting", "feImage",
})  # fmt: skip
_OWN_SIZES = frozenset({"filter", "mask", "pattern", "marker", "symbol", "svg", "use"})


class Relayer:
    """Writes the elements of one drawing anew.

    Raises:
        Unvaried: the drawing holds something that cannot be written in new coordinates.
    """

    def __init__(self, svg: str, root: Frame) -> None:
        self.document = SourceDocument(svg)
        self.spaces = Spaces(svg, root)
        self.scene = self.spaces.scene
        self.frame = root
        self.view = view_of(self.scene.root)
        self.port = Viewport(self.view.width, self.view.height)

    def drawing(self) -> str:
        """The new drawing."""
        nodes = self.spaces.document.nodes
        wanted = [(Element(self.document, place), self.values(node)) for place, node in enumerate(nodes)]
        document = put_several([(element, values) for element, values in wanted if values]).document
        for place, node in enumerate(nodes):
            if node.tag == "style":
                element = Element(document, place)
                document = put_text(element, self.sheet(text_of(element))).document
        return document.text

    def values(self, node: Node) -> dict[str, str | None]:
        """The attributes of one element that change, with their new values."""
        return {name: value for name, value in self._values(node) if node.attrs.get(name) != value}

    def moved(self, node: Node, prop: str, text: str) -> str:
        """Another value of a property of `node` in new coordinates, everything else being as it is."""
        if prop not in node.attrs and prop in (*LENGTHS, "font", "filter"):
            return scaled_property(prop, text, self.spaces.of(node).inner.sy)
        shape = Shape(node.tag, {**node.attrs, prop: text})
        twin = Node(shape, node.parent, node.index, node.line)
        self.spaces.frames[twin] = self.spaces.of(node)
        here, there = self.values(node), self.values(twin)
        for name in here.keys() | there.keys():
            if name != prop and here.get(name) != there.get(name):
                raise Unvaried(f"another {prop} of {node.label!r} would change its {name} too")
        return there.get(prop) or text

    def _values(self, node: Node) -> Pairs:
        space = self.spaces.of(node)
        if node is self.scene.root:
            yield from self._root_values()
        yield from self._lengths(node, space.inner.sy)
        if "style" in node.attrs:
            yield "style", self.style(node.attrs["style"], space.inner.sy)
        if "transform" in node.attrs:
            yield "transform", carried(node.attrs["transform"], space.outer, space.inner)[0]
        if self.frame.mirrored and node.attrs.get("text-anchor") in _SWAPPED:
            yield "text-anchor", _SWAPPED[node.attrs["text-anchor"]]
        yield from self._places(node, space)

    def _root_values(self) -> Pairs:
        root = self.scene.root
        text = root.attrs.get("viewBox")
        if text is not None:
            yield "viewBox", moved_viewbox(self.view, text, self.frame)
        elif self.frame != self.frame.inside(*self.view):
            raise Unvaried("the drawing has no viewBox that could be moved")
        for name in ("width", "height"):
            if name in root.attrs:
                yield name, scaled_property(name, root.attrs[name], self.frame.sy)
        if self.frame.mirrored and "text-anchor" not in root.attrs and self._starts_by_default():
            yield "text-anchor", "end"

    def _starts_by_default(self) -> bool:
        """Whether a text is anchored at its start because nothing says otherwise."""
        texts = (node for node in self.spaces.document.nodes if node.tag in TEXT_ELEMENTS)
        return any(not self._anchored(node) for node in texts)

    def _anchored(self, node: Node | None) -> bool:
        while node is not None and self.scene.declared(node, "text-anchor") is None:
            node = node.parent
        return node is not None

    def _lengths(self, node: Node, scale: float) -> Pairs:
        skipped = {"width", "height"} if node.tag in _OWN_SIZES else set()
        if "pathLength" in node.attrs:
            skipped = {"stroke-dasharray", "stroke-dashoffset"}
        for name, value in node.attrs.items():
            if name not in skipped and (name in LENGTHS or name in ("font", "filter")):
                yield name, scaled_property(name, value, scale)

    def style(self, css: str, scale: float) -> str:
        """Declarations in new coordinates."""
        for place in places(css):
            if place.name in _PLACED_BY_CSS or (place.name in _READING and self.frame.mirrored):
                raise Unvaried(f"a style sets {place.name}")
        for name, value in [(place.name, css[place.value_start : place.value_end]) for place in places(css)]:
            new = scaled_property(name, value, scale)
            if name == "text-anchor" and self.frame.mirrored:
                new = _SWAPPED.get(value.strip(), value)
            if new != value:
                css = put_declaration(css, name, new)
        return css

    def sheet(self, css: str) -> str:
        """A style sheet in new coordinates."""
        for rule in reversed(style_rules(css)):
            css = css[: rule.start] + self.style(css[rule.start : rule.end], self.frame.sy) + css[rule.end :]
        return css

    def _places(self, node: Node, space: Space) -> Iterator[tuple[str, str]]:
        if node.tag == "use":
            yield from use_values(self.spaces, node, space, self.port)
        elif node.tag in GRADIENTS:
            yield from gradient_values(self.spaces, node, space, self.port)
        elif node.tag in ("pattern", "mask", "filter"):
            yield from region_values(self.spaces, node, space, self.port)
        elif node.tag in ("symbol", "marker", "svg") and node is not self.scene.root:
            yield from viewport_values(node, space, self.port, self.frame)
        elif node.tag in SHAPES or node.tag in TEXT_ELEMENTS or node.tag in ("image", "foreignObject"):
            yield from self._shape(node, space.inner)
        elif node.tag in ("feOffset", "feDropShadow"):
            yield from self._steps(node, space.inner)
        elif node.tag in _FIXED_PRIMITIVES or (node.tag.startswith("fe") and "x" in node.attrs):
            raise Unvaried(f"the filter primitive {node.tag} cannot be moved")

    def _shape(self, node: Node, frame: Frame) -> Pairs:
        if node.tag == "path" and "d" in node.attrs:
            yield "d", moved_path(node.attrs["d"], frame)
        if "points" in node.attrs:
            yield "points", moved_points(node.attrs["points"], frame)
        bare = node.tag == "text" and _placed_by_parts(node)
        for name in () if bare else PLACES.get(node.tag, ("x", "y")):
            if name in node.attrs:
                yield name, moved_place(node, name, node.attrs[name], frame, self.port)
            elif node.tag in PLACES and float(new := moved_place(node, name, "0", frame, self.port)) != 0.0:
                yield name, new
        yield from self._steps(node, frame)

    def _steps(self, node: Node, frame: Frame) -> Pairs:
        """Steps along x follow the mirror where they move a whole text or shadow, not inside of a text."""
        whole = node.tag not in TEXT_ELEMENTS or node.tag == "text" or "x" in node.attrs
        if "dx" in node.attrs:
            yield "dx", moved_step(node.attrs["dx"], frame.sx if whole else abs(frame.sx))
        if "dy" in node.attrs:
            yield "dy", moved_step(node.attrs["dy"], frame.sy)


def _placed_by_parts(node: Node) -> bool:
    """Whether a text has no place of its own and its first letters take theirs from a part of it."""
    return not {"x", "y"} & node.attrs.keys() and bool(node.children) and not node.text.strip()
