"""Compression ratio: bytes of the candidate over bytes of the start (SVGEditBench, SVGenius)."""

from __future__ import annotations

from vbench_env.measures.base import MEASURES, Drawings, Measure, Settings, Value, nothing


def take(drawings: Drawings, settings: Settings) -> Value:
    """1 for an untouched file, below it for a smaller one; without a start, over the target's bytes."""
    if drawings.candidate is None:
        return nothing("there is no candidate")
    base = drawings.start if drawings.start is not None else drawings.target
    size, before = (len(text.encode("utf-8", "surrogatepass")) for text in (drawings.candidate, base))
    if not before:
        return nothing("the start is empty")
    return Value(size / before, {"bytes": float(size), "saving": 1 - size / before})


MEASURES.add(
    "compression",
    Measure(
        "compression", "bytes over the bytes of the start", "lower", take, "SVGEditBench, SVGenius", needs="the start"
    ),
)  # fmt: skip
