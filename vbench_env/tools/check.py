"""Public checks: is the document sound, and can it be drawn? Nothing here knows of a target."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from vbench_env.svg.document import SourceDocument
from vbench_env.svg.parse import Fault
from vbench_env.tools.base import Arguments, ToolContext, ToolResult, tool

MAX_FAULTS = 20


class ValidateArgs(Arguments):
    pass


@tool("validate", "control", ValidateArgs)
def validate(context: ToolContext, args: ValidateArgs) -> ToolResult:
    """Check the document: well-formed, ids unique, references resolve, numbers, colours, paths and transforms
    follow their grammars, it can be drawn. Says nothing about the task."""
    found = faults(context.document, context.start)
    drawing = _drawing(context)
    if not found:
        sound = "valid: well-formed, ids are unique, references resolve, values follow their grammars"
        return ToolResult(f"{sound}; {drawing}", context.document)
    lines = [f"not valid: {len(found)} fault{'s' if len(found) > 1 else ''}; {drawing}"]
    lines += [_line(fault, inherited) for fault, inherited in found[:MAX_FAULTS]]
    if len(found) > MAX_FAULTS:
        lines.append(f"... {len(found) - MAX_FAULTS} more")
    return ToolResult("\n".join(lines), context.document)


def faults(document: SourceDocument, start: SourceDocument) -> list[tuple[Fault, bool]]:
    """The document's faults, each with whether the start of the episode has it too."""
    from vbench_env.scoring.rules import SURGICAL
    from vbench_env.scoring.validity import document_faults, fault_key

    allowed = Counter(_start_keys(start))
    found = []
    for fault in document_faults(document.parsed, SURGICAL):
        key = fault_key(fault)
        found.append((fault, allowed[key] > 0))
        allowed[key] -= 1
    return found


@lru_cache(maxsize=8)
def _start_keys(start: SourceDocument) -> Counter[tuple[str, str]]:
    from vbench_env.scoring.rules import SURGICAL
    from vbench_env.scoring.validity import fault_keys

    return fault_keys(start.parsed, SURGICAL)


def _line(fault: Fault, inherited: bool) -> str:
    where = ", ".join(filter(None, [fault.place, f"line {fault.line}" if fault.line else None]))
    text = f"- {fault.kind}: {fault.message}" + (f" ({where})" if where else "")
    return text + (" [already in the document that you started with]" if inherited else "")


def _drawing(context: ToolContext) -> str:
    from vbench_env.render import RenderFailure, RenderRequest

    if context.renderer is None:
        return "not drawn here"
    width, height = context.picture_size
    result = context.renderer.render(RenderRequest(context.document.text, width, height))
    return f"cannot be drawn ({result.message})" if isinstance(result, RenderFailure) else "it can be drawn"
