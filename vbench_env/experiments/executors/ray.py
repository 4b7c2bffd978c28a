"""Workers on the machines of a Ray cluster (`--executor ray`).

Jobs are Ray tasks of one processor each, so that a cluster spreads and queues them. Ray does a task anew when its
worker dies; one that kills its worker every time is given up. `VBENCH_ENV_RAY_ADDRESS` names a running cluster (`auto`
for the one on this machine), whose machines have this package; without it a small one is started here and ended with
the run. Keys stay on this machine: a job holds neither them nor a model client.
"""

from __future__ import annotations

import importlib
import logging
import os
import pickle
import sys
import threading
from collections.abc import Sequence
from typing import Any, TypeVar, cast

from vbench_env.errors import ConfigError, MissingExtra
from vbench_env.experiments.executors.base import Executor, Job, JobFailure, attempt
from vbench_env.experiments.executors.processes import TRIES
from vbench_env.experiments.redaction import may_hold_secret

T = TypeVar("T")

ADDRESS = "VBENCH_ENV_RAY_ADDRESS"


class RayExecutor(Executor):
    """At most `workers` jobs at once on a cluster.

    Raises:
        ConfigError: the package is missing, or the cluster cannot be reached.
    """

    name = "ray"

    def __init__(self, workers: int, modules: Sequence[str] = ()) -> None:
        self.workers = max(1, workers)
        self._ray, self._own = _connected(self.workers)
        self._room = threading.BoundedSemaphore(self.workers)
        self._closed = threading.Event()
        remote = self._ray.remote(num_cpus=1, max_retries=TRIES - 1)
        self._done = remote(_done)
        self._warm = [remote(_import).remote(tuple(modules)) for _ in range(self.workers)]

    def run(self, job: Job[T], near: str | None = None) -> T | JobFailure:
        try:
            message = pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # a job that cannot be pickled
            return JobFailure("crash", f"the job cannot be sent: {type(error).__name__}: {error}")
        with self._room:
            if self._closed.is_set():
                return JobFailure("closed", "the workers were sent home before the work was done")
            return cast("T | JobFailure", self._outcome(message))

    def _outcome(self, message: bytes) -> Any:
        errors = self._ray.exceptions
        try:
            return pickle.loads(self._ray.get(self._done.remote(message)))
        except (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.NodeDiedError) as error:
            return JobFailure(
                "worker_died", f"{TRIES} workers in a row ended in the middle of it ({_line(error)})"
            )
        except errors.RayError as error:
            if self._closed.is_set():
                return JobFailure("closed", "the workers were sent home before the work was done")
            return JobFailure("crash", _line(error))

    def close(self) -> None:
        """End a cluster that was started here; another is left as it is."""
        if self._closed.is_set():
            return
        self._closed.set()
        if self._own:
            self._ray.shutdown()


def _connected(workers: int) -> tuple[Any, bool]:
    """The package, connected to a cluster, and whether that cluster is ours."""
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("ray", error) from error
    if ray.is_initialized():
        return ray, False
    address = os.environ.get(ADDRESS)
    settings: dict[str, Any] = {"address": address} if address else _small(workers)
    withheld = {name: os.environ.pop(name) for name in list(os.environ) if _is_withheld(name)}
    try:
        ray.init(logging_level=logging.ERROR, log_to_driver=False, **settings)
    except Exception as error:
        token = "RAY_AUTH_MODE=token if it asks for a token"
        advice = f"set {ADDRESS} to its address (and {token}), or unset it to start one here"
        raise ConfigError(f"no Ray cluster: {_line(error)}; {advice}") from error
    finally:
        os.environ.update(withheld)
    return ray, not address


def _is_withheld(name: str) -> bool:
    """Whether a variable is a secret that Ray's processes are not to inherit. Ray's own opens the cluster to them."""
    return may_hold_secret(name) and not name.startswith("RAY_AUTH_")


def _small(workers: int) -> dict[str, Any]:
    """Settings of a cluster on this machine, whose workers find what this process finds."""
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    return {
        "address": "local",  # a new one, whatever runs here already
        "num_cpus": workers,
        "include_dashboard": False,
        "runtime_env": {"env_vars": {"PYTHONPATH": paths}},
    }


def _done(message: bytes) -> bytes:
    """Do a packed job, in a worker."""
    try:
        outcome: object = attempt(pickle.loads(message))
    except Exception as error:  # a class that cannot be imported there
        outcome = JobFailure("crash", f"the job cannot be read: {type(error).__name__}: {error}")
    try:
        return pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # a result that cannot be pickled
        failure = JobFailure("crash", f"the result cannot be sent: {type(error).__name__}: {error}")
        return pickle.dumps(failure)


def _import(modules: tuple[str, ...]) -> None:
    """Let a worker import what jobs will need."""
    for module in modules:
        importlib.import_module(module)


def _line(error: BaseException) -> str:
    text = str(error).strip()
    return f"{type(error).__name__}: {text.splitlines()[0] if text else ''}"[:300]
