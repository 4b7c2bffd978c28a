"""How each adapter plays a script. A new adapter is one entry in `PLAYERS` and one function in its test module."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable
from importlib import import_module
from typing import Any, NamedTuple

from episode_scripts import Ending, Script

from vbench_env import Episode, load_task
from vbench_env.integrations.session import Session, Source, content_of


class Player(NamedTuple):
    package: str | None
    """What must be installed; None where nothing is."""
    home: str
    """Module and function, imported when it is there."""

    def play(self, script: Script) -> Ending:
        module, _, function = self.home.partition(":")
        ending: Ending = getattr(import_module(module), function)(script)
        return ending


def digests(pngs: Iterable[bytes]) -> tuple[str, ...]:
    """SHA-256 of the pixels of pictures, since some packages encode a picture anew."""
    from PIL import Image

    def pixels(png: bytes) -> bytes:
        return Image.open(io.BytesIO(png)).convert("RGB").tobytes()

    return tuple(hashlib.sha256(pixels(png)).hexdigest() for png in pngs)


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


PLAYERS = {
    "session": Player(None, "adapter_players:by_session"),
    "trl": Player(None, "test_trl:play"),
}
