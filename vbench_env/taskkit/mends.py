"""A malformed task without its mends: the drawing as it would be if the file were well-formed."""

from __future__ import annotations

from dataclasses import replace

from vbench_env.kind import DEFAULT_KIND, RepairGoal
from vbench_env.task import Task
from vbench_env.taskkit.build import derive, without_canary


def without_mends(task: Task) -> Task:
    """The task of the kind `repair` that is left; a task without mends is left as it is."""
    repairs = tuple(repair for repair in task.repairs if repair.operation != "mend")
    if len(repairs) == len(task.repairs):
        return task
    start = derive(without_canary(task.target_svg, task.canary), repairs)
    return replace(task, kind=DEFAULT_KIND, goal=RepairGoal(), repairs=repairs, corrupted_svg=start)
