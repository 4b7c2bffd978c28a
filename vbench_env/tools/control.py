"""Tools that steer the episode."""

from __future__ import annotations

from vbench_env.tools.base import Arguments, ToolContext, ToolResult, tool


class SubmitArgs(Arguments):
    pass


@tool("submit", "control", SubmitArgs)
def submit(context: ToolContext, args: SubmitArgs) -> ToolResult:
    """Hand in the document as it is now. This ends the episode, and the document is scored."""
    return ToolResult("submitted", context.document, ends=True)
