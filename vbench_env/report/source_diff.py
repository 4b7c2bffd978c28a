"""What an answer changed in the source, line by line, short enough to read.

Markup without line breaks is broken between elements first, for the eye only. Of a changed line the part that
changed is marked, and long stretches that did not are left out.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from vbench_env.report.words import plural, size

LARGEST_TEXT = 400_000
"""Characters of a source that is still compared."""
MOST_PIECES = 4000
MOST_LINES = 160
LEAST_KEPT = 0.05
"""Share of the lines that must be left of the source that was, for a comparison to make sense."""
SHOWN_START = 3000
"""Characters shown of a source that is not compared."""
_LONG_LINE = 160
_CONTEXT = 48
_LONGEST = 360

DiffKind = Literal["same", "removed", "added", "gap"]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line: `head` and `tail` are unchanged, `mark` is what changed."""

    kind: DiffKind
    head: str = ""
    mark: str = ""
    tail: str = ""


@dataclass(frozen=True, slots=True)
class SourceDiff:
    """Lines to show, how many changed in all, and what is not shown."""

    lines: tuple[DiffLine, ...]
    removed: int = 0
    added: int = 0
    note: str | None = None
    compared: bool = True
    """False when the lines are the start of a source without a comparison."""

    @property
    def same(self) -> bool:
        return self.compared and not self.removed and not self.added


def source_diff(before: str | None, after: str) -> SourceDiff:
    """Compare a source with what it was; without a `before`, or of too large a text, show how it starts."""
    if before is None:
        return _start(after, f"{plural(len(after), 'character')} in all; there is nothing to compare with.")
    if max(len(before), len(after)) > LARGEST_TEXT:
        return _start(after, f"This source has {size(len(after.encode('utf-8', 'replace')))}; it is too large "
                             "to compare here. It starts like this:")  # fmt: skip
    old, new = pieces(before), pieces(after)
    if max(len(old), len(new)) > MOST_PIECES:
        return _start(after, f"This source has {plural(len(new), 'line')}; it is too long to compare here. "
                             "It starts like this:")  # fmt: skip
    matcher = difflib.SequenceMatcher(None, old, new)
    kept = sum(block.size for block in matcher.get_matching_blocks())
    if kept < LEAST_KEPT * len(old):
        return _start(
            after, "Next to nothing of the corrupted drawing's source is left. It starts like this:"
        )
    return _compared(old, new, matcher)


def pieces(source: str) -> list[str]:
    """Lines of a source; a long one is broken between elements."""
    found: list[str] = []
    for line in source.splitlines():
        found += re.split(r"(?<=>)(?=\s*<)", line) if len(line) > _LONG_LINE else [line]
    return found


def _start(text: str, note: str) -> SourceDiff:
    shown = text[:SHOWN_START]
    lines = [DiffLine("same", line) for line in shown.splitlines()[:MOST_LINES]]
    if len(text) > SHOWN_START:
        lines.append(DiffLine("gap", f"… {size(len(text) - SHOWN_START)} more"))
    return SourceDiff(tuple(lines), note=note, compared=False)


def _compared(old: list[str], new: list[str], matcher: difflib.SequenceMatcher[str]) -> SourceDiff:
    lines: list[DiffLine] = []
    removed = added = 0
    for number, group in enumerate(matcher.get_grouped_opcodes(1)):
        if number:
            lines.append(DiffLine("gap", "⋯"))
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                lines += [DiffLine("same", _short(line)) for line in old[start:end]]
                continue
            removed, added = removed + end - start, added + new_end - new_start
            if len(lines) <= MOST_LINES:
                lines += _changed(old[start:end], new[new_start:new_end])
    note = None
    if len(lines) > MOST_LINES:
        note = f"Only the first {MOST_LINES} lines of the comparison are shown."
    return SourceDiff(tuple(lines[:MOST_LINES]), removed, added, note)


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    """Removed lines, then added ones; line by line where there are as many of both."""
    if len(old) != len(new):
        yield from (DiffLine("removed", _short(line)) for line in old)
        yield from (DiffLine("added", _short(line)) for line in new)
        return
    for one, other in zip(old, new, strict=True):
        start, end = _common(one, other)
        yield _marked("removed", one, start, len(one) - end)
        yield _marked("added", other, start, len(other) - end)


def _marked(kind: DiffKind, line: str, start: int, end: int) -> DiffLine:
    head, tail = line[:start], line[end:]
    if len(head) > 2 * _CONTEXT:
        head = f"{head[:_CONTEXT]} … {head[-_CONTEXT:]}"
    if len(tail) > 2 * _CONTEXT:
        tail = f"{tail[:_CONTEXT]} …"
    return DiffLine(kind, head, _short(line[start:end]), tail)


def _common(one: str, other: str) -> tuple[int, int]:
    """Lengths of the common start and end, words and numbers kept whole."""
    least = min(len(one), len(other))
    start = next((i for i in range(least) if one[i] != other[i]), least)
    while start and _joined(one[start - 1]):
        start -= 1
    rest = least - start
    end = next((i for i in range(rest) if one[-1 - i] != other[-1 - i]), rest)
    while end and _joined(one[-end]):
        end -= 1
    return start, end


def _joined(letter: str) -> bool:
    return letter.isalnum() or letter in ".-#_"


def _short(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]} … {text[-half:]}"
