"""The benchmark of rollouts plays what it says it plays."""

from __future__ import annotations

import importlib.util
import sys
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from vbench_env.task import Task, load_task

PATH = Path(__file__).parents[2] / "benchmarks" / "bench_rollout.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_rollout", PATH)
    assert spec is not None and spec.loader is not None
    module = sys.modules["bench_rollout"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    return [load_task("kitchen-icons")]


def test_an_episode_is_three_edits_and_submit(bench: ModuleType, tasks: list[Task]) -> None:
    env = bench.Rollout("text", tasks)
    seen, _ = env.reset(seed=0)
    texts = [seen["svg"]]
    for over in (False, False, False, True):
        seen, _, terminated, truncated, info = env.step(0)
        assert (terminated, truncated) == (over, False)
        texts.append(seen["svg"])
    assert len(set(texts)) == 4 and info["stop_reason"] == "submit"


@pytest.mark.parametrize("kind", ["Rollout", "Bare"])
def test_steps_are_counted_over_episodes(bench: ModuleType, tasks: list[Task], kind: str) -> None:
    makers = [partial(getattr(bench, kind), "text", tasks)] * 2
    assert bench.rate(SyncVectorEnv(makers, autoreset_mode=AutoresetMode.SAME_STEP), 0.05) > 0
