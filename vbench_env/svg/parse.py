"""Secure parsing of SVG text into a light, immutable-by-convention tree.

One pass of expat with namespaces on. Elements in the SVG namespace have their local name as tag, any other
element `{namespace}local` (`{}local` without a namespace). Attributes without a namespace have their plain
name, others `{namespace}local`. Comments and processing instructions inside the root carry no data and join
the character data on both sides. Nothing outside the text is ever read: external entities and DTDs stay
unloaded, and every count is held against `Limits`.

Start tags that are letter for letter the same (name and ordered attributes) share one `Shape`, so that what
depends on the start tag alone is computed once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

SVG_NS = "http://www.w3.org/2000/svg"
XLINK_NS = "http://www.w3.org/1999/xlink"
XML_NS = "http://www.w3.org/XML/1998/namespace"
XLINK_HREF = f"{{{XLINK_NS}}}href"
XML_SPACE = f"{{{XML_NS}}}space"

_SVG_PREFIX = SVG_NS + "}"
_ENCODING = re.compile(rb"""^<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one document; crossing one makes it invalid with the limit's name, never a crash.

    `growth` is how many characters a candidate may be longer than ten times the longer drawing of its task.
    `style_text` counts characters of CSS that is parsed as such, embedded files aside; `style_matches` compound
    selectors tested against elements.
    """

    bytes: int = 5_000_000
    growth: int = 200_000
    elements: int = 50_000
    depth: int = 200
    attribute_length: int = 1_000_000
    attributes: int = 1_000
    entity_growth: int = 100_000
    reference_depth: int = 32
    instances: int = 20_000
    style_rules: int = 2_000
    style_text: int = 300_000
    style_matches: int = 150_000


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why a document is not valid.

    `kind` is stable (`malformed`, `limit`, `root`, `id`, `reference`, `number`, `color`, `path`, `points`,
    `transform`, `viewbox`, `style`, `security`, ...); `limit` names the limit crossed, else it is None;
    `line` is 1-based where it is known.
    """

    kind: str
    message: str
    place: str | None = None
    limit: str | None = None
    line: int | None = None


class Shape:
    """What a start tag says: element name and attributes. Shared by identical start tags."""

    __slots__ = ("attrs", "memo", "tag")

    def __init__(self, tag: str, attrs: dict[str, str]) -> None:
        self.tag = tag
        self.attrs = attrs
        self.memo: dict[Any, Any] = {}


class Node:
    """An element: its shape, its place and its character data.

    `text` is the character data before the first child, `tail` what follows the element inside its parent.
    `line` is the 1-based line of the start tag.
    """

    __slots__ = ("attrs", "children", "index", "line", "parent", "shape", "tag", "tail", "text")

    def __init__(self, shape: Shape, parent: Node | None, index: int, line: int) -> None:
        self.shape = shape
        self.tag = shape.tag
        self.attrs = shape.attrs
        self.parent = parent
        self.index = index
        self.line = line
        self.children: list[Node] = []
        self.text = ""
        self.tail = ""

    def __repr__(self) -> str:
        return f"<Node {self.path}>"

    @property
    def id(self) -> str | None:
        return self.attrs.get("id")

    @property
    def path(self) -> str:
        """Structural path such as `svg/g[2]/path[5]`: the n-th child of that name, counted from 1."""
        parts: list[str] = []
        node: Node | None = self
        while node is not None:
            if node.parent is None:
                parts.append(node.tag)
            else:
                same = sum(1 for other in node.parent.children[: node.index + 1] if other.tag == node.tag)
                parts.append(f"{node.tag}[{same}]")
            node = node.parent
        return "/".join(reversed(parts))

    @property
    def label(self) -> str:
        """The id where there is one, else the structural path."""
        return self.attrs.get("id") or self.path

    def iter(self) -> list[Node]:
        """The subtree in document order, this node first."""
        found = [self]
        for node in found_children(self):
            found.append(node)
        return found


def found_children(node: Node) -> list[Node]:
    """All descendants of `node` in document order."""
    out: list[Node] = []
    stack = list(reversed(node.children))
    while stack:
        item = stack.pop()
        out.append(item)
        if item.children:
            stack.extend(reversed(item.children))
    return out


