"""`vector-bench`: published tasks in their public JSON layout, with the repairs that they state themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from vbench_env.errors import ConfigError, TaskError
from vbench_env.importers.base import IMPORTERS, Importer, Row
from vbench_env.importers.columns import read_text
from vbench_env.importers.derive import Refused
from vbench_env.task import task_from_published

_PLACES = ("data/tasks", "tasks", ".")


def rows(source: Path) -> Iterator[Row]:
    """A row for each file; what it states is taken as it stands."""
    for place in _PLACES:
        files = sorted((source / place).glob("*.json")) if (source / place).is_dir() else []
        if files:
            yield from map(_row, files)
            return
    raise ConfigError(f"{source}: no tasks under data/tasks/*.json; give the folder of a clone")


def _row(path: Path) -> Row:
    try:
        data = json.loads(read_text(path) or "")
        task = task_from_published(data)
    except (json.JSONDecodeError, TaskError) as error:
        return Row(path.name, path.stem, "vector-bench", refused=Refused("unreadable", str(error)))
    return Row(
        source=path.name, name=task.task_id, group=task.genre or "vector-bench", instruction=task.instruction,
        before=task.corrupted_svg, target=task.target_svg, repairs=task.repairs, protected=task.protected,
        title=task.title, task_id=task.task_id,
    )  # fmt: skip


IMPORTERS.add(
    "vector-bench", Importer("vector-bench", "Vector-Bench: published tasks (*.json) of a clone", rows)
)
