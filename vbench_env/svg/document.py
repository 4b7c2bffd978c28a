"""The faithful document: SVG text in which every element and attribute has an exact place.

`SourceDocument` is an immutable value over the original text. An edit gives a new document whose text differs
only inside the edited spans; nothing is ever serialised anew. Whether a text is well-formed is decided by
expat (`svg.parse`), never by this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from vbench_env.errors import VBenchError
from vbench_env.svg import encoding as codec
from vbench_env.svg.parse import Document, Fault, parse


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
    """Immutable SVG text; parsed at most once, and only when something asks."""

    __slots__ = ("_parsed", "encoding", "text")

    def __init__(self, text: str, encoding: str | None = None) -> None:
        self.text = text
        self.encoding = encoding or codec.declared_encoding(text)
        self._parsed: Document | None = None

    @classmethod
    def read(cls, svg: str | bytes) -> SourceDocument:
        """A document from text, or from bytes whose encoding is kept."""
        if isinstance(svg, str):
            return cls(svg)
        return cls(*codec.decode(bytes(svg)))

    def __repr__(self) -> str:
        return f"<SourceDocument of {len(self.text)} characters>"

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
        faults = self.parsed.faults
        return faults[0] if faults else None

    def require_well_formed(self, what: str) -> None:
        """Raise `Refusal` when the text is not well-formed; `what` names it in the message."""
        fault = self.fault
        if fault is not None and fault.kind == "limit":
            raise Refusal("too_large", f"{what} is too large: {fault.message}")
        if fault is not None:
            place = f"line {fault.line}" if fault.line else None
            raise Refusal(
                "malformed_result", f"{what} is not well-formed ({fault.message}); nothing was changed", place
            )


def changed_span(old: str, new: str) -> tuple[Edit, ...]:
    """The one span of `old` that has to be replaced to get `new`; empty when they are equal."""
    if old == new:
        return ()
    start = _common(old, new)
    end = min(
        _common(old[: start - len(old) - 1 : -1], new[: start - len(new) - 1 : -1]),
        len(old) - start,
        len(new) - start,
    )
    return (Edit(start, len(old) - end, new[start : len(new) - end]),)


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