@dataclass(slots=True)
class Document:
    """A parsed text: the root (None when it is not well-formed), its nodes in document order, and faults.

    `declarations` names what an internal subset declares that could change what a reader sees: attribute
    defaults, parameter entities, and entities kept elsewhere.
    """

    text: str | bytes
    root: Node | None = None
    nodes: list[Node] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    instructions: list[tuple[str, str]] = field(default_factory=list)
    internal_subset: bool = False
    declares_entities: bool = False
    declarations: list[str] = field(default_factory=list)
    limits: Limits = field(default_factory=Limits)
    css_read: int = 0
    _ids: dict[str, list[Node]] | None = None
    _id_sequence: list[str | None] | None = None
    _child_counts: list[int] | None = None

    @property
    def ids(self) -> dict[str, list[Node]]:
        """Every id with the elements that carry it, in document order."""
        if self._ids is None:
            self._ids = {}
            for node in self.nodes:
                name = node.attrs.get("id")
                if name is not None:
                    self._ids.setdefault(name, []).append(node)
        return self._ids

    @property
    def id_sequence(self) -> list[str | None]:
        """The id of every element (None without one), in document order."""
        if self._id_sequence is None:
            self._id_sequence = [node.attrs.get("id") for node in self.nodes]
        return self._id_sequence

    @property
    def child_counts(self) -> list[int]:
        """The number of children of every element, in document order: the form of the tree."""
        if self._child_counts is None:
            self._child_counts = [len(node.children) for node in self.nodes]
        return self._child_counts

    def by_id(self, name: str) -> Node | None:
        """The first element with that id."""
        found = self.ids.get(name)
        return found[0] if found else None


class _TooMuch(Exception):
    def __init__(self, limit: str, message: str) -> None:
        self.limit = limit
        super().__init__(message)


class ShapePool:
    """Interns shapes by their letters; one per task, seeded with the target, is shared by its candidates.

    Shapes are kept for the documents of the task itself (`keep=True`) and forgotten for candidates. With
    `local_names`, attributes lose their namespace; of those that collide the later one counts.
    """

    def __init__(self, *, local_names: bool = False) -> None:
        self.local_names = local_names
        self._shapes: dict[tuple[str, ...], Shape] = {}

    def view(self) -> dict[tuple[str, ...], Shape]:
        return self._shapes


def parse(text: str | bytes, limits: Limits | None = None, pool: ShapePool | None = None,
          *, keep: bool = False) -> Document:  # fmt: skip
    """Parse SVG text; never raises for what the text holds.

    Args:
        text: the document; bytes follow their declaration or byte-order mark, as XML says.
        limits: bounds; the defaults are generous for drawings made by people.
        pool: start tags already known (of the task's own documents).
        keep: add this document's start tags to `pool`.
    """
    return _Builder(text, limits or Limits(), ShapePool() if pool is None else pool, keep).run()


