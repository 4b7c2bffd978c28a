"""The Gymnasium face of an episode. It has no rules of its own.

import gymnasium as gym
env = gym.make("vbench_env:VBench/SvgRepair-v0", task="harbor-dawn", protocol="interactive-text")
observation, info = env.reset(seed=0)
observation, reward, terminated, truncated, info = env.step('{"tool": "submit"}')
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorEnv

from vbench_env.action import MAX_ERROR_CHARACTERS
from vbench_env.episode import SHOWN_ACTION_CHARACTERS, Episode
from vbench_env.errors import ConfigError
from vbench_env.observations import Observation, Preview
from vbench_env.observations.preview import Pixels, draw, pixels, side_by_side
from vbench_env.pool import PooledVectorEnv
from vbench_env.protocol import Protocol, load_protocol
from vbench_env.seeding import derive_random, derive_seed
from vbench_env.shared import shared_corpus
from vbench_env.spaces import UnicodeText
from vbench_env.task import Corpus, Task, load_task
from vbench_env.verdict import Judge
from vbench_env.window import Window

ENV_ID = "VBench/SvgRepair-v0"
DEFAULT_CORPUS = "vbench-40"
TEST_SHARE = 0.3
_NOTE_CHARACTERS = 100

Observed = dict[str, Any]


class SvgRepairEnv(gym.Env[Observed, str]):
    """Repair one corrupted SVG an episode.

    Args:
        task: id, `corpus/id`, or folder of one task; every episode plays it.
        corpus: name or folder of a corpus; an episode's seed picks the task. With `task`, where to find it.
        split: `train` or `test` part of the corpus (by a hash of the task id); all of it when None.
        protocol: name of a protocol, or path of its file.
        rules: headline rule set; the protocol's when None.
        reward: `gates`, `progress` or `shaped`.
        max_turns: turn budget; the protocol's when None.
        preview_size: side or [width, height] of previews in pixels; the protocol's when None.
        gamma: discount of the shaped reward.
        render_mode: `rgb_array` (the document beside its start), `ansi`, `human`, or None.

    All of them are JSON values. A `Task` value goes to `reset(options={"task": ...})`, so that no hidden part
    of it stands in the environment's specification.
    """

    metadata = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        task: str | None = None,
        *,
        corpus: str | None = None,
        split: str | None = None,
        protocol: str = "interactive-text",
        rules: str | None = None,
        reward: str = "gates",
        max_turns: int | None = None,
        preview_size: int | Sequence[int] | None = None,
        gamma: float = 1.0,
        render_mode: str | None = None,
    ) -> None:
        self._tasks = self._source(task, corpus, split)
        self._protocol = load_protocol(protocol)
        self._settings: dict[str, Any] = {
            "rules": rules, "reward": reward, "gamma": gamma, "max_turns": max_turns,
            "preview_size": preview_size,
        }  # fmt: skip
        Judge.of(self._tasks[0], self._protocol.rules if rules is None else rules, reward, gamma)
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(self.metadata["render_modes"])
            raise ConfigError(f"render_mode must be one of {modes}, not {render_mode!r}")
        self.render_mode = render_mode
        self._size = self._protocol.preview.size(preview_size)
        self.observation_space = _observation_space(
            self._protocol, self._protocol.max_turns(max_turns), self._size
        )
        self.action_space = UnicodeText(
            self._protocol.budgets.max_message_bytes, examples=_example_actions(self._protocol)
        )
        self._episode: Episode | None = None
        self._decoded: tuple[Preview | None, Pixels] | None = None
        self._window: Window | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Start an episode. `options["task"]` (id, folder or `Task`) picks its task."""
        super().reset(seed=seed)
        chosen = dict(options or {})
        wanted = chosen.pop("task", None)
        if chosen:
            raise ConfigError(f"unknown reset option {sorted(map(str, chosen))[0]!r}; known: task")
        number = int(self.np_random.integers(2**31)) if seed is None else int(seed)
        self._episode = Episode(self._task(wanted, number), self._protocol, seed=number, **self._settings)
        self._show()
        return self._observed(self._episode.observe()), self._episode.info()

    def step(self, action: Any) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Play one message: a JSON tool call, an SVG document, a dict, or a `ToolCall`."""
        episode = self._running()
        if episode.done:
            raise ResetNeeded("the episode is over; call reset() before the next step()")
        step = episode.step(action)
        self._show()
        return self._observed(step.observation), step.reward, step.terminated, step.truncated, step.info

    def render(self) -> Any:
        """What the render mode asks for: an array `(height, 2 * width + 8, 3)`, a text, or None."""
        if self.render_mode == "rgb_array":
            return self._board()
        if self.render_mode == "ansi":
            return _ansi(self._running())
        return None

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
        self._window = None

    def _source(self, task: str | None, corpus: str | None, split: str | None) -> Sequence[Task]:
        """The tasks to draw from."""
        return chosen_tasks(task, corpus, split)

    def _task(self, wanted: Any, seed: int) -> Task:
        if wanted is None:
            return task_of_seed(self._tasks, seed)
        if isinstance(wanted, Task):
            return wanted
        return next((task for task in self._tasks if task.task_id == wanted), None) or load_task(wanted)

    def _running(self) -> Episode:
        if self._episode is None:
            raise ResetNeeded("there is no episode yet; call reset() first")
        return self._episode

    def _observed(self, seen: Observation) -> Observed:
        observed: Observed = {
            "instruction": seen.instruction,
            "svg": seen.svg,
            "last_action": seen.last_action,
            "last_result": seen.last_result,
            "last_error": seen.last_error.as_json() if seen.last_error else "",
            "turn": np.int64(seen.turn),
            "turns_left": np.int64(seen.turns_left),
        }
        if "preview" in self.observation_space.spaces:
            observed["preview"] = self._pixels(seen.preview)
            observed["preview_ok"] = np.int64(seen.preview is not None and seen.preview.ok)
        return observed

    def _pixels(self, preview: Preview | None) -> Pixels:
        """A fresh array of the preview; decoded once for each picture."""
        if self._decoded is None or self._decoded[0] is not preview:
            self._decoded = (preview, pixels(preview, self._size))
        return self._decoded[1].copy()

    def _board(self) -> Pixels:
        from vbench_env.render import get_renderer

        episode, renderer = self._running(), get_renderer()
        now = draw(renderer, episode.document, self._size)
        start = draw(renderer, episode.task.corrupted_svg, self._size)
        return side_by_side(pixels(now, self._size), pixels(start, self._size))

    def _show(self) -> None:
        if self.render_mode == "human":
            self._window = self._window or Window()
            if self._window.open:
                self._window.show(self._board())

    observation_space: spaces.Dict


def make_vector(
    num_envs: int = 1, *, parallel: bool = True, workers: int | None = None, **kwargs: Any
) -> VectorEnv[Any, Any, Any]:
    """A vector environment with the settings that hold for texts, as `gymnasium.make_vec` makes it.

    Args:
        num_envs: number of environments.
        parallel: one spawned process each (texts do not fit shared memory); else all in this process.
        workers: this many processes for all of them, which needs far less memory; `parallel` does not matter then.
        kwargs: of `SvgRepairEnv`.

    An environment that ends is reset in the same step, so that no action is wasted: its last observation and
    info are `final_obs` and `final_info` of the infos.
    """
    return vector_of(ENV_ID, num_envs, parallel, kwargs, workers)


def vector_of(
    env_id: str, num_envs: int, parallel: bool, kwargs: dict[str, Any], workers: int | None = None
) -> VectorEnv[Any, Any, Any]:
    """As `make_vector`, for any registered id."""
    makers = [_Maker(env_id, kwargs) for _ in range(num_envs)]
    if workers is not None:
        return PooledVectorEnv(makers, workers)
    if not parallel:
        return SyncVectorEnv(makers, autoreset_mode=AutoresetMode.SAME_STEP)
    return AsyncVectorEnv(
        makers, shared_memory=False, context="spawn", autoreset_mode=AutoresetMode.SAME_STEP
    )


class _Maker:
    """Makes one environment, in this process or in a spawned one."""

    def __init__(self, env_id: str, kwargs: dict[str, Any]) -> None:
        self.env_id, self.kwargs = env_id, kwargs

    def __call__(self) -> gym.Env[Any, Any]:
        return gym.make(f"vbench_env:{self.env_id}", disable_env_checker=True, **self.kwargs)


def task_of_seed(tasks: Sequence[Task], seed: int) -> Task:
    """The task that an episode of this seed plays."""
    return tasks[derive_random("task", seed).randrange(len(tasks))]


def chosen_tasks(task: object, corpus: object, split: str | None) -> Sequence[Task]:
    """One task, a part of a corpus, or all of it; `ConfigError` says which name does not fit."""
    for name, value in (("task", task), ("corpus", corpus)):
        if value is not None and not isinstance(value, (str, Path)):
            advice = 'pass a Task value with reset(options={"task": ...})'
            raise ConfigError(f"{name} must be a name or a path, not {type(value).__name__}; {advice}")
    if task is not None and corpus is None:
        return [load_task(str(task))]
    loaded = shared_corpus(str(corpus or DEFAULT_CORPUS))
    return [loaded.task(str(task))] if task is not None else _part(loaded, split)


def _part(corpus: Corpus, split: str | None) -> Sequence[Task]:
    if split not in (None, "train", "test"):
        raise ConfigError(f"split must be train, test or None, not {split!r}")
    part = [task for task in corpus if split is None or (split == "test") == _is_test(task.task_id)]
    if not part:
        raise ConfigError(f"split {split!r} of corpus {corpus.name} is empty; leave split out")
    return part


def _is_test(task_id: str) -> bool:
    return derive_seed("split", task_id) / 2**63 < TEST_SHARE


def _observation_space(protocol: Protocol, max_turns: int, size: tuple[int, int]) -> spaces.Dict:
    budgets = protocol.budgets
    parts: dict[str, spaces.Space[Any]] = {
        "instruction": UnicodeText(200_000),
        "svg": UnicodeText(budgets.max_document_bytes),
        "last_action": UnicodeText(SHOWN_ACTION_CHARACTERS + _NOTE_CHARACTERS),
        "last_result": UnicodeText(budgets.max_result_chars + _NOTE_CHARACTERS),
        "last_error": UnicodeText(8 * MAX_ERROR_CHARACTERS),
        "turn": spaces.Discrete(max_turns + 1),
        "turns_left": spaces.Discrete(max_turns + 1),
    }
    if protocol.preview.policy != "none":
        parts["preview"] = spaces.Box(0, 255, (size[1], size[0], 3), np.uint8)
        parts["preview_ok"] = spaces.Discrete(2)
    return spaces.Dict(parts)


def _example_actions(protocol: Protocol) -> list[str]:
    """Actions to sample: good ones, wrong ones and none."""
    calls = [json.dumps({"tool": name, "args": {}}) for name in protocol.tools]
    document = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="4" height="3"/></svg>'
    wrong = ["", "hello", "{", "[]", '{"tool": "nothing", "args": {}}', '{"tool": 5}', document[:-6], "<svg"]
    return [*calls, document, f"Here it is:\n```svg\n{document}\n```", *wrong]


def _ansi(episode: Episode) -> str:
    seen = episode.observe()
    lines = [f"{episode.task.task_id}: turn {seen.turn} of {episode.max_turns}", seen.instruction]
    if seen.last_action:
        lines.append(f"> {seen.last_action}")
    lines.append(str(seen.last_error) if seen.last_error else seen.last_result)
    if episode.done:
        lines.append(f"ended: {episode.stop_reason}")
    return "\n".join(line for line in lines if line)
