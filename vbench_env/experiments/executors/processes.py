"""Worker processes on this machine.

Each worker is a fresh interpreter (nothing is forked, `__main__` is not imported again) that does one job at a time.
A thread that asks takes a free worker and waits. When a worker dies, the job is done again by a new one; a job whose
workers die every time is given up.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from vbench_env.experiments.executors.base import Executor, Job, JobFailure
from vbench_env.experiments.executors.frames import packed, receive, send
from vbench_env.experiments.redaction import looks_secret

T = TypeVar("T")

TRIES = 3
"""Workers that may die of one job."""
LIMIT_S = 900.0
"""Seconds after which a worker that gives no answer is killed. A turn takes seconds at most, so that it is stuck."""
_COMMAND = ("-m", "vbench_env.experiments.executors.worker")
_NAMES = 4096
"""Names of `near` that are remembered."""


class _Died(Exception):
    """The worker ended in the middle of a job; the message says how."""


class Worker:
    """One process; used by one thread at a time."""

    def __init__(self, modules: Sequence[str] = ()) -> None:
        self._process = subprocess.Popen(
            [sys.executable, *_COMMAND, *modules], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment(),
            start_new_session=True,
        )  # fmt: skip

    @property
    def pid(self) -> int:
        return self._process.pid

    def do(self, message: bytes, limit_s: float) -> Any:
        """The outcome of a packed job."""
        process, late = self._process, threading.Event()
        assert process.stdin is not None
        assert process.stdout is not None
        watch = threading.Timer(limit_s, self._kill, (late,))
        watch.daemon = True
        watch.start()
        try:
            send(process.stdin, message)
            return receive(process.stdout)
        except (EOFError, BrokenPipeError, ConnectionResetError) as error:
            how = self.end()
            raise _Died(f"no answer within {limit_s:g} s" if late.is_set() else how) from error
        finally:
            watch.cancel()

    def _kill(self, late: threading.Event) -> None:
        late.set()
        self._process.kill()

    def dismiss(self) -> None:
        """Close its input, upon which it ends after what it is doing."""
        with contextlib.suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()

    def end(self) -> str:
        """Wait for the end of a process that is about to end, else kill it; how it ended, in words."""
        process = self._process
        try:
            code = process.wait(2.0)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        return f"signal {-code}" if code < 0 else f"exit code {code}"


def _environment() -> dict[str, str]:
    """This process's import path and variables, less what looks like a credential."""
    kept = {name: value for name, value in os.environ.items() if not looks_secret(name)}
    return {**kept, "PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path)}


@dataclass(eq=False, slots=True)
class _Post:
    """A place for one worker, and the queue before it."""

    worker: Worker
    waiting: int = 0
    turn: threading.Lock = field(default_factory=threading.Lock)


class ProcessExecutor(Executor):
    """`workers` processes, started at once and replaced when they die."""

    name = "processes"

    def __init__(self, workers: int, modules: Sequence[str] = (), limit_s: float = LIMIT_S) -> None:
        self.workers, self._modules, self._limit_s = max(1, workers), modules, limit_s
        self.replaced = 0
        """Workers that died and were replaced."""
        self._closed = False
        self._posts = [_Post(Worker(modules)) for _ in range(self.workers)]
        self._near: OrderedDict[str, _Post] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def pids(self) -> list[int]:
        """Process ids of the workers."""
        return [post.worker.pid for post in self._posts]

    def run(self, job: Job[T], near: str | None = None) -> T | JobFailure:
        try:
            message = packed(job)
        except Exception as error:  # a job that cannot be pickled
            return JobFailure("crash", f"the job cannot be sent: {type(error).__name__}: {error}")
        post = self._queue_up(near)
        try:
            with post.turn:
                outcome: T | JobFailure = self._done(post, message)
                if self._closed:
                    post.worker.dismiss()
        finally:
            with self._lock:
                post.waiting -= 1
        return outcome

    def _queue_up(self, near: str | None) -> _Post:
        """The worker of that name, else the one with the shortest queue."""
        with self._lock:
            post = self._near.get(near) if near is not None else None
            if post is None:
                post = min(self._posts, key=lambda post: post.waiting)
            if near is not None:
                self._near[near] = post
                self._near.move_to_end(near)
                if len(self._near) > _NAMES:
                    self._near.popitem(last=False)
            post.waiting += 1
        return post

    def _done(self, post: _Post, message: bytes) -> Any:
        ends: list[str] = []
        while len(ends) < TRIES:
            if self._closed:
                return JobFailure("closed", "the workers were sent home before the work was done")
            try:
                return post.worker.do(message, self._limit_s)
            except _Died as died:
                ends.append(str(died))
                self.replaced += 1
                post.worker = Worker(self._modules)
        how = ", ".join(dict.fromkeys(ends))
        return JobFailure("worker_died", f"{TRIES} workers in a row ended in the middle of it ({how})")

    def close(self) -> None:
        """Send the workers home; one in the middle of a job goes after it."""
        self._closed = True
        idle = [post for post in self._posts if post.turn.acquire(blocking=False)]
        for post in idle:
            post.worker.dismiss()
        for post in idle:
            post.worker.end()
            post.turn.release()
