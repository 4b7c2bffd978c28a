"""Trying again: which failures, how often, how long, and never past the bound of wall-clock time."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import TypeVar

import tenacity

from vbench_env.experiments.endpoint import RetryPolicy
from vbench_env.experiments.failures import CallFailed, CallFailure
from vbench_env.seeding import derive_random

T = TypeVar("T")


class Insistence:
    """The attempts of one call under a policy. `attempt` must raise `CallFailed` for a failure."""

    def __init__(self, policy: RetryPolicy, stop: threading.Event, seed: str) -> None:
        self.policy, self._stop, self._seed = policy, stop, seed
        self._started = time.monotonic()

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self._started

    @property
    def attempt_timeout_s(self) -> float:
        """What one attempt may take now."""
        return max(0.5, min(self.policy.timeout_s, self.policy.wall_s - self.elapsed_s))

    def run(self, attempt: Callable[[], T]) -> T:
        """The first success; else the last failure is raised."""
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda e: isinstance(e, CallFailed) and e.failure.passing),
            wait=self._wait_s, stop=self._enough, sleep=self._sleep, reraise=True,
        )  # fmt: skip
        return retrying(attempt)

    def _wait_s(self, state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.failure.retry_after_s if isinstance(error, CallFailed) else None
        if asked is None:
            jitter = derive_random(self._seed, state.attempt_number).uniform(0.75, 1.25)
            asked = self.policy.backoff_s * 2.0 ** (state.attempt_number - 1) * jitter
        return min(asked, self.policy.longest_wait_s)

    def _enough(self, state: tenacity.RetryCallState) -> bool:
        late = self.elapsed_s + self._wait_s(state) >= self.policy.wall_s
        return late or self._stop.is_set() or state.attempt_number >= self.policy.attempts

    def _sleep(self, seconds: float) -> None:
        if self._stop.wait(seconds):
            raise CallFailed(CallFailure("interrupted", "the run was stopped before the next attempt"))


def within(seconds: float, work: Callable[[], T]) -> T:
    """`work()` in a thread of its own; `TimeoutError` when it takes longer, and it is left behind.

    Socket timeouts count from byte to byte, so a server that drips would hold a caller for ever.
    """
    done: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            done.put((work(), None))
        except BaseException as error:  # handed to the caller, whatever it is
            done.put((None, error))

    threading.Thread(target=run, daemon=True, name="model-call").start()
    try:
        value, error = done.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError(f"no complete answer within {seconds:g} s") from None
    if error is not None:
        raise error
    return value  # type: ignore[return-value]
