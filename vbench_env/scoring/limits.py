"""The tolerance of a property on one problem's drawing."""

from __future__ import annotations

from vbench_env.scoring.problem import Problem
from vbench_env.scoring.tolerance import family, tolerance
from vbench_env.svg.parse import Node


def limit_of(
    problem: Problem, name: str, delta: float | None, target: float | None = None, node: Node | None = None
) -> float:
    """How far a value may be from the target's.

    Args:
        problem: whose target gives viewport sizes.
        name: of the property.
        delta: distance from the corrupted value to the target; None where there is none.
        target: the target value, for families whose cap depends on it.
        node: the target element, for families whose cap depends on its font size.
    """
    size = None
    if node is not None and problem.resolved is not None:
        size = problem.resolved.own(node).context.values.get("font-size")
    font_size = size if type(size) is float else 16.0
    return tolerance(
        family(name, problem.rules.tolerances), delta, target=target, width=problem.width, height=problem.height,
        font_size=font_size, scale=problem.rules.tolerance_scale,
    )  # fmt: skip
