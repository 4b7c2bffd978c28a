"""Engines that live inside Python, run in child processes that may die.

`IsolatedEngine` keeps idle children for reuse, replaces each after a number of pictures so that leaks stay
small, and kills one that hangs. A child that dies costs one failure, never the pool.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

from vbench_env.render.base import Picture, RenderFailure, RenderLimits
from vbench_env.render.fonts import fontconfig
from vbench_env.render.process import Scratch, ended
from vbench_env.render.serve import ANSWER, FAILURE, REQUEST

PICTURES_PER_CHILD = 200
START_S = 60.0


class _Late(Exception):
    """No answer in time."""


class _Gone(Exception):
    """The child ended."""


class Child:
    """One serving process."""

    def __init__(self, target: str, limits: RenderLimits, scratch: Scratch) -> None:
        self.owner = os.getpid()
        self.pictures = 0
        command = [sys.executable, "-m", "vbench_env.render.serve", target]
        self.process = subprocess.Popen(
            [*command, str(limits.memory_bytes), str(limits.cpu_s)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=scratch.empty(), env=_environment(scratch.root), bufsize=0,
        )  # fmt: skip

    def ask(self, request: bytes, wall_s: float) -> tuple[int, bytes]:
        """Send a request (none for the first answer) and wait for status and bytes."""
        until = time.monotonic() + wall_s
        stdin = self.process.stdin
        assert stdin is not None
        try:
            view = memoryview(request)
            while view:
                view = view[self._write(stdin.fileno(), view, until) :]
            status, size = ANSWER.unpack(self._read(ANSWER.size, until))
            return status, self._read(size, until)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise _Gone from error

    @staticmethod
    def _write(descriptor: int, view: memoryview, until: float) -> int:
        if not select.select([], [descriptor], [], max(0.0, until - time.monotonic()))[1]:
            raise _Late
        return os.write(descriptor, view[: select.PIPE_BUF])

    def _read(self, size: int, until: float) -> bytes:
        stdout = self.process.stdout
        assert stdout is not None
        parts, missing = [], size
        while missing:
            if not select.select([stdout], [], [], max(0.0, until - time.monotonic()))[0]:
                raise _Late
            part = os.read(stdout.fileno(), min(missing, 1 << 20))
            if not part:
                raise _Gone
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def end(self) -> int:
        """Kill the process if it still runs and give its exit code; a forked copy only lets go of pipes."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        if self.owner != os.getpid():
            return 0
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(0.2)
        self.process.kill()
        return self.process.wait()


def _environment(root: Path) -> dict[str, str]:
    """Import path of this process, no home, no secrets, fonts of this package only."""
    fonts = root / "fonts.conf"
    if not fonts.exists():
        root.mkdir(parents=True, exist_ok=True)
        fonts.write_text(fontconfig(root / "fontcache"), encoding="utf-8")
    kept = {
        name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT") if name in os.environ
    }
    paths = [os.path.abspath(path) for path in sys.path]
    return {
        **kept, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8",
        "FONTCONFIG_FILE": str(fonts), "HOME": str(root), "XDG_CACHE_HOME": str(root),
    }  # fmt: skip


class IsolatedEngine:
    """Draws with `MODULE:FUNCTION(svg, width_px, height_px) -> png bytes`, called in child processes."""

    def __init__(self, name: str, target: str, limits: RenderLimits) -> None:
        self.name, self.target, self.limits = name, target, limits
        self._idle: list[Child] = []
        self._scratch = Scratch()

    def draw(self, svg: bytes, width_px: int, height_px: int) -> Picture | RenderFailure:
        child = self._take()
        if isinstance(child, RenderFailure):
            return child
        request = REQUEST.pack(width_px, height_px, len(svg)) + svg
        try:
            status, data = child.ask(request, self.limits.wall_s)
        except _Late:
            child.end()
            return ended(self.name, 0, "", self.limits, timed_out=True)
        except _Gone:
            return ended(self.name, child.end(), "", self.limits)
        except BaseException:
            child.end()
            raise
        self._give(child)
        return _failure(data) if status == FAILURE else Picture(data, width_px, height_px)

    def close(self) -> None:
        while (child := self._idle_child()) is not None:
            child.end()

    def _take(self) -> Child | RenderFailure:
        """A living idle child of this process, or a new one."""
        while (child := self._idle_child()) is not None:
            if child.owner == os.getpid() and child.process.poll() is None:
                return child
            child.end()
        return self._start()

    def _idle_child(self) -> Child | None:
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _start(self) -> Child | RenderFailure:
        child = Child(self.target, self.limits, self._scratch)
        try:
            status, data = child.ask(b"", START_S)
        except (_Late, _Gone):
            child.end()
            return RenderFailure(
                "unavailable", f"the process of {self.name} did not start; see whether it imports"
            )
        if status == FAILURE:
            child.end()
            return _failure(data)
        return child

    def _give(self, child: Child) -> None:
        child.pictures += 1
        if child.pictures >= PICTURES_PER_CHILD:
            child.end()
            return
        self._idle.append(child)


def _failure(data: bytes) -> RenderFailure:
    kind, message = json.loads(data)
    return RenderFailure(kind, message)
