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
    """Outcomes of a run folder (control agents left out where there are others), or of published outcomes.

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
    models: list[Sample] = []
    controls: list[Sample] = []
    changed = owed = 0
    for record in run.episodes():
        task = tasks.get(record.task_hash)
        if record.owed or task is None:
            owed, changed = owed + record.owed, changed + (task is None)
            continue
        label = f"{record.model} {record.protocol} #{record.sample}"
        (controls if record.control else models).append(Sample(task, record.final_svg, label))
    if not (models or controls):
        advice = "a run with verdicts whose tasks are still the same is needed"
        raise ConfigError(f"{folder}: no episode of it can be judged again; {advice}")
    left_out = len(controls) if models else 0
    counts = {"without a verdict": owed, "of control agents": left_out, "of tasks that have changed": changed}
    notes = tuple(f"{count} episodes {what} left out" for what, count in counts.items() if count)
    return Samples(models or controls, notes)
