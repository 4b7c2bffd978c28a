"""Is a made task valid? Every check of `tasks validate` but the pictures, on a task that lies in memory.

Pictures are replaced by the estimates of the corruptions (`LEAST_SHARE`), which keep a distance from what must be
seen; `benchmarks/bench_generate.py` and the tests hold them against the full validation.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from vbench_env.errors import VBenchError
from vbench_env.svg.parse import parse
from vbench_env.task import Task
from vbench_env.task_file import TaskFile
from vbench_env.taskkit.report import Finding
from vbench_env.taskkit.validate import BLIND_CHECKS, Case


def problems(data: TaskFile, task: Task) -> Iterator[str]:
    """What is wrong with a task; nothing when it is valid."""
    case = Case(
        Path(data.id), data, task, parse(task.target_svg), parse(task.corrupted_svg), task.corrupted_svg
    )
    try:
        for check in BLIND_CHECKS:
            yield from (_line(finding) for finding in check(case) if finding.level == "error")
    except VBenchError as error:
        yield str(error)


def _line(finding: Finding) -> str:
    return f"{finding.check}: {finding.message}"
