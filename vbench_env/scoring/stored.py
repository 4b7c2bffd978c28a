"""Checks of requested repairs as the published evaluator makes them: on values where they are stored."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from vbench_env.scoring.outcome import Outcome, exact
from vbench_env.scoring.problem import Problem
from vbench_env.scoring.reading import stored_text, stored_value
from vbench_env.scoring.tolerance import family, progress, tolerance
from vbench_env.svg.canonical import COLOR_ATTRIBUTES, FormOptions, collapse, text_form
from vbench_env.svg.colors import delta_e76, published_color
from vbench_env.svg.parse import Node
from vbench_env.svg.path_data import path_tokens
from vbench_env.svg.path_shape import Points, path_distance, sample_segment_parameter
from vbench_env.svg.values import published_float


def check_value(problem: Problem, name: str, corrupted: Any, target: Any, node: Node | None) -> Outcome:
    """A property of the candidate's object against its target value; None as target means that it has none."""
    found = stored_value(node, name) if node is not None else None
    if found is None or target is None:
        plain = corrupted is not None and not isinstance(corrupted, Mapping)
        removed = node is not None and plain and found is None and target is None
        return exact(removed, corrupted=corrupted, target=target, found=found)
    if name in COLOR_ATTRIBUTES:
        return _color(problem, name, corrupted, target, found)
    if name == "d":
        return _path(problem, corrupted, target, found)
    if name == "points":
        return _points(problem, corrupted, target, found)
    return _scalar(problem, name, corrupted, target, found)


def _outcome(
    problem: Problem, name: str, distance: float, delta: float | None, comparison: str, values: tuple[Any, Any, Any],
    *, target: float | None = None, route: str | None = None, unit: str = "user units",
) -> Outcome:  # fmt: skip
    rules = problem.rules
    kind = family(route or name, rules.tolerances)
    limit = tolerance(
        kind, delta, target=target, width=problem.width, height=problem.height, scale=rules.tolerance_scale
    )
    passed = distance <= limit + 1e-9
    gained = (1.0 if passed else 0.0) if delta is None else progress(distance, delta)
    corrupted, wanted, found = values
    return Outcome(passed, distance, limit, delta, gained, comparison, unit, corrupted, wanted, found)


def _scalar(problem: Problem, name: str, corrupted: Any, target: Any, found: Any) -> Outcome:
    values = (corrupted, target, found)
    wanted, given, before = _float(target), _float(found), _float(corrupted)
    if wanted is None or given is None:
        same = collapse(str(found)) == collapse(str(target))
        return exact(same, corrupted=corrupted, target=target, found=found)
    delta = None if before is None else abs(before - wanted)
    comparison = "line-weight" if name == "stroke-width" else "number"
    return _outcome(problem, name, abs(given - wanted), delta, comparison, values, target=wanted)


def _float(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    return published_float(str(value))


def _color(problem: Problem, name: str, corrupted: Any, target: Any, found: Any) -> Outcome:
    values = (corrupted, target, found)
    wanted, given = published_color(str(target)), published_color(str(found))
    if wanted is None or given is None:
        same = collapse(str(found)).lower() == collapse(str(target)).lower()
        return exact(same, comparison="color", corrupted=corrupted, target=target, found=found)
    before = published_color(str(corrupted)) if corrupted is not None else None
    delta = None if before is None else delta_e76(before, wanted)
    return _outcome(problem, name, delta_e76(given, wanted), delta, "color", values, unit="CIE76")


def _points(problem: Problem, corrupted: Any, target: Any, found: Any) -> Outcome:
    values = (corrupted, target, found)
    wanted, given, before = _pairs(target), _pairs(found), _pairs(corrupted)
    if wanted is None or given is None or len(wanted) != len(given):
        return exact(False, comparison="points", corrupted=corrupted, target=target, found=found)
    delta = rms(before, wanted) if before is not None and len(before) == len(wanted) else None
    return _outcome(problem, "points", rms(given, wanted), delta, "points", values)


def _pairs(value: Any) -> list[float] | None:
    if isinstance(value, str):
        from vbench_env.scoring.reading import published_points

        value = published_points(value)
    if not isinstance(value, list | tuple):
        return None
    flat = [
        _float(number) for pair in value for number in (pair if isinstance(pair, list | tuple) else [pair])
    ]
    return None if None in flat else [number for number in flat if number is not None]


def rms(a: list[float], b: list[float]) -> float:
    """Root mean square difference of two lists of one length."""
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) / len(a)) if a else 0.0


