"""Rollouts: environment steps per second with 1, 2 and 4 workers, and what an environment costs in memory.

    python benchmarks/bench_rollout.py [--seconds 4] [--envs 8] [--json]

An episode is three edits and `submit` on a generated task. `sync` plays in this process; `async` is Gymnasium's vector
environment with a process for each environment; `pooled` is ours, the same environments over 1, 2 and 4 workers. The
baseline is Gymnasium alone: the same observation spaces and actions, in the same vector environments, with a step
that does nothing. Memory is what an environment adds to its processes (unique set size). Two workers on two cores
should do at least 85 % of twice the steps of one (`scaling`); a machine with other work on it shows less.

Browser environments for comparison: BrowserGym (arXiv 2412.05467) drives a Chromium for each environment.
Nothing of it is measured here.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorEnv

from vbench_env.env import SvgRepairEnv
from vbench_env.generate import generate_task
from vbench_env.pool import PooledVectorEnv
from vbench_env.task import Task

MODES = {"text": "interactive-text", "raster": "interactive-raster"}
SIZE = 256
_NEXT = AutoresetMode.SAME_STEP


class Rollout(gym.Wrapper[Any, Any, Any, Any]):
    """Plays a script on generated tasks: the action only says that the next step is wanted."""

    def __init__(self, mode: str, tasks: Sequence[Task]) -> None:
        super().__init__(SvgRepairEnv(task="kitchen-icons", protocol=MODES[mode], preview_size=SIZE))
        self.action_space = gym.spaces.Discrete(2)
        self.tasks, self.played, self.step_of = tasks, 0, 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        task = self.tasks[self.played % len(self.tasks)]
        self.played, self.step_of = self.played + 1, 0
        self.object = task.repairs[0].object
        return self.env.reset(seed=self.played, options={"task": task})

    def step(self, action: Any) -> Any:
        self.step_of += 1
        if self.step_of == 4:
            return self.env.step({"tool": "submit", "args": {}})
        value = f"{0.9 - 0.001 * self.step_of - 1e-5 * self.played:.5f}"
        return self.env.step(
            {"tool": "set_attribute", "args": {"object": self.object, "name": "opacity", "value": value}}
        )


class Bare(gym.Env[Any, Any]):
    """Gymnasium alone: observations of the same spaces, no work."""

    def __init__(self, mode: str, tasks: Sequence[Task]) -> None:
        real = Rollout(mode, tasks)
        self.observation_space, self.action_space = real.observation_space, real.action_space
        self.seen, _ = real.reset(seed=0)
        self.step_of = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self.step_of = 0
        return self.seen, {}

    def step(self, action: Any) -> Any:
        self.step_of += 1
        return self.seen, 0.0, self.step_of == 4, False, {}


Kind = Callable[..., gym.Env[Any, Any]]


def vectors(
    kind: Kind, mode: str, tasks: Sequence[Task], envs: int
) -> Iterator[tuple[str, Callable[[], VectorEnv]]]:
    """The ways to play: name and maker."""
    makers = [partial(kind, mode, tasks) for _ in range(envs)]
    yield "sync", partial(SyncVectorEnv, makers, autoreset_mode=_NEXT)
    for workers in (1, 2, 4):
        yield f"pooled {workers}", partial(PooledVectorEnv, makers, workers)
    for workers in (1, 2, 4):
        yield (
            f"async {workers}",
            partial(
                AsyncVectorEnv, makers[:workers], shared_memory=False, context="spawn", autoreset_mode=_NEXT
            ),
        )


def rate(envs: VectorEnv[Any, Any, Any], seconds: float) -> float:
    """Environment steps per second of wall time, resets included."""
    actions = np.zeros(envs.num_envs, np.int64)
    envs.reset(seed=0)
    for _ in range(8):
        envs.step(actions)
    started, steps = time.perf_counter(), 0
    while (spent := time.perf_counter() - started) < seconds:
        envs.step(actions)
        steps += envs.num_envs
    return steps / spent


def measured(envs: int, seconds: float, tasks: Sequence[Task]) -> dict[str, Any]:
    """Steps per second of each mode and way, ours and bare."""
    found: dict[str, Any] = {}
    for mode in MODES:
        for name, kind in (("vbench-env", Rollout), ("bare Gymnasium", Bare)):
            rates = {}
            for way, make in vectors(kind, mode, tasks, envs):
                vector = make()
                rates[way] = round(rate(vector, seconds), 1)
                vector.close()
            found[f"{mode}, {name}"] = {
                **rates,
                "scaling": round(rates["pooled 2"] / (2 * rates["pooled 1"]), 3),
            }
    return found


def bytes_per_environment(mode: str, tasks: Sequence[Task]) -> dict[str, int]:
    """Unique memory that one more environment costs: among many in one worker, and in a process of its own."""
    sizes = {}
    for count in (2, 18):
        pooled = PooledVectorEnv([partial(Rollout, mode, tasks) for _ in range(count)], 1)
        _play(pooled)
        sizes[count] = _unique(pooled._processes[0].pid)
        pooled.close()
    alone = AsyncVectorEnv([partial(Rollout, mode, tasks)], shared_memory=False, context="spawn")
    _play(alone)
    own = _unique(alone.processes[0].pid)
    alone.close()
    return {"in a pool": (sizes[18] - sizes[2]) // 16, "in a process": own}


def _play(envs: VectorEnv[Any, Any, Any]) -> None:
    envs.reset(seed=0)
    for _ in range(12):
        envs.step(np.zeros(envs.num_envs, np.int64))


def _unique(pid: int) -> int:
    """Bytes that only this process has (unique set size); Linux."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Private_"))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement")
    parser.add_argument("--envs", type=int, default=8, help="environments of sync and pooled")
    parser.add_argument("--tasks", type=int, default=16)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    tasks = [generate_task(seed, level=2) for seed in range(args.tasks)]
    report: dict[str, Any] = {"steps_per_second": measured(args.envs, args.seconds, tasks)}
    if Path("/proc/self/smaps_rollup").exists():
        report["bytes_per_environment"] = {mode: bytes_per_environment(mode, tasks) for mode in MODES}
    if args.json:
        print(json.dumps(report, indent=2))
        return
    for row, rates in report["steps_per_second"].items():
        print(row, *(f"  {way:<10}{value:>10,.2f}" for way, value in rates.items()), sep="\n")
    for mode, sizes in report.get("bytes_per_environment", {}).items():
        print(
            f"{mode}: MB of an environment",
            *(f"  {way:<14}{size / 1e6:>8.1f}" for way, size in sizes.items()),
            sep="\n",
        )


if __name__ == "__main__":
    main()
