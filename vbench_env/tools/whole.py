"""Edits of the text itself; they also work on a document that is not well-formed."""

from __future__ import annotations

from vbench_env.svg.document import Edit, Refusal, SourceDocument, changed_span, shifted
from vbench_env.svg.patch import patch_edits
from vbench_env.tools.base import Arguments, ToolContext, ToolResult, changed, tool


class ReplaceTextArgs(Arguments):
    find: str
    """Exact characters of the document, long enough to stand in one place only."""
    replace: str
    """What to put there instead."""


class ApplyPatchArgs(Arguments):
    patch: str
    """Unified diff (@@ hunks), or blocks of <<<<<<< SEARCH, =======, >>>>>>> REPLACE."""


class RewriteArgs(Arguments):
    svg: str
    """The whole new SVG document, from the first character to the last."""


@tool("replace_text", "edit", ReplaceTextArgs)
def replace_text(context: ToolContext, args: ReplaceTextArgs) -> ToolResult:
    """Replace an exact piece of the document's source text. It must stand in exactly one place."""
    document = context.document
    find, replace, start = _found(document, args.find, args.replace)
    edits = shifted(changed_span(find, replace), start)
    if not edits:
        return ToolResult("unchanged: both texts are the same", document)
    line = document.text.count("\n", 0, start) + 1
    text = f"line {line}: {len(find)} characters replaced by {len(replace)}"
    return changed(context, document.edited(edits), text, edits)


@tool("apply_patch", "edit", ApplyPatchArgs)
def apply_patch(context: ToolContext, args: ApplyPatchArgs) -> ToolResult:
    """Apply a unified diff or search/replace blocks to the source text. Each hunk goes where its context
    stands, which must be one place; line numbers need not be right. All hunks apply or none does."""
    document = context.document
    edits = patch_edits(document.text, args.patch)
    if not edits:
        return ToolResult("unchanged: the patch puts the same text back", document)
    return changed(context, document.edited(edits), f"patch applied: {_lines(document, edits)}", edits)


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


def _found(document: SourceDocument, find: str, replace: str) -> tuple[str, str, int]:
    """What to look for (with the document's line ends), what to put, and where it stands."""
    if not find:
        raise Refusal("bad_arguments", "find is empty; give the exact text to replace", "find")
    start = document.text.find(find)
    if start < 0 and "\n" in find and document.newline == "\r\n":
        find, replace = _windows(find), _windows(replace)
        start = document.text.find(find)
    if start < 0:
        raise Refusal(
            "not_found", "the text to find is not in the document; it must match to the letter", "find"
        )
    if document.text.find(find, start + 1) >= 0:
        lines = ", ".join(map(str, _places(document.text, find)))
        raise Refusal(
            "ambiguous", f"the text to find stands in several places (lines {lines}); make it longer", "find"
        )
    return find, replace, start


def _windows(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _places(text: str, find: str) -> list[int]:
    found: list[int] = []
    position = text.find(find)
    while position >= 0 and len(found) < 8:
        found.append(text.count("\n", 0, position) + 1)
        position = text.find(find, position + 1)
    return found


def _lines(document: SourceDocument, edits: tuple[Edit, ...]) -> str:
    shown = ", ".join(str(document.text.count("\n", 0, edit.start) + 1) for edit in edits[:10])
    return f"{len(edits)} change{'s' if len(edits) > 1 else ''} at line {shown}"
