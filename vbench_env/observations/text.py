"""The document and its changes as text."""

from __future__ import annotations

import difflib

from vbench_env.svg.document import changed_span

_CONTEXT_LINES = 2
_LONG_LINE = 600
_CONTEXT_CHARACTERS = 60
_MANY_LINES = 400


def shorten(text: str, limit: int) -> str:
    """`text`, or `limit` characters of its two ends with a note on how much was left out."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    tail = limit - head
    return f"{text[:head]}\n[... {len(text) - limit} characters left out ...]\n{text[len(text) - tail :]}"


def difference(old: str, new: str) -> str:
    """What turns `old` into `new`, for an agent to read; empty when they are equal.

    A unified diff without file names; for documents with very long lines, the changed characters with a few
    on either side.
    """
    spans = changed_span(old, new)
    if not spans:
        return ""
    start, end, replacement = spans[0]
    top = old.rfind("\n", 0, start) + 1
    bottom = _line_end(old, end)
    new_bottom = bottom + len(new) - len(old)
    before, after = old[top:bottom].splitlines(), new[top:new_bottom].splitlines()
    if max(map(len, [*before, *after]), default=0) > _LONG_LINE:
        return _characters(old, start, end, replacement)
    return _lines(old, before, after, top, bottom)


def _line_end(text: str, position: int) -> int:
    if position > 0 and text[position - 1 : position] == "\n":
        return position
    found = text.find("\n", position)
    return len(text) if found < 0 else found + 1


def _characters(old: str, start: int, end: int, new: str) -> str:
    left, right = old[max(0, start - _CONTEXT_CHARACTERS) : start], old[end : end + _CONTEXT_CHARACTERS]
    return f"at character {start}:\n-{left}{old[start:end]}{right}\n+{left}{new}{right}"


def _lines(old: str, before: list[str], after: list[str], top: int, bottom: int) -> str:
    number = old.count("\n", 0, top) + 1
    above = old[:top].splitlines()[-_CONTEXT_LINES:] if top else []
    below = old[bottom : bottom + 4 * _LONG_LINE].splitlines()[:_CONTEXT_LINES]
    head = f"@@ line {number} @@"
    body = [*(f"-{line}" for line in before), *(f"+{line}" for line in after)]
    if min(len(before), len(after)) > 1 and len(body) <= _MANY_LINES:
        body = list(difflib.unified_diff(before, after, n=_MANY_LINES, lineterm=""))[3:] or body
    return "\n".join([head, *(f" {line}" for line in above), *body, *(f" {line}" for line in below)])
