"""An agent that says what it was told to say: for tests, demonstrations and replays."""

from __future__ import annotations

from collections.abc import Iterable

from vbench_env.agent import AgentReply, AgentTurn
from vbench_env.protocol import Protocol
from vbench_env.task import PublicTask


class ScriptedAgent:
    """Plays `script` message by message, from its start in every episode; then says nothing more."""

    name = "scripted"
    control = True
    offline = True

    def __init__(self, script: Iterable[AgentReply | str] = ()) -> None:
        self._script = tuple(AgentReply(line) if isinstance(line, str) else line for line in script)

    def reset(self, public: PublicTask, protocol: Protocol, seed: int) -> None:
        self._left = iter(self._script)

    def act(self, turn: AgentTurn) -> AgentReply:
        return next(self._left, AgentReply(None))