def _path(problem: Problem, corrupted: Any, target: Any, found: Any) -> Outcome:
    values = (corrupted, target, found)
    wanted, given = sample_segment_parameter(str(target)), sample_segment_parameter(str(found))
    if wanted is None or given is None:
        return exact(False, comparison="path-shape", corrupted=corrupted, target=target, found=found)
    before = sample_segment_parameter(corrupted) if isinstance(corrupted, str) else None
    delta = None if before is None else baseline(problem, corrupted, target, before, wanted)
    first = _outcome(problem, "d", path_distance(given, wanted), delta, "path-shape", values)
    if first.passed:
        return first
    second = _path_numbers(problem, corrupted, target, found)
    return second if second is not None and second.passed else first


def baseline(problem: Problem, corrupted: str, target: str, was: Points, wanted: Points) -> float:
    """Distance of the corrupted path from the target's, once per problem."""
    key = (corrupted, target)
    if key not in problem.baselines:
        problem.baselines[key] = path_distance(was, wanted)
    return problem.baselines[key]


def _path_numbers(problem: Problem, corrupted: Any, target: Any, found: Any) -> Outcome | None:
    wanted, given = _letters(str(target)), _letters(str(found))
    if wanted is None or given is None or wanted[0] != given[0] or len(wanted[1]) != len(given[1]):
        return None
    before = _letters(str(corrupted)) if corrupted is not None else None
    alike = before is not None and before[0] == wanted[0] and len(before[1]) == len(wanted[1])
    delta = rms(before[1], wanted[1]) if before is not None and alike else None
    values = (corrupted, target, found)
    distance = rms(given[1], wanted[1])
    return _outcome(problem, "d", distance, delta, "path-numbers", values, route="d-numbers")


def _letters(text: str) -> tuple[str, list[float]] | None:
    tokens = path_tokens(text)
    if tokens is None:
        return None
    letters = "".join(token for token in tokens if token.isalpha())
    return letters, [float(token) for token in tokens if not token.isalpha()]


def check_insertion(problem: Problem, target: Node | None, found: Node | None) -> Outcome:
    """An inserted subtree against the target's: types, keys, child count and text agree, values in tolerance."""
    if target is None or found is None:
        return exact(False, comparison="inserted", corrupted=False, target=True, found=False)
    ratio = subtree_ratio(problem, target, found)
    if ratio is None:
        return Outcome(False, None, None, None, 0.0, "inserted", "tolerances", False, True, True)
    passed = ratio <= 1.0 + 1e-9
    return Outcome(passed, ratio, 1.0, None, float(passed), "inserted", "tolerances", False, True, True)


def subtree_ratio(problem: Problem, target: Node, found: Node) -> float | None:
    """The largest distance over tolerance in two subtrees; None where type, keys, text or an exact value differ."""
    options = problem.form_options
    if target.tag != found.tag or len(target.children) != len(found.children):
        return None
    if collapse(target.text) != collapse(found.text):
        return None
    worst = _attributes_ratio(problem, target, found, options)
    for left, right in zip(target.children, found.children, strict=True):
        inner = subtree_ratio(problem, left, right) if worst is not None else None
        worst = None if inner is None or worst is None else max(worst, inner)
    return worst


def _attributes_ratio(problem: Problem, target: Node, found: Node, options: FormOptions) -> float | None:
    ours, theirs = text_form(target.shape, options), text_form(found.shape, options)
    if ours.keys() != theirs.keys():
        return None
    worst = 0.0
    for name, value in ours.items():
        if value == theirs[name]:
            continue
        outcome = check_value(problem, name, None, stored_text(target, name), found)
        if outcome.distance is None or outcome.tolerance is None:
            return None
        worst = max(worst, outcome.distance / outcome.tolerance if outcome.tolerance else math.inf)
    return worst
