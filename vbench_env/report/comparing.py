"""Runs compared: read in one pass, and what is found as plain data."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from vbench_env.experiments.record import EpisodeRecord
from vbench_env.experiments.store import RunFolder
from vbench_env.report.aggregate import GroupKey, Results, aggregate
from vbench_env.report.findings import Findings
from vbench_env.report.gather import marked, run_marks
from vbench_env.report.played import load_tasks
from vbench_env.report.tally import Tally
from vbench_env.report.traits import Trait, values_of


def read_runs(folders: Sequence[str | Path], rules: str | None = None) -> Results:
    """Episodes of several runs, added up; models of runs that played the same episodes are told apart by run.

    Raises:
        ConfigError: no run folder, or no verdicts under these rules.
    """
    runs = [RunFolder(folder) for folder in folders]
    protected = {
        task_id: len(task.protected) for run in runs for task_id, task in load_tasks(run.manifest)[0].items()
    }
    return aggregate(_records(runs), rules=rules, protected=protected)


def _records(runs: Sequence[RunFolder]) -> Iterator[EpisodeRecord]:
    for run, mark in zip(runs, run_marks(runs), strict=True):
        for record in run.episodes():
            yield marked(record, mark)


def traits_of(folders: Sequence[str | Path], trait: Trait) -> dict[str, str]:
    """A trait of every task of the runs, as far as the tasks can be loaded as they were."""
    tasks = {
        task_id: task
        for folder in folders
        for task_id, task in load_tasks(RunFolder(folder).manifest)[0].items()
    }
    return values_of(tasks, trait)


def plain(found: Findings) -> dict[str, Any]:
    """Plain JSON types. What has no bound, such as the odds of a side that never lost, is null."""
    groups = [
        {
            **_plain(group.key), "control": group.control, "rules": group.rules, **_tally(group.total),
            "operations": {
                name: {"passed": one.passed, "asked": one.total, "progress": one.progress.value}
                for name, one in sorted(group.total.operations.items())
            },
            **({"repeated": _plain(found.repeated[group.key])} if group.key in found.repeated else {}),
            **({"wordings": _plain(found.wordings[group.key])} if group.key in found.wordings else {}),
            **({"traits": {name: _tally(t) for name, t in found.traits[group.key].items()}} if found.traits else {}),
        }
        for group in found.results.groups
    ]  # fmt: skip
    names = ("pairs", "ranks", "fronts")
    return {"groups": groups, **{name: _plain(getattr(found, name)) for name in names}}


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        "episodes": tally.episodes, "scored": tally.scored, "passed": _plain(tally.full_rate),
        "progress": tally.progress.value, "ucr_macro": tally.ucr.value, "ucr_pooled": tally.ucr_pooled,
        "cut_off": _plain(tally.cut_off_rate), "passed_finished": _plain(tally.finished_rate),
        "progress_finished": tally.progress_finished.value, "cost_usd": tally.cost.value, "unpriced": tally.unpriced,
        "tokens": tally.tokens, "failure_classes": dict(sorted(tally.failing.items())),
    }  # fmt: skip


def _plain(value: Any) -> Any:
    if isinstance(value, GroupKey):
        return value._asdict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: _plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
