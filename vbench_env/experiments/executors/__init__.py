"""Where the work of a run is done that is neither waiting for a model nor writing: scoring and drawing.

    with make_executor("processes", workers=2) as executor:
        verdict = executor.run(ScoreJob(task.hash, task, svg, rules))

An executor runs jobs: picklable calls without side effects, so that one whose worker died is simply done again.
What comes back is the job's result or a `JobFailure`; nothing is raised for what a job does.
"""

from __future__ import annotations

from vbench_env.experiments.executors.base import (
    EXECUTORS,
    Executor,
    Job,
    JobFailure,
    default_workers,
    make_executor,
)

__all__ = ["EXECUTORS", "Executor", "Job", "JobFailure", "default_workers", "make_executor"]
