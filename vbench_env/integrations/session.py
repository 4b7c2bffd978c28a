"""What every adapter wraps: episodes on request, played one call at a time.

    session = Session(Source(SourceConfig(protocol="interactive-text")))
    first = session.begin(task="harbor-dawn", seed=0)     # the request and the drawing
    reply = session.call("set_text", {"object": "sign-bottom", "text": "MARKET"})
    reply = session.call("submit")
    print(session.outcome().reward)

A session takes whatever its client sends. A wrong name, wrong arguments, a call before the start or after the end
are replies with an `error`, never exceptions: frameworks turn an exception into a lost episode.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from vbench_env.action import DEEPEST, nested_deeper
from vbench_env.env import DEFAULT_CORPUS, chosen_tasks, task_of_seed
from vbench_env.episode import Episode
from vbench_env.errors import ConfigError, UnknownName, VBenchError
from vbench_env.protocol import load_protocol
from vbench_env.task import Task
from vbench_env.tools import openai_tools
from vbench_env.tools.base import printable
from vbench_env.verdict import Judge

_UNREADABLE = 20_000
"""Characters kept of arguments that cannot be read."""
NO_EPISODE, EPISODE_OVER, BAD_REQUEST = "no_episode", "episode_over", "bad_request"


class SourceConfig(BaseModel):
    """Which episodes an adapter plays."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    corpus: str = DEFAULT_CORPUS
    """Name or folder of the corpus."""
    split: str | None = None
    """`train` or `test` part of it; all of it when None."""
    protocol: str = "interactive-text"
    """Name of a protocol, or path of its file."""
    rules: str | None = None
    """Headline rule set; the protocol's when None."""
    reward: str = "gates"
    """`gates`, `progress` or `shaped`."""
    max_turns: int | None = None
    """Turn budget; the protocol's when None. One call is one turn."""
    preview_size: int | None = None
    """Side of pictures in pixels; the protocol's when None."""

    @classmethod
    def of(cls, **settings: Any) -> SourceConfig:
        """Settings from outside; `ConfigError` says which does not fit."""
        try:
            return cls(**settings)
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
            known = ", ".join(cls.model_fields)
            raise ConfigError(f"settings that do not fit: {wrong}. Known: {known}") from error


@dataclass(frozen=True, slots=True)
class Reply:
    """What a client gets for one request."""

    text: str
    pictures: tuple[bytes, ...] = ()
    """PNGs, in the order in which they are spoken of."""
    reward: float = 0.0
    done: bool = False
    error: str | None = None
    """Stable kind of the mistake; None when there was none."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an episode ended."""

    task_id: str
    seed: int
    episode_id: str
    reward: float
    """Sum over the episode."""
    reward_valid: bool
    """False when scorer or renderer broke: then the reward says nothing."""
    stop_reason: str
    turns: int
    final_svg: str | None
    """The text that was scored."""
    failure: str | None = None
    score: dict[str, Any] | None = None
    """The scorecard under the headline rules, plain JSON types."""

    @property
    def gates(self) -> dict[str, bool]:
        """The three gates; empty where there is no verdict."""
        return (
            {name: bool(self.score[name]) for name in ("valid", "repaired", "preserved")}
            if self.score
            else {}
        )

    def summary(self) -> dict[str, Any]:
        """Plain JSON types that tell nothing of the hidden target."""
        told = ("task_id", "seed", "episode_id", "reward", "reward_valid", "stop_reason", "turns", "failure")
        shares = ("status", "edit_completion", "repair_progress", "preservation", "unintended_change_rate")
        score = self.score or {}
        return {
            **{name: getattr(self, name) for name in told},
            **self.gates,
            **{name: score[name] for name in shares if name in score},
        }


