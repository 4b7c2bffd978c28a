"""Mean squared error of pixels, as it is (SVGEditBench) and relative to what doing nothing leaves (SVGenius)."""

from __future__ import annotations

import numpy as np

from vbench_env.measures.base import MEASURES, Drawings, Measure, Pixels, Settings, Value, nothing, pictures


def mse(one: Pixels, other: Pixels) -> float:
    """Over all pixels and channels, which run from 0 to 1."""
    return float(np.mean(((one.astype(np.float64) - other) / 255.0) ** 2))


def take(drawings: Drawings, settings: Settings) -> Value:
    """Of the candidate's picture from the target's."""
    found = pictures(drawings, "candidate", "target")
    return found if isinstance(found, Value) else Value(mse(*found))


def take_relative(drawings: Drawings, settings: Settings) -> Value:
    """That of the candidate over that of the start: 0 at the target, 1 where nothing is gained."""
    found = pictures(drawings, "candidate", "target", "start")
    if isinstance(found, Value):
        return found
    candidate, target, start = found
    base, own = mse(start, target), mse(candidate, target)
    if not base:
        return nothing("start and target look the same")
    return Value(own / base, {"mse": own, "mse_start": base, "gain": 1 - own / base})


MEASURES.add(
    "mse",
    Measure("mse", "mean squared error of pixels, 0 to 1", "lower", take, "SVGEditBench", needs="pictures"),
)
MEASURES.add(
    "rmse",
    Measure(
        "rmse", "mean squared error over that of the start", "lower", take_relative, "SVGenius",
        needs="the start, pictures",
    ),
)  # fmt: skip
