"""The three-gate evaluator. Start reading at `scorer.score_problem`."""

from __future__ import annotations

from vbench_env.scoring.rules import PUBLISHED, SURGICAL, Rules, get_rules
from vbench_env.scoring.scorecard import Change, RepairResult, Scorecard, ValidityFault
from vbench_env.scoring.scorer import judge, score

__all__ = [
    "PUBLISHED",
    "SURGICAL",
    "Change",
    "RepairResult",
    "Rules",
    "Scorecard",
    "ValidityFault",
    "get_rules",
    "judge",
    "score",
]
