"""The Gymnasium face of generated tasks."""

from __future__ import annotations

import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import vbench_env  # noqa: F401
from vbench_env.errors import ConfigError
from vbench_env.generate import generate_task

_ID = "vbench_env:VBench/SvgRepairGenerated-v0"


def test_check_env_has_nothing_to_say() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gym.make(_ID, level=1)
        check_env(made.unwrapped)
        made.close()


def test_a_seed_plays_the_task_that_the_generator_makes_of_it() -> None:
    env = gym.make(_ID, level=2, split="test")
    observation, info = env.reset(seed=11)
    task = generate_task(11, 2, "test")
    assert observation["svg"] == task.corrupted_svg
    assert observation["instruction"] == task.instruction
    assert info["task_hash"] == task.hash
    again, _ = env.reset(seed=11)
    assert {name: again[name] for name in ("svg", "instruction")} == {
        name: observation[name] for name in ("svg", "instruction")
    }
    env.close()


def test_options_of_reset_change_the_recipe_for_that_episode_only() -> None:
    env = gym.make(_ID, level=1)
    _, harder = env.reset(seed=3, options={"level": 4, "split": "validation"})
    _, usual = env.reset(seed=3)
    assert harder["task_hash"] == generate_task(3, 4, "validation").hash
    assert usual["task_hash"] == generate_task(3, 1).hash
    with pytest.raises(ConfigError, match="unknown reset option 'levle'"):
        env.reset(seed=3, options={"levle": 2})
    env.close()


def test_episodes_without_seeds_play_other_tasks() -> None:
    env = gym.make(_ID, level=1)
    env.reset(seed=1)
    hashes = {env.reset()[1]["task_hash"] for _ in range(4)}
    assert len(hashes) == 4
    env.close()


def test_a_vector_of_environments_plays_a_task_each() -> None:
    envs = gym.make_vec("VBench/SvgRepairGenerated-v0", num_envs=2, parallel=False, level=1)
    observation, _ = envs.reset(seed=[1, 2])
    assert list(observation["svg"]) == [generate_task(seed, 1).corrupted_svg for seed in (1, 2)]
    assert np.asarray(observation["turn"]).tolist() == [0, 0]
    envs.close()
