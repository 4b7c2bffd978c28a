"""Checks of the kind `repair`."""

from __future__ import annotations

from vbench_env.taskkit import checks
from vbench_env.taskkit.kinds.base import KindChecks
from vbench_env.taskkit.references import accepts, solutions

REPAIR = KindChecks(
    (
        checks.fresh, checks.hidden, checks.ids, checks.wording, checks.named, checks.alone, checks.scores,
        checks.undo, accepts, solutions, checks.evidence,
    ),
    checks.look,
)  # fmt: skip
