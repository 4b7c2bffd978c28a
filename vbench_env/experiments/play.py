"""Playing one episode to its record. Whatever happens, it ends in one of three ways.

A *result*: the episode ended and was scored; a spent budget of its own and a limit of the model count too.
*Owed*: infrastructure failed, there is no verdict, and a resumed run plays it again. *Left*: the run stops,
nothing is recorded, and the journal keeps what was paid for.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from vbench_env.agent import Agent, AgentTurn, CallRecord, PrivilegedAgent
from vbench_env.experiments.agents import Casting
from vbench_env.experiments.budget import BudgetSpent, EpisodeMeter, Estimator
from vbench_env.experiments.chat import EpisodeChat
from vbench_env.experiments.client import ModelClient
from vbench_env.experiments.config import RunConfig
from vbench_env.experiments.distant import DistantFailure, Played, begin
from vbench_env.experiments.failures import LIMITS, CallFailed
from vbench_env.experiments.plan import Unit
from vbench_env.experiments.record import CutOff, EpisodeRecord, FailureRecord
from vbench_env.experiments.redaction import Redactor

INFRASTRUCTURE = "infrastructure"
"""Stop reason of an owed episode."""


class Left(Exception):
    """The run stops before this episode is done; nothing is recorded of it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Seat:
    """What all episodes of one model under one protocol share."""

    casting: Casting
    client: ModelClient | None
    """None for an agent that calls no model."""
    estimator: Estimator
    versions: dict[str, str]


@dataclass(slots=True)
class Play:
    """One episode under way."""

    unit: Unit
    seat: Seat
    config: RunConfig
    own: EpisodeMeter
    """What the episode has spent and may spend."""
    stop: threading.Event
    """Set when the run ends early."""
    chat: EpisodeChat | None = None
    """The way to the model; None for an agent that calls none."""
    begin: Callable[[Unit, RunConfig], Played] = begin
    """Starts the episode, here or elsewhere."""
    agent: Agent | None = None
    episode: Played | None = None
    messages: list[dict[str, Any]] = field(default_factory=list)
    reported: list[CallRecord] = field(default_factory=list)
    """Calls that an agent with a client of its own reports."""
    error: FailureRecord | None = None
    owed: bool = False
    started_at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    started: float = field(default_factory=time.monotonic)

    def record(self) -> EpisodeRecord:
        """Play to the end.

        Raises:
            Left: the run is being stopped, or its budget is spent.
        """
        try:
            self._converse()
        except Left:
            raise
        except BudgetSpent as spent:
            if spent.scope == "run":
                raise Left(spent.reason) from spent
            self._end_early(spent.reason)
        except CallFailed as failed:
            self._after(failed)
        except DistantFailure as failed:
            self.error, self.owed = FailureRecord(kind=failed.kind, message=str(failed)[:2000]), True
        except Exception as error:  # a fault of ours or of an agent says nothing about a model
            self.error, self.owed = self._crash(error), True
        return self._record()

    def _converse(self) -> None:
        unit, task = self.unit, self.unit.worded
        self.agent = agent = self.seat.casting.make(self.chat)
        self.episode = episode = self.begin(unit, self.config)
        agent.reset(task.public, unit.protocol, unit.seed)
        if getattr(agent, "privileged", False):
            cast(PrivilegedAgent, agent).reset_privileged(task)
        self.messages += episode.info()["messages"]
        while not episode.done:
            self._turn(episode, agent)

    def _turn(self, episode: Played, agent: Agent) -> None:
        if self.stop.is_set():
            raise Left("interrupted")
        self.own.check(0.0)
        turn = AgentTurn(episode.messages, episode.tools, episode.observe(), episode.turn + 1)
        reply = agent.act(turn)
        self.reported += reply.calls
        self.messages += episode.step(reply.message()).info["messages"]

    def _end_early(self, reason: str) -> None:
        if self.episode is not None and not self.episode.done:
            self.messages += self.episode.stop(reason).info["messages"]

    def _after(self, failed: CallFailed) -> None:
        """A limit of the model ends the episode as it stands; anything else leaves it owed."""
        if failed.failure.kind == "interrupted":
            raise Left("interrupted") from failed
        self.error = failed.failure.as_record()
        if failed.failure.kind in LIMITS:
            self._end_early(failed.failure.kind)
        else:
            self.owed = True

    def failed(self, kind: str, message: str) -> EpisodeRecord:
        """The record of an episode that infrastructure kept from being played."""
        self.error, self.owed = FailureRecord(kind=kind, message=message[:2000]), True
        return self._record()

    def _crash(self, error: Exception) -> FailureRecord:
        redactor = self.seat.client.redactor if self.seat.client else Redactor()
        frames = "".join(traceback.format_tb(error.__traceback__)[-2:])
        text = redactor.error(f"{type(error).__name__}: {error}\n{frames}")
        return FailureRecord(kind="crash", message=text[:2000])

    def _record(self) -> EpisodeRecord:
        unit, calls = self.unit, self.chat.calls if self.chat and self.chat.calls else self.reported
        return EpisodeRecord(
            **self._outcome(), episode_id=unit.key.episode_id, task_id=unit.task.task_id,
            task_hash=unit.key.task_hash, corpus=unit.task.corpus, protocol=unit.protocol.name,
            model=unit.model.name, agent=self.seat.casting.name, wording=unit.wording,
            control=bool(getattr(self.agent, "control", False)), sample=unit.sample, seed=unit.seed,
            started_at=self.started_at, wall_s=round(time.monotonic() - self.started, 3),
            messages=self.messages, calls=calls,
            cut_off=self.chat.cut_off if self.chat else cut_off_of(calls),
            usage=total_usage(calls), cost_usd=total_cost_usd(calls), versions=self.seat.versions,
        )  # fmt: skip

    def _outcome(self) -> dict[str, Any]:
        """Fields that depend on how it ended."""
        episode = self.episode
        if episode is None:
            rules = self.config.rules or self.unit.protocol.rules
            return {"reward_valid": False, "stop_reason": INFRASTRUCTURE, "rules": rules, "error": self.error}
        owed = self.owed or episode.failure is not None
        cards = {} if owed else episode.scorecards
        return {
            "reward_valid": not owed,
            "stop_reason": INFRASTRUCTURE if owed else episode.stop_reason,
            "rules": episode.rules,
            "events": episode.events,
            "final_svg": episode.final_svg,
            "score": cards.get(episode.rules),
            "other_scores": [card for name, card in cards.items() if name != episode.rules],
            "error": self.error or _episode_failure(episode.failure),
        }


def _episode_failure(message: str | None) -> FailureRecord | None:
    if message is None:
        return None
    return FailureRecord(kind="render" if message.startswith("renderer") else "scorer", message=message)


def cut_off_of(calls: list[CallRecord]) -> list[CutOff]:
    """Whether an answer was cut off, from what an agent reports."""
    return ["length"] if any(call.finish_reason == "length" for call in calls) else []


def total_usage(calls: list[CallRecord]) -> dict[str, int] | None:
    """Tokens over all calls that came with counts; None when none did."""
    counted = [call.usage for call in calls if call.usage]
    names = ("prompt_tokens", "completion_tokens")
    return {name: sum(int(usage.get(name) or 0) for usage in counted) for name in names} if counted else None


def total_cost_usd(calls: list[CallRecord]) -> float | None:
    """Dollars over all calls; None when one of them is unknown."""
    costs = [call.cost_usd for call in calls]
    return None if None in costs else sum(cost for cost in costs if cost is not None)
