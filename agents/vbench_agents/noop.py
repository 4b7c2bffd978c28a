"""A control that changes nothing: what the corrupted drawing is worth as it stands."""

from __future__ import annotations

from vbench_agents import replies
from vbench_env.agent import AgentReply, AgentTurn
from vbench_env.protocol import Protocol
from vbench_env.task import PublicTask


class NoopAgent:
    """Answers with the drawing as it got it, or submits at once."""

    name = "noop"
    control = True
    offline = True

    def reset(self, public: PublicTask, protocol: Protocol, seed: int) -> None:
        self._public, self._protocol = public, protocol

    def act(self, turn: AgentTurn) -> AgentReply:
        if self._protocol.single_shot:
            drawing = self._public.corrupted_svg
            return replies.answer(self._protocol, drawing, drawing)
        return replies.calls(self._protocol, turn.turn, [("submit", {})])
