"""The child side of `IsolatedEngine`: reads documents from standard input, answers with PNG or a failure.

Run as `python -m vbench_env.render.serve MODULE:FUNCTION MEMORY_BYTES CPU_S`. Frames: a request is width,
height and byte count, then the document; an answer is a status (0 PNG, 1 failure as JSON) and byte count,
then the bytes. A first answer without a request says whether the function could be imported.
"""

from __future__ import annotations

import importlib
import json
import os
import struct
import sys
import time
from collections.abc import Callable
from typing import BinaryIO

from vbench_env.render.base import FailureKind, RenderFailure, RenderLimits
from vbench_env.render.process import cap

REQUEST = struct.Struct("<IIQ")
ANSWER = struct.Struct("<BQ")
PNG, FAILURE = 0, 1

Draw = Callable[[bytes, int, int], bytes]


def main(target: str, memory_bytes: int, cpu_s: int) -> None:
    """Serve until standard input ends."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    draw = _load(target)
    if isinstance(draw, RenderFailure):
        _answer(sink, FAILURE, _packed(draw))
        return
    _answer(sink, PNG, b"")
    limits = RenderLimits(cpu_s=cpu_s, memory_bytes=memory_bytes)
    while len(head := source.read(REQUEST.size)) == REQUEST.size:
        width_px, height_px, size = REQUEST.unpack(head)
        svg = source.read(size)
        cap(0, limits, cpu_s=int(time.process_time()) + 1 + cpu_s)
        _answer(sink, *_drawn(draw, svg, width_px, height_px))


def _load(target: str) -> Draw | RenderFailure:
    module, _, name = target.partition(":")
    try:
        found: Draw = getattr(importlib.import_module(module), name)
    except (ImportError, OSError, AttributeError) as error:
        return RenderFailure("unavailable", f"{module} cannot be used here: {str(error)[:300]}")
    return found


def _drawn(draw: Draw, svg: bytes, width_px: int, height_px: int) -> tuple[int, bytes]:
    """One drawing. Bindings raise outside `Exception` too (a Rust panic does), so everything is caught."""
    try:
        return PNG, draw(svg, width_px, height_px)
    except MemoryError:
        return FAILURE, _failed("memory", "the engine ran out of memory; use smaller filters and pictures")
    except RecursionError:
        return FAILURE, _failed("crashed", "elements or references are nested too deeply; nest fewer of them")
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        cause = f"{type(error).__name__}: {str(error)[:200]}"
        return FAILURE, _failed("crashed", f"the engine broke down ({cause}); undo the last edit")


def _failed(kind: FailureKind, message: str) -> bytes:
    return _packed(RenderFailure(kind, message))


def _packed(failure: RenderFailure) -> bytes:
    return json.dumps([failure.kind, failure.message]).encode()


def _answer(sink: BinaryIO, status: int, data: bytes) -> None:
    sink.write(ANSWER.pack(status, len(data)) + data)
    sink.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
