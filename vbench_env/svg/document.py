"""The faithful document: SVG text in which every element and attribute has an exact place.

`SourceDocument` is an immutable value over the original text. An edit gives a new document whose text differs
only inside the edited spans; nothing is ever serialised anew. Whether a text is well-formed is decided by
expat (`svg.parse`), once per document and only when something asks. An edit that keeps the elements and is
well-formed by construction (an escaped attribute value) hands the element outline on to the new document, so
that neither parser nor scanner runs again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vbench_env.errors import VBenchError
from vbench_env.svg import encoding as codec
from vbench_env.svg import spans
from vbench_env.svg.parse import Document, Fault, Node, parse
from vbench_env.svg.spans import Attribute, Outline, Spans, Token

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


class Refusal(VBenchError):
    """Why something cannot be done to a document: a stable kind, a message and, where known, a place."""

    def __init__(self, kind: str, message: str, place: str | None = None) -> None:
        self.kind, self.message, self.place = str(kind), message, place
        super().__init__(message)


class Edit(NamedTuple):
    """Replace the characters `start:end` of a text by `new`."""

    start: int
    end: int
    new: str


class SourceDocument:
    """Immutable SVG text with spans.

    Attributes:
        text: the document, a byte-order mark included.
        encoding: Python's name of the encoding that `to_bytes` writes.
    """

    __slots__ = ("_outline", "_parsed", "_sound", "_spans", "encoding", "text")

    def __init__(self, text: str, encoding: str | None = None) -> None:
        self.text = text
        self.encoding = encoding or codec.declared_encoding(text)
        self._parsed: Document | None = None
        self._outline: Outline | None = None
        self._spans: Spans | None = None
        self._sound = False

    @classmethod
    def read(cls, svg: str | bytes) -> SourceDocument:
        """A document from text, or from bytes whose encoding is kept."""
        if isinstance(svg, str):
            return cls(svg)
        return cls(*codec.decode(bytes(svg)))

    def __repr__(self) -> str:
        return f"<SourceDocument of {len(self.text)} characters>"

    def __reduce__(self) -> tuple[type[SourceDocument], tuple[str, str]]:
        return SourceDocument, (self.text, self.encoding)

    def __deepcopy__(self, memo: dict[int, object]) -> SourceDocument:
        return self

    def to_bytes(self) -> bytes:
        """The file; the same bytes as were read when nothing was edited."""
        return codec.encode(self.text, self.encoding)

    @property
    def parsed(self) -> Document:
        """The parsed tree; its `root` is None when the text is not well-formed."""
        if self._parsed is None:
            self._parsed = parse(self.text)
        return self._parsed

    @property
    def fault(self) -> Fault | None:
        """Why the text is not well-formed (or crosses a limit), or None."""
        if self._sound:
            return None
        faults = self.parsed.faults
        self._sound = not faults
        return faults[0] if faults else None

    @property
    def newline(self) -> str:
        """The line end that the text uses."""
        return "\r\n" if "\r\n" in self.text else "\n"

    @property
    def outline(self) -> Outline:
        """Names, nesting and ids of the elements; `Refusal` when the text is not well-formed."""
        return self._scanned()[0]

    @property
    def spans(self) -> Spans:
        """Offsets of the elements, shape `(elements, 4)`; `Refusal` when the text is not well-formed."""
        return self._scanned()[1]

    @property
    def root(self) -> Element:
        return Element(self, 0)

    @property
    def elements(self) -> list[Element]:
        """Every element in document order."""
        return [Element(self, index) for index in range(len(self.outline.names))]

    def tokens(self) -> list[Token]:
        """Every tag, text, comment, section, instruction and doctype, without a gap."""
        self._scanned()
        return list(spans.tokens(self.text))

    def with_id(self, name: str) -> list[Element]:
        """The elements that carry this id."""
        return [Element(self, index) for index in self.outline.ids.get(name, ())]

    def edited(self, edits: Sequence[Edit], what: str = "the result") -> SourceDocument:
        """The document after `edits`, which are sorted and do not overlap.

        A well-formed document stays well-formed: otherwise `Refusal` says why, with `what` as the subject. A
        document that is malformed already may stay so.
        """
        if any(_HALF_CHARACTER.search(edit.new) for edit in edits):
            raise Refusal("bad_arguments", "half a character (a lone surrogate) cannot be in a document")
        text = apply_edits(self.text, edits)
        document = SourceDocument(text, self._encoding_of(text))
        if self.fault is None:
            document.require_well_formed(what)
            document.require_encodable(what)
        return document

    def edited_tag(self, edits: Sequence[Edit], outline: Outline | None = None) -> SourceDocument:
        """The document after `edits` of attributes that leave it well-formed by construction.

        Args:
            edits: sorted, each inside a start tag, none of a namespace declaration.
            outline: the new outline when an id changed.
        """
        document = SourceDocument(apply_edits(self.text, edits), self.encoding)
        old_outline, moved = self._scanned()
        for edit in reversed(edits):
            shift = len(edit.new) - (edit.end - edit.start)
            if shift:
                moved = np.where(moved > edit.start, moved + shift, moved)
        document._outline, document._spans, document._sound = outline or old_outline, moved, True
        return document

    def require_well_formed(self, what: str) -> None:
        """Raise `Refusal` when the text is not well-formed; `what` names it in the message."""
        fault = self.fault
        if fault is None:
            return
        if fault.kind == "limit":
            raise Refusal("too_large", f"{what} is too large: {fault.message}")
        place = f"line {fault.line}" if fault.line else None
        raise Refusal(
            "malformed_result", f"{what} is not well-formed ({fault.message}); nothing was changed", place
        )

    def require_encodable(self, what: str) -> None:
        """Raise `Refusal` when the file would not be well-formed, a name being outside its encoding."""
        if self.encoding.startswith("utf-"):
            return
        written = SourceDocument.read(self.to_bytes())
        if written.text != self.text and written.fault is not None:
            message = f"{what} has a name that {self.encoding} cannot write; nothing was changed"
            raise Refusal("malformed_result", message)

    def _encoding_of(self, text: str) -> str:
        declared = codec.declared_encoding(text)
        return self.encoding if declared == codec.declared_encoding(self.text) else declared

    def _scanned(self) -> tuple[Outline, Spans]:
        if self._outline is None or self._spans is None:
            fault = self.fault
            if fault is not None:
                if fault.kind == "limit":
                    raise Refusal("too_large", f"the document is too large for this tool: {fault.message}")
                advice = "repair it with replace_text, apply_patch or rewrite first"
                place = f"line {fault.line}" if fault.line else None
                message = f"the document is not well-formed ({fault.message}); {advice}"
                raise Refusal("malformed_document", message, place)
            self._outline, self._spans = spans.scan(self.text)
        return self._outline, self._spans


class Element:
    """A place in a document: one element. Cheap to make, equal when document and number are."""

    __slots__ = ("_attributes", "document", "index")

    def __init__(self, document: SourceDocument, index: int) -> None:
        self.document, self.index = document, index
        self._attributes: tuple[Attribute, ...] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and other.document is self.document and other.index == self.index

    def __hash__(self) -> int:
        return hash((id(self.document), self.index))

    def __repr__(self) -> str:
        return f"<Element {self.path}>"

    @property
    def name(self) -> str:
        """The qualified name as written, such as `svg:rect`."""
        return self.document.outline.names[self.index]

    @property
    def tag(self) -> str:
        """The local name in the SVG namespace, else `{namespace}local`."""
        return self.document.outline.tags[self.index]

    @property
    def start(self) -> int:
        return int(self.document.spans[self.index, 0])

    @property
    def open_end(self) -> int:
        """The offset after the start tag."""
        return int(self.document.spans[self.index, 1])

    @property
    def close_start(self) -> int:
        """The offset of the end tag; that of `open_end` without one."""
        return int(self.document.spans[self.index, 2])

    @property
    def end(self) -> int:
        return int(self.document.spans[self.index, 3])

    @property
    def self_closing(self) -> bool:
        """True for `<rect/>`."""
        return self.document.text[self.open_end - 2] == "/" and self.close_start == self.end

    @property
    def source(self) -> str:
        """The markup as it stands, from start tag to end tag."""
        return self.document.text[self.start : self.end]

    @property
    def parent(self) -> Element | None:
        parent = self.document.outline.parents[self.index]
        return Element(self.document, parent) if parent >= 0 else None

    @property
    def children(self) -> list[Element]:
        return [Element(self.document, index) for index in self.document.outline.children[self.index]]

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        if self._attributes is None:
            start = self.start + 1 + len(self.name)
            self._attributes = spans.attributes(self.document.text, start, self.open_end)
        return self._attributes

    def attribute(self, name: str) -> Attribute | None:
        """The attribute with that qualified name."""
        return next((found for found in self.attributes if found.name == name), None)

    def get(self, name: str) -> str | None:
        """The value of an attribute, references resolved; None when it is not written."""
        found = self.attribute(name)
        return None if found is None else self.value(found)

    def value(self, attribute: Attribute) -> str:
        """The value of one of this element's attributes, references resolved."""
        raw = self.document.text[attribute.value_start : attribute.value_end]
        return spans.decoded(raw, self.document.outline.entities)

    @property
    def path(self) -> str:
        """Structural path such as `svg/g[2]/path[5]`: the n-th child of that name, counted from 1."""
        outline, parts, index = self.document.outline, [], self.index
        while outline.parents[index] >= 0:
            tag, parent = outline.tags[index], outline.parents[index]
            same = sum(
                1 for other in outline.children[parent] if other <= index and outline.tags[other] == tag
            )
            parts.append(f"{tag}[{same}]")
            index = parent
        return "/".join([outline.tags[index], *reversed(parts)])

    @property
    def label(self) -> str:
        """The id where it names this element alone, else the structural path."""
        name = self.get("id")
        return name if name and len(self.document.outline.ids.get(name, ())) == 1 else self.path

    @property
    def node(self) -> Node:
        """The same element in the parsed tree; `Refusal` when entities bring in elements of their own."""
        nodes = self.document.parsed.nodes
        if len(nodes) != len(self.document.outline.names):
            raise Refusal(
                "unavailable", "entities of this document bring in elements, so this cannot be computed"
            )
        return nodes[self.index]

    def prefixes(self) -> dict[str, str]:
        """Namespace declarations in force here: prefix (empty for the default) to name."""
        parent = self.parent
        found = parent.prefixes() if parent is not None else {}
        return {**found, **spans.declarations(self.document.text, self.start, self.open_end)}


def changed_span(old: str, new: str) -> tuple[Edit, ...]:
    """The one span of `old` that has to be replaced to get `new`; empty when they are equal."""
    if old == new:
        return ()
    start = _common(old, new)
    rest = min(len(old), len(new)) - start
    end = _common(old[len(old) - rest :][::-1], new[len(new) - rest :][::-1])
    return (Edit(start, len(old) - end, new[start : len(new) - end]),)


def shifted(edits: Sequence[Edit], offset: int) -> tuple[Edit, ...]:
    """Edits of a piece of text as edits of the text in which the piece starts at `offset`."""
    return tuple(Edit(edit.start + offset, edit.end + offset, edit.new) for edit in edits)


def _common(one: str, two: str) -> int:
    """Length of the common prefix, by bisection on slices."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """`text` with every edit made; the spans must be sorted and must not overlap."""
    parts: list[str] = []
    position = 0
    for edit in edits:
        parts += [text[position : edit.start], edit.new]
        position = edit.end
    parts.append(text[position:])
    return "".join(parts)
