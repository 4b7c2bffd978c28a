"""A control that knows the target: what a perfect answer is worth. Never a model, never listed as one."""

from __future__ import annotations

from vbench_agents import replies
from vbench_agents.edit_plan import Call, Unplanned, edit_calls
from vbench_env.agent import AgentReply, AgentTurn
from vbench_env.protocol import Protocol
from vbench_env.task import PublicTask, Task

_BY_LETTERS = frozenset({"malformed", "optimisation"})
"""Kinds of task that are about the text of the file."""


class OracleAgent:
    """Answers with the target drawing, or edits the source into it, one tool call a turn, and submits."""

    name = "oracle"
    control = True
    offline = True
    privileged = True

    def reset(self, public: PublicTask, protocol: Protocol, seed: int) -> None:
        self._public, self._protocol = public, protocol

    def reset_privileged(self, task: Task) -> None:
        self._target = task.target_svg
        self._moved = {repair.object for repair in task.repairs if repair.operation == "reorder"}
        self._letters = task.kind in _BY_LETTERS

    def act(self, turn: AgentTurn) -> AgentReply:
        if self._protocol.single_shot:
            return replies.answer(self._protocol, self._public.corrupted_svg, self._target)
        edits = self._edits(turn.observation.svg)
        turns = max(1, turn.observation.turns_left - 1)
        share = edits[: -(-len(edits) // turns)]
        over = len(share) == len(edits) and (not edits or turn.observation.turns_left == 1)
        return replies.calls(self._protocol, turn.turn, [*share, *([("submit", {})] if over else [])])

    def _edits(self, svg: str) -> list[Call]:
        """The calls that turn the document into the target; none when it says the same already."""
        if self._letters:
            return self._whole(svg)
        try:
            edits = edit_calls(svg, self._target, self._moved)
        except Unplanned:
            return self._whole(svg)
        granted = {name for name, _ in edits} <= set(self._protocol.tools)
        return edits if granted else self._whole(svg)

    def _whole(self, svg: str) -> list[Call]:
        """One call, where edits of elements cannot do it or are not granted."""
        if svg == self._target:
            return []
        if "apply_patch" in self._protocol.tools:
            return [("apply_patch", {"patch": replies.unified_diff(svg, self._target)})]
        return [("rewrite", {"svg": self._target})]
