"""Repairs of path data: the distance of the curves, and what sampling cannot see.

A path that is near the target's all along must also enclose the same area where it is filled, be closed where
the target is where it is stroked, and have no part farther away than the cap.
"""

from __future__ import annotations

from typing import Any

from vbench_env.scoring.limits import limit_of
from vbench_env.scoring.outcome import Located, Outcome, exact
from vbench_env.scoring.problem import Problem
from vbench_env.scoring.stored import baseline
from vbench_env.scoring.tolerance import progress
from vbench_env.svg.parse import Node
from vbench_env.svg.path_area import area_difference
from vbench_env.svg.path_data import Commands, PathError, closed, closed_flags, numbers, parse_path
from vbench_env.svg.path_shape import (
    Points,
    max_deviation,
    path_distance,
    perimeter,
    sample_arc_length,
    sample_segment_parameter,
)
from vbench_env.svg.resolve import Resolved, Value


def check_path(problem: Problem, resolved: Resolved, item: Located, before: Value) -> Outcome:
    """Path data of the candidate's object against the target's."""
    target, candidate = item.target, item.candidate
    assert target is not None and candidate is not None
    wanted, found = target.attrs.get("d", ""), candidate.attrs.get("d", "")
    start = problem.start_of(item.repair.object, target)
    told = item.repair.corrupted if isinstance(item.repair.corrupted, str) else None
    corrupted = start.attrs.get("d") if start is not None else told
    values = {"corrupted": corrupted, "target": wanted, "found": found}
    ours, theirs = _read(wanted), _read(found)
    if not ours or not theirs:
        return exact(ours is not None and ours == theirs, comparison="path-shape", **values)
    outcome = _distance(problem, wanted, found, corrupted, values, _filled_only(problem, target))
    if outcome is None:  # the published grammar reads less
        return exact(ours == theirs, comparison="path-shape", **values)
    if not outcome.passed:
        second = _numbers(problem, wanted, found, corrupted, values)
        outcome = second if second is not None and second.passed else outcome
    if outcome.passed and not _sound(problem, resolved, target, candidate, outcome):
        return Outcome(
            False,
            outcome.distance,
            outcome.tolerance,
            outcome.baseline,
            0.0,
            "path-area",
            outcome.unit,
            **values,
        )
    return outcome


def _read(text: str) -> Commands | None:
    try:
        return parse_path(text)
    except PathError:
        return None


def _distance(
    problem: Problem,
    wanted: str,
    found: str,
    corrupted: str | None,
    values: dict[str, Any],
    filled_only: bool,
) -> Outcome | None:
    ours, theirs = _samples(problem, wanted, filled_only), _samples(problem, found, filled_only)
    if ours is None or theirs is None:
        return None
    was = _samples(problem, corrupted, filled_only) if corrupted is not None else None
    delta = None if was is None or corrupted is None else baseline(problem, corrupted, wanted, was, ours)
    distance = (
        0.0 if found == wanted else delta if found == corrupted and delta else path_distance(theirs, ours)
    )
    limit = limit_of(problem, "d", delta)
    passed = distance <= limit + 1e-9
    if passed and problem.rules.path_distance == "arc-length":
        furthest = max_deviation(_outline(found, filled_only), _outline(wanted, filled_only))
        passed = furthest <= max(limit, limit_of(problem, "d", None))
    gained = float(passed) if delta is None else progress(distance, delta)
    return Outcome(passed, distance, limit, delta, gained, "path-shape", **values)


def _samples(problem: Problem, text: str, filled_only: bool) -> Points | None:
    if problem.rules.path_distance == "segment-parameter":
        return sample_segment_parameter(text)
    commands = _outline(text, filled_only)
    return sample_arc_length(commands) if commands else None


def _outline(text: str, filled_only: bool) -> Commands:
    """The curve that is drawn: a fill closes every subpath, whether or not the data say so."""
    commands = _read(text) or ()
    return closed(commands) if filled_only else commands


def _filled_only(problem: Problem, target: Node) -> bool:
    assert problem.resolved is not None
    return not _stroked(problem.resolved, target)


def _numbers(
    problem: Problem, wanted: str, found: str, corrupted: str | None, values: dict[str, Any]
) -> Outcome | None:
    ours, theirs = numbers(wanted), numbers(found)
    if ours is None or theirs is None or ours[0] != theirs[0] or not ours[1]:
        return None
    was = numbers(corrupted) if corrupted is not None else None
    delta = _rms(was[1], ours[1]) if was is not None and was[0] == ours[0] else None
    distance = _rms(theirs[1], ours[1])
    limit = limit_of(problem, "d-numbers", delta)
    passed = distance <= limit + 1e-9
    gained = float(passed) if delta is None else progress(distance, delta)
    return Outcome(passed, distance, limit, delta, gained, "path-numbers", **values)


def _rms(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return float((sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) / len(a)) ** 0.5)


def path_ratio(problem: Problem, resolved: Resolved, target: Node, candidate: Node) -> float | None:
    """Distance over tolerance of an inserted path, no corrupted value known; None where it is another shape."""
    wanted, found = target.attrs.get("d", ""), candidate.attrs.get("d", "")
    outcome = _distance(problem, wanted, found, None, {}, _filled_only(problem, target))
    if outcome is None or not outcome.tolerance or outcome.distance is None:
        return None
    if outcome.passed and not _sound(problem, resolved, target, candidate, outcome):
        return None
    ratio = outcome.distance / outcome.tolerance
    return ratio if outcome.passed or ratio > 1 else None


def _sound(problem: Problem, resolved: Resolved, target: Node, candidate: Node, outcome: Outcome) -> bool:
    """Area where it is filled; closedness and dots where it is stroked or carries markers."""
    assert problem.resolved is not None
    ours, theirs = _read(target.attrs.get("d", "")), _read(candidate.attrs.get("d", ""))
    if problem.rules.path_distance == "segment-parameter" or ours is None or theirs is None:
        return ours is not None and theirs is not None
    if _stroked(problem.resolved, target) and closed_flags(ours) != closed_flags(theirs):
        return False
    if _painting(problem.resolved, target, "fill") == "none":
        return True
    rule_ours = str(_painting(problem.resolved, target, "fill-rule"))
    rule_theirs = str(_painting(resolved, candidate, "fill-rule"))
    limit = max(outcome.tolerance or 0.0, limit_of(problem, "d", outcome.baseline))
    return area_difference(theirs, ours, rule_theirs, rule_ours) <= limit * perimeter(ours)


def _stroked(resolved: Resolved, node: Node) -> bool:
    names = ("stroke", "marker-start", "marker-mid", "marker-end")
    return any(_painting(resolved, node, name) != "none" for name in names)


def _painting(resolved: Resolved, node: Node, name: str) -> Value:
    """An inherited property; where the rules compute no cascade, as the element itself says."""
    own = resolved.own(node)
    return own.properties[name] if name in own.properties else own.context.get(name)
