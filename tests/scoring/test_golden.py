"""Pairs of drawings with the verdict they must get, one issue a file; each file says why.

`verdict` is `equivalent`, `not equivalent` or `invalid` for a drawing against itself changed, and for requested
repairs `pass` (reward 1), `no reward`, or `preserved` (reward 0, nothing else changed).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from vbench_env.scoring import judge
from vbench_env.scoring.scorecard import Scorecard

CASES = sorted((Path(__file__).parents[1] / "golden" / "judge").glob("*.yaml"))

HOLDS = {
    "equivalent": lambda card: card.valid and card.preserved,
    "not equivalent": lambda card: not card.preserved,
    "invalid": lambda card: not card.valid,
    "pass": lambda card: card.reward == 1,
    "no reward": lambda card: card.reward == 0,
    "preserved": lambda card: card.reward == 0 and card.valid and card.preserved,
}


def verdict(case: dict[str, Any]) -> Scorecard:
    repairs, start = case.get("repairs", ()), case.get("start")
    return judge(case["target"], case["candidate"], corrupted_svg=start, repairs=repairs)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_golden_verdict(path: Path) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    card = verdict(case)
    assert HOLDS[case["verdict"]](card), f"{case['reason']} Got {card.status}: {card.faults} {card.changes}"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_golden_targets_pass_themselves(path: Path) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert verdict({**case, "candidate": case["target"]}).reward == 1


def test_there_are_golden_cases() -> None:
    assert len(CASES) > 150
