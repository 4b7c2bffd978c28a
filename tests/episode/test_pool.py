"""Vector environments: a few workers for many environments, one corpus for all."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from vbench_env.env import SvgRepairEnv, make_vector
from vbench_env.errors import ConfigError, InfrastructureError
from vbench_env.pool import PooledVectorEnv
from vbench_env.resources import data_root
from vbench_env.shared import shared_corpus

TASKS = data_root("tasks") / "vbench-40"
LOOK = json.dumps({"tool": "validate", "args": {}})
SUBMIT = json.dumps({"tool": "submit", "args": {}})


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tasks."""
    folder = tmp_path_factory.mktemp("two")
    for name in ("kitchen-icons", "week-calendar"):
        shutil.copytree(TASKS / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def envs(corpus: Path) -> Iterator[PooledVectorEnv]:
    made = make_vector(3, workers=2, corpus=str(corpus))
    assert isinstance(made, PooledVectorEnv)
    yield made
    made.close()


def plain(observation: dict[str, Any]) -> dict[str, list[Any]]:
    return {name: list(values) for name, values in observation.items()}


def test_it_plays_like_the_environments_one_by_one(envs: PooledVectorEnv, corpus: Path) -> None:
    one_by_one = make_vector(3, parallel=False, corpus=str(corpus))
    assert plain(envs.reset(seed=7)[0]) == plain(one_by_one.reset(seed=7)[0])
    for actions in ((LOOK, SUBMIT, LOOK), (SUBMIT, LOOK, LOOK)):
        pooled, single = envs.step(actions), one_by_one.step(actions)
        assert plain(pooled[0]) == plain(single[0])
        for ours, theirs in zip(pooled[1:4], single[1:4], strict=True):
            assert ours.tolist() == theirs.tolist()
        assert set(pooled[4]) == set(single[4])
    assert pooled[4]["final_info"]["stop_reason"][0] == "submit"
    assert pooled[4]["final_obs"][0] == single[4]["final_obs"][0]


def test_an_environment_that_ends_begins_anew_in_the_same_step(envs: PooledVectorEnv) -> None:
    envs.reset(seed=1)
    observation, _, terminated, _, infos = envs.step((SUBMIT, LOOK, LOOK))
    assert terminated.tolist() == [True, False, False]
    assert [int(turn) for turn in observation["turn"]] == [0, 1, 1]
    assert int(infos["final_obs"][0]["turn"]) == 1


def test_a_mistake_of_the_caller_is_raised_here_and_the_workers_go_on(envs: PooledVectorEnv) -> None:
    envs.reset(seed=1)
    with pytest.raises(ConfigError, match="unknown reset option 'tusk'"):
        envs.reset(seed=1, options={"tusk": 1})
    with pytest.raises(ConfigError, match="seed must be one number or 3 of them, not 2"):
        envs.reset(seed=[1, 2])
    assert envs.reset(seed=[1, 2, 3])[0]["turn"].tolist() == [0, 0, 0]


def test_call_reaches_every_environment(envs: PooledVectorEnv) -> None:
    assert envs.call("render_mode") == (None, None, None)


def test_a_worker_that_died_is_an_infrastructure_error(corpus: Path) -> None:
    envs = make_vector(1, workers=1, corpus=str(corpus))
    assert isinstance(envs, PooledVectorEnv)
    envs._processes[0].kill()
    envs._processes[0].join()
    with pytest.raises(InfrastructureError, match="worker process of the vector environment has ended"):
        envs.reset(seed=0)
    envs.close()


def test_settings_that_do_not_fit_are_raised_at_the_start() -> None:
    with pytest.raises(ConfigError, match="reward must be one of"):
        make_vector(1, workers=1, task="kitchen-icons", reward="points")
    with pytest.raises(ConfigError, match="workers must be at least 1, not 0"):
        make_vector(1, workers=0)


def test_make_vec_takes_workers(corpus: Path) -> None:
    made = gym.make_vec("vbench_env:VBench/SvgRepair-v0", num_envs=2, workers=1, corpus=str(corpus))
    assert isinstance(made.unwrapped, PooledVectorEnv)
    assert np.asarray(made.reset(seed=0)[0]["turns_left"]).shape == (2,)
    made.close()


def test_environments_of_a_process_share_their_tasks(corpus: Path) -> None:
    one, other = (SvgRepairEnv(corpus=str(corpus)) for _ in range(2))
    assert all(a is b for a, b in zip(one._tasks, other._tasks, strict=True))


def test_a_changed_file_is_read_anew(corpus: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(corpus, tmp_path / "mine")
    before = shared_corpus(folder)
    assert shared_corpus(folder) is before
    path = folder / "kitchen-icons" / "task.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("genre:", "genre: ", 1), encoding="utf-8")
    os.utime(path, ns=(2**62, 2**62))
    assert shared_corpus(folder) is not before
