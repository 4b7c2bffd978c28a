"""What an agent is: something that answers one turn of a conversation at a time.

The runner resets an agent with the public part of a task and then asks it for one reply a turn. A reply is
one assistant message: text, tool calls, or both. Agents that call a model hand back a `CallRecord` for every
request, so that a run keeps what was sent and what came back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field

from vbench_env.observations.base import Observation
from vbench_env.protocol import Protocol as EpisodeProtocol
from vbench_env.task import PublicTask, Task


class CallRecord(BaseModel):
    """One request to a model with everything that became of it."""

    model_config = ConfigDict(extra="forbid")

    request: dict[str, Any]
    """The request as sent, less secrets."""
    attempts: list[dict[str, Any]] = Field(default_factory=list)
    """Every attempt in order, with its response or its error."""
    usage: dict[str, Any] | None = None
    """Token counts as the provider sent them; None when it sent none."""
    cost_usd: float | None = None
    """Dollars; None when unknown."""
    finish_reason: str | None = None
    """Why the model stopped; `length` when its answer was cut off."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Versions of client library and model as reported."""


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """What an agent gets to answer."""

    messages: list[dict[str, Any]]
    """The conversation in OpenAI form, as the protocol's history policy sends it."""
    tools: list[dict[str, Any]]
    """Granted tools in OpenAI form; empty where the protocol has none."""
    observation: Observation
    turn: int
    """Number of this turn, from 1."""


@dataclass(frozen=True, slots=True)
class AgentReply:
    """One assistant message. `tool_calls` are OpenAI-style calls; `finish_reason` is the model's."""

    content: str | None
    tool_calls: tuple[dict[str, Any], ...] = ()
    calls: tuple[CallRecord, ...] = ()
    finish_reason: str | None = None

    def message(self) -> dict[str, Any]:
        """The assistant message that `Episode.step` takes."""
        return {
            "role": "assistant",
            "content": self.content,
            "tool_calls": list(self.tool_calls),
            "finish_reason": self.finish_reason,
        }


@runtime_checkable
class Agent(Protocol):
    """An agent. `control` marks one that is no model (noop, oracle) and is never listed as one."""

    name: str
    control: bool

    def reset(self, public: PublicTask, protocol: EpisodeProtocol, seed: int) -> None:
        """Start an episode."""

    def act(self, turn: AgentTurn) -> AgentReply:
        """Answer one turn."""


@runtime_checkable
class PrivilegedAgent(Agent, Protocol):
    """A control that gets the hidden part of the task from the runner (`privileged = True`)."""

    privileged: bool

    def reset_privileged(self, task: Task) -> None:
        """Hand over the whole task, after `reset`."""
