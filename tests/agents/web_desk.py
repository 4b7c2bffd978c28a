"""An episode at the web desk, played in a thread, for tests that are the page or a browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from vbench_agents.human import HumanAgent
from vbench_agents.human_web import WebDesk

from vbench_env.agent import AgentTurn
from vbench_env.episode import Episode
from vbench_env.task import Task


@dataclass
class Table:
    """The desk, the episode, and the thread that plays it."""

    desk: WebDesk
    episode: Episode
    thread: threading.Thread


@contextmanager
def playing(task: Task, protocol: str = "interactive-text") -> Iterator[Table]:
    """A person's episode that waits for its first action."""
    desk = WebDesk(open_browser=False)
    agent, episode = HumanAgent(desk), Episode(task, protocol, preview_size=64)

    def play() -> None:
        agent.reset(task.public, episode.protocol, 0)
        while not episode.done:
            turn = AgentTurn(episode.messages, episode.tools, episode.observe(), episode.turn + 1)
            step = episode.step(agent.act(turn).message())
        agent.finish(step)

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    desk.state_after(1, 20)
    try:
        yield Table(desk, episode, thread)
    finally:
        desk.act('{"tool": "submit"}')
        desk.told({"over": True})
        thread.join(20)
        desk.shut()
