"""No workers: the thread that asks does the job itself."""

from __future__ import annotations

from typing import TypeVar

from vbench_env.experiments.executors.base import Executor, Job, JobFailure, attempt

T = TypeVar("T")


class InlineExecutor(Executor):
    """Does every job where it stands."""

    name = "inline"
    workers = 0

    def run(self, job: Job[T], near: str | None = None) -> T | JobFailure:
        return attempt(job)

    def close(self) -> None:
        """Nothing waits."""
