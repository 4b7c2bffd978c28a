"""The folder of a review on disk: the plan, what is shown, and the labels."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import filelock
from pydantic import BaseModel, ValidationError

from vbench_env.errors import ConfigError
from vbench_env.review.labels import LabelFile, Labels, checked_name, read_lines
from vbench_env.review.plan import Plan, Shown

_HEAD = re.compile(rb'\{"item":"([0-9a-f]{16})"')


class ReviewFolder:
    """Reads and writes the folder of one review."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @property
    def plan_path(self) -> Path:
        return self.path / "plan.json"

    @property
    def exists(self) -> bool:
        """Whether there is a plan."""
        return self.plan_path.is_file()

    def refuse_existing(self) -> None:
        """Raise `ConfigError` when a plan is here already: labels belong to one plan."""
        if self.exists:
            raise ConfigError(f"{self.path} holds a review already; choose another folder with --out")

    @cached_property
    def plan(self) -> Plan:
        """The plan; `ConfigError` when there is none or it cannot be read."""
        try:
            return Plan.model_validate_json(self.plan_path.read_bytes())
        except FileNotFoundError:
            raise ConfigError(f"{self.path} is no review: it has no plan.json") from None
        except ValidationError as error:
            raise ConfigError(f"{self.plan_path} cannot be read: {error.errors()[0]['msg']}") from error

    def write(self, plan: Plan, shown: Sequence[Shown]) -> None:
        """Lay out a new review; with the plan, which comes last, it exists."""
        self.path.mkdir(parents=True, exist_ok=True)
        _replace(self.path / "items.jsonl", "".join(_line(item) + "\n" for item in shown))
        _replace(self.plan_path, plan.model_dump_json(by_alias=True, indent=2))

    @cached_property
    def _offsets(self) -> dict[str, int]:
        found: dict[str, int] = {}
        offset = 0
        try:
            with (self.path / "items.jsonl").open("rb") as file:
                for line in file:
                    if head := _HEAD.match(line):
                        found[head[1].decode()] = offset
                    offset += len(line)
        except OSError as error:
            raise ConfigError(f"{self.path / 'items.jsonl'} cannot be read: {error.strerror}") from error
        lacking = [item.item for item in self.plan.items if item.item not in found]
        if lacking:
            raise ConfigError(
                f"{self.path / 'items.jsonl'} lacks the item {lacking[0]} of the plan; make it anew"
            )
        return found

    def shown(self, item: str) -> Shown:
        """What a reviewer sees of an item of the plan."""
        with (self.path / "items.jsonl").open("rb") as file:
            file.seek(self._offsets[item])
            return Shown.model_validate_json(file.readline())

    def label_path(self, reviewer: str) -> Path:
        return self.path / "labels" / f"{checked_name(reviewer)}.jsonl"

    @contextmanager
    def labels(self, reviewer: str) -> Iterator[LabelFile]:
        """The label file of a reviewer, for one process at a time.

        Raises:
            ConfigError: the name cannot be a file's, another process has the file, or a line is broken.
        """
        path = self.label_path(reviewer)
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(path.with_suffix(".lock"))
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout:
            advice = "close it, or take another --reviewer name"
            raise ConfigError(f"{reviewer} is judging in another process; {advice}") from None
        try:
            yield LabelFile(path)
        finally:
            lock.release()

    def all_labels(self) -> dict[str, Labels]:
        """Labels by reviewer, of everybody who judged at least one item."""
        return labels_of(sorted((self.path / "labels").glob("*.jsonl")), self.plan)


def labels_of(paths: Sequence[Path], plan: Plan) -> dict[str, Labels]:
    """Labels by reviewer from some files.

    Raises:
        ConfigError: a file cannot be read, or its labels belong to another plan.
    """
    found: dict[str, Labels] = {}
    for path in paths:
        if not path.is_file():
            raise ConfigError(f"{path}: no such file; give label files (*.jsonl) of a review")
        for line in read_lines(path):
            if line.plan_id != plan.plan_id:
                raise ConfigError(
                    f"{path} belongs to another review (plan {line.plan_id}, not {plan.plan_id})"
                )
            found.setdefault(line.reviewer, Labels()).add(line)
    return {name: labels for name, labels in found.items() if labels.latest}


def _line(item: BaseModel) -> str:
    """One line of ASCII, so that no text, however broken, can break the file."""
    return json.dumps(item.model_dump(mode="json"), ensure_ascii=True, separators=(",", ":"))


def _replace(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
