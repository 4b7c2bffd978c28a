"""Contact sheets for the page: small JPEG files, one a task."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from vbench_env.task import Task
from vbench_env.taskkit.sheet import task_sheet

WIDTH_PX = 480
"""Of one drawing; a sheet holds two."""
QUALITY = 80


def write_pictures(tasks: Iterable[Task], folder: Path) -> list[Path]:
    """Write `<id>.jpg` for each task into `folder`; pictures of tasks that are no more are removed."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for task in tasks:
        path = folder / f"{task.task_id}.jpg"
        with Image.open(io.BytesIO(task_sheet(task, WIDTH_PX, words=False))) as sheet:
            sheet.convert("RGB").save(path, quality=QUALITY, optimize=True, subsampling=0)
        written.append(path)
    for old in set(folder.glob("*.jpg")) - set(written):
        old.unlink()
    return written
