"""The difference of two documents as text that stays short, long lines and one-line files included."""

from __future__ import annotations

import difflib
import re

from vbench_env.svg.document import changed_span

LONG_LINE = 400
MAX_LINES = 1500
MAX_CHARACTERS = 20_000


def difference(old: str, new: str, context_lines: int = 1) -> str:
    """A unified diff from `old` to `new`; empty when they are equal.

    Line ends are shown only where they are mixed. When a line is very long, both sides are first broken after
    each tag. A difference too big to align is
    shown as the one stretch that changed.
    """
    if old == new:
        return ""
    if _only_windows(old) and _only_windows(new):
        old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    split, note = (_tags, "(broken after each tag)\n") if _has_long_lines(old, new) else (_lines, "")
    one, two = split(old), split(new)
    head, tail = _common_ends(one, two)
    if max(len(one), len(two)) - head - tail > MAX_LINES:
        return _stretch(old, new)
    first, last = max(0, head - context_lines), max(0, tail - context_lines)
    one, two = one[first : len(one) - last], two[first : len(two) - last]
    diff = difflib.unified_diff(one, two, "start", "now", n=context_lines, lineterm="")
    return _cut(note + "\n".join(_moved(line, first) for line in diff) or _stretch(old, new))


def _only_windows(text: str) -> bool:
    return text.count("\r\n") == text.count("\n") == text.count("\r")


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _tags(text: str) -> list[str]:
    return [piece for line in text.split("\n") for piece in re.split(r"(?<=>)(?=.)", line)]


def _has_long_lines(old: str, new: str) -> bool:
    return any(len(line) > LONG_LINE for text in (old, new) for line in text.split("\n"))


def _common_ends(one: list[str], two: list[str]) -> tuple[int, int]:
    shortest = min(len(one), len(two))
    head = 0
    while head < shortest and one[head] == two[head]:
        head += 1
    tail = 0
    while tail < shortest - head and one[-1 - tail] == two[-1 - tail]:
        tail += 1
    return head, tail


_HEADER = re.compile(r"@@ -([0-9]+)(,[0-9]+)? \+([0-9]+)(,[0-9]+)? @@")


def _moved(line: str, offset: int) -> str:
    """A hunk header with the lines that were left out in front counted in; other lines visibly ended."""
    match = _HEADER.fullmatch(line)
    if match is None:
        return line.replace("\r", "\\r")
    old, new = int(match[1]) + offset, int(match[3]) + offset
    return f"@@ -{old}{match[2] or ''} +{new}{match[4] or ''} @@"


def _stretch(old: str, new: str) -> str:
    edit = changed_span(old, new)[0]
    line = old.count("\n", 0, edit.start) + 1
    gone = old[edit.start : edit.end]
    head = f"from line {line}: {len(gone)} characters -> {len(edit.new)}"
    return _cut(f"{head}\n- {gone[:2000]}\n+ {edit.new[:2000]}")


def _cut(text: str) -> str:
    if len(text) <= MAX_CHARACTERS:
        return text
    return f"{text[:MAX_CHARACTERS]}\n... {len(text) - MAX_CHARACTERS} characters of the difference left out"
