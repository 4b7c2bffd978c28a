"""Finding the agent that plays: by name, or the one that fits a model and a protocol."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from vbench_env.agent import Agent
from vbench_env.errors import ConfigError
from vbench_env.experiments.chat import Chat
from vbench_env.experiments.config import ModelConfig
from vbench_env.protocol import Protocol
from vbench_env.registry import Registry

AgentFactory = Callable[..., Agent]
"""A class or function. It is called without arguments, or, when it has a true attribute `needs_model`, with
the `Chat` that reaches the model. A `require(protocol)` on it refuses protocols that it cannot play. A true attribute
`offline` says that it waits for nobody, so that a worker may play its episodes whole."""

AGENTS: Registry[AgentFactory] = Registry("agent", "vbench_env.agents")


@dataclass(frozen=True, slots=True)
class Casting:
    """Which agent plays for a configured model under a protocol."""

    name: str
    factory: AgentFactory
    needs_model: bool

    @property
    def offline(self) -> bool:
        """Whether the agent computes and never waits for a model, a person or a network."""
        return not self.needs_model and bool(getattr(self.factory, "offline", False))

    def make(self, chat: Chat | None) -> Agent:
        """A fresh agent for one episode."""
        arguments: tuple[Any, ...] = (chat,) if self.needs_model else ()
        return self.factory(*arguments)


class Described(NamedTuple):
    """An agent in words."""

    name: str
    plays: str
    """`alone`, `for a model`, `for a person`; `as a control` where its results are listed apart."""
    summary: str


def described(name: str) -> Described:
    """What an agent is, for a list."""
    factory = AGENTS.get(name)
    if getattr(factory, "needs_model", False):
        plays = "for a model"
    elif getattr(factory, "control", False):
        plays = "as a control"
    else:
        plays = "alone" if getattr(factory, "offline", False) else "for a person"
    return Described(name, plays, (inspect.getdoc(factory) or "").split("\n\n")[0].replace("\n", " "))


def cast(model: ModelConfig, protocol: Protocol) -> Casting:
    """The agent for a model under a protocol.

    Raises:
        UnknownName: no such agent.
        ConfigError: an agent that needs a model was named where the model belongs, or the other way round; or
            the agent cannot play the protocol.
    """
    name = model.agent or (model.name if model.name in AGENTS else fitting(protocol))
    factory = AGENTS.get(name)
    needs_model = bool(getattr(factory, "needs_model", False))
    if needs_model and model.name == name and model.model is None:
        raise ConfigError(f"agent {name!r} needs a model: {{name: openai/gpt-5, agent: {name}}}")
    if not needs_model and model.model is not None:
        raise ConfigError(f"agent {name!r} calls no model, yet {model.name!r} names {model.model!r}")
    if require := getattr(factory, "require", None):
        require(protocol)
    return Casting(name, factory, needs_model)


def fitting(protocol: Protocol) -> str:
    """Name of the agent that plays a protocol with a model."""
    if protocol.single_shot:
        return "single-shot"
    return "tool-agent" if protocol.calls == "native" else "text-agent"
