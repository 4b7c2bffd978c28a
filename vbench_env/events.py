"""The log of an episode: one event for every call, answer or unusable message."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field, replace
from typing import Any

from vbench_env.observations.base import AgentError, Preview
from vbench_env.svg.document import SourceDocument

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Event:
    """What was done in a turn, what came of it, and the document and picture afterwards."""

    turn: int
    action: dict[str, Any]
    """`{"tool", "args"}` as sent, or `{"text"}`."""
    result: str
    error: AgentError | None
    document_hash: str
    """SHA-256 of the document afterwards, as UTF-8."""
    document: SourceDocument = field(repr=False)
    preview_hash: str | None = None
    """SHA-256 of the picture shown after the turn; on its last event only."""

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON types, free of what cannot be written as UTF-8."""
        plain = {
            "turn": self.turn,
            "action": self.action,
            "result": self.result,
            "error": self.error.as_dict() if self.error else None,
            "document_hash": self.document_hash,
            "preview_hash": self.preview_hash,
        }
        made: dict[str, Any] = json.loads(json_text(plain))
        return made


@dataclass(frozen=True, slots=True)
class Log:
    """The events so far. A document is hashed once as long as it stays the same object."""

    events: tuple[Event, ...] = ()
    hashed: tuple[SourceDocument, str] | None = None

    def then(
        self,
        turn: int,
        action: dict[str, Any],
        result: str,
        error: AgentError | None,
        document: SourceDocument,
    ) -> Log:
        """The log with one more event; `document` is the one afterwards."""
        hashed = self.hashed
        if hashed is None or hashed[0] is not document:
            hashed = (document, sha256(document.text))
        return Log((*self.events, Event(turn, action, result, error, hashed[1], document)), hashed)

    def showing(self, turn: int, preview: Preview | None) -> Log:
        """The log whose last event says which picture was shown after its turn."""
        if not (preview and preview.picture and self.events and self.events[-1].turn == turn):
            return self
        last = replace(self.events[-1], preview_hash=preview.picture.digest)
        return replace(self, events=(*self.events[:-1], last))


def json_text(value: object) -> str:
    """Any value as JSON that can be written as UTF-8: foreign types as `repr`, lone surrogates spelled out."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return _SURROGATE.sub(lambda found: f"\\\\u{ord(found[0]):04x}", text)


def sha256(text: str) -> str:
    """SHA-256 (hex) of a text as UTF-8, lone surrogates included."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
