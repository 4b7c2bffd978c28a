"""The SVG document inside a model's answer.

An answer may wrap the document in prose, code fences, reasoning tags and other markup. One pass of a scanner
that knows comments, CDATA, processing instructions, quoted values and nested `<svg>` finds where documents
begin and end; the text between is returned letter for letter. Nothing is repaired and nothing is unescaped.

Which one, when there are several: the last complete document. One that stops before its end counts only when
there is no complete one; it is returned up to the end of the answer, so that it is scored as malformed. A
start tag without attributes (`<svg>`) is taken for a mention of the element while anything else is there.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_NAME = r"[A-Za-z_][\w.\-]*"
_ROOT = re.compile(rf"<(?:{_NAME}:)?svg(?=[\s/>]|\Z)")
_START = re.compile(rf"<((?:{_NAME}:)?{_NAME})")
_END = re.compile(rf"</((?:{_NAME}:)?{_NAME})\s*>")
_TAG_BODY = re.compile(r"""(?:[^"'<>]++|"[^"]*+"|'[^']*+')*+""")
_REASONING = re.compile(r"<(/?)(think|thinking|thought|thoughts|reasoning|scratchpad)\s*>", re.IGNORECASE)
_DOCTYPE_TOKEN = re.compile(r"""["'\[\]<>]""")
_FENCE_THEN_PROLOG = re.compile(
    r"(?:```|~~~)[\w+.\-]*[ \t]*\r?\n\s*((?:(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>]*>)\s*)*)\Z", re.DOTALL
)
_PROLOG_REACH = 2_000
_ENCODING = re.compile(rb"""^<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._\-]+)["']""")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def extract_svg(text: str | bytes) -> str | None:
    """The SVG document in a model's answer, letter for letter.

    Args:
        text: the answer; bytes are decoded by byte-order mark, else XML declaration, else as UTF-8.

    Returns:
        The document with its own prolog (XML declaration, doctype, style sheet instructions, comments), or
        the rest of the answer from the document's start when its end is missing; None when no document
        starts anywhere outside the reasoning.
    """
    if isinstance(text, (bytes, bytearray)):
        text = _decode(bytes(text))
    if "<" not in text:
        return None
    text = text.removeprefix("\ufeff")
    scanner = _Scanner(text, 0)
    scanner.run()
    chosen = scanner.choose()
    cut = scanner.reasoning_end(chosen) if chosen else None
    if chosen and cut is not None:
        behind = _Scanner(text, cut)
        behind.run()
        final = behind.choose()
        if final and (final.end is not None or chosen.end is None):
            chosen = final
    return scanner.cut_out(chosen) if chosen else None


def strip_reasoning(text: str) -> str:
    """`text` without leading reasoning: up to the tag that closes it, or all of it when nothing closes it."""
    first = _REASONING.search(text)
    if first is None:
        return text
    if first[1]:
        return text[first.end() :]
    if text[: first.start()].strip():
        return text
    close = re.compile(rf"</{first[2]}\s*>", re.IGNORECASE).search(text, first.end())
    return text[close.end() :] if close else ""


def svg_start(text: str) -> int | None:
    """Where the first `<svg` tag stands; None when there is none."""
    found = _ROOT.search(text)
    return found.start() if found else None


def _decode(data: bytes) -> str:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data.decode(name, "replace")
    declared = _ENCODING.match(data)
    try:
        return data.decode(declared[1].decode("ascii") if declared else "utf-8", "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


@dataclass(slots=True)
class _Block:
    """A document: where its prolog and its root tag start, and where it ends (None: it does not)."""

    start: int
    tag_end: int
    bare: bool
    end: int | None = None


class _Scanner:
    """One pass over the answer. `open` holds the `<svg>` elements that are open at `pos`."""

    def __init__(self, text: str, pos: int) -> None:
        self.text, self.pos = text, pos
        self.open: list[_Block] = []
        self.complete: list[_Block] = []
        self.inner: list[_Block] = []
        self.prolog: tuple[int, int] | None = None
        self.missing: set[str] = set()
        self.reasoning_depth = 0

    def run(self) -> None:
        text = self.text
        while (at := text.find("<", self.pos)) >= 0:
            self.pos = at
            if self.open:
                self._inside(at)
            else:
                self._outside(at)

    def cut_out(self, chosen: _Block) -> str:
        text = self.text
        if chosen.end is None:
            return text[chosen.start :]
        end = self._stray_end(chosen)
        alone = not text[: chosen.start].strip() and not text[end:].strip()
        return text[chosen.start :] if alone else text[chosen.start : end]

    def reasoning_end(self, chosen: _Block) -> int | None:
        """Where reasoning ends that a broken draft has swallowed, in an open comment or value."""
        tags = list(_REASONING.finditer(self.text, chosen.start, chosen.end or len(self.text)))
        return tags[-1].end() if tags and all(tag[1] for tag in tags) else None

    def choose(self) -> _Block | None:
        """The document that counts, as the module says."""
        whole = [block for block in self.complete if not block.bare]
        if whole:
            return whole[-1]
        for block in reversed(self.inner if self.open else []):
            if not block.bare and (self._after_fence(block) or self.open[0].bare):
                return block
        cut = [block for block in self.open if not block.bare] or self.complete[-1:] or self.open
        return cut[0] if cut else None

    def _after_fence(self, block: _Block) -> bool:
        """Whether a code fence opens before `block`; a prolog in between becomes part of it."""
        floor = max(0, block.start - _PROLOG_REACH)
        fence = max(self.text.rfind(mark, floor, block.start) for mark in ("```", "~~~"))
        found = _FENCE_THEN_PROLOG.match(self.text, fence, block.start) if fence >= 0 else None
        if found:
            block.start = found.start(1)
        return bool(found)

    def _stray_end(self, block: _Block) -> int:
        """The end of `block` with a surplus `</svg>` right behind it, which makes it malformed."""
        end = block.end or 0
        tail = self.text[end : end + 200]
        found = _END.match(tail.lstrip())
        if found and found[1].rpartition(":")[2] == "svg":
            return end + len(tail) - len(tail.lstrip()) + found.end()
        return end

    def _outside(self, at: int) -> None:
        text = self.text
        reasoning = _REASONING.match(text, at)
        if _ROOT.match(text, at):
            self._root(at)
        elif reasoning:
            self._reasoning(reasoning)
        elif text.startswith(("<?", "<!"), at) and (end := self._prolog_item(at)) is not None:
            before = self.prolog
            joins = (
                before is not None and not text[before[1] : at].strip() and not text.startswith("<?xml ", at)
            )
            self.prolog = (before[0] if before and joins else at, end)
            self.pos = end
        else:
            self.pos = at + 1

    def _root(self, at: int) -> None:
        text, before = self.text, self.prolog
        start = before[0] if before and not text[before[1] : at].strip() else at
        self.prolog = None
        self.reasoning_depth = 0
        self.inner.clear()
        self._svg(at, start)
        if text[at - 1 : at] == "`" and text[self.pos : self.pos + 1] == "`":
            self.open.clear()

    def _reasoning(self, tag: re.Match[str]) -> None:
        self.pos = tag.end()
        if tag[1]:
            self.complete.clear()
            return
        close = self._find_close(tag[2].lower())
        if close is not None:
            self.pos = close
        elif not self.text[: tag.start()].strip():
            self.pos = len(self.text)

    def _find_close(self, name: str) -> int | None:
        if name in self.missing:
            return None
        found = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(self.text, self.pos)
        if found is None:
            self.missing.add(name)
        return found.end() if found else None

    def _inside(self, at: int) -> None:
        text = self.text
        for opening, closing in (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")):
            if text.startswith(opening, at):
                end = text.find(closing, at + len(opening))
                self.pos = len(text) if end < 0 else end + len(closing)
                return
        if text.startswith("</", at):
            self._end_tag(at)
            return
        start = _START.match(text, at)
        if start is None:
            self.pos = at + 1
        elif start[1].rpartition(":")[2] == "svg":
            self._svg(at, at)
        else:
            opened = _REASONING.match(text, at)
            self.reasoning_depth += bool(opened)
            self._tag_end(start.end())

    def _svg(self, at: int, start: int) -> None:
        name = _START.match(self.text, at)
        body = name.end() if name else at + 1
        closed = self._tag_end(body)
        bare = not self.text[body : self.pos].strip(" \t\r\n/>")
        block = _Block(start, self.pos, bare)
        if closed:
            block.end = self.pos
            (self.inner if self.open else self.complete).append(block)
        else:
            self.open.append(block)

    def _tag_end(self, body: int) -> bool:
        """Move behind the start tag whose attributes begin at `body`; True when it closes itself."""
        text = self.text
        found = _TAG_BODY.match(text, body)
        end = found.end() if found else body
        following = text[end : end + 1]
        self.pos = end if following == "<" else min(end + 1, len(text))
        return following == ">" and text[end - 1] == "/"

    def _end_tag(self, at: int) -> None:
        found = _END.match(self.text, at)
        if found is None:
            self.pos = at + 2
            return
        self.pos = found.end()
        if found[1].rpartition(":")[2] == "svg":
            block = self.open.pop()
            block.end = self.pos
            (self.inner if self.open else self.complete).append(block)
        elif _REASONING.match(self.text, at):
            self._close_reasoning()

    def _close_reasoning(self) -> None:
        """A draft in reasoning that nothing opened: drop all that was found so far."""
        if self.reasoning_depth:
            self.reasoning_depth -= 1
            return
        self.open.clear()
        self.complete.clear()
        self.inner.clear()

    def _prolog_item(self, at: int) -> int | None:
        """The end of a comment, instruction or doctype before a root; None when it is none."""
        text = self.text
        if text.startswith("<!--", at):
            dashes = text.find("--", at + 4)
            return dashes + 3 if dashes >= 0 and text.startswith("-->", dashes) else None
        if text.startswith("<?", at):
            end = -1 if "?>" in self.missing else text.find("?>", at + 2)
            if end < 0:
                self.missing.add("?>")
            return end + 2 if end >= 0 else None
        if text.startswith("<!DOCTYPE", at) and "doctype" not in self.missing:
            return self._doctype(at + 9)
        return None

    def _doctype(self, pos: int) -> int | None:
        text, subset = self.text, False
        while (found := _DOCTYPE_TOKEN.search(text, pos)) is not None:
            token, pos = found[0], found.end()
            if token in "\"'" or text.startswith("<!--", found.start()):
                close = text.find(token if token in "\"'" else "-->", pos)
                pos = len(text) if close < 0 else close + 1
            elif token == "<" and not subset:
                return None
            elif token == ">" and not subset:
                return pos
            elif token in "[]":
                subset = token == "["
        self.missing.add("doctype")
        return None
