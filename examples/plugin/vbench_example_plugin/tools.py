"""A look tool: how many elements of each name the document holds."""

from __future__ import annotations

import re
from collections import Counter

from vbench_env.tools import TOOLS
from vbench_env.tools.base import Arguments, ToolContext, ToolResult, tool


class CountElementsArgs(Arguments):
    name: str | None = None
    """Element name, such as path; null counts every name."""


@tool("count_elements", "look", CountElementsArgs)
def count_elements(context: ToolContext, args: CountElementsArgs) -> ToolResult:
    """Count the elements of the document by name."""
    found = Counter(re.findall(r"<([A-Za-z][\w:.-]*)", context.document.text))
    if args.name is not None:
        return ToolResult(f"{args.name}: {found[args.name]}", context.document)
    return ToolResult(
        ", ".join(f"{name}: {count}" for name, count in sorted(found.items())), context.document
    )


COUNT_ELEMENTS = TOOLS.get("count_elements")
