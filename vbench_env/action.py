"""Reading an agent's message: whatever comes in becomes calls, an answer, or one stated mistake.

A message may be text (a JSON tool call, several of them, or an SVG document, with prose and fences round it),
a dict (`{"tool", "args"}`, an OpenAI-style call, or a whole assistant message), or a `ToolCall`. Nothing that
is cut off or cannot be read is ever turned into something that can: such a message has an error and no calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from vbench_env.observations.base import AgentError
from vbench_env.observations.text import shorten
from vbench_env.protocol import Protocol
from vbench_env.svg.extract import extract_svg, strip_reasoning, svg_start
from vbench_env.tools import ToolError
from vbench_env.tools.base import printable

MAX_ERROR_CHARACTERS = 4_000
DEEPEST = 100
"""Containers inside each other in an action that comes as an object; a call needs ten."""
_CALL_START = re.compile(r'\{\s*"(?:tool|name|function|type|args|arguments|id)"\s*:|(?<=\n)\{(?=\s*")')
_NAME_KEYS, _ARGUMENT_KEYS = ("tool", "name"), ("args", "arguments", "parameters")
_EXAMPLE = '{"tool": "NAME", "args": {...}}'


class ToolCall(BaseModel):
    """A tool call as an agent written in Python makes it."""

    model_config = ConfigDict(extra="forbid")

    tool: str
    """Name of the tool."""
    args: dict[str, Any] = Field(default_factory=dict)
    """Arguments by name."""
    id: str | None = None
    """Identifier that the result refers to; made up when None."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call as it was sent: `arguments` may be text that is no JSON, which the tool then refuses."""

    tool: str
    arguments: Mapping[str, Any] | str | None = None
    id: str | None = None

    def shown(self) -> dict[str, Any]:
        """For logs: plain JSON types."""
        arguments = self.arguments
        return {"tool": self.tool, "args": arguments if isinstance(arguments, str) else dict(arguments or {})}


@dataclass(frozen=True, slots=True)
class Message:
    """An assistant message as read: its text, its calls, and what is wrong with it."""

    content: str | None
    calls: tuple[Call, ...] = ()
    native: bool = False
    """The calls came apart from the text, so their results are `tool` messages."""
    error: AgentError | None = None


def read_message(action: object, protocol: Protocol) -> Message:
    """Read one message under a protocol; never raises for what it holds."""
    limit = protocol.budgets.max_message_bytes
    if nested_deeper(action, DEEPEST):
        deep = f"the action is nested more than {DEEPEST} levels deep; nothing was read"
        return Message(None, error=AgentError("bad_action", deep))
    try:
        message, finish_reason = _parts(action)
        size = _size(message)
    except ValueError:  # Python writes down no integer of 4,300 digits
        return Message(
            None, error=AgentError("message_too_long", "it holds a number too large to write down")
        )
    if size > limit:
        clipped = None if message.content is None else message.content[:2000]
        error = AgentError("message_too_long", f"the message is larger than {limit} bytes; nothing was read")
        return Message(clipped, error=error)
    if message.error or protocol.single_shot:
        return message
    if finish_reason == "length":
        return replace(message, calls=(), error=_cut_off(len(message.calls)))
    if not message.native:
        message = _from_text(message, protocol)
    return _bounded(message, protocol.budgets.max_calls)


def _bounded(message: Message, limit: int) -> Message:
    if message.error is None and len(message.calls) > limit:
        count = len(message.calls)
        error = AgentError("too_many_calls", f"{count} calls in one message, more than {limit}; none was run")
        return replace(message, calls=(), error=error)
    return message


def nested_deeper(value: object, levels: int) -> bool:
    """Whether containers stand inside each other so deep that reading them would exhaust the stack."""
    level: dict[int, object] = {0: value}
    for _ in range(levels):
        level = {id(child): child for item in level.values() for child in _children(item)}
        if not level:
            return False
    return True


def _children(value: object) -> Iterable[object]:
    if isinstance(value, BaseModel):
        return vars(value).values()
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, (list, tuple)) else ()


def _cut_off(calls: int) -> AgentError:
    what = f"none of its {calls} calls was run" if calls else "nothing of it was used"
    return AgentError("cut_off", f"the message hit the output limit and {what}; send a shorter one")


def _size(message: Message) -> int:
    total = len(message.content or "")
    for call in message.calls:
        total += len(call.arguments) if isinstance(call.arguments, str) else len(repr(call.arguments))
    return total


def _parts(action: object) -> tuple[Message, str | None]:
    if isinstance(action, str):
        return Message(action), None
    if isinstance(action, (bytes, bytearray)):
        return Message(bytes(action).decode("utf-8", "replace")), None
    if isinstance(action, ToolCall):
        return Message(None, (Call(action.tool, action.args, action.id),), native=True), None
    if isinstance(action, BaseModel):
        action = action.model_dump()
    if not isinstance(action, Mapping):
        return Message(None, error=_not_an_action(action)), None
    if any(key in action for key in ("role", "content", "tool_calls")):
        reason = action.get("finish_reason")
        return _assistant(action), reason if isinstance(reason, str) else None
    call = _call(action)
    if isinstance(call, AgentError):
        return Message(printable(repr(dict(action))[:2000]), error=call), None
    return Message(None, (call,), native=True), None


