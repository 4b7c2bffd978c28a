"""How each adapter plays a script. A new adapter is one entry in `PLAYERS` and one function in its test module."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any, NamedTuple

from episode_scripts import CORPUS, Ending, Script

from vbench_env import Episode, load_task
from vbench_env.integrations.session import Session, Source, content_of


class Player(NamedTuple):
    package: str | None
    """What must be installed; None where nothing is."""
    home: str
    """Module and function, imported when it is there."""
    shapes: bool = True
    """Whether it knows the shaped reward; the scripts that want it are played for progress otherwise."""

    def asked(self, script: Script) -> Script:
        """The script with a reward that it knows."""
        if self.shapes or script.config.reward != "shaped":
            return script
        return replace(script, config=script.config.model_copy(update={"reward": "progress"}))

    def play(self, script: Script) -> Ending:
        module, _, function = self.home.partition(":")
        ending: Ending = getattr(import_module(module), function)(self.asked(script))
        return ending


def digests(pngs: Iterable[bytes]) -> tuple[str, ...]:
    """SHA-256 of the pixels of pictures, since some packages encode a picture anew."""
    from PIL import Image

    def pixels(png: bytes) -> bytes:
        return Image.open(io.BytesIO(png)).convert("RGB").tobytes()

    return tuple(hashlib.sha256(pixels(png)).hexdigest() for png in pngs)


COMMAND = (sys.executable, "-c", "from vbench_env.cli import main; main()")


def variables() -> dict[str, str]:
    """Of a process that finds what this one finds."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}


@contextlib.contextmanager
def served(what: str, *options: str) -> Iterator[str]:
    """`vbench-env serve WHAT` on a free port; its address."""
    command = [*COMMAND, "serve", what, "--port", "0", "--corpus", CORPUS, *options]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=variables())
    assert server.stderr is not None
    try:
        line = server.stderr.readline()
        assert line.startswith("serving http://127.0.0.1:"), line + server.stderr.read()
        threading.Thread(target=server.stderr.read, daemon=True).start()
        yield line.split()[1]
    finally:
        server.terminate()
        server.wait(20)


def by_episode(script: Script) -> Ending:
    """The measure of all: no adapter at all."""
    config = script.config
    episode = Episode(
        load_task(script.task), config.protocol, rules=config.rules, seed=script.seed, reward=config.reward,
        max_turns=config.max_turns, preview_size=config.preview_size,
    )  # fmt: skip
    seen: list[dict[str, Any]] = list(episode.info()["messages"])
    total = 0.0
    for tool, args in script.calls():
        step = episode.step({"tool": tool, "args": args})
        total += step.reward
        seen += step.info["messages"]
    assert episode.done
    pictures = [png for message in seen for png in content_of(message)[1]]
    return Ending(total, episode.final_svg or "", digests(pictures))


def by_session(script: Script) -> Ending:
    session = Session(Source(script.config))
    replies = [session.begin(task=script.task, seed=script.seed)]
    replies += [session.call(tool, args) for tool, args in script.calls()]
    outcome = session.outcome()
    assert replies[-1].done
    assert sum(reply.reward for reply in replies) == outcome.reward
    return Ending(
        outcome.reward, outcome.final_svg or "", digests(p for reply in replies for p in reply.pictures)
    )


def by_gymnasium(script: Script) -> Ending:
    """`gym.make` with its passive checks on; actions are texts."""
    import gymnasium as gym

    config = script.config
    env = gym.make(
        "vbench_env:VBench/SvgRepair-v0", task=script.task, corpus=config.corpus, protocol=config.protocol,
        rules=config.rules, reward=config.reward, max_turns=config.max_turns, preview_size=config.preview_size,
    )  # fmt: skip
    observation, info = env.reset(seed=script.seed)
    seen, total, ended = list(info["messages"]), 0.0, False
    for tool, args in script.calls():
        assert not ended
        observation, reward, terminated, truncated, info = env.step(json.dumps({"tool": tool, "args": args}))
        total, ended = total + float(reward), terminated or truncated
        seen += info["messages"]
    env.close()
    assert ended and info["seed"] == script.seed
    pictures = [png for message in seen for png in content_of(message)[1]]
    return Ending(total, observation["svg"], digests(pictures))


PLAYERS = {
    "session": Player(None, "adapter_players:by_session"),
    "gymnasium": Player(None, "adapter_players:by_gymnasium"),
    "trl": Player(None, "test_trl:play"),
    "mcp": Player("mcp_types", "test_mcp:play"),
    "openenv": Player("openenv", "test_openenv:play"),
    "inspect": Player("inspect_ai", "test_inspect:play"),
    "verifiers": Player("verifiers", "test_verifiers:play"),
    "ray": Player("ray", "test_ray:play", shapes=False),
}