class _Builder:
    def __init__(self, text: str | bytes, limits: Limits, pool: ShapePool, keep: bool) -> None:
        self.document = Document(text, limits=limits)
        self.limits = limits
        self.known, self.local_names = pool.view(), pool.local_names
        self.fresh = self.known if keep else {}
        self.nodes = self.document.nodes
        self.most, self.deepest = limits.elements, limits.depth
        self.stack: list[Node] = []
        self.last: Node | None = None
        self.parser: Any = None
        self.expanded = 0

    def run(self) -> Document:
        document, text = self.document, self.document.text
        size = len(text)
        if size > self.limits.bytes:
            message = f"document has {size} characters, more than {self.limits.bytes}"
            document.faults.append(Fault("limit", message, limit="bytes"))
            return document
        try:
            self._parse(text)
        except expat.ExpatError as error:
            message = expat.ErrorString(error.code)
            document.faults.append(
                Fault(
                    "malformed",
                    f"line {error.lineno}, column {error.offset + 1}: {message}",
                    line=error.lineno,
                )
            )
        except _TooMuch as error:
            document.faults.append(Fault("limit", str(error), limit=error.limit))
        except (UnicodeError, LookupError, ValueError) as error:
            document.faults.append(Fault("malformed", f"text cannot be read: {error}"))
        if document.faults:
            document.root, document.nodes = None, []
        return document

    def _parse(self, text: str | bytes) -> None:
        parser = expat.ParserCreate(namespace_separator="}")
        self.parser = parser
        parser.buffer_text = True
        parser.ordered_attributes = True
        parser.specified_attributes = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.ProcessingInstructionHandler = self._instruction
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.AttlistDeclHandler = self._attribute_default
        parser.SkippedEntityHandler = self._skipped
        parser.ExternalEntityRefHandler = self._external
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        if isinstance(text, str):
            text = text.removeprefix("\ufeff")
            text.encode("utf-8")
        parser.Parse(text, True)

    def _start(self, name: str, attributes: list[str]) -> None:
        key = (name, *attributes)
        shape = self.known.get(key)
        if shape is None:
            shape = self.fresh.get(key)
            if shape is None:
                shape = self.fresh[key] = self._shape(name, attributes)
        stack, nodes = self.stack, self.nodes
        if stack:
            parent = stack[-1]
            siblings = parent.children
            node = Node(shape, parent, len(siblings), self.parser.CurrentLineNumber)
            siblings.append(node)
        else:
            node = self.document.root = Node(shape, None, 0, self.parser.CurrentLineNumber)
        nodes.append(node)
        stack.append(node)
        self.last = None
        if len(nodes) > self.most or len(stack) > self.deepest:
            self._check_size()

    def _check_size(self) -> None:
        if len(self.stack) > self.limits.depth:
            raise _TooMuch("depth", f"elements are nested deeper than {self.limits.depth}")
        if len(self.nodes) > self.limits.elements:
            raise _TooMuch("elements", f"document has more than {self.limits.elements} elements")

    def _shape(self, name: str, attributes: list[str]) -> Shape:
        limits = self.limits
        if len(attributes) > 2 * limits.attributes:
            raise _TooMuch("attributes", f"an element has more than {limits.attributes} attributes")
        attrs: dict[str, str] = {}
        for position in range(0, len(attributes), 2):
            key, value = attributes[position], attributes[position + 1]
            if len(value) > limits.attribute_length:
                raise _TooMuch("attribute_length", f"an attribute is longer than {limits.attribute_length}")
            if "}" in key:
                key = key.rpartition("}")[2] if self.local_names else "{" + key
            attrs[key] = value
            if self.document.declares_entities:
                self._grow(len(value))
        if name.startswith(_SVG_PREFIX):
            return Shape(name[len(_SVG_PREFIX) :], attrs)
        return Shape("{" + name if "}" in name else "{}" + name, attrs)

    def _end(self, name: str) -> None:
        self.last = self.stack.pop()

    def _data(self, data: str) -> None:
        if self.last is not None:
            self.last.tail += data
        else:
            self.stack[-1].text += data

    def _instruction(self, target: str, data: str) -> None:
        self.document.instructions.append((target, data))

    def _doctype(self, name: str, system: str | None, public: str | None, internal: int) -> None:
        self.document.internal_subset = bool(internal)

    def _entity(self, name: str, parameter: int, value: str | None, base: str | None, system: str | None,
                public: str | None, notation: str | None) -> None:  # fmt: skip
        self.document.declares_entities = True
        if parameter or value is None:
            outside = f" {system!r}" if system is not None else ""
            self.document.declarations.append(
                f"{'parameter' if parameter else 'external'} entity {name!r}{outside}"
            )
        self.parser.CharacterDataHandler = self._counted_data

    def _attribute_default(
        self, element: str, attribute: str, kind: str, default: str | None, required: bool
    ) -> None:
        if default is not None:
            self.document.declarations.append(f"attribute {attribute!r} of {element!r} as {default!r}")

    def _counted_data(self, data: str) -> None:
        self._grow(len(data))
        self._data(data)

    def _grow(self, size: int) -> None:
        """Hold what entities may have made against the length of the text."""
        self.expanded += size
        if self.expanded > len(self.document.text) + self.limits.entity_growth:
            raise _TooMuch(
                "entity_growth", f"entities grow the document by more than {self.limits.entity_growth}"
            )

    def _skipped(self, name: str, parameter: int) -> None:
        raise _Undeclared(name)

    def _external(self, context: str, base: str | None, system: str | None, public: str | None) -> int:
        return 1


class _Undeclared(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(f"entity &{name}; is not declared")
