"""A worker: reads jobs from standard input and writes what comes of them, until its input ends.

Started as `python -m vbench_env.experiments.executors.worker`: a fresh interpreter that shares nothing with the run
but its import path. Its input ends when the run does, however that came about, so no worker outlives its run.
Whatever a job prints goes to standard error. Arguments are names of modules that jobs will need.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from typing import IO

from vbench_env.experiments.executors.base import JobFailure, attempt
from vbench_env.experiments.executors.frames import message_from, packed, send, unpacked

_GIVES_WAY = 12
"""By how much a worker is nicer than its run."""


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """Do jobs one after the other."""
    while True:
        try:
            message = message_from(source)
        except EOFError:
            return
        try:
            outcome = attempt(unpacked(message))
        except Exception as error:  # a class that cannot be imported here
            outcome = JobFailure("crash", f"the job cannot be read: {type(error).__name__}: {error}")
        try:
            send(sink, _message(outcome))
        except (BrokenPipeError, ConnectionResetError):
            return


def _message(outcome: object) -> bytes:
    try:
        return packed(outcome)
    except Exception as error:  # a result that cannot be pickled
        return packed(JobFailure("crash", f"the result cannot be sent: {type(error).__name__}: {error}"))


def main() -> None:
    """Keep standard output for answers, and give way to the run, whose threads hand out the work."""
    if hasattr(os, "nice"):
        os.nice(_GIVES_WAY)
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for module in sys.argv[1:]:
        with contextlib.suppress(ImportError):  # then the job that needs it says so
            importlib.import_module(module)
    serve(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
