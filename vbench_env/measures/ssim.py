"""Structural similarity of pictures by scikit-image, an optional extra (UniSVG, VectorGym)."""

from __future__ import annotations

import numpy as np

from vbench_env.measures.base import MEASURES, Drawings, Measure, Pixels, Settings, Value, nothing, pictures
from vbench_env.measures.extras import require

_LEAST_PX = 7


def ssim(one: Pixels, other: Pixels) -> float:
    """Mean structural similarity over channels (Wang et al. 2004, Gaussian weights, sigma 1.5)."""
    metrics = require("skimage.metrics", "ssim")
    return float(
        metrics.structural_similarity(
            one.astype(np.float64), other.astype(np.float64), data_range=255.0, channel_axis=2, gaussian_weights=True,
            sigma=1.5, use_sample_covariance=False,
        )
    )  # fmt: skip


def take(drawings: Drawings, settings: Settings) -> Value:
    """1 for equal pictures."""
    found = pictures(drawings, "candidate", "target")
    if isinstance(found, Value):
        return found
    if min(found[0].shape[:2]) < 2 * _LEAST_PX:
        return nothing(f"pictures are smaller than {2 * _LEAST_PX} px")
    return Value(ssim(*found))


MEASURES.add(
    "ssim",
    Measure(
        "ssim", "structural similarity of pictures", "higher", take, "Wang et al. 2004", needs="extra metrics"
    ),
)
