"""Tools that give the whole document anew."""

from __future__ import annotations

from vbench_env.svg.document import SourceDocument
from vbench_env.tools.base import Arguments, ToolContext, ToolResult, changed, tool


class RewriteArgs(Arguments):
    svg: str
    """The whole new SVG document, from the first character to the last."""


@tool("rewrite", "edit", RewriteArgs)
def rewrite(context: ToolContext, args: RewriteArgs) -> ToolResult:
    """Replace the whole document by a new one. Whatever the new text leaves out or changes is changed."""
    old = context.document
    if args.svg == old.text:
        return ToolResult("unchanged: the new document is the old one", old)
    document = SourceDocument.read(args.svg)
    document.require_well_formed("the new document")
    return changed(
        context, document, f"document replaced: {len(old.text)} -> {len(document.text)} characters"
    )
