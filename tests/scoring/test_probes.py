"""Every probe of the rule sets on every shipped drawing, on the published ones where they are, and on our own."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from tests.published_folders import published_data
from tests.scoring.probes import PROBES, CannotCarry, Probed
from vbench_env.errors import TaskError
from vbench_env.scoring import score
from vbench_env.task import load_corpus, load_task, packaged_tasks

OWN = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 120">
<rect id="sky" x="0" y="0" width="200" height="120" fill="#cde6f5"/>
<path id="hill" d="M0 120 A70 60 0 0 1 140 120 Z" fill="#55aa66" stroke="#226644" stroke-width="2"/>
<circle id="sun" cx="160" cy="30" r="14" fill="#f5c542"/>
<rect id="hut" x="60" y="60" width="30" height="24" fill="#a05030"/>
</svg>"""


def shipped() -> list[str]:
    return [f"{folder.parent.name}/{folder.name}" for folder in packaged_tasks()]


@cache
def shipped_target(name: str) -> str:
    try:
        return load_task(name).target_svg
    except TaskError as error:
        pytest.skip(str(error))


def published_names() -> list[str]:
    folder = Path(os.environ.get("VBENCH_PUBLISHED", Path(__file__).parents[3] / "shared" / "vector-bench"))
    return [task.task_id for task in load_corpus(folder)] if folder.is_dir() else ["none"]


@cache
def published_target(name: str) -> str:
    return load_corpus(published_data()).task(name).target_svg


@cache
def probed(name: str, svg: str) -> Probed | str:
    try:
        return PROBES[name][0](svg)
    except CannotCarry as reason:
        return str(reason)


def assert_verdicts(name: str, found: Probed) -> None:
    _, published, surgical = PROBES[name]
    assert score(found.task, found.candidate, "published").passed is published
    card = score(found.task, found.candidate, "surgical")
    assert card.passed is surgical, card.changes
    if name.startswith("plain g"):
        assert {change.subtype for change in card.changes} == {"nesting"}


@pytest.mark.parametrize("name", PROBES)
def test_a_drawing_of_our_own_carries_every_probe(name: str) -> None:
    found = probed(name, OWN)
    assert isinstance(found, Probed), found
    assert_verdicts(name, found)


@pytest.mark.parametrize("task", shipped())
@pytest.mark.parametrize("name", PROBES)
def test_shipped_tasks(name: str, task: str) -> None:
    found = probed(name, shipped_target(task))
    if isinstance(found, str):
        pytest.skip(found)
    assert_verdicts(name, found)


@pytest.mark.parametrize("name", PROBES)
def test_every_probe_is_carried_by_a_shipped_task(name: str) -> None:
    reasons = {task: probed(name, shipped_target(task)) for task in shipped()}
    assert any(isinstance(found, Probed) for found in reasons.values()), reasons


@pytest.mark.published
@pytest.mark.parametrize("task", published_names())
@pytest.mark.parametrize("name", PROBES)
def test_published_tasks(name: str, task: str) -> None:
    found = probed(name, published_target(task))
    if isinstance(found, str):
        pytest.skip(found)
    assert_verdicts(name, found)
