"""The environment for standard RL libraries: arrays in, the number of a candidate edit out.

    env = gym.make("vbench_env:VBench/SvgRepairNumeric-v0", env_id="VBench/SvgRepair-v0", task="harbor-dawn")
    observation, info = env.reset(seed=0)
    allowed = env.unwrapped.action_masks()

It plays one of the text environments and sees of it what an agent sees: the request and the drawing. Candidates are
made once, from the drawing at the start; action 0 submits, action n applies candidate n - 1.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorEnv
from numpy.typing import NDArray

from vbench_env.errors import ConfigError
from vbench_env.numeric.features import (
    CANDIDATE_FEATURES,
    INSTRUCTION_FEATURES,
    OBJECT_FEATURES,
    STATE_COLUMNS,
)
from vbench_env.numeric.propose import Candidate, Proposal, propose
from vbench_env.pool import PooledVectorEnv

Arrays = dict[str, Any]

_SUBMIT = {"tool": "submit", "args": {}}
_GENERATED = "VBench/SvgRepairGenerated-v0"
_OURS = (
    "task_id",
    "task_hash",
    "episode_id",
    "seed",
    "turn",
    "score",
    "reward_valid",
    "failure",
    "stop_reason",
)


class NumericFace(gym.Env[Arrays, np.int64]):
    """Candidate edits of a text environment as a discrete action space with masks.

    Args:
        env_id: the text environment that is played.
        slots: candidates at most; the action space has one more, for submitting.
        objects: rows of the object table.
        max_turns: edits and submit together. When they are spent the drawing is scored as it stands; how many are
            left is part of the observation, so this is an end of the task (`terminated`).
        preview: side in pixels of a picture in the observation; none when it is 0.
        text_settings: of the text environment, such as `corpus`, `task`, `level`, `reward`, `gamma`.

    The observation holds `candidates` (one row for each action, the first for submitting), `objects` and
    `instruction`, all float32 in [-1, 1]; what the columns say stands in `vbench_env.numeric.features`. An action
    that is masked spends its turn and changes nothing.
    """

    metadata = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 2}  # noqa: RUF012
    action_space: spaces.Discrete
    observation_space: spaces.Dict

    def __init__(
        self,
        env_id: str = _GENERATED,
        *,
        slots: int = 96,
        objects: int = 48,
        max_turns: int = 8,
        preview: int = 0,
        render_mode: str | None = None,
        **text_settings: Any,
    ) -> None:
        for name, value in (("slots", slots), ("objects", objects), ("max_turns", max_turns)):
            if value < 1:
                raise ConfigError(f"{name} must be at least 1, not {value}")
        if preview:
            text_settings |= {"protocol": "interactive-raster", "preview_size": preview}
        self._text = gym.make(
            env_id if ":" in env_id else f"vbench_env:{env_id}", disable_env_checker=True, max_turns=max_turns,
            render_mode=render_mode, **text_settings,
        ).unwrapped  # fmt: skip
        self.render_mode, self._shape, self._turns = render_mode, (slots, objects), max_turns
        self.action_space = spaces.Discrete(slots + 1)
        self.observation_space = _space(slots, objects, preview)
        self._proposal: Proposal | None = None
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Start an episode; seed and options are those of the text environment."""
        super().reset(seed=seed)
        seen, info = self._text.reset(seed=seed, options=options)
        slots, objects = self._shape
        self._proposal = propose(seen["instruction"], seen["svg"], slots, objects)
        self._done: list[int] = []
        self._left, self._over = self._turns, False
        return self._arrays(seen), _plain(info)

    def step(self, action: Any) -> tuple[Arrays, float, bool, bool, dict[str, Any]]:
        """Apply a candidate, or submit with 0."""
        number = int(action)
        if self._over:
            raise ResetNeeded("no episode is running; call reset() before the next step()")
        if not self.action_space.contains(number):
            raise ConfigError(f"an action is a number from 0 to {self.action_space.n - 1}, not {number}")
        allowed = bool(self.action_masks()[number])
        played = self._call(number) if allowed else {"tool": "validate", "args": {}}
        seen, reward, terminated, truncated, info = self._text.step(played)
        self._left -= 1
        if allowed and number:
            self._done.append(number - 1)
        self._over = bool(terminated or truncated)
        return self._arrays(seen), float(reward), self._over, False, _plain(info)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions make sense now: submit, and every candidate that has not been applied."""
        allowed = np.zeros(int(self.action_space.n), np.bool_)
        allowed[: len(self.candidates) + 1] = True
        allowed[[number + 1 for number in self._done] if self._proposal else []] = False
        return allowed

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """What actions 1, 2, ... would do now."""
        return self._proposal.candidates if self._proposal else ()

    def render(self) -> Any:
        return self._text.render()

    def close(self) -> None:
        self._text.close()

    def _call(self, number: int) -> dict[str, Any]:
        return self.candidates[number - 1].call if number else _SUBMIT

    def _arrays(self, seen: dict[str, Any]) -> Arrays:
        proposal = self._proposal
        assert proposal is not None
        table = np.zeros((self._shape[0] + 1, CANDIDATE_FEATURES), np.float32)
        table[1:] = proposal.rows
        self._mark(table, proposal)
        arrays: Arrays = {
            "candidates": table, "objects": proposal.objects.copy(), "instruction": proposal.instruction.copy()
        }  # fmt: skip
        if "preview" in self.observation_space.spaces:
            arrays["preview"] = seen["preview"]
        return arrays

    def _mark(self, table: NDArray[np.float32], proposal: Proposal) -> None:
        """Write the state of the episode into the last columns, and the row of submit."""
        clause, place, done, left = STATE_COLUMNS
        clauses = {proposal.candidates[number].subject.clause for number in self._done}
        places = {proposal.candidates[number].place for number in self._done}
        for row, candidate in zip(table[1:], proposal.candidates, strict=False):
            row[clause] = float(candidate.subject.clause in clauses)
            row[place] = float(candidate.place in places)
        table[0, 0] = 1.0
        table[0, clause] = len(clauses) / max(1, proposal.clauses)
        table[: len(proposal.candidates) + 1, done] = min(1.0, len(self._done) / 8)
        table[: len(proposal.candidates) + 1, left] = min(1.0, self._left / 16)


def _space(slots: int, objects: int, preview: int) -> spaces.Dict:
    parts: dict[str, spaces.Space[Any]] = {
        "candidates": spaces.Box(-1.0, 1.0, (slots + 1, CANDIDATE_FEATURES), np.float32),
        "objects": spaces.Box(-1.0, 1.0, (objects, OBJECT_FEATURES), np.float32),
        "instruction": spaces.Box(-1.0, 1.0, (INSTRUCTION_FEATURES,), np.float32),
    }
    if preview:
        parts["preview"] = spaces.Box(0, 255, (preview, preview, 3), np.uint8)
    return spaces.Dict(parts)


def _plain(info: dict[str, Any]) -> dict[str, Any]:
    """The info of a text step without its conversation and the second verdict."""
    return {name: info[name] for name in _OURS if name in info}


def make_vector(
    num_envs: int = 1, *, parallel: bool = True, workers: int | None = None, **settings: Any
) -> VectorEnv[Any, Any, Any]:
    """A vector environment of numeric faces, reset in the step that ends an episode.

    Args:
        num_envs: number of environments.
        parallel: a spawned process each, observations in shared memory; else all in this process.
        workers: this many processes for all of them; `parallel` does not matter then.
        settings: of `NumericFace`.

    `call("action_masks")` gives the masks of all of them.
    """
    makers = [partial(NumericFace, **settings) for _ in range(num_envs)]
    if workers is not None:
        return PooledVectorEnv(makers, workers)
    if not parallel:
        return SyncVectorEnv(makers, autoreset_mode=AutoresetMode.SAME_STEP)
    return AsyncVectorEnv(makers, context="spawn", autoreset_mode=AutoresetMode.SAME_STEP)
