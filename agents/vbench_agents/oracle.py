"""A control that knows the target: what a perfect answer is worth. Never a model, never listed as one."""

from __future__ import annotations

from vbench_agents import replies
from vbench_env.agent import AgentReply, AgentTurn
from vbench_env.protocol import Protocol
from vbench_env.task import PublicTask, Task


class OracleAgent:
    """Answers with the target drawing, or patches the source into it and submits."""

    name = "oracle"
    control = True
    privileged = True

    def reset(self, public: PublicTask, protocol: Protocol, seed: int) -> None:
        self._public, self._protocol = public, protocol

    def reset_privileged(self, task: Task) -> None:
        self._target = task.target_svg

    def act(self, turn: AgentTurn) -> AgentReply:
        if self._protocol.single_shot:
            return replies.answer(self._protocol, self._public.corrupted_svg, self._target)
        return replies.calls(self._protocol, turn.turn, [*self._edits(turn.observation.svg), ("submit", {})])

    def _edits(self, svg: str) -> list[tuple[str, dict[str, str]]]:
        """The one call that turns the document into the target; none when it is the target already."""
        if svg == self._target:
            return []
        if "apply_patch" in self._protocol.tools:
            return [("apply_patch", {"patch": replies.unified_diff(svg, self._target)})]
        return [("rewrite", {"svg": self._target})]
