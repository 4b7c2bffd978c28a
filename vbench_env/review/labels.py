"""What reviewers said: append-only lines of JSON, on disk before the page hears that they are saved.

A later judgement of the same item by the same reviewer supersedes the earlier one, which stays in the file. A
line that a kill tore is as if it had not been written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from vbench_env.errors import ConfigError
from vbench_env.experiments.journal import append_line, mend_tail
from vbench_env.review.plan import Gate

Answer = Literal["yes", "no", "unsure"]
Look = Literal["target", "difference", "source"]
"""What a reviewer looked at beside request, start and output."""
LONGEST_COMMENT = 4000
_NAME = re.compile(r"[^\W_][\w.-]{0,39}")


class Given(BaseModel):
    """What the page sends."""

    model_config = ConfigDict(extra="forbid")

    item: str
    repaired: Answer
    """Whether every requested repair is made."""
    preserved: Answer
    """Whether everything else is as it was."""
    valid: Answer
    """Whether the drawing is whole and works."""
    missed: tuple[Annotated[int, Field(ge=1)], ...] = ()
    """Numbers, from 1, of the repairs that are not made, as far as the reviewer says which."""
    score: Annotated[int, Field(ge=0, le=4)] | None = None
    """Overall, from 0 (useless) to 4 (perfect)."""
    comment: str = Field(default="", max_length=LONGEST_COMMENT)
    looked: tuple[Look, ...] = ()
    duration_s: float = Field(default=0.0, ge=0, le=86_400)
    """Seconds that the item was before the reviewer, hidden tabs not counted."""

    @model_validator(mode="after")
    def _consistent(self) -> Given:
        if self.missed and self.repaired == "yes":
            raise ValueError("repairs are marked as missing although every repair is said to be made")
        return self

    def gate(self, name: str) -> Answer:
        """The answer to a gate, or to all three together (`all`): no where one is no, unsure where one is."""
        if name != "all":
            found: Answer = getattr(self, name)
            return found
        answers = {self.repaired, self.preserved, self.valid}
        return "no" if "no" in answers else "unsure" if "unsure" in answers else "yes"


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    schema_version: Literal[1] = Field(default=1, alias="schema")
    plan_id: str
    reviewer: str
    at: str
    """UTC, ISO 8601."""


class Judgement(_Line, Given):
    """A judgement of one item."""

    kind: Literal["judgement"] = "judgement"
    place: int
    """Place of the item in this reviewer's order, from 1."""
    versions: dict[str, str] = Field(default_factory=dict)


class Reveal(_Line):
    """The target of an item was shown; written before it is."""

    kind: Literal["reveal"] = "reveal"
    item: str


_LINE: TypeAdapter[Judgement | Reveal] = TypeAdapter(
    Annotated[Judgement | Reveal, Field(discriminator="kind")]
)


@dataclass(slots=True)
class Labels:
    """What one reviewer said so far."""

    latest: dict[str, Judgement] = field(default_factory=dict)
    """By item; the last judgement counts."""
    revealed: set[str] = field(default_factory=set)
    """Items whose target was shown."""
    lines: int = 0

    def add(self, line: Judgement | Reveal) -> None:
        """Take one line into account."""
        self.lines += 1
        if isinstance(line, Reveal):
            self.revealed.add(line.item)
        else:
            self.latest[line.item] = line

    def looked(self, item: str) -> set[Look]:
        """What the reviewer looked at before the judgement that counts."""
        seen: set[Look] = {"target"} if item in self.revealed else set()
        return seen | set(self.latest[item].looked if item in self.latest else ())


class LabelFile:
    """The file of one reviewer, open for appending. One process at a time: see `ReviewFolder.labels`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        mend_tail(path)
        self.labels = Labels()
        for line in read_lines(path):
            self.labels.add(line)

    def append(self, line: Judgement | Reveal) -> None:
        """Write a line and see it to the disk."""
        append_line(self.path, line.model_dump_json(by_alias=True).encode("utf-8"))
        self.labels.add(line)


def read_lines(path: Path) -> Iterator[Judgement | Reveal]:
    """The lines of a label file, a torn last one passed over.

    Raises:
        ConfigError: another line cannot be read; the message names it.
    """
    if not path.is_file():
        return
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            if line:
                yield _LINE.validate_json(line)
        except ValidationError as error:
            if number == len(lines):
                return
            reason = error.errors()[0]
            where = ".".join(map(str, reason["loc"]))
            advice = "mend or remove the line"
            text = f"{path}:{number} is no label ({where}: {reason['msg']}); {advice}"
            raise ConfigError(text) from error


def checked_name(name: str) -> str:
    """A reviewer's name that can be a file's; `ConfigError` says what it may hold."""
    if not _NAME.fullmatch(name):
        rule = "letters, digits, dots, dashes and underscores, 40 at most, a letter or digit first"
        raise ConfigError(f"the reviewer's name {name!r} cannot be a file's name; use {rule}")
    return name


__all__ = [
    "Answer", "Gate", "Given", "Judgement", "LabelFile", "Labels", "Look", "Reveal", "checked_name", "read_lines",
]  # fmt: skip
