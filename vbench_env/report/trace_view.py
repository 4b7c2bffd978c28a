"""The turns of an episode as a page shows them: what was said, called and answered, and what it did."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from vbench_env.experiments.record import EpisodeRecord
from vbench_env.report import words
from vbench_env.report.episode_view import Scene
from vbench_env.report.pictures import Shot
from vbench_env.report.replay import Replay, replay
from vbench_env.report.source_diff import SourceDiff, source_diff
from vbench_env.svg.extract import extract_svg

MOST_TURNS = 200
SAID_LENGTH = 6000
RESULT_LENGTH = 6000
ARGUMENT_LENGTH = 4000
PROMPT_LENGTH = 12_000
_SHORT_ARGUMENT = 120


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call, a short one in a line, a `block` below its name."""

    name: str
    text: str
    block: bool


@dataclass(frozen=True, slots=True)
class CallView:
    """One tool call. `raw` holds arguments that are no JSON object."""

    tool: str
    arguments: tuple[Argument, ...] = ()
    raw: str | None = None
    result: str = ""
    error: str | None = None


@dataclass(frozen=True, slots=True)
class TurnView:
    """One turn.

    Attributes:
        number: from 1.
        thought: what the model thought, where the provider told.
        said: what it said.
        calls: what it called.
        error: why the message was of no use.
        diff: what the turn changed in the source; None when nothing, or when that is not known.
        shot: the drawing afterwards, where it changed.
        known: whether the document afterwards is known.
        changed: whether the turn changed it; None where that is not known.
    """

    number: int
    thought: str | None
    said: str | None
    calls: tuple[CallView, ...]
    error: str | None
    diff: SourceDiff | None
    shot: Shot | None
    known: bool
    changed: bool | None

    @property
    def title(self) -> str:
        """The calls in a few words."""
        names = [call.tool for call in self.calls]
        if not names:
            return "no usable action" if self.error else "answer"
        shown = [f"{name} × {len(list(same))}" if names.count(name) > 1 else name
                 for name, same in groupby(names)]  # fmt: skip
        return ", ".join(shown[:4]) + (f" and {len(shown) - 4} more" if len(shown) > 4 else "")

    @property
    def brief(self) -> str:
        """The short arguments of the only call."""
        if len(self.calls) != 1:
            return ""
        return words.value_text(" ".join(a.text for a in self.calls[0].arguments if not a.block), 70)

    @property
    def failed(self) -> int:
        """Calls or messages that came to nothing."""
        return sum(call.error is not None for call in self.calls) + (self.error is not None)


@dataclass(frozen=True, slots=True)
class TraceView:
    """All turns. `prompt` is what came before the first, role and text of each message."""

    turns: tuple[TurnView, ...]
    prompt: tuple[tuple[str, str], ...]
    more: int = 0
    note: str | None = None


def trace_view(record: EpisodeRecord, scene: Scene, offered: tuple[str, ...] | None) -> TraceView:
    """The turns of a record.

    Args:
        record: the episode.
        scene: of its task.
        offered: names of the tools of its protocol; None where it is not known.
    """
    start = scene.task.corrupted_svg if scene.task is not None else None
    turns = [list(events) for _, events in groupby(record.events, key=lambda event: event.get("turn"))]
    shown = turns[:MOST_TURNS]
    replayed = replay([event for events in shown for event in events], start, record.final_svg, offered)
    return TraceView(
        tuple(_turns(shown, record, replayed, scene)), tuple(_prompt(record)), len(turns) - len(shown), replayed.note
    )  # fmt: skip