class Source:
    """Tasks and protocol, loaded once and shared by the sessions of an adapter.

    Raises:
        VBenchError: a setting that does not fit; the message says which.
    """

    def __init__(self, config: SourceConfig | None = None) -> None:
        self.config = config = config or SourceConfig()
        self.tasks: Sequence[Task] = chosen_tasks(None, config.corpus, config.split)
        self.protocol = load_protocol(config.protocol)
        self.max_turns = self.protocol.max_turns(config.max_turns)
        self.protocol.preview.size(config.preview_size)
        Judge.of(self.tasks[0], config.rules or self.protocol.rules, config.reward, 1.0)
        self._by_id = {task.task_id: task for task in self.tasks}

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools of an episode in OpenAI form; empty for a protocol without."""
        return openai_tools(self.protocol.tools)

    def require_tools(self, adapter: str) -> None:
        """Refuse a protocol that no client with native tool calls can play."""
        if not self.protocol.tools or self.protocol.calls != "native":
            advice = "choose an interactive protocol, such as interactive-text"
            raise ConfigError(
                f"{adapter} plays tool calls, and protocol {self.protocol.name} has none; {advice}"
            )

    def task(self, task: str | None = None, index: int | None = None, seed: int | None = None) -> Task:
        """A task by name, else by index, else by seed.

        Raises:
            UnknownName: no such task.
            ConfigError: nothing was given, or an index beyond the last task.
        """
        if task is not None:
            if not isinstance(task, str) or task not in self._by_id:
                raise UnknownName("task", str(task)[:80], self._by_id)
            return self._by_id[task]
        return picked(self.tasks, index, seed)

    def episode(self, task: str | None = None, index: int | None = None, seed: int | None = None) -> Episode:
        """A fresh episode; see `task`."""
        config = self.config
        return Episode(
            self.task(task, index, seed), self.protocol, rules=config.rules, reward=config.reward,
            seed=0 if seed is None else _whole(seed, "seed"), max_turns=config.max_turns,
            preview_size=config.preview_size,
        )  # fmt: skip


def picked(tasks: Sequence[Task], index: int | None = None, seed: int | None = None) -> Task:
    """A task by its number, else by seed; `ConfigError` when neither does."""
    if index is not None:
        if not 0 <= _whole(index, "index") < len(tasks):
            raise ConfigError(f"index must be from 0 to {len(tasks) - 1}, not {index}")
        return tasks[index]
    if seed is None:
        raise ConfigError("say which task to play: by task (its id), index or seed")
    return task_of_seed(tasks, _whole(seed, "seed"))


def _whole(value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(f"{name} must be a whole number, not {value!r:.80}")
    return value


class Session:
    """One client's episodes, one after the other. Safe to call from several threads; calls run in turn."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.episode: Episode | None = None
        self._return = 0.0
        self._turn = threading.Lock()

    def begin(self, task: str | None = None, index: int | None = None, seed: int | None = None) -> Reply:
        """Start an episode, whatever became of the one before; the reply is the request and the drawing.

        Raises:
            VBenchError: no such task; the message says what there is.
        """
        with self._turn:
            self.episode, self._return = self.source.episode(task, index, seed), 0.0
            text, pictures = content_of(self.episode.messages[-1])
            return Reply(text, pictures)

    def try_begin(self, task: Any = None, index: Any = None, seed: Any = None) -> Reply:
        """`begin` for requests that come from outside: a bad one is a reply, and there is no episode then."""
        try:
            return self.begin(task, index, seed)
        except VBenchError as error:
            self.episode = None
            return Reply(str(error), done=True, error=BAD_REQUEST)

    @property
    def system(self) -> str:
        """The system message of the episode."""
        return content_of(self._running().messages[0])[0]

    @property
    def document(self) -> str:
        """The document as it is now; empty when there is no episode."""
        return self.episode.document if self.episode else ""

    @property
    def done(self) -> bool:
        """Whether calls lead nowhere any more."""
        return self.episode is None or self.episode.done

    def call(self, tool: object, args: object = None) -> Reply:
        """One tool call: one turn."""
        return self.play({"tool": tool, "args": args})

    def play(self, action: object) -> Reply:
        """One message as `Episode.step` takes it: one turn."""
        with self._turn:
            if self.episode is None:
                return Reply("there is no episode yet: start one (reset)", done=True, error=NO_EPISODE)
            if self.episode.done:
                return Reply(f"{_over(self.episode)}; start a new one", done=True, error=EPISODE_OVER)
            return self._step(self.episode, action)

    def _step(self, episode: Episode, action: object) -> Reply:
        step = episode.step(action)
        self._return += step.reward
        texts: list[str] = []
        pictures: list[bytes] = []
        for message in step.info["messages"]:
            if message["role"] != "assistant":
                text, drawn = content_of(message)
                texts.append(text)
                pictures += drawn
        error = step.observation.last_error
        if error is not None and not any(str(error) in text for text in texts):
            texts.insert(0, str(error))
        if episode.done:
            texts.append(f"{_over(episode)}.")
        kind = None if error is None else error.kind
        return Reply(
            "\n\n".join(text for text in texts if text), tuple(pictures), step.reward, episode.done, kind
        )

    def outcome(self, reason: str = "stopped") -> Outcome:
        """The verdict; an episode that still goes on ends here and is scored as it stands.

        Raises:
            VBenchError: no episode was begun.
        """
        with self._turn:
            episode = self._running()
            if not episode.done:
                self._return += episode.stop(reason).reward
            info = episode.info()
            return Outcome(
                task_id=episode.task.task_id, seed=episode.seed, episode_id=episode.episode_id,
                reward=self._return, reward_valid=info["reward_valid"], stop_reason=info["stop_reason"],
                turns=episode.turn, final_svg=episode.final_svg, failure=info["failure"], score=info["score"],
            )  # fmt: skip

    def _running(self) -> Episode:
        if self.episode is None:
            raise VBenchError("there is no episode yet; begin one")
        return self.episode


def _over(episode: Episode) -> str:
    return f"the episode is over ({episode.stop_reason})"


def content_of(message: dict[str, Any]) -> tuple[str, tuple[bytes, ...]]:
    """Text and PNGs of a message in OpenAI form."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content, ()
    texts = [part["text"] for part in content if part["type"] == "text"]
    pictures = [png_of(part["image_url"]["url"]) for part in content if part["type"] == "image_url"]
    return "\n\n".join(texts), tuple(pictures)


def png_of(url: str) -> bytes:
    """The bytes of a picture in a data address."""
    return base64.b64decode(url.partition("base64,")[2])


def arguments_of(sent: str | Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a call as an object that every format can hold, else what was sent under `unreadable`.

    JSON of a model may hold what no other reader takes: infinite numbers, halves of characters, thousands of brackets.
    """
    try:
        value = json.loads(sent) if isinstance(sent, str) else sent
        if isinstance(value, Mapping) and not nested_deeper(value, DEEPEST):
            json.dumps(value, allow_nan=False)
            made: dict[str, Any] = _printable(value)
            return made
    except (ValueError, TypeError, RecursionError):
        pass
    return {"unreadable": printable(sent if isinstance(sent, str) else repr(sent))[:_UNREADABLE]}


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {printable(str(name)): _printable(item) for name, item in value.items()}
    return [_printable(item) for item in value] if isinstance(value, list) else value
