"""Agents that put every turn to a language model and pass its message on as it is.

What is asked of the model (prompts, tools, what is shown and resent) is the protocol's, so that two models
differ in nothing else.
"""

from __future__ import annotations

from vbench_env.agent import AgentReply, AgentTurn
from vbench_env.errors import ConfigError
from vbench_env.experiments.chat import Chat, ChatRequest
from vbench_env.protocol import Protocol
from vbench_env.task import PublicTask


class ModelAgent:
    """The common part. `chat` reaches the model of the episode."""

    name = "model"
    control = False
    needs_model = True

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    def reset(self, public: PublicTask, protocol: Protocol, seed: int) -> None:
        self.require(protocol)
        self._max_tokens = protocol.max_output_tokens(public.corrupted_svg)

    def act(self, turn: AgentTurn) -> AgentReply:
        reply = self._chat(ChatRequest(turn.messages, turn.tools, self._max_tokens))
        return AgentReply(reply.content, reply.tool_calls, (reply.record,), reply.finish_reason)

    @classmethod
    def require(cls, protocol: Protocol) -> None:
        """Raise `ConfigError` when this agent cannot play `protocol`."""


class SingleShotAgent(ModelAgent):
    """One question, one answer."""

    name = "single-shot"

    @classmethod
    def require(cls, protocol: Protocol) -> None:
        if not protocol.single_shot:
            raise ConfigError(
                f"agent single-shot answers once, and protocol {protocol.name} goes on; use tool-agent"
            )


class ToolAgent(ModelAgent):
    """Native tool calls, turn after turn."""

    name = "tool-agent"

    @classmethod
    def require(cls, protocol: Protocol) -> None:
        if protocol.single_shot or protocol.calls != "native":
            raise ConfigError(
                f"agent tool-agent makes native tool calls, and protocol {protocol.name} takes none"
            )


class TextAgent(ModelAgent):
    """Tool calls as JSON in the text, for endpoints without native ones."""

    name = "text-agent"

    @classmethod
    def require(cls, protocol: Protocol) -> None:
        if protocol.single_shot or protocol.calls != "text":
            raise ConfigError(
                f"agent text-agent writes calls as text, and protocol {protocol.name} takes none"
            )
