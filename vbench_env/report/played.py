"""The tasks of a run, as far as they are still what was played."""

from __future__ import annotations

from vbench_env.errors import VBenchError
from vbench_env.experiments.manifest import Manifest
from vbench_env.report import words
from vbench_env.task import Task, load_corpus


def load_tasks(manifest: Manifest) -> tuple[dict[str, Task], str | None]:
    """The tasks of a run by id, as far as they are still what was played, and a note about the others."""
    hashes: dict[str, str] = manifest.corpus.get("tasks", {})
    try:
        corpus = load_corpus(manifest.config.corpus)
    except VBenchError as error:
        return {}, (
            f"The tasks could not be loaded ({error}). Instructions, corrupted and target pictures are missing; "
            "where the corpus is a relative folder, write the report from the folder the run was started in."
        )
    tasks = {task.task_id: task for task in corpus if hashes.get(task.task_id) == task.hash}
    changed = sorted(set(hashes) - set(tasks))
    if not changed:
        return tasks, None
    return tasks, (
        f"{words.plural(len(changed), 'task')} changed since this run ({', '.join(changed[:6])}"
        f"{', …' if len(changed) > 6 else ''}); their instructions and pictures are left out."
    )
