"""Making tasks: build, validate, show. Nothing here is needed to run or score one."""

from __future__ import annotations

from vbench_env.taskkit.build import build_task
from vbench_env.taskkit.catalog import TaskLine, list_tasks, render_task, task_details
from vbench_env.taskkit.report import CorpusReport, Figures, Finding, Report
from vbench_env.taskkit.sheet import corpus_sheet, task_sheet
from vbench_env.taskkit.validate import validate_corpus, validate_task

__all__ = [
    "CorpusReport",
    "Figures",
    "Finding",
    "Report",
    "TaskLine",
    "build_task",
    "corpus_sheet",
    "list_tasks",
    "render_task",
    "task_details",
    "task_sheet",
    "validate_corpus",
    "validate_task",
]
