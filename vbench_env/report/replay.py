"""The documents of an episode, turn by turn, made again from what its record holds.

A record keeps every call and the hash of the document after it. Tools are pure, so calling them again gives the
documents; each is checked against its hash. Where one differs, say because a tool changed since, the documents
from there on are unknown, except those that the record itself tells: the first and the last.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vbench_env.errors import UnknownName, VBenchError
from vbench_env.events import sha256
from vbench_env.svg.document import SourceDocument
from vbench_env.tools import TOOLS, ToolContext, call_tool

LONGEST_S = 3.0
DIFFERS = (
    "Replaying turn {turn} gave another document than the run recorded; documents after it are not known."
)
TOO_SLOW = "Replaying this episode took too long; documents after turn {turn} are not known."
NO_START = "The task of this episode could not be loaded, so the documents between its turns are not known."


@dataclass(frozen=True, slots=True)
class Replay:
    """Documents of an episode.

    Attributes:
        start: the document of the start; None where the task is missing.
        documents: the document after each event; None where it is not known.
        note: why some are not known.
    """

    start: str | None
    documents: tuple[str | None, ...]
    note: str | None = None


def replay(
    events: Sequence[Mapping[str, Any]], start_svg: str | None, final_svg: str | None, offered: tuple[str, ...] | None,
    longest_s: float = LONGEST_S,
) -> Replay:  # fmt: skip
    """Call again what was called.

    Args:
        events: of a record.
        start_svg: the corrupted drawing; None where the task is missing.
        final_svg: the text that was scored.
        offered: names of the tools of the protocol; every tool when None.
        longest_s: seconds after which replaying is given up.
    """
    tools = tuple(TOOLS.names()) if offered is None else offered
    known = {sha256(text): text for text in (start_svg, final_svg) if text is not None}
    if start_svg is None:
        found = tuple(known.get(str(event.get("document_hash"))) for event in events)
        return Replay(None, found, NO_START if None in found else None)
    try:
        return _Player(start_svg, known, tools, time.monotonic() + longest_s).play(events)
    except VBenchError as error:
        return Replay(start_svg, tuple(None for _ in events), f"This episode cannot be replayed: {error}")


class _Player:
    def __init__(self, start: str, known: dict[str, str], offered: tuple[str, ...], until: float) -> None:
        document = SourceDocument.read(start)
        self._context = ToolContext(document, document, offered=offered)
        self._known = {**known, sha256(document.text): document.text}
        self._until = until
        self._note: str | None = None

    def play(self, events: Sequence[Mapping[str, Any]]) -> Replay:
        found = tuple(self._after(event) for event in events)
        return Replay(self._context.start.text, found, self._note)

    def _after(self, event: Mapping[str, Any]) -> str | None:
        """The document after an event."""
        wanted = str(event.get("document_hash"))
        if self._note is None:
            if time.monotonic() > self._until:
                self._note = TOO_SLOW.format(turn=int(event["turn"]) - 1)
            else:
                self._call(event, wanted)
        return self._known.get(wanted)

    def _call(self, event: Mapping[str, Any], wanted: str) -> None:
        action = event.get("action") or {}
        tool = action.get("tool")
        offered = self._context.offered
        if not offered or event.get("error") or not isinstance(tool, str) or _only_looks(tool):
            return
        result = call_tool(self._context, tool, action.get("args"), offered)
        if result.error is None:
            self._context = self._context.after(result)
        text = self._context.document.text
        digest = sha256(text)
        if digest == wanted:
            self._known[digest] = text
        else:
            self._note = DIFFERS.format(turn=event["turn"])


def _only_looks(tool: str) -> bool:
    try:
        return TOOLS.get(tool).group == "look"
    except UnknownName:
        return False
