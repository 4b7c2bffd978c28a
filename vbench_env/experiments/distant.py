"""An episode that another process plays: the same turns, the same bytes.

A turn is a job that holds everything that led to it: the unit and every message so far. The process that did the
turns before remembers the episode; any other one, also a new one in the place of one that died, plays it again from
the start. Nothing in an episode is random, so both come to the same.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from vbench_env.episode import Episode
from vbench_env.errors import InfrastructureError
from vbench_env.experiments.config import RunConfig
from vbench_env.experiments.executors import Executor, JobFailure
from vbench_env.experiments.plan import Unit
from vbench_env.observations import Observation
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.task import Task
from vbench_env.tools import openai_tools

_KEPT_EPISODES, _KEPT_TASKS = 128, 256


class Turned(Protocol):
    """What a turn gives: `info["messages"]` are its messages."""

    @property
    def info(self) -> dict[str, Any]: ...


class Played(Protocol):
    """What a player needs of an episode, near or distant. See `Episode`."""

    turn: int
    stop_reason: str | None

    @property
    def done(self) -> bool: ...
    @property
    def tools(self) -> list[dict[str, Any]]: ...
    @property
    def messages(self) -> list[dict[str, Any]]: ...
    @property
    def rules(self) -> str: ...
    @property
    def failure(self) -> str | None: ...
    @property
    def events(self) -> list[dict[str, Any]]: ...
    @property
    def final_svg(self) -> str | None: ...
    @property
    def scorecards(self) -> dict[str, Scorecard]: ...
    def observe(self) -> Observation: ...
    def info(self) -> dict[str, Any]: ...
    def step(self, action: object) -> Turned: ...
    def stop(self, reason: str) -> Turned: ...


class DistantFailure(InfrastructureError):
    """The other process could not play on."""

    def __init__(self, failure: JobFailure) -> None:
        super().__init__(failure.message)
        self.kind = "crash" if failure.kind == "crash" else "worker"


class Action(NamedTuple):
    """What is done to an episode: an assistant message, or an end from outside."""

    message: object
    stop: str | None = None

    def upon(self, episode: Episode) -> None:
        if self.stop is not None:
            episode.stop(self.stop)
        else:
            episode.step(self.message)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where an episode stands after a turn. `events` are those of the turn, `info` holds its messages."""

    observation: Observation
    messages: list[dict[str, Any]]
    info: dict[str, Any]
    events: list[dict[str, Any]]
    turn: int
    done: bool
    stop_reason: str | None
    rules: str
    failure: str | None
    final_svg: str | None
    scorecards: dict[str, Scorecard]

    @classmethod
    def of(cls, episode: Episode, known_events: int) -> Moment:
        return cls(
            observation=episode.observe(), messages=episode.messages, info={"messages": episode.info()["messages"]},
            events=episode.events[known_events:], turn=episode.turn, done=episode.done,
            stop_reason=episode.stop_reason, rules=episode.rules, failure=episode.failure,
            final_svg=episode.final_svg, scorecards=episode.scorecards,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TurnJob:
    """The last of `actions`, or the start of the episode where there are none."""

    unit: Unit
    config: RunConfig
    actions: tuple[Action, ...]

    def __call__(self) -> Moment:
        episode = _memory.take(self) or self._again()
        known = len(episode.events)
        for action in self.actions[-1:]:
            action.upon(episode)
        if not episode.done:
            _memory.keep(self, episode)
        return Moment.of(episode, known)

    def _again(self) -> Episode:
        """The episode as it stood before the last action."""
        episode = begin(self.unit, self.config)
        for action in self.actions[:-1]:
            action.upon(episode)
        return episode


def begin(unit: Unit, config: RunConfig) -> Episode:
    """The episode of a unit, in this process."""
    turns = config.episode_budget.turns
    return Episode(_memory.task(unit), unit.protocol, rules=config.rules, seed=unit.seed, max_turns=turns)


class _Memory:
    """Episodes under way in this process, and the tasks that it has met; the oldest are forgotten."""

    def __init__(self) -> None:
        self._episodes: OrderedDict[str, tuple[tuple[Action, ...], Episode]] = OrderedDict()
        self._tasks: OrderedDict[tuple[str, str], Task] = OrderedDict()
        self._lock = threading.Lock()

    def task(self, unit: Unit) -> Task:
        """One object for a task in one wording: its target's side is prepared once."""
        with self._lock:
            task = self._tasks.setdefault((unit.key.task_hash, unit.wording), unit.worded)
            self._tasks.move_to_end((unit.key.task_hash, unit.wording))
            while len(self._tasks) > _KEPT_TASKS:
                self._tasks.popitem(last=False)
        return task

    def take(self, job: TurnJob) -> Episode | None:
        """The episode before the last action of the job, where this process was the last to play it."""
        with self._lock:
            actions, episode = self._episodes.pop(job.unit.key.episode_id, ((), None))
        return episode if job.actions and actions == job.actions[:-1] else None

    def keep(self, job: TurnJob, episode: Episode) -> None:
        with self._lock:
            self._episodes[job.unit.key.episode_id] = job.actions, episode
            while len(self._episodes) > _KEPT_EPISODES:
                self._episodes.popitem(last=False)


_memory = _Memory()


class DistantEpisode:
    """An episode of which this process sees the moments after its turns."""

    def __init__(self, executor: Executor, unit: Unit, config: RunConfig) -> None:
        self._executor, self._unit, self._config = executor, unit, config
        self._actions: tuple[Action, ...] = ()
        self.events: list[dict[str, Any]] = []
        native = unit.protocol.calls == "native"
        self.tools: list[dict[str, Any]] = openai_tools(unit.protocol.tools) if native else []
        self._now = self._ask()

    def _ask(self) -> Moment:
        job = TurnJob(self._unit, self._config, self._actions)
        moment = self._executor.run(job, near=self._unit.key.episode_id)
        if isinstance(moment, JobFailure):
            raise DistantFailure(moment)
        self._now = moment
        self.events += moment.events
        self.turn, self.done, self.stop_reason = moment.turn, moment.done, moment.stop_reason
        self.rules, self.failure = moment.rules, moment.failure
        self.messages, self.final_svg, self.scorecards = moment.messages, moment.final_svg, moment.scorecards
        return moment

    def observe(self) -> Observation:
        return self._now.observation

    def info(self) -> dict[str, Any]:
        return self._now.info

    def step(self, action: object) -> Moment:
        self._actions = (*self._actions, Action(action))
        return self._ask()

    def stop(self, reason: str) -> Moment:
        self._actions = (*self._actions, Action(None, reason))
        return self._ask()
