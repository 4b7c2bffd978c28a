"""Scripted episodes that every adapter must play alike, and how they end when `Episode` plays them."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from vbench_agents.oracle import OracleAgent

from vbench_env import Episode, load_task
from vbench_env.agent import AgentTurn
from vbench_env.integrations.session import SourceConfig
from vbench_env.resources import data_root

TASKS = ("harbor-dawn", "city-climate")


def _corpus() -> str:
    """A corpus of two of the packaged tasks, which loads in no time."""
    folder = Path(tempfile.mkdtemp(prefix="vbench-env-scripts-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in TASKS:
        shutil.copytree(data_root("tasks") / "vbench-40" / name, folder / "two" / name)
    return str(folder / "two")


CORPUS = _corpus()


def config(**settings: Any) -> SourceConfig:
    return SourceConfig(corpus=CORPUS, **settings)


Calls = tuple[tuple[str, dict[str, Any]], ...]


class Ending(NamedTuple):
    """What must be the same everywhere."""

    reward: float
    final_svg: str
    pictures: tuple[str, ...] = ()
    """SHA-256 of the pictures seen, in order."""


@dataclass(frozen=True)
class Script:
    name: str
    task: str
    calls: Callable[[], Calls]
    config: SourceConfig = field(default_factory=config)
    seed: int = 7


@lru_cache
def oracle_calls(task_id: str) -> Calls:
    """One call at a time, what the oracle does."""
    task, agent, episode = load_task(task_id), OracleAgent(), Episode(load_task(task_id))
    agent.reset(task.public, episode.protocol, 0)
    agent.reset_privileged(task)
    calls: list[tuple[str, dict[str, Any]]] = []
    while not episode.done:
        turn = AgentTurn(episode.messages, episode.tools, episode.observe(), episode.turn + 1)
        reply = agent.act(turn)
        for call in reply.tool_calls:
            function = call["function"]
            calls.append((function["name"], json.loads(function["arguments"])))
        episode.step(reply.message())
    return tuple(calls)


SUBMIT: tuple[str, dict[str, Any]] = ("submit", {})
MARKET = ("set_text", {"object": "sign-bottom", "text": "MARKET"})

SCRIPTS = (
    Script("solved", "harbor-dawn", lambda: oracle_calls("harbor-dawn")),
    Script("nothing", "harbor-dawn", lambda: (SUBMIT,)),
    Script("partial", "harbor-dawn", lambda: (MARKET, SUBMIT), config(reward="progress")),
    Script(
        "mistakes",
        "harbor-dawn",
        lambda: (
            ("set_text", {"object": "sign-botom", "text": "MARKET"}),
            ("set_text", {"object": "sign-bottom"}),
            ("set_text", {"object": "sign-bottom", "text": "MARKET", "colour": "red"}),
            ("undo", {"steps": "many"}),
            MARKET,
            SUBMIT,
        ),
        config(reward="progress", rules="published"),
    ),
    Script(
        "any-text",
        "harbor-dawn",
        lambda: (
            ("set_text", {"object": "sign-bottom", "text": "é漢🙂 <&> \u00a0 \"quoted\" \\n"}),
            SUBMIT,
        ),
        config(reward="progress"),
    ),
    Script(
        "turns",
        "harbor-dawn",
        lambda: (MARKET, ("list_objects", {"limit": 3}), ("diff", {})),
        config(max_turns=3, reward="shaped"),
    ),
    Script(
        "pictures",
        "harbor-dawn",
        lambda: (MARKET, ("move", {"object": "lantern", "dx": -26, "dy": 0}), SUBMIT),
        config(protocol="interactive-raster", preview_size=96, reward="progress"),
    ),
    Script(
        "render",
        "harbor-dawn",
        lambda: (("render", {"object": "lantern", "zoom": 2}), MARKET, ("render", {}), SUBMIT),
        config(protocol="interactive-raster-on-demand", preview_size=96),
    ),
)  # fmt: skip
