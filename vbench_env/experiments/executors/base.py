"""What an executor is, and which there are."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Protocol, Self, TypeVar

from vbench_env.registry import Registry

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Job(Protocol[T_co]):
    """A picklable call without side effects. Its classes are importable wherever a worker runs."""

    def __call__(self) -> T_co: ...


@dataclass(frozen=True, slots=True)
class JobFailure:
    """Why a job has no result."""

    kind: Literal["crash", "worker_died", "closed"]
    """`crash`: it raised. `worker_died`: its worker did, every time. `closed`: the executor was closed."""
    message: str

    def __str__(self) -> str:
        return self.message


class Executor(Protocol):
    """Runs jobs; safe to use from many threads. A context manager that closes itself."""

    name: str
    workers: int
    """Jobs that run at once in other processes; 0 where the calling thread does them itself."""

    def run(self, job: Job[T], near: str | None = None) -> T | JobFailure:
        """Do a job and wait for what comes of it.

        Args:
            job: what to do.
            near: jobs of one name had better go to one worker, which may remember the last; no result depends on it.
        """
        ...

    def close(self) -> None:
        """End the workers. Jobs under way fail as `closed`."""
        ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


ExecutorFactory = Callable[[int, Sequence[str]], Executor]
"""Called with the number of workers and the names of modules that jobs will need."""

EXECUTORS: Registry[ExecutorFactory] = Registry("executor", "vbench_env.executors")


def make_executor(name: str, workers: int, modules: Sequence[str] = ()) -> Executor:
    """The executor of that name; `UnknownName` suggests the nearest.

    Args:
        name: an entry of `EXECUTORS`.
        workers: jobs to do at once.
        modules: what jobs will need, so that workers can import it while they wait for the first one.
    """
    return EXECUTORS.get(name)(workers, modules)


def default_workers() -> int:
    """One for every core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def attempt(job: Job[T]) -> T | JobFailure:
    """The result of a job, or what it raised in words. Exceptions are not handed on: many cannot be pickled."""
    try:
        return job()
    except Exception as error:  # whatever it is, it must reach the one who asked
        frames = "".join(traceback.format_tb(error.__traceback__)[-2:])
        return JobFailure("crash", f"{type(error).__name__}: {error}\n{frames}".rstrip())


def _inline(workers: int, modules: Sequence[str]) -> Executor:
    from vbench_env.experiments.executors.inline import InlineExecutor

    return InlineExecutor()


def _processes(workers: int, modules: Sequence[str]) -> Executor:
    from vbench_env.experiments.executors.processes import ProcessExecutor

    return ProcessExecutor(workers, modules)


def _ray(workers: int, modules: Sequence[str]) -> Executor:
    from vbench_env.experiments.executors.ray import RayExecutor

    return RayExecutor(workers, modules)


EXECUTORS.add("inline", _inline)
EXECUTORS.add("processes", _processes)
EXECUTORS.add("ray", _ray)
