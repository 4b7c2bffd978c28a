"""Tools that steer the episode: several calls at once, going back, public checks, handing in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import Field

from vbench_env.svg.document import Refusal
from vbench_env.tools.base import (
    TOOLS,
    Arguments,
    ErrorKind,
    ToolContext,
    ToolResult,
    call_tool,
    changed,
    tool,
)

if TYPE_CHECKING:
    from vbench_env.render import Picture

MAX_CALLS = 64


class BatchCall(Arguments):
    tool: str
    """Name of a look or edit tool."""
    args: dict[str, Any] = Field(default_factory=dict)
    """Its arguments."""


class BatchArgs(Arguments):
    calls: list[BatchCall] = Field(min_length=1, max_length=MAX_CALLS)
    """Calls in order, each {"tool": name, "args": {...}}; each sees the document that the one before left."""


class UndoArgs(Arguments):
    steps: int = Field(default=1, ge=1)
    """How many changes to take back."""


class ResetDocumentArgs(Arguments):
    pass


class SubmitArgs(Arguments):
    pass


@tool("batch", "control", BatchArgs)
def batch(context: ToolContext, args: BatchArgs) -> ToolResult:
    """Run several look and edit calls in order, all or nothing: when one fails, none of them changes
    anything. It counts as one change for undo."""
    inner, texts = context, []
    pictures: list[Picture] = []
    for number, call in enumerate(args.calls, 1):
        place = f"calls.{number - 1}"
        _require_simple(context, call.tool, place)
        result = call_tool(inner, call.tool, call.args)
        if result.error is not None:
            message = f"call {number} of {len(args.calls)} ({call.tool[:60]}) failed, nothing was changed: "
            inside = f".{result.error.place}" if result.error.place else ""
            raise Refusal(result.error.kind, message + result.error.message, place + inside)
        texts.append(f"{number}. {call.tool}: {result.text}")
        pictures += result.pictures
        inner = inner.after(result)
    if inner.document is context.document:
        return ToolResult("\n".join(texts), context.document, pictures=tuple(pictures))
    return replace(changed(context, inner.document, "\n".join(texts)), pictures=tuple(pictures))


def _require_simple(context: ToolContext, name: str, place: str) -> None:
    known = context.offered is None or name in context.offered
    if known and name in TOOLS and TOOLS.get(name).group == "control":
        raise Refusal(
            ErrorKind.NOT_APPLICABLE, f"{name} cannot be called inside batch; nothing was changed", place
        )


@tool("undo", "control", UndoArgs)
def undo(context: ToolContext, args: UndoArgs) -> ToolResult:
    """Take back the last change of the document, or the last few."""
    if args.steps > len(context.history):
        count = len(context.history)
        raise Refusal(
            ErrorKind.NOT_APPLICABLE, f"only {count} changes can be undone, not {args.steps}", "steps"
        )
    position = len(context.history) - args.steps
    document = context.history[position]
    text = f"undone: {args.steps} change{'s' if args.steps > 1 else ''}; {position} left to undo"
    return replace(changed(context, document, text), history=context.history[:position])


@tool("reset_document", "control", ResetDocumentArgs)
def reset_document(context: ToolContext, args: ResetDocumentArgs) -> ToolResult:
    """Go back to the document that the episode started with. This can be undone."""
    if context.document.text == context.start.text:
        return ToolResult("unchanged: the document is the one you started with", context.document)
    return changed(context, context.start, "the document is again the one you started with")


@tool("submit", "control", SubmitArgs)
def submit(context: ToolContext, args: SubmitArgs) -> ToolResult:
    """Hand in the document as it is now. This ends the episode, and the document is scored."""
    return ToolResult("submitted", context.document, ends=True)
