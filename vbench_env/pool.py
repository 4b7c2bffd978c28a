"""A vector environment with a few worker processes, each of which plays many environments.

Gymnasium's own takes a process for each environment, with a corpus, prepared targets and interpreter of its own. Here
the environments of a worker share them, so an environment costs little more than its running episode.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate

from vbench_env.errors import ConfigError, InfrastructureError

Maker = Callable[[], gym.Env[Any, Any]]
_PATIENCE_S = 5.0
"""How long a worker may take to end by itself."""


class _Played(NamedTuple):
    """One step of one environment; `final` is the last observation and info of an episode that ended with it."""

    observation: Any
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]
    final: tuple[Any, dict[str, Any]] | None = None


class PooledVectorEnv(VectorEnv[Any, Any, Any]):
    """Environments spread over worker processes; one that ends is reset in the same step.

    Args:
        makers: one function for each environment; they are pickled.
        workers: processes, started anew (`spawn`); no more than environments. Where there is one for every processor
            that this process may use, each keeps to its own (Linux).

    An exception in a worker is raised here. `call` reaches all environments, as in Gymnasium's vector environments.
    """

    def __init__(self, makers: Sequence[Maker], workers: int = 2) -> None:
        if not workers >= 1:
            raise ConfigError(f"workers must be at least 1, not {workers}")
        self.num_envs = len(makers)
        context = multiprocessing.get_context("spawn")
        shares = [share for share in np.array_split(np.arange(self.num_envs), workers) if share.size]
        self._links: list[Connection] = []
        self._processes: list[Any] = []
        self._sizes = [int(share.size) for share in shares]
        for share, processor in zip(shares, _processors(len(shares)), strict=True):
            ours, theirs = context.Pipe()
            part = [makers[number] for number in share]
            process = context.Process(target=_serve, args=(theirs, part, processor), daemon=True)
            process.start()
            theirs.close()
            self._links.append(ours)
            self._processes.append(process)
        about = self._answers()[0]
        self.single_observation_space, self.single_action_space, metadata, self.render_mode = about
        self.metadata = {**metadata, "autoreset_mode": AutoresetMode.SAME_STEP}
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode in every environment; an integer seeds them in order, from itself on."""
        seeds = self._seeds(seed)
        if len(seeds) != self.num_envs:
            raise ConfigError(f"seed must be one number or {self.num_envs} of them, not {len(seeds)}")
        started = self._ask("reset", [(given, options) for given in seeds])
        infos: dict[str, Any] = {}
        for number, (_, info) in enumerate(started):
            infos = self._add_info(infos, info, number)
        return self._batch([observation for observation, _ in started]), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play an action in every environment."""
        played: list[_Played] = self._ask("step", list(iterate(self.action_space, actions)))
        infos: dict[str, Any] = {}
        for number, one in enumerate(played):
            if one.final is not None:
                infos = self._add_info(infos, {"final_obs": one.final[0], "final_info": one.final[1]}, number)
            infos = self._add_info(infos, one.info, number)
        return (
            self._batch([one.observation for one in played]),
            np.array([one.reward for one in played], np.float64),
            np.array([one.terminated for one in played], np.bool_),
            np.array([one.truncated for one in played], np.bool_),
            infos,
        )

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """What the method or attribute `name` of each environment gives."""
        return tuple(self._ask("call", [(name, args, kwargs)] * self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """End the workers."""
        for link in self._links:
            with suppress(OSError):
                link.send(("close", []))
        for process in self._processes:
            process.join(_PATIENCE_S)
            if process.is_alive():
                process.terminate()
        for link in self._links:
            link.close()

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        return [seed + n for n in range(self.num_envs)] if isinstance(seed, int) else list(seed)

    def _ask(self, what: str, arguments: list[Any]) -> list[Any]:
        place = 0
        for link, size in zip(self._links, self._sizes, strict=True):
            try:
                link.send((what, arguments[place : place + size]))
            except OSError as error:
                raise InfrastructureError("a worker process of the vector environment has ended") from error
            place += size
        return [item for answer in self._answers() for item in answer]

    def _answers(self) -> list[Any]:
        """An answer of every worker; all are read before the first exception is raised."""
        answers = []
        for link in self._links:
            try:
                answers.append(link.recv())
            except (EOFError, OSError) as error:
                raise InfrastructureError("a worker process of the vector environment has ended") from error
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        return answers

    def _batch(self, observations: list[Any]) -> Any:
        space = self.single_observation_space
        out: Any = create_empty_array(space, self.num_envs)
        return concatenate(space, observations, out)


def _processors(workers: int) -> Sequence[int | None]:
    """The processor of each worker, or None where it may choose.

    The sender of a message is expected to wait, so that Linux wakes the receiver where the sender runs: left alone, the
    workers of one step often share a processor while another one idles. With fewer workers than processors another
    program's may be pinned to the same ones, so that these stay free.
    """
    if not hasattr(os, "sched_getaffinity"):
        return [None] * workers
    allowed = sorted(os.sched_getaffinity(0))
    return allowed if len(allowed) == workers else [None] * workers


def _serve(link: Connection, makers: Sequence[Maker], processor: int | None) -> None:
    """A worker: makes its environments and answers requests until it is told to close."""
    if processor is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {processor})
    envs: list[gym.Env[Any, Any]] = []
    try:
        envs = [maker() for maker in makers]
        link.send((envs[0].observation_space, envs[0].action_space, envs[0].metadata, envs[0].render_mode))
    except Exception as error:
        link.send(_sendable(error))
        return
    for what, arguments in _requests(link):
        try:
            link.send([_DOES[what](env, given) for env, given in zip(envs, arguments, strict=True)])
        except Exception as error:
            link.send(_sendable(error))
    for env in envs:
        env.close()


def _requests(link: Connection) -> Iterator[tuple[str, list[Any]]]:
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            request: tuple[str, list[Any]] = link.recv()
            if request[0] == "close":
                return
            yield request


def _sendable(error: Exception) -> Exception:
    """The exception itself where it survives pickling, else its words."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return InfrastructureError(f"{type(error).__name__}: {error}")
    return error


def _reset(
    env: gym.Env[Any, Any], given: tuple[int | None, dict[str, Any] | None]
) -> tuple[Any, dict[str, Any]]:
    return env.reset(seed=given[0], options=given[1])


def _step(env: gym.Env[Any, Any], action: Any) -> _Played:
    observation, reward, terminated, truncated, info = env.step(action)
    if not (terminated or truncated):
        return _Played(observation, float(reward), terminated, truncated, info)
    fresh, begun = env.reset()
    return _Played(fresh, float(reward), terminated, truncated, begun, (observation, info))


def _call(env: gym.Env[Any, Any], given: tuple[str, tuple[Any, ...], dict[str, Any]]) -> Any:
    name, args, kwargs = given
    found = env.get_wrapper_attr(name)
    return found(*args, **kwargs) if callable(found) else found


_DOES: dict[str, Callable[[gym.Env[Any, Any], Any], Any]] = {"reset": _reset, "step": _step, "call": _call}
