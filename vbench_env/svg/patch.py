"""Patches of text: unified diffs and search/replace blocks, located by unique context.

A unified diff's line numbers are not trusted: a hunk goes where its context and removed lines stand, exactly
once (its line number only decides between several places). When nothing fits to the letter, spaces at line
ends and then indentation are ignored; untouched lines keep theirs. A search/replace block goes where its
search text stands, exactly once, so that it also works inside one long line.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vbench_env.svg.document import Edit, Refusal, changed_span, shifted

_HUNK = re.compile(r"@@(?:\s*-([0-9]+)(?:,[0-9]+)?\s+\+[0-9]+(?:,[0-9]+)?\s*@@.*|.*)")
_NOISE = (
    "--- ",
    "+++ ",
    "diff ",
    "index ",
    "new file",
    "deleted file",
    "similarity",
    "rename ",
    "old mode",
    "new mode",
)
_SEARCH = re.compile(r"<{5,9} ?SEARCH\s*")
_MIDDLE = re.compile(r"={5,9}\s*")
_REPLACE = re.compile(r">{5,9} ?REPLACE\s*")
_INDENT = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines with their marks (space, `-`, `+`), and the line number that the patch claims."""

    lines: tuple[tuple[str, str], ...]
    claimed: int | None = None
    block: bool = False

    @property
    def old(self) -> list[str]:
        return [text for mark, text in self.lines if mark != "+"]

    @property
    def new(self) -> list[str]:
        return [text for mark, text in self.lines if mark != "-"]


def patch_edits(text: str, patch: str) -> tuple[Edit, ...]:
    """Edits of `text` that the patch asks for; `Refusal` of kind `patch_failed` when a hunk fits nowhere.

    Either every hunk fits or nothing is done.
    """
    target = _Target(text)
    edits: list[Edit] = []
    for number, hunk in enumerate(read_patch(patch), 1):
        edits += _block_edits(target, hunk, number) if hunk.block else _hunk_edits(target, hunk, number)
    edits.sort()
    for one, two in itertools.pairwise(edits):
        if two.start < one.end or (two.start, two.end) == (one.start, one.end):
            raise Refusal("patch_failed", "two hunks change the same place; make one of them")
    return tuple(edits)


def read_patch(patch: str) -> list[Hunk]:
    """The hunks of a unified diff, or the blocks of a search/replace list."""
    lines = [line.removesuffix("\r") for line in patch.split("\n")]
    if any(_SEARCH.fullmatch(line) for line in lines):
        return _blocks(lines)
    if any(line.startswith("@@") for line in lines):
        return _unified(lines)
    raise Refusal("patch_failed", "no hunk (@@ ... @@) and no <<<<<<< SEARCH block in the patch", "patch")


def _unified(lines: Sequence[str]) -> list[Hunk]:
    hunks: list[Hunk] = []
    body: list[tuple[str, str]] | None = None
    claimed: int | None = None
    for line in [*lines, "@@"]:
        match = _HUNK.fullmatch(line) if line.startswith("@@") else None
        if match:
            if body:
                hunks.append(Hunk(tuple(_trimmed(body)), claimed))
            body, claimed = [], int(match[1]) if match[1] else None
        elif body is not None:
            if (not body and line.startswith(_NOISE)) or line.startswith(("diff --git ", "```", "\\")):
                continue
            if line.startswith(("--- a/", "+++ b/", "--- /dev", "+++ /dev")):
                continue
            body.append((line[0], line[1:]) if line[:1] in ("+", "-", " ") else (" ", line))
    if not any(mark != " " for hunk in hunks for mark, _ in hunk.lines):
        raise Refusal("patch_failed", "the patch changes nothing: no line starts with + or -", "patch")
    return hunks


