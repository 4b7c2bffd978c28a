"""Same seed, same scripted actions: the same reward, final bytes and pictures through every adapter."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from pkgutil import iter_modules

import pytest
from adapter_players import PLAYERS, by_episode
from episode_scripts import SCRIPTS, Ending

import vbench_env.integrations


@lru_cache
def expected(name: str, reward: str | None = None) -> Ending:
    script = next(script for script in SCRIPTS if script.name == name)
    if reward is not None:
        script = replace(script, config=script.config.model_copy(update={"reward": reward}))
    return by_episode(script)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
@pytest.mark.parametrize("adapter", PLAYERS)
def test_an_adapter_gives_the_reward_and_bytes_of_the_episode(adapter, script):
    player = PLAYERS[adapter]
    if player.package and find_spec(player.package) is None:
        pytest.skip(f"{player.package} is not installed; pip install 'vbench-env[{adapter}]'")
    assert player.play(script) == expected(script.name, player.asked(script).config.reward)


def test_every_adapter_has_a_player():
    """The modules of the package are those that wrap sessions, but for the shared ones, and the executor of Ray."""
    modules = {module.name for module in iter_modules(vbench_env.integrations.__path__)} - {"session", "http"}
    assert set(PLAYERS) == modules | {"session", "gymnasium", "ray"}


def test_the_scripts_end_differently():
    endings = [expected(script.name) for script in SCRIPTS]
    assert expected("solved").reward == 1
    assert expected("nothing").reward == 0
    assert 0 < expected("partial").reward < 1
    assert len({ending.final_svg for ending in endings}) >= 5
    assert len(expected("pictures").pictures) == 3
    assert len(expected("render").pictures) == 2
