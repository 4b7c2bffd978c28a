"""Drawing functions that misbehave, called inside child processes by the tests of the pool."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from hostile_documents import png

GOOD = png(4, 4)


class PanicException(BaseException):
    """What a Rust binding raises when it panics: no `Exception`."""


def good(svg: bytes, width_px: int, height_px: int) -> bytes:
    return GOOD


def by_document(svg: bytes, width_px: int, height_px: int) -> bytes:
    """Does what the document says."""
    order = svg.split(b"!")[1].decode()
    return {
        "good": lambda: GOOD,
        "panic": _panic,
        "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
        "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
        "exit": lambda: os._exit(3),
        "nothing": lambda: b"",
        "noise": lambda: _print() or GOOD,
        "sleep": lambda: time.sleep(60),
        "spin": _spin,
        "eat": lambda: bytearray(4 << 30),
        "recurse": lambda: by_document(svg, width_px, height_px),
        "pid": lambda: GOOD + str(os.getpid()).encode(),
        "folder": lambda: GOOD + repr(sorted(str(path) for path in Path.cwd().iterdir())).encode(),
        "environment": lambda: GOOD + repr(sorted(os.environ)).encode(),
    }[order]()


def _panic() -> bytes:
    raise PanicException("called `Option::unwrap()` on a `None` value")


def _print() -> None:
    print("a binding that prints to standard output " * 1000)


def _spin() -> bytes:
    while True:
        pass
