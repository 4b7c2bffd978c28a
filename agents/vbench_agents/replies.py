"""Assistant messages in the form that a protocol takes."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from vbench_env.agent import AgentReply
from vbench_env.protocol import Protocol


def answer(protocol: Protocol, before: str, after: str) -> AgentReply:
    """The single answer that turns the drawing `before` into `after`: the document, or a unified diff."""
    if "rewrite" in protocol.actions:
        return AgentReply(after)
    return AgentReply(unified_diff(before, after) or "Nothing needs to be changed.")


def unified_diff(before: str, after: str) -> str:
    """A unified diff with a line of context; empty when nothing differs."""
    lines = [text.splitlines(keepends=True) for text in (before, after)]
    parts = difflib.unified_diff(lines[0], lines[1], "a/drawing.svg", "b/drawing.svg", n=1)
    return "".join(
        part if part.endswith("\n") else f"{part}\n\\ No newline at end of file\n" for part in parts
    )


def calls(protocol: Protocol, turn: int, wanted: Sequence[tuple[str, Mapping[str, Any]]]) -> AgentReply:
    """Tool calls of one message: in the provider's field, or as JSON in the text."""
    if protocol.calls == "text":
        return AgentReply("\n".join(json.dumps({"tool": name, "args": dict(args)}) for name, args in wanted))
    return AgentReply(None, tuple(_native(turn, number, *call) for number, call in enumerate(wanted, 1)))


def _native(turn: int, number: int, name: str, args: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(dict(args), ensure_ascii=False)}
    return {"id": f"call_{turn}_{number}", "type": "function", "function": function}
