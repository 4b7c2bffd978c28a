"""The score of one candidate: three gates, in three visible calls.

    validity -> repairs -> preservation -> scorecard

The target's side is prepared once per task and rule set (`Problem`); a candidate is parsed once. Kinds of task that
ask for something else than repairs have a module each in `scoring.kinds`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from vbench_env.scoring import computed
from vbench_env.scoring.assemble import assemble, no_text, unreadable
from vbench_env.scoring.preservation import preserve
from vbench_env.scoring.problem import Problem, as_repairs
from vbench_env.scoring.repairs import locate, measure
from vbench_env.scoring.request import check_request
from vbench_env.scoring.rules import Rules, get_rules
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.scoring.validity import document_faults
from vbench_env.svg.parse import Fault, parse
from vbench_env.svg.resolve import Resolved
from vbench_env.task import Repair, Task


def score(task: Task, svg: str | bytes | None, rules: str | Rules = "surgical") -> Scorecard:
    """Score a candidate document for a task, as its kind has it.

    Args:
        task: the task with its hidden part.
        svg: the candidate as text or bytes;
            None means that nothing was handed in (an empty text is an invalid document).
        rules: `surgical`, `published`, or a `Rules` value.
    """
    from vbench_env.scoring.kinds import KINDS

    return KINDS.get(task.kind).score(task, svg, get_rules(rules))


def score_target(
    task: Task, svg: str | bytes | None, rules: Rules, freed: frozenset[str] = frozenset()
) -> Scorecard:
    """Score a candidate against the target, and where it misses that against the task's further solutions.

    The verdict is that on the reference which it comes nearest to.
    """
    problem = prepared(task, rules, "target", lambda: _problem(task, rules, freed))
    card = score_problem(problem, svg, task_id=task.task_id)
    if card.passed or not card.valid or not task.solutions:
        return card
    return max([card, *_further(task, svg, rules, freed)], key=_nearness)


def _problem(task: Task, rules: Rules, freed: frozenset[str]) -> Problem:
    return Problem(task.target_svg, task.corrupted_svg, task.repairs, task.protected, rules, freed)


def _further(task: Task, svg: str | bytes | None, rules: Rules, freed: frozenset[str]) -> list[Scorecard]:
    cards = []
    for solution in task.solutions:
        parts = (solution.target_svg, task.corrupted_svg, solution.repairs, solution.protected, rules, freed)
        problem = prepared(task, rules, f"solution {solution.name}", partial(Problem, *parts))
        card = score_problem(problem, svg, task_id=task.task_id)
        cards.append(card.model_copy(update={"reference": solution.name}))
    return cards


def _nearness(card: Scorecard) -> tuple[int, bool, bool, float, float]:
    """How near a candidate comes to a reference; the first of equals is the target."""
    kept = 0.0 if card.preservation is None else card.preservation
    return card.reward, card.repaired, card.preserved, card.repair_progress, kept


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
        TaskError: the target cannot be read, a repair lacks a field, or says another `after` than the target holds.
        UnknownName: a repaired or protected object that the drawings do not have.
    """
    wanted = as_repairs(repairs)
    problem = Problem(target_svg, corrupted_svg, wanted, tuple(protected or ()), get_rules(rules))
    if protected is None:
        problem.protect_all()
    check_request(problem)
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
    for item in located if problem.freed else ():
        item.masked = item.masked | problem.freed if item.masked else item.masked
    preserved = preserve(problem, candidate, resolved, located)
    return assemble(problem, candidate, resolved, faults, located, preserved, task_id)


def evaluation_faults(problem: Problem, resolved: Resolved) -> list[Fault]:
    """Limits that show only when style sheets are matched; those that the task's own drawings cross are forgiven."""
    own = [side.sheets.crossed for side in (problem.resolved, problem.resolved_start) if side is not None]
    if resolved.sheets.crossed != "style_matches" or "style_matches" in own:
        return []
    message = f"style sheets test more than {problem.rules.limits.style_matches} selectors against elements"
    return [Fault("limit", message, limit="style_matches")]


_PREPARED: OrderedDict[tuple[int, str, str], tuple[Task, Rules, Problem]] = OrderedDict()
_LOCK = threading.Lock()
_KEPT = 256


def prepared(task: Task, rules: Rules, part: str, make: Callable[[], Problem]) -> Problem:
    """The problem that `make` gives, made once for a task, a rule set and the name of what it is about."""
    key = (id(task), rules.name, part)
    with _LOCK:
        found = _PREPARED.get(key)
        if found is not None and found[0] is task and found[1] == rules:
            _PREPARED.move_to_end(key)
            return found[2]
    problem = make()
    with _LOCK:
        _PREPARED[key] = (task, rules, problem)
        while len(_PREPARED) > _KEPT:
            _PREPARED.popitem(last=False)
    return problem
