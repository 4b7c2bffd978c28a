"""The episode: a state machine over one task under one protocol. Everything else wraps it.

    episode = Episode(task, "interactive-text")
    while not episode.done:
        step = episode.step(reply(episode.messages, episode.tools))
    print(step.info["score"])

One assistant message is one turn. Its calls run in order until one ends the episode. Mistakes of the agent
are observations: they spend the turn and change nothing. All state is held in immutable values, so a fork is
a shallow copy.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from vbench_env.action import Call, Message, from_tool, read_message
from vbench_env.answer import read_answer
from vbench_env.conversation import TurnNote, after_turn, opening
from vbench_env.credit import credited
from vbench_env.errors import VBenchError
from vbench_env.events import Log, json_text
from vbench_env.history import Entry, History, ToolAnswer, as_message, assistant
from vbench_env.observations import OBSERVATIONS, AgentError, Observation, Preview, View
from vbench_env.observations.preview import draw
from vbench_env.observations.text import shorten
from vbench_env.protocol import Protocol, load_protocol
from vbench_env.scoring.rules import Rules
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.seeding import derive_seed
from vbench_env.start import start_context, too_large
from vbench_env.svg.document import SourceDocument
from vbench_env.task import Task
from vbench_env.tools import call_tool, openai_tools
from vbench_env.tools.base import printable
from vbench_env.verdict import Judge, Potential, Verdict

if TYPE_CHECKING:
    from vbench_env.render import Picture, Renderer

SHOWN_ACTION_CHARACTERS = 4_000
NOT_RUN = "not run: the episode is over"


class EpisodeOver(VBenchError):
    """A step after the end; start a new episode."""


class Step(NamedTuple):
    """What a step gives back, in Gymnasium's order. `info` holds plain JSON types."""

    observation: Observation
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the last turn leaves in the observation."""

    action: str = ""
    result: str = ""
    error: AgentError | None = None
    preview: Preview | None = None


class Episode:
    """One episode.

    Args:
        task: the task; its hidden part goes to the scorer only.
        protocol: a protocol, its name, or the path of its file.
        rules: headline rule set; the protocol's when None. Both named sets are always scored.
        seed: names the episode; nothing in it is random.
        renderer: draws previews; the default renderer when None, started only where pictures are shown.
        reward: `gates` (three gates at the end), `progress`, or `shaped` (looks at the hidden target at every
            step: for training only).
        preview_size: side or (width, height) of previews in pixels; the protocol's when None.
        max_turns: turn budget; the protocol's when None.
        gamma: discount of the shaped reward.

    Raises:
        VBenchError: a setting that does not fit; the message says which.
    """

    def __init__(
        self,
        task: Task,
        protocol: str | Path | Protocol = "interactive-text",
        *,
        rules: str | Rules | None = None,
        seed: int = 0,
        renderer: Renderer | None = None,
        reward: str = "gates",
        preview_size: int | Sequence[int] | None = None,
        max_turns: int | None = None,
        gamma: float = 1.0,
    ) -> None:
        self.protocol = load_protocol(protocol)
        self.task, self.seed, self.turn = task, seed, 0
        self.max_turns = self.protocol.max_turns(max_turns)
        self.preview_size = self.protocol.preview.size(preview_size)
        self.stop_reason: str | None = None
        self.terminated = self.truncated = False
        self._judge = Judge.of(task, self.protocol.rules if rules is None else rules, reward, gamma)
        self._context = start_context(task, self.protocol, renderer, self.preview_size)
        self._drawn: tuple[SourceDocument, Preview] | None = None
        self._failures: tuple[str, ...] = ()
        self._wrong_in_a_row = 0
        self._answer: str | None = None
        self._verdict = Verdict()
        self._potential = Potential()
        self._shaping()
        self._events = Log()
        self._shown = _Shown(preview=self._first_preview())
        granted = self._shown.preview if self._shows_start else None
        self._history = History(opening(self.protocol, task.public, self.max_turns, granted))
        self._told = 0
        self._task_hash = task.hash
        parts = (self._task_hash, self.protocol.digest, self.rules, self.max_turns, seed)
        self.episode_id = f"{derive_seed('episode', *parts):016x}"
        """Sixteen hexadecimal digits from task, protocol, rules, turns and seed."""

    def __repr__(self) -> str:
        return f"Episode({self.task.task_id!r}, {self.protocol.name!r}, turn {self.turn} of {self.max_turns})"

    @property
    def done(self) -> bool:
        return self.terminated or self.truncated

    @property
    def tools(self) -> list[dict[str, Any]]:
        """Granted tools in OpenAI form; empty where calls are written in the text."""
        return openai_tools(self.protocol.tools) if self.protocol.calls == "native" else []

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation to send now, under the protocol's history policy."""
        return self._history.messages(self.protocol)

    @property
    def document(self) -> str:
        """The current document."""
        return self._context.document.text

    @property
    def final_svg(self) -> str | None:
        """The text that is scored: the answer, or the document; None when no answer was given."""
        return self._answer if self.protocol.single_shot else self.document

    @property
    def rules(self) -> str:
        """Name of the headline rule set."""
        return self._judge.rules.name

    @property
    def scorecards(self) -> dict[str, Scorecard]:
        """Scorecards by rule set; empty before the end."""
        return dict(self._verdict.scorecards)

    @property
    def failure(self) -> str | None:
        """Why the reward is not valid: a crash of scorer or renderer."""
        return "; ".join(self._failures) or None

    @property
    def events(self) -> list[dict[str, Any]]:
        """The log so far, plain JSON types."""
        return [event.as_dict() for event in self._events.events]

    def credited(self) -> list[dict[str, Any]]:
        """The events, each with what it changed in each gate under `credit`; empty before the end.

        Every document of the episode is scored for it, under the headline rules. An unscored episode has none.
        """
        if not self.done or self._verdict.failure:
            return []
        return credited(self._events, self._judge, self._context.start.text, self.final_svg)

    def observe(self) -> Observation:
        """What the agent sees now."""
        shown = self._shown
        return Observation(
            instruction=self.task.instruction,
            svg=self.document,
            last_action=shown.action,
            last_result=shown.result,
            last_error=shown.error,
            turn=self.turn,
            turns_left=0 if self.done else self.max_turns - self.turn,
            preview=shown.preview,
        )

    def info(self) -> dict[str, Any]:
        """Plain JSON types; the verdict only after the end. `messages` are those of the last turn."""
        fresh = self._history.entries[self._told :]
        info: dict[str, Any] = {
            "task_id": self.task.task_id,
            "task_hash": self._task_hash,
            "episode_id": self.episode_id,
            "seed": self.seed,
            "turn": self.turn,
            "messages": [as_message(entry) for entry in fresh],
        }
        return {**info, **self._end_info()} if self.done else info

    def fork(self) -> Episode:
        """An independent copy at this point, for search."""
        return copy.copy(self)

    def step(self, action: object) -> Step:
        """Play one assistant message; never raises for what it holds.

        Raises:
            EpisodeOver: the episode has ended.
        """
        self._require_running()
        message = read_message(action, self.protocol)
        before, self._told = self._context.document, len(self._history.entries)
        self.turn += 1
        self._shown = replace(self._shown, action=_echo(message), result="", error=None)
        if self.protocol.single_shot:
            self._play_answer(message)
        elif message.error is not None:
            self._play_mistake(message, message.error)
        else:
            self._play_calls(message, before)
        return self._close()

    def stop(self, reason: str) -> Step:
        """End the episode from outside, as a spent budget does: truncated, and scored as it stands."""
        self._require_running()
        self._told = len(self._history.entries)
        self._end(reason)
        return self._close()

    # A turn

    def _play_answer(self, message: Message) -> None:
        """The only turn of a single-shot protocol: the answer is what is scored."""
        self._say(assistant(message, ()))
        answer = read_answer(message, self._context, self.protocol)
        self._answer = answer.text
        error = answer.error or too_large(answer.text or "", self.protocol)
        if answer.text and error is None:
            self._context = replace(self._context, document=SourceDocument(answer.text))
        result = "answer received" if error is None else ""
        self._shown = replace(self._shown, result=result)
        self._log(answer.action, result, error)
        if error is not None and error.kind in {"document_too_large", "message_too_long"}:
            self._end("document_size")
        self._end("answer", terminated=True)

    def _play_mistake(self, message: Message, error: AgentError) -> None:
        """A message without a usable action."""
        self._say(assistant(message, ()))
        self._log({"text": message.content}, "", error)
        self._wrong_in_a_row += 1
        if self._wrong_in_a_row >= self.protocol.budgets.max_format_errors:
            self._end("format_errors")
        self._note(self._context.document, str(error), ())

    def _play_calls(self, message: Message, before: SourceDocument) -> None:
        calls = tuple(
            call if call.id else replace(call, id=f"call_{self.turn}_{number}")
            for number, call in enumerate(message.calls, start=1)
        )
        self._say(assistant(message, calls if message.native else ()))
        self._wrong_in_a_row = 0
        texts: list[str] = []
        drawn: list[Picture] = []
        for call in calls:
            text, pictures = (NOT_RUN, ()) if self.done else self._run(call)
            texts.append(text)
            drawn += pictures
            if message.native:
                self._say(ToolAnswer(call.id or "", text))
        joined = "\n".join(f"{call.tool}: {text}" for call, text in zip(calls, texts, strict=True))
        result = shorten(printable(joined), self.protocol.budgets.max_result_chars)
        self._shown = replace(self._shown, result=result)
        self._note(before, "" if message.native else result, tuple(drawn))

    def _run(self, call: Call) -> tuple[str, tuple[Picture, ...]]:
        """Run one call and take over its document; the text of its result and its pictures."""
        result = call_tool(self._context, call.tool, call.arguments, self.protocol.tools)
        error = from_tool(result.error) if result.error else too_large(result.document.text, self.protocol)
        if error is None:
            self._context = self._context.after(result)
        elif result.error is None:
            self._end("document_size")
        pictures = result.pictures if error is None else ()
        if pictures and self.protocol.preview.policy == "on-demand":
            self._shown = replace(self._shown, preview=Preview(pictures[-1]))
        text = "\n".join([str(error) if error else result.text, *self._feedback()])
        self._log(call.shown(), "" if error else text, error)
        if result.ends:
            self._end("submit", terminated=True)
        return shorten(text, self.protocol.budgets.max_result_chars), pictures

    def _feedback(self) -> list[str]:
        if not self.protocol.feedback:
            return []
        view = View(self._context.start, self._context.document, self._look, self._preview_now)
        return [OBSERVATIONS.get(name)(view) for name in self.protocol.feedback]

    def _look(self, name: str) -> str:
        result = call_tool(self._context, name, None, (name,))
        return result.error.message if result.error else result.text

    def _note(self, before: SourceDocument, result: str, drawn: tuple[Picture, ...]) -> None:
        """Our message after a turn, unless there is no further one."""
        if self.done or self.turn >= self.max_turns:
            return
        after = self._context.document
        fresh = self.protocol.preview.policy == "each-change" and after.text != before.text
        preview = self._preview_now() if fresh else None
        note = TurnNote(self.turn, self.max_turns, before.text, after.text, result, drawn, preview)
        self._say(after_turn(self.protocol, note))

    def _say(self, entry: Entry) -> None:
        self._history = self._history.then(entry)

    # Pictures

    @property
    def _shows_start(self) -> bool:
        return self.protocol.preview.policy in {"start", "each-change"}

    def _first_preview(self) -> Preview | None:
        if self._shows_start:
            return self._preview_now()
        return Preview() if self.protocol.preview.policy == "on-demand" else None

    def _preview_now(self) -> Preview:
        """The picture of the current document; drawn once as long as the document stays the same object."""
        document, renderer = self._context.document, self._context.renderer
        if self._drawn is not None and self._drawn[0] is document:
            return self._drawn[1]
        preview = Preview(reason="there is no renderer")
        if renderer is not None:
            preview = draw(renderer, document.text, self.preview_size)
        if preview.crashed:
            self._failures = (*self._failures, str(preview.reason))
        self._drawn = (document, preview)
        return preview

    # The end

    def _require_running(self) -> None:
        if self.done:
            raise EpisodeOver("the episode is over; start a new one (reset)")

    def _end(self, reason: str, *, terminated: bool = False) -> None:
        if not self.done:
            self.stop_reason, self.terminated, self.truncated = reason, terminated, not terminated

    def _close(self) -> Step:
        """The end of a turn: turn budget, picture, verdict, reward."""
        if self.turn >= self.max_turns:
            self._end("turns")
        if self.protocol.preview.policy == "each-change":
            self._shown = replace(self._shown, preview=self._preview_now())
        self._events = self._events.showing(self.turn, self._shown.preview)
        if self.done:
            self._verdict = self._judge.verdict(self.final_svg)
            self._failures += (self._verdict.failure,) if self._verdict.failure else ()
        reward = self._shaping() + (self._judge.final_reward(self._verdict) if self.done else 0.0)
        return Step(self.observe(), reward, self.terminated, self.truncated, self.info())

    def _shaping(self) -> float:
        """gamma * potential now - potential before, the last potential being 0; 0 unless it was asked for."""
        if self._judge.reward != "shaped":
            return 0.0
        before = self._potential
        self._potential = self._judge.potential(None if self.done else self._context.document, before)
        if self._potential.failure:
            self._failures = (*self._failures, self._potential.failure)
        return self._judge.gamma * self._potential.value - before.value

    def _end_info(self) -> dict[str, Any]:
        cards = {name: card.model_dump(mode="json") for name, card in self._verdict.scorecards.items()}
        return {
            "score": cards.get(self.rules),
            "scores": cards,
            "reward_valid": not self._failures,
            "failure": self.failure,
            "stop_reason": self.stop_reason,
        }

    # The log

    def _log(self, action: dict[str, Any], result: str, error: AgentError | None) -> None:
        if error is not None and self._shown.error is None:
            self._shown = replace(self._shown, error=error)
        self._events = self._events.then(self.turn, action, result, error, self._context.document)


def _echo(message: Message) -> str:
    """The agent's message as the observation repeats it."""
    text = message.content or ""
    if message.native:
        calls = [json_text(call.shown()) for call in message.calls]
        text = "\n".join([text, *calls] if text else calls)
    return shorten(printable(text), SHOWN_ACTION_CHARACTERS)
