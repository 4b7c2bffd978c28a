"""Measures of other benchmarks beside the three gates: to their definitions, their faults under a flag only.

from vbench_env.measures import measure
measure("chamfer", candidate_svg, target_svg).value
"""

from vbench_env.measures import (
    chamfer,
    compression,
    edit_distance,
    encoders,
    lines,
    mse,
    perceptual,
    repair_accuracy,
    ssim,
)
from vbench_env.measures.base import MEASURES, Drawings, Measure, Settings, Value

PLAIN = ("repair-accuracy", "edit-distance", "compression", "mse", "rmse", "chamfer", "location", "lines")
"""Measures that need no extra and no weights."""


def measure(
    name: str, candidate: str | None, target: str, start: str | None = None, settings: Settings | None = None
) -> Value:
    """One measure of one candidate.

    Raises:
        UnknownName: no such measure.
        ConfigError: an optional library or weights are missing.
    """
    chosen = settings or Settings()
    return MEASURES.get(name).take(Drawings(candidate, target, start, chosen.width_px), chosen)


__all__ = [
    "MEASURES",
    "PLAIN",
    "Drawings",
    "Measure",
    "Settings",
    "Value",
    "chamfer",
    "compression",
    "edit_distance",
    "encoders",
    "lines",
    "measure",
    "mse",
    "perceptual",
    "repair_accuracy",
    "ssim",
]