def _not_an_action(action: object) -> AgentError:
    kind = type(action).__name__
    return AgentError("bad_action", f"an action is text or a tool call {_EXAMPLE}, not {kind}")


def _assistant(data: Mapping[str, Any]) -> Message:
    content = _content(data.get("content"))
    calls = [_call(item) for item in _listed(data.get("tool_calls"))]
    wrong = next((call for call in calls if isinstance(call, AgentError)), None)
    good = tuple(call for call in calls if isinstance(call, Call))
    if wrong:
        return Message(content, error=wrong)
    return Message(content, good, native=bool(good))


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def _content(value: object) -> str | None:
    """Text of a message's content: a string, or the text parts of a list."""
    if value is None or isinstance(value, str):
        return value
    parts = [part.get("text", "") for part in _listed(value) if isinstance(part, Mapping)]
    return "".join(part for part in parts if isinstance(part, str))


def _call(data: object) -> Call | AgentError:
    """A call from `{"tool", "args"}` or from OpenAI's `{"id", "type", "function": {"name", "arguments"}}`."""
    if isinstance(data, BaseModel):
        data = data.model_dump()
    if not isinstance(data, Mapping):
        return AgentError("bad_call", f"a call is an object {_EXAMPLE}, not {type(data).__name__}", "tool")
    inner = data.get("function")
    body = inner if isinstance(inner, Mapping) else data
    name = next((body[key] for key in _NAME_KEYS if key in body), None)
    if not isinstance(name, str):
        return AgentError("bad_call", f"a call names its tool: {_EXAMPLE}", "tool")
    extra = sorted(str(key) for key in body if key not in (*_NAME_KEYS, *_ARGUMENT_KEYS, "id", "type"))
    if extra:
        return AgentError(
            "bad_call", f"{extra[0]!r} does not belong beside tool and args: {_EXAMPLE}", extra[0]
        )
    arguments = next((body[key] for key in _ARGUMENT_KEYS if key in body), None)
    if arguments is not None and not isinstance(arguments, (Mapping, str)):
        kind = type(arguments).__name__
        return AgentError("bad_call", f"args must be an object, not {kind}", "args")
    identifier = data.get("id")
    return Call(name, arguments, identifier if isinstance(identifier, str) and identifier else None)


def _from_text(message: Message, protocol: Protocol) -> Message:
    """Calls or a document out of the text of a message in a protocol with tools."""
    body = strip_reasoning(message.content or "").strip().removeprefix("\ufeff")
    if not body:
        return replace(message, error=AgentError("no_action", f"the message is empty; {_advice(protocol)}"))
    start, document = _first_call(body), svg_start(body)
    if start is not None and (document is None or start < document):
        return _json_calls(message, body, start)
    if document is None:
        error = AgentError(
            "no_action", f"the message holds no tool call and no document; {_advice(protocol)}"
        )
        return replace(message, error=error)
    if "rewrite" not in protocol.actions:
        error = AgentError("not_granted", f"a whole document is no action here; {_advice(protocol)}")
        return replace(message, error=error)
    return replace(message, calls=(Call("rewrite", {"svg": extract_svg(body) or ""}),))


def _advice(protocol: Protocol) -> str:
    if protocol.calls == "native":
        return f"call one of the tools (call submit when the document is right): {', '.join(protocol.tools)}"
    return f"answer with a call {_EXAMPLE}, and with the tool submit when the document is right"


def _first_call(body: str) -> int | None:
    if body[0] in "{[":
        return 0
    found = _CALL_START.search(body)
    return found.start() if found else None


def _json_calls(message: Message, body: str, start: int) -> Message:
    decoder, calls, position = json.JSONDecoder(), [], start
    while True:
        try:
            value, position = decoder.raw_decode(body, position)
        except (ValueError, RecursionError) as error:
            return replace(message, error=_bad_json(error, body))
        call = _call(value)
        if isinstance(call, AgentError):
            return replace(message, error=call)
        calls.append(call)
        following = _CALL_START.search(body, position)
        if following is None:
            return replace(message, calls=tuple(calls))
        position = following.start()


def _bad_json(error: Exception, body: str) -> AgentError:
    place = None
    if isinstance(error, json.JSONDecodeError):
        reason, place = error.msg, f"character {error.pos} of {len(body)}"
    else:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]
    message = f"the call is not valid JSON ({reason}), so nothing was run; send the whole call again"
    return AgentError("bad_json", message, place)


def from_tool(error: ToolError) -> AgentError:
    """A tool's error as the agent sees it."""
    place = None if error.place is None else error.place[:200]
    return AgentError(str(error.kind), shorten(error.message, MAX_ERROR_CHARACTERS), place)
