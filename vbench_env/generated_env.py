"""The Gymnasium face of endless tasks: each seed of `reset` plays the task that the generator makes of it.

import gymnasium as gym
env = gym.make("vbench_env:VBench/SvgRepairGenerated-v0", level=3, split="train")
observation, info = env.reset(seed=7)
observation, info = env.reset(seed=8, options={"level": 4})
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gymnasium.vector import VectorEnv

from vbench_env.env import Observed, SvgRepairEnv, vector_of
from vbench_env.generate import generate_task
from vbench_env.task import Task

GENERATED_ID = "VBench/SvgRepairGenerated-v0"
_RECIPE = ("level", "split", "genre", "operations")


class GeneratedSvgRepairEnv(SvgRepairEnv):
    """Repair one generated SVG an episode.

    Args:
        level: 1 (easiest) to 5.
        split: `train`, `validation` or `test`; they share no task.
        genre: of the drawings; any when None.
        operations: repairs to draw from; those of the level when None.
        kwargs: protocol, rules, reward and so on, as for `SvgRepairEnv`.

    `reset(options={"level": 3})` sets any of these four for that episode, for a curriculum.
    """

    def __init__(
        self,
        level: int = 2,
        *,
        split: str = "train",
        genre: str | None = None,
        operations: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> None:
        self._recipe: dict[str, Any] = {
            "level": level, "split": split, "genre": genre, "operations": operations,
        }  # fmt: skip
        self._changed: dict[str, Any] = {}
        super().__init__(**kwargs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Start the episode of a seed; `options` may set level, split, genre and operations for it, or `task`."""
        chosen = dict(options or {})
        self._changed = {name: chosen.pop(name) for name in _RECIPE if name in chosen}
        return super().reset(seed=seed, options=chosen)

    def _source(self, task: str | None, corpus: str | None, split: str | None) -> Sequence[Task]:
        if task is None and corpus is None:
            return [generate_task(0, **self._recipe)]
        return super()._source(task, corpus, split)

    def _task(self, wanted: Any, seed: int) -> Task:
        if wanted is None:
            return generate_task(seed, **{**self._recipe, **self._changed})
        return super()._task(wanted, seed)


def make_vector(
    num_envs: int = 1, *, parallel: bool = True, workers: int | None = None, **kwargs: Any
) -> VectorEnv[Any, Any, Any]:
    """A vector environment of generated tasks; see `vbench_env.env.make_vector`."""
    return vector_of(GENERATED_ID, num_envs, parallel, kwargs, workers)
