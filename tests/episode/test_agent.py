"""The agent protocol."""

from __future__ import annotations

from vbench_env.agent import Agent, AgentReply, AgentTurn, PrivilegedAgent
from vbench_env.episode import Episode
from vbench_env.protocol import Protocol
from vbench_env.task import PublicTask, Task

from .conftest import SOLUTION, TARGET


class Copying:
    name, control = "copying", True

    def reset(self, public: PublicTask, protocol: Protocol, seed: int) -> None:
        self.answer = public.corrupted_svg

    def act(self, turn: AgentTurn) -> AgentReply:
        return AgentReply(self.answer)


class Knowing(Copying):
    privileged = True

    def reset_privileged(self, task: Task) -> None:
        self.answer = task.target_svg


def play(agent: Copying, task: Task) -> float:
    episode = Episode(task, "single-shot")
    agent.reset(task.public, episode.protocol, 0)
    if isinstance(agent, PrivilegedAgent):
        agent.reset_privileged(task)
    turn = AgentTurn(episode.messages, episode.tools, episode.observe(), episode.turn + 1)
    return episode.step(agent.act(turn).message()).reward


def test_an_agent_needs_no_base_class(task: Task) -> None:
    assert isinstance(Copying(), Agent)
    assert not isinstance(Copying(), PrivilegedAgent)
    assert (play(Copying(), task), play(Knowing(), task)) == (0.0, 1.0)


def test_a_reply_is_the_assistant_message_that_an_episode_takes(task: Task) -> None:
    calls = tuple({"function": {"name": call["tool"], "arguments": call["args"]}} for call in SOLUTION)
    episode = Episode(task, "interactive-text")
    episode.step(AgentReply("I repair both.", calls, finish_reason="tool_calls").message())
    assert episode.document == TARGET
    cut = Episode(task, "interactive-text").step(AgentReply(None, calls, finish_reason="length").message())
    assert cut.observation.last_error is not None
    assert cut.observation.last_error.kind == "cut_off"
