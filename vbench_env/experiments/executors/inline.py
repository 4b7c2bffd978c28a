"""No workers: the thread that asks does the job itself."""

from __future__ import annotations

from types import TracebackType
from typing import Self, TypeVar

from vbench_env.experiments.executors.base import Job, JobFailure, attempt

T = TypeVar("T")


class InlineExecutor:
    """Does every job where it stands."""

    name = "inline"
    workers = 0

    def run(self, job: Job[T], near: str | None = None) -> T | JobFailure:
        return attempt(job)

    def close(self) -> None:
        """Nothing waits."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
