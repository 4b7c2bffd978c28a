"""Kind `repair`: every requested repair within tolerance, everything else the same."""

from __future__ import annotations

from vbench_env.scoring.kinds.base import Kind
from vbench_env.scoring.scorer import score_target

REPAIR = Kind("repair", score_target)