def _turns(
    turns: Sequence[Sequence[Mapping[str, Any]]], record: EpisodeRecord, replayed: Replay, scene: Scene
) -> Iterator[TurnView]:
    messages = [message for message in record.messages if message.get("role") == "assistant"]
    thoughts = _thoughts(record, len(messages))
    before, at = replayed.start, 0
    for place, events in enumerate(turns):
        at += len(events)
        after = replayed.documents[at - 1]
        changed = after is not None and after != before
        diff = source_diff(before, after) if after is not None and changed and before is not None else None
        calls = tuple(_call(event) for event in events if "tool" in (event.get("action") or {}))
        message = messages[place] if place < len(messages) else {}
        yield TurnView(
            number=int(events[0]["turn"]), calls=calls, diff=diff, known=after is not None,
            changed=None if after is None or before is None else changed,
            thought=thoughts[place] if place < len(thoughts) else None,
            said=_said(message.get("content"), after),
            error=None if calls else _error(events[0]),
            shot=scene.camera(after, scene.size) if changed else None,
        )  # fmt: skip
        before = after


def _thoughts(record: EpisodeRecord, messages: int) -> list[str | None]:
    """What came beside each answer as reasoning, where every answer is one call."""
    if len(record.calls) != messages:
        return []
    return [_thought(call.attempts[-1] if call.attempts else {}) for call in record.calls]


def _thought(attempt: Mapping[str, Any]) -> str | None:
    choices = (attempt.get("response") or {}).get("choices") or [{}]
    text = (choices[0].get("message") or {}).get("reasoning_content")
    return _shortened(text, SAID_LENGTH) if isinstance(text, str) and text.strip() else None


def _said(content: object, document: str | None) -> str | None:
    """The text of a message; a document in it, which the page shows elsewhere, is left out."""
    text = _text(content).strip()
    drawing = extract_svg(text) if document is not None else None
    if drawing and drawing == document:
        text = text.replace(
            drawing, f"[the drawing, {words.size(len(drawing.encode('utf-8', 'replace')))}]"
        ).strip()
    return _shortened(text, SAID_LENGTH) if text else None


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(_part(part) for part in parts if isinstance(part, Mapping))


def _part(part: Mapping[str, Any]) -> str:
    return str(part.get("text", "")) if part.get("type") == "text" else f"[{part.get('type', 'part')}]"


def _call(event: Mapping[str, Any]) -> CallView:
    action = event["action"]
    arguments = action.get("args")
    raw = arguments if isinstance(arguments, str) else None
    if raw is not None:
        try:
            arguments, raw = json.loads(raw), None
        except (ValueError, RecursionError):
            arguments = {}
    if not isinstance(arguments, Mapping):
        arguments, raw = {}, _shortened(json.dumps(arguments, ensure_ascii=False), ARGUMENT_LENGTH)
    return CallView(
        tool=words.value_text(str(action["tool"])), arguments=tuple(_argument(*item) for item in arguments.items()),
        raw=None if raw is None else _shortened(raw, ARGUMENT_LENGTH),
        result=_shortened(str(event.get("result") or ""), RESULT_LENGTH), error=_error(event),
    )  # fmt: skip


def _argument(name: object, value: object) -> Argument:
    whole = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    block = "\n" in whole or len(whole) > _SHORT_ARGUMENT
    if block and not isinstance(value, str):
        whole = json.dumps(value, ensure_ascii=False, indent=2)
    return Argument(words.value_text(str(name)), _shortened(whole, ARGUMENT_LENGTH), block)


def _error(event: Mapping[str, Any]) -> str | None:
    error = event.get("error")
    if not isinstance(error, Mapping):
        return None
    place = f" ({error['place']})" if error.get("place") else ""
    return _shortened(f"{words.plain(str(error.get('kind')))}: {error.get('message')}{place}", RESULT_LENGTH)


def _prompt(record: EpisodeRecord) -> Iterator[tuple[str, str]]:
    """Messages before the first answer, documents in them left out."""
    for message in record.messages:
        if message.get("role") == "assistant":
            return
        text = _text(message.get("content"))
        drawing = extract_svg(text)
        if drawing:
            text = text.replace(drawing, "[the drawing]")
        yield str(message.get("role")), _shortened(text, PROMPT_LENGTH)


def _shortened(text: str, longest: int) -> str:
    clean = re.sub("[\ud800-\udfff]", "\ufffd", text)
    return clean if len(clean) <= longest else f"{clean[:longest]}\n… {words.size(len(clean) - longest)} more"
