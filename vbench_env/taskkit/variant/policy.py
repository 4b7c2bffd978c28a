"""What variants of each task of a corpus may change: a table beside the tasks, written by people who looked.

`variants.yaml` in the corpus folder maps task ids to a `Policy`. A drawing may be mirrored only where the table
says so: whether a mirrored drawing is still right (reading order, clock faces, letters drawn as outlines) is
nothing that can be measured.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vbench_env.errors import TaskError
from vbench_env.strict_yaml import YamlProblem, read_yaml

POLICY_NAME = "variants.yaml"


class Policy(BaseModel):
    """What variants of one task may change."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mirror: bool = False
    """Whether the mirrored drawing is still right."""
    palette: Literal["far", "near", "keep"] = "far"
    """How far colours may turn: to other names, a little, not at all (road signs, flags)."""
    keep_words: tuple[str, ...] = ()
    """Phrases of the wordings in which `left`, `right` or a colour word means something else."""
    because: str = Field(default="", max_length=200)
    """Why something may not change."""


def read_policy(folder: Path) -> Policy:
    """The policy of a task folder, from the table beside it; the default one without.

    Raises:
        TaskError: the table cannot be used; the message names file and field.
    """
    path = folder.resolve().parent / POLICY_NAME
    if not path.is_file():
        return Policy()
    try:
        table = read_yaml(path) or {}
        if not isinstance(table, dict):
            raise TaskError(f"{path}: must hold task ids and what their variants may change")
        return Policy.model_validate(table.get(folder.resolve().name) or {})
    except YamlProblem as error:
        raise TaskError(f"{path}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, (folder.resolve().name, *first["loc"])))
        raise TaskError(f"{path}: {where}: {first['msg']}") from error
