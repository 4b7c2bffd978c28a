"""Agents under every protocol: they end every episode, and the two controls mark the ends of the scale."""

from __future__ import annotations

import pytest
from vbench_agents.noop import NoopAgent
from vbench_agents.oracle import OracleAgent
from vbench_agents.random_agent import RandomAgent
from vbench_agents.replies import unified_diff
from vbench_agents.scripted import ScriptedAgent

from vbench_env.agent import Agent, AgentReply, AgentTurn, PrivilegedAgent
from vbench_env.episode import Episode
from vbench_env.experiments.agents import AGENTS, cast
from vbench_env.experiments.config import ModelConfig
from vbench_env.protocol import load_protocol, protocol_names
from vbench_env.task import Repair, Task

START = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60">
  <rect id="sky" width="100" height="60" fill="#bde0fe"/>
  <circle id="sun" cx="31" cy="18" r="9" fill="#ffb703"/>
  <circle id="moon" cx="80" cy="18" r="6" fill="#ffffff"/>
</svg>"""
TARGET = START.replace('cx="31"', 'cx="70"')
TASK = Task(
    "suns", "Move the sun to the right.", START, TARGET,
    (Repair(object="sun", operation="move", property="cx", corrupted="31", target="70"),), ("sky", "moon"),
)  # fmt: skip


def play(agent: Agent, protocol: str, seed: int = 0) -> Episode:
    episode = Episode(TASK, protocol)
    agent.reset(TASK.public, episode.protocol, seed)
    if isinstance(agent, PrivilegedAgent):
        agent.reset_privileged(TASK)
    while not episode.done:
        turn = AgentTurn(episode.messages, episode.tools, episode.observe(), episode.turn + 1)
        episode.step(agent.act(turn).message())
    return episode


@pytest.mark.parametrize("protocol", protocol_names())
def test_the_oracle_passes_and_noop_fails_under_every_protocol(protocol):
    right, nothing = play(OracleAgent(), protocol), play(NoopAgent(), protocol)
    assert right.scorecards["surgical"].passed
    assert right.final_svg == TARGET
    assert nothing.scorecards["surgical"].status == "FAIL"
    assert nothing.final_svg == START


@pytest.mark.parametrize(
    "protocol", ["single-shot", "single-shot-patch", "interactive-text", "interactive-text-json"]
)
def test_the_random_agent_always_ends_and_its_seed_decides_everything(protocol):
    ends = [play(RandomAgent(), protocol, seed).final_svg for seed in (1, 1, 2)]
    assert ends[0] == ends[1]
    assert ends[0] != ends[2]


def test_a_scripted_agent_says_its_lines_and_then_nothing():
    agent = ScriptedAgent(["first", AgentReply(TARGET)])
    assert play(agent, "single-shot").final_svg == "first"
    assert play(ScriptedAgent([TARGET]), "single-shot").scorecards["surgical"].passed
    assert play(ScriptedAgent(), "interactive-text").stop_reason == "format_errors"


def test_agents_are_found_by_name_and_by_protocol():
    assert {"noop", "oracle", "heuristic", "random", "single-shot", "tool-agent", "text-agent"} <= set(
        AGENTS.names()
    )
    names = {name: cast(ModelConfig(name="openai/m"), load_protocol(name)).name for name in protocol_names()}
    assert names["single-shot"] == names["single-shot-raster"] == "single-shot"
    assert names["interactive-text"] == "tool-agent"
    assert names["interactive-text-json"] == "text-agent"


def test_a_diff_says_when_the_last_line_has_no_end():
    assert unified_diff("a\nb", "a\nc").endswith(
        "-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
    )
    assert unified_diff("same", "same") == ""
