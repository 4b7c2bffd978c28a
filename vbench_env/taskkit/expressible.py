"""Which tasks the rule set `published` can express: its evaluator lacks checks, and reads less of SVG."""

from __future__ import annotations

from vbench_env.kind import DEFAULT_KIND
from vbench_env.scoring import score
from vbench_env.scoring.kinds import KINDS
from vbench_env.task import Task


def unexpressible(task: Task) -> str | None:
    """Why the rule set `published` cannot express the task; None when it can.

    Expressible is a task whose target passes there and whose start has every repair to do.
    """
    target, start = (score(task, svg, "published") for svg in (task.target_svg, task.corrupted_svg))
    if task.kind != DEFAULT_KIND:
        return (
            KINDS.get(task.kind).start_fault(start)
            if target.passed
            else f"the target is {target.status} there"
        )
    if not target.valid:
        return f"the target is invalid there ({target.faults[0].message})"
    blind = [result for result in target.repairs if not result.passed]
    blind += [result for result in start.repairs if result.passed]
    if blind:
        return "no check there for " + ", ".join(sorted({_named(r.operation, r.property) for r in blind}))
    return None if target.preserved else "the target is not its own equal there"


def _named(operation: str, name: str) -> str:
    """What is repaired, in words: some operations have one property, of nearly the same name."""
    return name if operation in ("text", "reorder") else f"{operation} of {name}"
