"""The source of a drawing as pieces that can be changed one by one; all other letters stay as they are.

A start tag, the text between tags and an end tag are each kept as written, so writing the pieces one after
another gives back the text. Only well-formed texts are taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from vbench_env.svg.spans import Attribute, attributes, decoded, tokens


@dataclass(eq=False, repr=False, slots=True)
class Piece:
    """An element as written: start tag, what it holds, end tag (empty for `<a/>`)."""

    open: str
    parent: Piece | None = None
    items: list[Piece | str] = field(default_factory=list)
    close: str = ""

    def write(self) -> str:
        return self.open + "".join(i if isinstance(i, str) else i.write() for i in self.items) + self.close

    def elements(self) -> Iterator[Piece]:
        """This element and what it holds, in document order."""
        if self.open:
            yield self
        for item in self.items:
            if isinstance(item, Piece):
                yield from item.elements()

    @property
    def has_elements(self) -> bool:
        return any(isinstance(item, Piece) for item in self.items)

    def attribute(self, name: str) -> Attribute | None:
        """Where the attribute stands in `open`; `href` also finds a prefixed one."""
        found = attributes(self.open, 0, len(self.open))
        for attribute in found:
            if attribute.name == name:
                return attribute
        if name == "href":
            return next((a for a in found if a.name.endswith(":href")), None)
        return None

    def get(self, name: str) -> str | None:
        """The attribute's value, references resolved."""
        found = self.attribute(name)
        return None if found is None else decoded(self.open[found.value_start : found.value_end])

    def set(self, name: str, value: str | None) -> None:
        """Write an attribute where it stands, else after the last one; None takes it out."""
        found = self.attribute(name)
        if value is None:
            if found is not None:
                self.open = self.open[: found.space] + self.open[found.end :]
        elif found is not None:
            written = escape(value, {found.quote: _QUOTES[found.quote]})
            self.open = self.open[: found.value_start] + written + self.open[found.value_end :]
        else:
            match = _TAG_END.search(self.open)
            end = match.start() if match else len(self.open)
            self.open = f'{self.open[:end]} {name}="{escape(value, {chr(34): "&quot;"})}"{self.open[end:]}'

    def set_text(self, text: str) -> None:
        """Replace all that the element holds by character data."""
        if not self.close:
            name = re.match(r"<([^\s/>]+)", self.open)
            self.open = re.sub(r"\s*/>\Z", ">", self.open)
            self.close = f"</{name.group(1) if name else ''}>"
        self.items = [escape(text)]

    def take_out(self) -> None:
        """Remove the element, and the line that it stood on when nothing else is on it."""
        siblings = self._siblings()
        place = siblings.index(self)
        del siblings[place]
        before = siblings[place - 1] if place else None
        after = siblings[place] if place < len(siblings) else None
        if isinstance(before, str) and (match := _LINE_START.search(before)) and not _joins(after):
            siblings[place - 1] = before[: match.start()]

    def put_in(self, new: Piece, before: Piece | None) -> None:
        """Insert `new` before a child, or last, on a line of its own where the children have theirs."""
        new.parent = self
        if before is not None:
            place = self.items.index(before)
            lead = self.items[place - 1] if place else None
            match = _LINE_START.search(lead) if isinstance(lead, str) else None
            self.items[place:place] = [new, match.group()] if match else [new]
            return
        last = max((p for p, item in enumerate(self.items) if isinstance(item, Piece)), default=-1)
        lead = self.items[last - 1] if last > 0 else None
        match = _LINE_START.search(lead) if isinstance(lead, str) else None
        self.items[last + 1 : last + 1] = [match.group(), new] if match else [new]

    def _siblings(self) -> list[Piece | str]:
        if self.parent is None:
            raise ValueError("the root element has no place among siblings")
        return self.parent.items


_QUOTES = {'"': "&quot;", "'": "&apos;"}
_TAG_END = re.compile(r"\s*/?>\Z")
_LINE_START = re.compile(r"\r?\n[ \t]*\Z")


def _joins(after: Piece | str | None) -> bool:
    """Whether something follows on the same line."""
    if isinstance(after, Piece):
        return True
    return isinstance(after, str) and not re.match(r"[ \t]*\r?\n|\s*\Z", after)


def take_apart(text: str) -> Piece:
    """The pieces of a well-formed text, under a nameless piece that also holds prolog and epilog."""
    top = current = Piece("")
    for kind, start, end in tokens(text):
        part = text[start:end]
        if kind in ("open", "empty"):
            piece = Piece(part, current)
            current.items.append(piece)
            if kind == "open":
                current = piece
        elif kind == "close":
            current.close = part
            current = current.parent or top
        elif current.items and isinstance(current.items[-1], str):
            current.items[-1] += part
        else:
            current.items.append(part)
    return top
