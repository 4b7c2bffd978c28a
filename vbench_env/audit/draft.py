"""A drawing taken apart so that it can be changed, and written again in any spelling that XML allows.

A `Draft` holds elements as `Part`s, with names as `vbench_env.svg.parse` gives them (`rect`, `{namespace}name`).
How it is written (quotes, order, prefixes, encoding, ...) is a `Writing`; what it means is in the parts.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from vbench_env.svg.parse import SVG_NS, XLINK_NS, XML_NS, Document, Node, parse
from vbench_env.svg.values import Declaration, split_declarations


class Part:
    """An element that can be changed: name, attributes, character data, children."""

    __slots__ = ("attrs", "children", "parent", "tag", "tail", "text")

    def __init__(self, tag: str, attrs: dict[str, str] | None = None, parent: Part | None = None) -> None:
        self.tag = tag
        self.attrs = attrs if attrs is not None else {}
        self.parent = parent
        self.children: list[Part] = []
        self.text = ""
        self.tail = ""

    def iter(self) -> Iterator[Part]:
        """The subtree in document order, this part first."""
        yield self
        for child in self.children:
            yield from child.iter()

    @property
    def index(self) -> int:
        """Its place among its parent's children."""
        assert self.parent is not None
        return next(number for number, child in enumerate(self.parent.children) if child is self)

    def inside(self, *tags: str) -> bool:
        """Whether it, or an element round it, has one of these names."""
        at: Part | None = self
        while at is not None:
            if at.tag in tags:
                return True
            at = at.parent
        return False

    def insert(self, place: int, child: Part) -> None:
        """Put a part among the children."""
        child.parent = self
        self.children.insert(place, child)

    def remove(self) -> None:
        """Take the part out of its parent; the characters after it stay."""
        assert self.parent is not None
        place, siblings = self.index, self.parent.children
        if place:
            siblings[place - 1].tail += self.tail
        else:
            self.parent.text += self.tail
        del siblings[place]
        self.parent, self.tail = None, ""

    def copy(self, parent: Part | None = None) -> Part:
        """A copy of the subtree."""
        made = Part(self.tag, dict(self.attrs), parent)
        made.text, made.tail = self.text, self.tail
        made.children = [child.copy(made) for child in self.children]
        return made

    def style(self) -> list[Declaration]:
        """The declarations of its `style` attribute."""
        return list(split_declarations(self.attrs.get("style", "")))

    def set_style(self, declarations: list[Declaration]) -> None:
        """Write declarations as its `style` attribute; none take it away."""
        if declarations:
            self.attrs["style"] = ";".join(
                f"{d.name}:{d.value}{'!important' if d.important else ''}" for d in declarations
            )
        else:
            self.attrs.pop("style", None)


@dataclass(slots=True)
class Writing:
    """How a draft is written.

    Attributes:
        rng: decides what is random per place; without one nothing is.
        shuffled: attributes in another order.
        quotes: `"`, `'`, or both at random.
        gaps: white space inside tags.
        long_tags: `<a></a>` instead of `<a/>`.
        references: share of characters written as character references.
        comments: share of places that get a comment or a processing instruction.
        cdata: character data in CDATA sections.
        indented: white space between elements where it means nothing.
        prefix: prefix of the SVG namespace, "" for the default.
        renamed_prefixes: other namespaces get other prefixes.
        declaration: an XML declaration.
        doctype: the external identifier of SVG 1.1.
        encoding: of the bytes; None for text.
        trips: what the written drawing goes through, one after the other: other libraries read and write it.
    """

    rng: random.Random | None = None
    shuffled: bool = False
    quotes: str = '"'
    gaps: bool = False
    long_tags: bool = False
    references: float = 0.0
    comments: float = 0.0
    cdata: bool = False
    indented: bool = False
    prefix: str = ""
    renamed_prefixes: bool = False
    declaration: bool = False
    doctype: bool = False
    encoding: str | None = None
    trips: tuple[Callable[[str | bytes], str | bytes], ...] = ()


@dataclass(slots=True)
class Draft:
    """A drawing taken apart; `instructions` are its style sheet instructions."""

    root: Part
    instructions: list[str] = field(default_factory=list)
    writing: Writing = field(default_factory=Writing)

    @classmethod
    def of(cls, svg: str | bytes | Document) -> Draft:
        """A drawing's draft.

        Raises:
            ValueError: the drawing is not well-formed.
        """
        document = svg if isinstance(svg, Document) else parse(svg)
        if document.root is None:
            raise ValueError(document.faults[0].message)
        sheets = [data for name, data in document.instructions if name == "xml-stylesheet"]
        return cls(_part(document.root, None), sheets)

    def copy(self) -> Draft:
        """An independent copy, written plainly."""
        return Draft(self.root.copy(), list(self.instructions))

    def parts(self) -> list[Part]:
        """All parts in document order."""
        return list(self.root.iter())

    def find(self, name: str) -> Part | None:
        """The first part with this id."""
        return next((part for part in self.root.iter() if part.attrs.get("id") == name), None)

    def text(self) -> str | bytes:
        """The drawing, written as its `writing` says."""
        written = _Writer(self).run()
        for trip in self.writing.trips:
            written = trip(written)
        return written


def _part(node: Node, parent: Part | None) -> Part:
    made = Part(node.tag, dict(node.attrs), parent)
    made.text, made.tail = node.text, node.tail
    made.children = [_part(child, made) for child in node.children]
    return made


_DOCTYPE = (
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n'
)


_SPECIAL = re.compile(r"""[&<>"'\r\n\t]""")


