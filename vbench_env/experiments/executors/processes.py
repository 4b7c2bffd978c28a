"""Worker processes on this machine.

Each worker is a fresh interpreter (nothing is forked, `__main__` is not imported again) that does one job at a time.
A thread that asks is given the worker with the fewest jobs and waits. When a worker dies, the job is done again by a
new one; a job whose workers die every time is given up.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from vbench_env.experiments.executors.base import Executor, Job, JobFailure
from vbench_env.experiments.executors.frames import message_from, packed, send, unpacked
from vbench_env.experiments.redaction import may_hold_secret

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

    stuck = False
    """Whether it was killed for giving no answer."""


class _Closed(Exception):
    """The workers are being sent home."""


class Worker:
    """One process. At most one thread sends, and one receives, at a time."""

    stuck = False
    """Whether it was killed for giving no answer."""

    def __init__(self, modules: Sequence[str] = ()) -> None:
        self._process = subprocess.Popen(
            [sys.executable, *_COMMAND, *modules], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment(),
            start_new_session=True,
        )  # fmt: skip

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, message: bytes) -> None:
        """Give it a packed job. Where it has ended, nothing is said: `receive` tells."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            send(self._process.stdin, message)

    def receive(self) -> Any:
        """The outcome of the oldest job without one."""
        assert self._process.stdout is not None
        try:
            message = message_from(self._process.stdout)
        except (EOFError, OSError, ValueError) as error:
            died = _Died(self.end())
            died.stuck = self.stuck
            raise died from error
        try:
            return unpacked(message)
        except Exception as error:  # a class that cannot be made here
            return JobFailure("crash", f"the result cannot be read: {type(error).__name__}: {error}")

    def kill(self) -> None:
        """End it at once."""
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
    """This process's import path and variables, less what may be a credential."""
    kept = {name: value for name, value in os.environ.items() if not may_hold_secret(name)}
    return {**kept, "PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path)}


class _Post:
    """A place for one worker.

    A worker at work has the next job at hand, so that it never waits for a thread of this process: a thread sends its
    job while another still waits for an outcome. `_sending` is held until `_receiving` is, which keeps their order.
    """

    def __init__(self, modules: Sequence[str]) -> None:
        self.waiting = 0
        self.worker = Worker(modules)
        self._sent_since: float | None = None
        self._since: float | None = None
        """Since when a job is being sent, and since when an outcome is being waited for."""
        self._modules = modules
        self._sending, self._receiving = threading.Lock(), threading.Lock()

    def do(self, message: bytes, closed: Callable[[], bool]) -> Any:
        """The outcome of a packed job; `_Died` where the worker died of it, and there is a new one."""
        my_turn = False
        try:
            with self._sending:
                if closed():
                    raise _Closed
                worker = self.worker
                self._send(worker, message)
                my_turn = self._receiving.acquire()
                if worker is not self.worker:  # it died of the job before this one
                    worker = self.worker
                    self._send(worker, message)
            self._since = time.monotonic()
            return worker.receive()
        except _Died:
            if not closed():
                self.worker = Worker(self._modules)
            raise
        except _Closed:
            raise
        except BaseException:  # Ctrl-C in the thread that asks: nobody else is to get the answer to its job
            self.worker.kill()
            raise
        finally:
            if my_turn:
                self._since = None
                self._receiving.release()

    def _send(self, worker: Worker, message: bytes) -> None:
        self._sent_since = time.monotonic()
        try:
            worker.send(message)
        finally:
            self._sent_since = None

    def kill_if_older(self, seconds: float) -> None:
        """Kill a worker that has been given a job, or was to take one, longer ago than that."""
        worker, begun = self.worker, [since for since in (self._sent_since, self._since) if since is not None]
        if begun and time.monotonic() - min(begun) > seconds:
            worker.stuck = True
            worker.kill()


class ProcessExecutor(Executor):
    """`workers` processes, started at once and replaced when they die."""

    name = "processes"

    def __init__(self, workers: int, modules: Sequence[str] = (), limit_s: float = LIMIT_S) -> None:
        self.workers, self._limit_s = max(1, workers), limit_s
        self.replaced = 0
        """Workers that died and were replaced."""
        self._closed = threading.Event()
        self._posts = [_Post(modules) for _ in range(self.workers)]
        self._near: OrderedDict[str, _Post] = OrderedDict()
        self._lock = threading.Lock()
        threading.Thread(target=self._watch, name="vbench-env-watch", daemon=True).start()

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
            outcome: T | JobFailure = self._done(post, message)
        finally:
            with self._lock:
                post.waiting -= 1
            if self._closed.is_set():
                self._dismiss(post)
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
            try:
                return post.do(message, self._closed.is_set)
            except _Closed:
                return JobFailure("closed", "the workers were sent home before the work was done")
            except _Died as died:
                ends.append(f"no answer within {self._limit_s:g} s" if died.stuck else str(died))
                with self._lock:
                    self.replaced += 1
            except OSError as error:
                return JobFailure("worker_died", f"no other worker can be started: {error}")
        how = ", ".join(dict.fromkeys(ends))
        return JobFailure("worker_died", f"{TRIES} workers in a row ended in the middle of it ({how})")

    def _watch(self) -> None:
        """Kill workers that are stuck."""
        while not self._closed.wait(min(1.0, self._limit_s / 4)):
            for post in self._posts:
                post.kill_if_older(self._limit_s)

    def close(self) -> None:
        """Send the workers home; one that still has jobs goes after them."""
        self._closed.set()
        for post in self._posts:
            self._dismiss(post)

    def _dismiss(self, post: _Post) -> None:
        with self._lock:
            idle = not post.waiting
        post.worker.dismiss()
        if idle:
            post.worker.end()
