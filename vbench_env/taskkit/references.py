"""Checks of what a task accepts beside its target: values of a repair, and further reference solutions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from vbench_env.errors import VBenchError
from vbench_env.repair import Repair
from vbench_env.scoring import score
from vbench_env.scoring.accepted import accept_of
from vbench_env.task import Solution
from vbench_env.taskkit.build import canary_line, derive, without_canary
from vbench_env.taskkit.case import Case
from vbench_env.taskkit.checks import why
from vbench_env.taskkit.report import Finding


def accepts(case: Case) -> Iterator[Finding]:
    """Does a drawing with each of the accepted values pass?"""
    if not any(repair.accept for repair in case.task.repairs):
        return
    card = score(replace(case.task, solutions=()), case.clean)
    for place, repair in enumerate(case.task.repairs):
        for value in sample_values(repair, card.repairs[place].target) if repair.accept else ():
            yield from _accepted(case, place, repair, value)


def sample_values(repair: Repair, target: Any) -> tuple[Any, ...]:
    """Values at the ends of what a repair accepts: of a range, of an interval about a number, and every choice.

    Args:
        repair: says what it accepts.
        target: the target's value, the middle of an interval that names none.
    """
    accept = accept_of(repair)
    found: list[Any] = [*(accept.range or ()), *(accept.choice or ())]
    if accept.radius is None:
        return tuple(found)
    middle = target if accept.middle is None else accept.middle
    try:
        number = float(middle)
    except (TypeError, ValueError):
        return tuple(found) if accept.middle is None else (*found, middle)
    return (*found, number - accept.radius, number + accept.radius)


def _accepted(case: Case, place: int, repair: Repair, value: Any) -> Iterator[Finding]:
    try:
        candidate = derive(case.clean, [repair.model_copy(update={"corrupted": value})])
    except VBenchError as error:
        yield Finding("error", "accept", f"{value!r} cannot be put into the drawing: {error}", "", place)
        return
    card = score(replace(case.task, solutions=()), candidate)
    if not card.repairs[place].passed or not card.valid:
        advice = "write it as the drawing would"
        message = (
            f"{repair.object!r} with {repair.property} {value!r} is accepted, but does not pass: {why(card)}"
        )
        yield Finding("error", "accept", message, advice, place)


def solutions(case: Case) -> Iterator[Finding]:
    """Is every further solution whole, different from the target, and hidden?"""
    for solution in case.task.solutions:
        clean = without_canary(solution.target_svg, case.task.canary)
        if not solution.target_svg.rstrip().endswith(canary_line(case.task.canary)):
            yield Finding("error", "hidden", f"{solution.name} does not end with the canary", "add the line")
        yield from _solved(case, solution, clean)


def _solved(case: Case, solution: Solution, clean: str) -> Iterator[Finding]:
    alone = replace(
        case.task,
        target_svg=solution.target_svg,
        repairs=solution.repairs,
        protected=solution.protected,
        solutions=(),
    )
    own, start = score(alone, clean), score(alone, case.task.corrupted_svg)
    if not own.passed:
        yield Finding("error", "solutions", f"{solution.name} scores {own.status} against itself: {why(own)}")
    done = [result.object for result in start.repairs if result.passed]
    if done or not start.preserved:
        what = f"{', '.join(done)} is right already" if done else why(start)
        advice = "list `repairs` of the solution where they are not those of the task"
        yield Finding("error", "solutions", f"{solution.name} is not the start, repaired: {what}", advice)
    if score(replace(case.task, solutions=()), clean).passed:
        yield Finding("warning", "solutions", f"{solution.name} passes without being listed", "take it out")
