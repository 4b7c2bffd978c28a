"""The tasks that come with the package are up to date and valid; the examples of the documentation hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from vbench_env.evidence import parse_evidence
from vbench_env.strict_yaml import parse_yaml
from vbench_env.task import packaged_tasks
from vbench_env.task_file import parse_task_file
from vbench_env.taskkit import build_task, validate_task

TASKS = packaged_tasks()
DOCUMENT = Path(__file__).parents[2] / "docs" / "tasks.md"


@pytest.mark.parametrize("folder", TASKS, ids=[folder.name for folder in TASKS])
def test_the_corrupted_drawing_is_up_to_date(folder: Path) -> None:
    assert build_task(folder, write=False) == (folder / "corrupted.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", TASKS, ids=[folder.name for folder in TASKS])
def test_the_task_is_valid(folder: Path) -> None:
    report = validate_task(folder, pictures=False)
    assert report.ok, report.lines()


def _blocks() -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)


def test_the_documented_example_is_a_task_file() -> None:
    data = parse_yaml(_blocks()[0])
    task = parse_task_file(data, "docs/tasks.md")
    assert {repair.operation for repair in task.repairs} >= {"insert", "delete", "reorder", "text"}
    assert all(repair.named and repair.named in task.instruction for repair in task.repairs)


def test_the_documented_evidence_can_be_written() -> None:
    lines = [line for block in _blocks()[1:] for line in re.findall(r"^\{kind: .*\}", block, re.MULTILINE)]
    for line in lines:
        parse_evidence(
            parse_yaml(line.replace("{kind: spacing, ...}", "{kind: spacing, row: [a, b, c], axis: x}"))
        )
    assert len(lines) > 25
