"""Where the rules of a style sheet stand, so that one declaration can be changed and every other letter kept.

Source: CSS Syntax 3, sections 4 (comments, strings) and 5 (rules).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vbench_env.svg.cascade import parse_sheet

_PART = re.compile(r"""/\*.*?\*/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|<!--|-->|[{};]""", re.DOTALL)


class Block(NamedTuple):
    """A top-level rule: its selector, or the at-rule's prelude, and the extent of its body."""

    prelude: str
    start: int
    end: int


def blocks(css: str) -> list[Block]:
    """Top-level `prelude { body }` blocks in order, at-rules included."""
    found: list[Block] = []
    depth, prelude_start, body_start = 0, 0, 0
    for match in _PART.finditer(css):
        mark = match.group()
        if mark == "{":
            body_start = body_start if depth else match.end()
            depth += 1
        elif mark == "}":
            depth -= 1
            if depth == 0:
                found.append(Block(css[prelude_start : body_start - 1], body_start, match.start()))
                prelude_start = match.end()
        elif depth == 0 and mark in (";", "<!--", "-->"):
            prelude_start = match.end()
    return found


def style_rules(css: str) -> list[Block]:
    """The blocks that `parse_sheet` reads as rules, in its order."""
    return [block for block in blocks(css) if parse_sheet(block.prelude + "{fill:red}").rules]
