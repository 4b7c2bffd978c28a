"""A person as an agent: every turn is asked at a desk, in the terminal or in a local page."""

from __future__ import annotations

from typing import Protocol as Interface

from vbench_env.agent import AgentReply, AgentTurn
from vbench_env.episode import Step
from vbench_env.protocol import Protocol
from vbench_env.task import PublicTask


class Desk(Interface):
    """Where a person sees a turn and answers it."""

    def open(self, public: PublicTask, protocol: Protocol) -> None:
        """An episode begins."""

    def ask(self, turn: AgentTurn) -> str:
        """Show a turn and wait for one action: a tool call as JSON, or a whole document."""

    def close(self, step: Step) -> None:
        """The episode is over; show the verdict."""


class HumanAgent:
    """Asks a person. `desk` defaults to the terminal."""

    name = "human"
    control = False

    def __init__(self, desk: Desk | None = None) -> None:
        if desk is None:
            from vbench_agents.human_terminal import TerminalDesk

            desk = TerminalDesk()
        self.desk = desk

    def reset(self, public: PublicTask, protocol: Protocol, seed: int) -> None:
        self.desk.open(public, protocol)

    def act(self, turn: AgentTurn) -> AgentReply:
        return AgentReply(self.desk.ask(turn))

    def finish(self, step: Step) -> None:
        """Show the verdict."""
        self.desk.close(step)

    @classmethod
    def at(cls, desk: str, **settings: object) -> HumanAgent:
        """An agent at a desk by name: `terminal`, or `web` with `port` and `open_browser`."""
        if desk == "web":
            from vbench_agents.human_web import WebDesk

            return cls(WebDesk(**settings))  # type: ignore[arg-type]
        return cls()
