"""Kind `style`: rules over many objects.

Every object that a rule picks out is a repair of its own, and everything else has to stay. Beyond a repair, those
objects may get another `class` or `style`, since where a style is kept is up to the agent; and a rule that is `alike`
wants one value of all its objects, whichever of the accepted ones it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from vbench_env.kind import StyleGoal
from vbench_env.scoring.assemble import rejudged
from vbench_env.scoring.kinds.base import Kind
from vbench_env.scoring.rules import Rules
from vbench_env.scoring.scorecard import RepairResult, Scorecard
from vbench_env.scoring.scorer import score_target
from vbench_env.svg.parse import parse
from vbench_env.task import Task

FREED = frozenset({"class", "style"})
"""Attributes that the objects of a rule may have otherwise."""


def score(task: Task, svg: str | bytes | None, rules: Rules) -> Scorecard:
    """All objects of every rule, and nothing else."""
    card = score_target(task, svg, rules, FREED).model_copy(update={"kind": "style"})
    goal = task.goal
    if not card.valid or not isinstance(goal, StyleGoal) or not any(rule.alike for rule in goal.rules):
        return card
    results, at = list(card.repairs), 0
    target = parse(task.target_svg)
    for rule in goal.rules:
        size = len(rule.objects(target))
        if rule.alike:
            results[at : at + size] = unlike(results[at : at + size])
        at += size
    return rejudged(card, tuple(results))


def unlike(results: Sequence[RepairResult]) -> list[RepairResult]:
    """The results of one rule, those missed that have another value than most of the right ones."""
    values = Counter(str(result.found) for result in results if result.passed)
    if len(values) < 2:
        return list(results)
    usual = values.most_common(1)[0][0]
    missed = {"passed": False, "progress": 0.0, "comparison": "alike", "failure": "wrong_value"}
    return [
        result.model_copy(update=missed) if result.passed and str(result.found) != usual else result
        for result in results
    ]


STYLE = Kind("style", score)
