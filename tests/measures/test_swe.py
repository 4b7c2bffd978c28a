"""Fail-to-pass and pass-to-pass tests of tasks and answers."""

from __future__ import annotations

from dataclasses import replace

from vbench_env.measures.swe import checks_of, grade
from vbench_env.scoring import score
from vbench_env.task import load_task


def test_a_good_task_has_tests_that_all_behave() -> None:
    task = load_task("harbor-dawn")
    found = checks_of(task)
    assert len(found.fail_to_pass) == len(task.repairs)
    assert found.pass_to_pass == task.protected
    assert found.wrong == ()


def test_what_does_not_behave_is_named() -> None:
    task = load_task("harbor-dawn")
    idle = replace(task, corrupted_svg=task.target_svg)
    assert any("the start meets it" in line for line in checks_of(idle).wrong)
    name = task.protected[0]
    changed = replace(
        task, corrupted_svg=task.corrupted_svg.replace(f'id="{name}"', f'id="{name}" opacity="0.3"', 1)
    )
    assert checks_of(changed).wrong == (f"{name}: differs in the start",)


def test_answers_are_graded_apart_from_being_applied() -> None:
    task = load_task("harbor-dawn")
    count = len(task.protected)
    best = grade(score(task, task.target_svg), count)
    assert best.applied and best.resolved
    assert best.fixed == (len(task.repairs), len(task.repairs)) and best.pass_to_pass == (count, count)
    idle = grade(score(task, task.corrupted_svg), count, applied=False)
    assert not idle.applied and not idle.resolved
    assert idle.fixed == (0, len(task.repairs)) and idle.pass_to_pass == (count, count)
    broken = grade(score(task, "<svg"), count)
    assert broken.applied and broken.fixed[0] == 0 and broken.pass_to_pass == (0, count)
    nothing = grade(score(task, None), count)
    assert not nothing.applied and nothing.pass_to_pass == (0, count)


def test_a_protected_object_that_changed_is_broken() -> None:
    task = load_task("harbor-dawn")
    name = task.protected[0]
    changed = task.target_svg.replace(f'id="{name}"', f'id="{name}" opacity="0.3"', 1)
    found = grade(score(task, changed), len(task.protected))
    assert not found.resolved and name in found.broken
    assert found.pass_to_pass[0] == len(task.protected) - 1
