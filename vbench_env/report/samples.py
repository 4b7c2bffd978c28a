"""Outcomes to judge again: of a run folder, or of a folder of published outcomes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from vbench_env.errors import ConfigError
from vbench_env.report.published import load_published
from vbench_env.task import Task, load_corpus


class Sample(NamedTuple):
    """An outcome to judge; `label` names it in examples."""

    task: Task
    text: str | bytes | None
    label: str = ""


class Samples(NamedTuple):
    """The outcomes found, and in words what was left out."""

    found: list[Sample]
    notes: tuple[str, ...]


def samples_of(source: str | Path) -> Samples:
    """Outcomes of a run folder (control agents left out), or of published outcomes.

    Raises:
        ConfigError: no outcome of the run belongs to a task that can be loaded as it was.
        TaskError: the folder is neither; the message says what to give.
    """
    if (Path(source) / "manifest.json").is_file():
        return _of_run(Path(source))
    data = load_published(source)
    notes = (f"{len(data.skipped)} rows cannot be scored",) if data.skipped else ()
    return Samples([Sample(data.tasks[o.task_id], o.text, o.model) for o in data.outcomes], notes)


def _of_run(folder: Path) -> Samples:
    from vbench_env.experiments.store import RunFolder

    run = RunFolder(folder)
    corpus = load_corpus(run.manifest.config.corpus)
    tasks = {task.hash: task for task in corpus}
    found: list[Sample] = []
    changed = controls = owed = 0
    for record in run.episodes():
        task = tasks.get(record.task_hash)
        if record.owed or record.control or task is None:
            owed, controls = owed + record.owed, controls + record.control
            changed += task is None
            continue
        found.append(Sample(task, record.final_svg, f"{record.model} {record.protocol} #{record.sample}"))
    if not found:
        advice = "a run of models whose tasks are still the same is needed"
        raise ConfigError(f"{folder}: no episode of it can be judged again; {advice}")
    counts = {"without a verdict": owed, "of control agents": controls, "of tasks that have changed": changed}
    return Samples(
        found, tuple(f"{count} episodes {what} left out" for what, count in counts.items() if count)
    )
