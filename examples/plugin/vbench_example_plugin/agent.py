"""An agent: one message, two calls."""

from __future__ import annotations

import json
from typing import Any

from vbench_env import AgentReply, AgentTurn, Protocol
from vbench_env.task import PublicTask


class TidyAgent:
    """Counts the elements and submits."""

    name = "tidy"
    control = False
    offline = True

    def reset(self, public: PublicTask, protocol: Protocol, seed: int) -> None:
        self._calls = [name for name in ("count_elements", "submit") if name in protocol.tools]

    def act(self, turn: AgentTurn) -> AgentReply:
        return AgentReply(None, tuple(_call(number, name) for number, name in enumerate(self._calls)))


def _call(number: int, name: str) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps({})}
    return {"id": f"tidy_{number}", "type": "function", "function": function}