class _Writer:
    def __init__(self, draft: Draft) -> None:
        self.draft, self.writing = draft, draft.writing
        self.rng = draft.writing.rng or random.Random(0)
        self.out: list[str] = []
        self.prefixes = self._prefixes()

    def run(self) -> str | bytes:
        writing = self.writing
        if writing.declaration or (writing.encoding or "utf-8") not in ("utf-8", "utf-16", "utf-8-sig"):
            encoding = {"utf-8-sig": "utf-8"}.get(writing.encoding or "utf-8", writing.encoding or "utf-8")
            self.out.append(f'<?xml version="1.0" encoding="{encoding}"?>\n')
        self.out.extend(f"<?xml-stylesheet {data}?>\n" for data in self.draft.instructions)
        if writing.doctype:
            self.out.append(_DOCTYPE)
        self._remark()
        self._element(self.draft.root, 0)
        self._remark()
        text = "".join(self.out)
        if writing.encoding is None:
            return text
        return text.encode(writing.encoding, "xmlcharrefreplace")

    def _prefixes(self) -> dict[str, str]:
        names: dict[str, None] = {}
        for part in self.draft.root.iter():
            for name in (part.tag, *part.attrs):
                if name[0] == "{":
                    names.setdefault(name[1:].partition("}")[0])
        known = {XML_NS: "xml", XLINK_NS: "xlink"}
        given = {}
        for number, name in enumerate(name for name in names if name):
            stem = "q" if self.writing.renamed_prefixes else "n"
            default = f"{stem}{number}"
            given[name] = (
                default if self.writing.renamed_prefixes and name != XML_NS else known.get(name, default)
            )
        return given

    @property
    def _svg_prefix(self) -> str:
        bare = any(part.tag.startswith("{}") for part in self.draft.root.iter())
        return self.writing.prefix or ("svg" if bare else "")

    def _name(self, name: str, attribute: bool = False) -> str:
        if name[0] == "{":
            namespace, _, local = name[1:].partition("}")
            return f"{self.prefixes[namespace]}:{local}" if namespace else local
        return name if attribute or not self.svg else f"{self.svg}:{name}"

    def _element(self, part: Part, depth: int) -> None:
        if depth == 0:
            self.svg = self._svg_prefix
        name = self._name(part.tag)
        self.out.append("<" + name)
        self._attributes(part, depth)
        if not part.children and not part.text and not self.writing.long_tags:
            self.out.append(self._gap("") + "/>")
            return
        self.out.append(self._gap("") + ">")
        spaced = self.writing.indented and _spaced(part)
        self._characters(part.text, part)
        for child in part.children:
            if spaced:
                self.out.append("\n" + "  " * (depth + 1))
            self._element(child, depth + 1)
            self._characters(child.tail, part)
        if spaced and part.children:
            self.out.append("\n" + "  " * depth)
        self.out.append(f"</{name}{self._gap('')}>")

    def _attributes(self, part: Part, depth: int) -> None:
        pairs = [(self._name(name, True), value) for name, value in part.attrs.items()]
        if depth == 0:
            pairs.append((f"xmlns:{self.svg}" if self.svg else "xmlns", SVG_NS))
            pairs.extend((f"xmlns:{p}", name) for name, p in self.prefixes.items() if name != XML_NS)
        if self.writing.shuffled:
            self.rng.shuffle(pairs)
        for name, value in pairs:
            equals = self.rng.choice(("=", " = ", "\n=")) if self.writing.gaps else "="
            quote = self.rng.choice("\"'") if len(self.writing.quotes) > 1 else self.writing.quotes
            self.out.append(f"{self._gap(' ')}{name}{equals}{quote}{self._escaped(value, quote)}{quote}")

    def _gap(self, least: str) -> str:
        if not self.writing.gaps:
            return least
        return least + self.rng.choice(("", "", " ", "\n", "\t", "  "))

    def _escaped(self, text: str, quote: str) -> str:
        if not self.writing.references and not _SPECIAL.search(text):
            return text
        out = []
        for char in text:
            if char in "&<\n\t\r" or char == quote or self._referred():
                out.append(f"&#{ord(char)};" if self.rng.random() < 0.5 else f"&#x{ord(char):x};")
            else:
                out.append(char)
        return "".join(out)

    def _referred(self) -> bool:
        return self.writing.references > 0 and self.rng.random() < self.writing.references

    def _characters(self, text: str, part: Part) -> None:
        self._remark(part)
        if not text:
            return
        if self.writing.cdata and text.strip() and "]]>" not in text and self._plain(text):
            self.out.append(f"<![CDATA[{text}]]>")
            return
        if not self.writing.references and not _SPECIAL.search(text):
            self.out.append(text)
        else:
            special = "&<>\r"
            self.out.extend(f"&#{ord(c)};" if c in special or self._referred() else c for c in text)
        self._remark(part)

    def _plain(self, text: str) -> bool:
        """Whether every character can stand in a CDATA section of this encoding."""
        encoding = self.writing.encoding or "utf-8"
        return "\r" not in text and text.encode(encoding, "ignore").decode(encoding) == text

    def _remark(self, part: Part | None = None) -> None:
        """A comment or a processing instruction, which mean nothing; none inside scripts of any kind."""
        if self.writing.comments <= 0 or self.rng.random() >= self.writing.comments:
            return
        if part is not None and (part.tag == "script" or part.tag[0] == "{"):
            return
        self.out.append(self.rng.choice(("<!-- kept -->", "<!---->", "<?note x?>", "<!-- <rect/> & -->")))


def _spaced(part: Part) -> bool:
    """Whether white space between the children means nothing."""
    if part.tag[0] == "{" or part.inside(
        "text", "foreignObject", "title", "desc", "metadata", "style", "script"
    ):
        return False
    at: Part | None = part
    while at is not None:
        if f"{{{XML_NS}}}space" in at.attrs:
            return False
        at = at.parent
    return not part.text.strip() and all(not child.tail.strip() for child in part.children)
