"""What an importer is: a name, and rows read from somebody else's files.

An importer knows a layout and nothing of scoring. What a row is worth as a task is decided in one place for all of
them, `importers.corpus`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from vbench_env.importers.derive import Refused
from vbench_env.registry import Registry
from vbench_env.repair import Repair

Want = Literal["repair", "optimise"]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of somebody else's data, as far as it could be read."""

    source: str
    """File and place in it, relative to what the user named."""
    name: str
    group: str
    """Kind of task in the source's own words."""
    instruction: str = ""
    before: str | None = None
    target: str | None = None
    want: Want = "repair"
    """`optimise`: the target shows the same as the start, in fewer bytes."""
    repairs: tuple[Repair, ...] | None = None
    """What the source itself says has to change; None where the drawings have to tell."""
    protected: tuple[str, ...] | None = None
    title: str = ""
    task_id: str = ""
    """The task's name where the source gives its tasks names of their own."""
    columns: tuple[str, ...] = ()
    """Names of its columns, where it has any."""
    refused: Refused | None = None
    """Why the row is no task, where reading it shows that already."""


@dataclass(frozen=True, slots=True)
class Importer:
    """A layout of files that can be read row by row."""

    name: str
    about: str
    """The layout in a line."""
    rows: Callable[[Path], Iterator[Row]]
    """Rows of a folder or file; raises `ConfigError` where nothing of the layout is there."""


IMPORTERS: Registry[Importer] = Registry("importer", "vbench_env.importers")
