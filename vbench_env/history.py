"""The conversation of an episode, and what of it is sent again.

Entries are immutable and know which part of them is the document and which are pictures. The messages are
made anew each time they are asked for, so that nobody can change the history through them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from string import Template
from typing import TYPE_CHECKING, Any

from vbench_env.action import Call, Message
from vbench_env.events import json_text
from vbench_env.observations.preview import image_part
from vbench_env.protocol import Protocol
from vbench_env.tools.base import printable

if TYPE_CHECKING:
    from vbench_env.render import Picture

EARLIER_DOCUMENT = "[an earlier state of the document, left out; its latest state follows below]"
EARLIER_PICTURE = "[an earlier picture, left out]"


@dataclass(frozen=True, slots=True)
class System:
    text: str


@dataclass(frozen=True, slots=True)
class User:
    """A message of ours. `document` fills the slot of that name in `template`; `slots` fill the others."""

    template: str
    slots: tuple[tuple[str, str], ...] = ()
    document: str | None = None
    whole: bool = False
    """Whether `document` is a whole document, which a later one replaces where only the latest is resent."""
    captions: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Assistant:
    content: str | None
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    call_id: str
    text: str


Entry = System | User | Assistant | ToolAnswer


@dataclass(frozen=True, slots=True)
class History:
    """All entries so far, in order."""

    entries: tuple[Entry, ...] = ()

    def then(self, *entries: Entry) -> History:
        return History((*self.entries, *entries))

    def messages(self, protocol: Protocol) -> list[dict[str, Any]]:
        """Everything in OpenAI form, as the protocol's history policy sends it."""
        documents = [n for n, entry in enumerate(self.entries) if isinstance(entry, User) and entry.whole]
        pictures = [n for n, entry in enumerate(self.entries) if isinstance(entry, User) and entry.pictures]
        out = []
        for number, entry in enumerate(self.entries):
            if isinstance(entry, User) and entry.whole and protocol.documents == "latest":
                entry = entry if number == documents[-1] else replace(entry, document=EARLIER_DOCUMENT)
            keep = protocol.preview.keep == "all" or not pictures or number == pictures[-1]
            out.append(as_message(entry, keep_pictures=keep))
        return out


def as_message(entry: Entry, *, keep_pictures: bool = True) -> dict[str, Any]:
    """One entry in OpenAI form."""
    match entry:
        case System(text):
            return {"role": "system", "content": text}
        case ToolAnswer(call_id, text):
            return {"role": "tool", "tool_call_id": call_id, "content": text}
        case Assistant(content, calls):
            message: dict[str, Any] = {"role": "assistant", "content": content}
            if calls:
                message["tool_calls"] = [_native(call) for call in calls]
            return message
        case User():
            return {"role": "user", "content": _user_content(entry, keep_pictures)}


def assistant(message: Message, calls: tuple[Call, ...]) -> Assistant:
    """The agent's own message, as it can be sent again: `calls` only where they came as native calls."""
    content = None if message.content is None else printable(message.content)
    if content is None and not calls:
        content = ""
    return Assistant(content, calls)


def _user_content(entry: User, keep_pictures: bool) -> str | list[dict[str, Any]]:
    slots = dict(entry.slots)
    if entry.document is not None:
        slots["document"] = slots["svg"] = entry.document
    text = Template(entry.template).safe_substitute(slots).lstrip("\n")
    if not entry.pictures:
        return text
    parts: list[dict[str, Any]] = [{"type": "text", "text": text}]
    for caption, picture in zip(entry.captions, entry.pictures, strict=True):
        parts.append({"type": "text", "text": caption if keep_pictures else EARLIER_PICTURE})
        if keep_pictures:
            parts.append(image_part(picture))
    return parts


def _native(call: Call) -> dict[str, Any]:
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": printable(call.tool), "arguments": _arguments(call)},
    }


def _arguments(call: Call) -> str:
    """Arguments as JSON text; some endpoints refuse a history whose arguments are none."""
    if not isinstance(call.arguments, str):
        return json_text(dict(call.arguments or {}))
    try:
        is_object = isinstance(json.loads(call.arguments), dict)
    except (ValueError, RecursionError):
        is_object = False
    return printable(call.arguments) if is_object else json_text({"unreadable": call.arguments[:2000]})
