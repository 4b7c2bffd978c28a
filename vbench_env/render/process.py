"""Processes that may be killed: limits of the operating system, an empty folder, and what an end means.

On Linux the limits are set on the child before it has read a byte of the document; elsewhere only wall time
bounds it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vbench_env.render.base import RenderFailure, RenderLimits

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

OPEN_FILES = 64


class Scratch:
    """An empty folder for engines to run in, removed with its owner (but not by a forked copy of it)."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="vbench-render-"))
        self._remove = weakref.finalize(self, _remove_own, str(self.root), os.getpid())

    def empty(self) -> str:
        """Path of a folder without files; made anew if something swept it away."""
        folder = self.root / "empty"
        folder.mkdir(parents=True, exist_ok=True)
        return str(folder)


def _remove_own(folder: str, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Finished:
    """How a process ended. `returncode` is negative for a signal."""

    output: bytes
    errors: bytes
    returncode: int
    timed_out: bool


def run_limited(
    arguments: Sequence[str], data: bytes, limits: RenderLimits, folder: str, environment: dict[str, str]
) -> Finished:
    """Run a program on `data` (its standard input) within `limits`; OSError when it cannot be started."""
    with subprocess.Popen(
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment,
    ) as process:
        try:
            cap(process.pid, limits)
            output, errors = process.communicate(data, timeout=limits.wall_s)
            return Finished(output, errors, process.returncode, False)
        except subprocess.TimeoutExpired:
            process.kill()
            return Finished(b"", b"", process.wait(), True)
        except BaseException:
            process.kill()
            raise


def cap(pid: int, limits: RenderLimits, cpu_s: int | None = None) -> None:
    """Set the limits of a process (0: this one), never above what it has already.

    `cpu_s` counts from the start of the process and may be raised again; without it `limits.cpu_s` is final.
    """
    if resource is None or not hasattr(resource, "prlimit"):
        return
    cpu = (limits.cpu_s, limits.cpu_s + 1) if cpu_s is None else (cpu_s, -1)
    wanted = {
        resource.RLIMIT_CPU: cpu,
        resource.RLIMIT_AS: (limits.memory_bytes, limits.memory_bytes),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_NOFILE: (OPEN_FILES, OPEN_FILES),
    }
    with contextlib.suppress(ProcessLookupError):
        for kind, (soft, hard) in wanted.items():
            top = resource.prlimit(pid, kind)[1]
            resource.prlimit(pid, kind, (_least(soft, top), _least(hard, top)))


def _least(wanted: int, top: int) -> int:
    """The smaller of two limits; -1 is none."""
    return wanted if top == -1 else top if wanted == -1 else min(wanted, top)


def ended(
    name: str, returncode: int, errors: str, limits: RenderLimits, *, timed_out: bool = False
) -> RenderFailure:
    """The failure that a process's end stands for."""
    if timed_out or -returncode == getattr(signal, "SIGXCPU", 24):
        bound = f"{limits.wall_s:g} s" if timed_out else f"{limits.cpu_s} s of processor time"
        return RenderFailure(
            "timeout",
            f"{name} took more than {bound}; use fewer or smaller filters, patterns, masks and paths",
        )
    if "memory allocation" in errors or returncode == -signal.SIGKILL:
        return RenderFailure(
            "memory",
            f"{name} needed more than {limits.memory_bytes >> 20} MiB; use smaller filters and pictures",
        )
    cause = f"signal {-returncode}" if returncode < 0 else f"exit code {returncode}"
    if "overflowed its stack" in errors:
        cause = "elements nested too deeply"
    return RenderFailure(
        "crashed", f"{name} broke down ({cause}); undo the last edit or simplify what it touched"
    )
