"""The one message of a single-shot protocol: a whole document, or a patch of the given one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vbench_env.action import Message, from_tool
from vbench_env.observations.base import AgentError
from vbench_env.protocol import Protocol
from vbench_env.svg.extract import extract_svg, strip_reasoning
from vbench_env.tools import ToolContext, ToolResult, call_tool

_MARKER = re.compile(r"^<{5,}[ \t]*SEARCH", re.MULTILINE)
_FENCE = re.compile(r"^(?:```|~~~)[\w+.\-]*[ \t]*\r?\n(.*?)^(?:```|~~~)[ \t]*$", re.MULTILINE | re.DOTALL)
_DIFF_START = re.compile(r"^(?:diff --git |--- |@@ )", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is scored. `text` is None when nothing was said; with an error it is still scored as it stands."""

    text: str | None
    action: dict[str, Any]
    error: AgentError | None = None


def read_answer(message: Message, context: ToolContext, protocol: Protocol) -> Answer:
    """The answer in a message, never raising for what it holds."""
    start = context.document.text
    if message.calls and not message.content:
        call = message.calls[0]
        svg = call.arguments.get("svg") if isinstance(call.arguments, Mapping) else None
        if call.tool == "rewrite" and isinstance(svg, str) and "rewrite" in protocol.actions:
            return Answer(svg, call.shown())
        wrong = f"protocol {protocol.name} takes one answer in text and no tool calls; nothing was changed"
        return Answer(start, call.shown(), AgentError("not_granted", wrong, call.tool))
    action = {"text": message.content}
    if message.error or not message.content:
        return Answer(message.content, action, message.error)
    if "patch" in protocol.actions:
        result = apply_patch_answer(context, message.content)
        return Answer(result.document.text, action, from_tool(result.error) if result.error else None)
    document = extract_svg(message.content)
    return Answer(message.content if document is None else document, action)


def apply_patch_answer(context: ToolContext, text: str) -> ToolResult:
    """Apply a model's patch to the document: search/replace blocks when it has any, else a unified diff.

    All or nothing: with an error the result's document is the given one.
    """
    body = strip_reasoning(text)
    patch = body if _MARKER.search(body) else _diff(body)
    return call_tool(context, "apply_patch", {"patch": patch}, ("apply_patch",))


def _diff(body: str) -> str:
    """The unified diff in a text: in the first code fence that holds one, else from its first line on."""
    for content in _FENCE.findall(body):
        if _DIFF_START.search(content):
            return str(content)
    start = _DIFF_START.search(body)
    return body[start.start() :] if start else body