def _trimmed(body: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Without the empty context lines at the end that come from the text around a patch."""
    while body and body[-1] == (" ", ""):
        body = body[:-1]
    return body


def _blocks(lines: Sequence[str]) -> list[Hunk]:
    hunks: list[Hunk] = []
    search: list[str] = []
    replace: list[str] = []
    state = ""
    for line in lines:
        if not state and _SEARCH.fullmatch(line):
            state, search, replace = "-", [], []
        elif state == "-" and _MIDDLE.fullmatch(line):
            state = "+"
        elif state == "+" and _REPLACE.fullmatch(line):
            hunks.append(
                Hunk((*(("-", item) for item in search), *(("+", item) for item in replace)), block=True)
            )
            state = ""
        elif state:
            (search if state == "-" else replace).append(line)
    if state:
        wanted = "=======" if state == "-" else ">>>>>>> REPLACE"
        raise Refusal(
            "patch_failed", f"the last search/replace block is not closed; {wanted} is missing", "patch"
        )
    return hunks


def _block_edits(target: _Target, hunk: Hunk, number: int) -> list[Edit]:
    text = target.text
    search, replace = target.newline.join(hunk.old), target.newline.join(hunk.new)
    if not search.strip():
        raise Refusal(
            "patch_failed", f"block {number} searches for nothing; give the text to replace", "patch"
        )
    start = text.find(search)
    if start < 0:
        return _hunk_edits(target, hunk, number)
    if text.find(search, start + 1) >= 0:
        count = text.count(search)
        raise Refusal(
            "patch_failed", f"block {number}: its search text stands in {count} places; make it longer"
        )
    return list(shifted(changed_span(search, replace), start))


_LEVELS: tuple[Callable[[str], str], ...] = (
    lambda line: line,
    lambda line: line.rstrip(),
    lambda line: line.strip(),
)
_ENOUGH = 9


class _Target:
    """The text as lines, indexed on demand at each level of exactness."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.lines = text.split("\n")
        self.bare = [line.removesuffix("\r") for line in self.lines]
        self.offsets = [0, *itertools.accumulate(len(line) + 1 for line in self.lines)]
        self._levels: dict[int, tuple[list[str], dict[str, list[int]]]] = {}

    def positions(self, old: Sequence[str], level: int) -> list[int]:
        """Lines at which all of `old` stands, the first few; found from the rarest line of `old`."""
        have, places = self._level(level)
        wanted = [_LEVELS[level](line) for line in old]
        anchor = min(range(len(wanted)), key=lambda at: len(places.get(wanted[at], ())))
        found: list[int] = []
        for place in places.get(wanted[anchor], ()):
            start = place - anchor
            if start >= 0 and have[start : start + len(wanted)] == wanted:
                found.append(start)
                if len(found) == _ENOUGH:
                    break
        return found

    def stands_at(self, old: Sequence[str], start: int, level: int) -> bool:
        have = self._level(level)[0][start : start + len(old)] if start >= 0 else []
        return have == [_LEVELS[level](line) for line in old]

    def _level(self, level: int) -> tuple[list[str], dict[str, list[int]]]:
        if level not in self._levels:
            have = [_LEVELS[level](line) for line in self.bare]
            places: dict[str, list[int]] = {}
            for at, line in enumerate(have):
                places.setdefault(line, []).append(at)
            self._levels[level] = (have, places)
        return self._levels[level]


def _hunk_edits(target: _Target, hunk: Hunk, number: int) -> list[Edit]:
    name = f"{'block' if hunk.block else 'hunk'} {number}"
    at = _located(target, hunk, name) if hunk.old else _claimed_line(target, hunk, number)
    return _line_edits(target, hunk, at)


def _claimed_line(target: _Target, hunk: Hunk, number: int) -> int:
    if hunk.claimed is None or hunk.claimed > len(target.lines):
        raise Refusal(
            "patch_failed", f"hunk {number} only adds lines; give a line of context before or after them"
        )
    return hunk.claimed


def _located(target: _Target, hunk: Hunk, name: str) -> int:
    for level in range(len(_LEVELS)):
        found = target.positions(hunk.old, level)
        if (
            len(found) > 1
            and hunk.claimed is not None
            and target.stands_at(hunk.old, hunk.claimed - 1, level)
        ):
            return hunk.claimed - 1
        if len(found) > 1:
            shown = ", ".join(str(at + 1) for at in found[:8]) + (", ..." if len(found) == _ENOUGH else "")
            message = f"{name} fits at lines {shown}; add lines of context so that it fits once"
            raise Refusal("patch_failed", message, "patch")
        if found:
            return found[0]
    raise Refusal("patch_failed", f"{name} fits nowhere: {_missing(target, hunk)}", "patch")


def _missing(target: _Target, hunk: Hunk) -> str:
    """Which line of the hunk the document lacks."""
    known = {line.strip() for line in target.bare}
    for line in hunk.old:
        if line.strip() not in known:
            return f"the document has no line {line.strip()[:100]!r}"
    return "its lines are in the document, but not one after the other"


def _line_edits(target: _Target, hunk: Hunk, at: int) -> list[Edit]:
    indents = {_indent(old): _indent(have) for old, have in zip(hunk.old, target.bare[at:], strict=False)}
    edits: list[Edit] = []
    added: list[str] = []
    start = target.offsets[at]
    for mark, line in [*hunk.lines, (" ", "")]:
        if mark == "+":
            indent = _indent(line)
            added.append(indents.get(indent, indent) + line[len(indent) :] + target.newline)
            continue
        if mark == " ":
            edits += _replaced(target, start, target.offsets[min(at, len(target.lines))], "".join(added))
            added = []
        at += 1
        if mark == " ":
            start = target.offsets[min(at, len(target.lines))]
    return edits


def _indent(line: str) -> str:
    match = _INDENT.match(line)
    return match[0] if match else ""


def _replaced(target: _Target, start: int, end: int, new: str) -> list[Edit]:
    """An edit of whole lines, at the end of a text without a last line break too."""
    text, newline = target.text, target.newline
    if end > len(text):
        end, new = len(text), new.removesuffix(newline)
        if not new and 0 < start <= len(text):
            start -= len(newline) if text[:start].endswith(newline) else 1
    if start > len(text):
        start, new = len(text), newline + new.removesuffix(newline) if new else ""
    return list(shifted(changed_span(text[start:end], new), start))
