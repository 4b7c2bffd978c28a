"""The score of one candidate: three gates, in three visible calls.

    validity -> repairs -> preservation -> scorecard

The target's side is prepared once per task and rule set (`Problem`); a candidate is parsed once.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from vbench_env.scoring import computed
from vbench_env.scoring.assemble import assemble, no_text, unreadable
from vbench_env.scoring.preservation import preserve
from vbench_env.scoring.problem import Problem, as_repairs
from vbench_env.scoring.repairs import locate, measure
from vbench_env.scoring.rules import Rules, get_rules
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.scoring.validity import document_faults
from vbench_env.svg.parse import Fault, parse
from vbench_env.svg.resolve import Resolved
from vbench_env.task import Repair, Task


def score(task: Task, svg: str | bytes | None, rules: str | Rules = "surgical") -> Scorecard:
    """Score a candidate document for a task.

    Args:
        task: the task with its hidden part.
        svg: the candidate as text or bytes;
            None means that nothing was handed in (an empty text is an invalid document).
        rules: `surgical`, `published`, or a `Rules` value.
    """
    problem = _prepared(task, get_rules(rules))
    return score_problem(problem, svg, task_id=task.task_id)


def judge(
    target_svg: str | bytes,
    candidate_svg: str | bytes | None,
    *,
    corrupted_svg: str | bytes | None = None,
    repairs: Sequence[Repair | dict[str, Any]] = (),
    protected: Sequence[str] | None = None,
    rules: str | Rules = "surgical",
) -> Scorecard:
    """Judge a candidate against a target without a task.

    Args:
        target_svg: the drawing as it should be.
        candidate_svg: the drawing to judge.
        corrupted_svg: the drawing that was to be repaired; its own faults are forgiven.
        repairs: `Repair` values or `{"part", "attribute", "before", "after"}`; with none the question is
            whether the candidate is the target, semantically unchanged, and valid.
        protected: ids or structural paths; None means every element with an id outside the repairs.
        rules: `surgical`, `published`, or a `Rules` value.

    Raises:
        TaskError: the target cannot be read, or a repair lacks a field.
    """
    wanted = as_repairs(repairs)
    problem = Problem(target_svg, corrupted_svg, wanted, tuple(protected or ()), get_rules(rules))
    if protected is None:
        problem.protect_all()
    return score_problem(problem, candidate_svg)


def score_problem(problem: Problem, svg: str | bytes | None, task_id: str | None = None) -> Scorecard:
    """Score a candidate against a prepared problem."""
    if svg is None:
        return no_text(problem, task_id)
    rules = problem.rules
    if len(svg) > problem.longest:
        message = f"document has {len(svg)} characters, far more than the task's drawings ({problem.longest} at most)"
        return unreadable(problem, [Fault("limit", message, limit="growth")], task_id)
    candidate = parse(svg, rules.limits, problem.pool)
    faults = document_faults(candidate, rules, problem.baseline)
    if candidate.root is None or any(fault.limit for fault in faults):
        return unreadable(problem, faults, task_id)
    located = [locate(problem, candidate, repair) for repair in problem.repairs]
    if rules.form == "resolved":
        resolved = computed.measure_all(problem, candidate, located)
        faults.extend(evaluation_faults(problem, resolved))
    else:
        resolved = None
        for item in located:
            measure(problem, item)
    preserved = preserve(problem, candidate, resolved, located)
    return assemble(problem, candidate, resolved, faults, located, preserved, task_id)


def evaluation_faults(problem: Problem, resolved: Resolved) -> list[Fault]:
    """Limits that show only when style sheets are matched; those that the task's own drawings cross are forgiven."""
    own = [side.sheets.crossed for side in (problem.resolved, problem.resolved_start) if side is not None]
    if resolved.sheets.crossed != "style_matches" or "style_matches" in own:
        return []
    message = f"style sheets test more than {problem.rules.limits.style_matches} selectors against elements"
    return [Fault("limit", message, limit="style_matches")]


_PREPARED: OrderedDict[tuple[int, str], tuple[Task, Rules, Problem]] = OrderedDict()
_LOCK = threading.Lock()
_KEPT = 256


def _prepared(task: Task, rules: Rules) -> Problem:
    key = (id(task), rules.name)
    with _LOCK:
        found = _PREPARED.get(key)
        if found is not None and found[0] is task and found[1] == rules:
            _PREPARED.move_to_end(key)
            return found[2]
    problem = Problem(task.target_svg, task.corrupted_svg, task.repairs, task.protected, rules)
    with _LOCK:
        _PREPARED[key] = (task, rules, problem)
        while len(_PREPARED) > _KEPT:
            _PREPARED.popitem(last=False)
    return problem
