"""Tests of a task in the manner of SWE-bench: fail-to-pass and pass-to-pass, applied and resolved.

A fail-to-pass test is the check of one repair: it fails on the start and passes on the target. A pass-to-pass test is
one protected object: it is the same in the start, in the target and in a good answer. An answer is *applied* when it
gives a text at all and its patch, where it is one, fits; it is *resolved* when all three gates pass.
"""

from __future__ import annotations

from dataclasses import dataclass

from vbench_env.scoring import Rules, Scorecard, score
from vbench_env.task import Task


@dataclass(frozen=True, slots=True)
class TaskTests:
    """The tests of a task, and those that do not behave as they must."""

    task_id: str
    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    wrong: tuple[str, ...]
    """What is amiss: a repair that the start meets or the target does not, a protected object that differs."""


@dataclass(frozen=True, slots=True)
class Graded:
    """An answer held against the tests of its task."""

    applied: bool
    resolved: bool
    fail_to_pass: dict[str, bool]
    pass_to_pass: tuple[int, int]
    """Passed, and all."""
    broken: tuple[str, ...] = ()
    """Protected objects that the answer changed, as far as changes are listed."""

    @property
    def fixed(self) -> tuple[int, int]:
        """Fail-to-pass tests that pass, and all."""
        return sum(self.fail_to_pass.values()), len(self.fail_to_pass)


def checks_of(task: Task, rules: str | Rules = "surgical") -> TaskTests:
    """The tests of a task, each tried on start and target."""
    start, target = score(task, task.corrupted_svg, rules), score(task, task.target_svg, rules)
    before, after = _repairs(start), _repairs(target)
    wrong = [f"{name}: the start meets it" for name, passed in before.items() if passed]
    wrong += [f"{name}: the target does not meet it" for name, passed in after.items() if not passed]
    wrong += [f"{name}: differs in the start" for name in _broken(start)]
    wrong += [f"{name}: differs in the target" for name in _broken(target)]
    return TaskTests(task.task_id, tuple(before), task.protected, tuple(wrong))


def grade(card: Scorecard, protected: int, *, applied: bool = True) -> Graded:
    """A verdict as tests.

    Args:
        card: the verdict on an answer.
        protected: how many objects the task protects.
        applied: False for an answer that is known not to have been applied.
    """
    readable = card.preservation is not None and card.status not in ("ERR",)
    kept = round((card.preservation or 0.0) * protected) if readable else 0
    return Graded(
        applied and readable, card.passed, _repairs(card), (kept, protected), _broken(card) if readable else ()
    )  # fmt: skip


def _repairs(card: Scorecard) -> dict[str, bool]:
    return {f"{result.object}.{result.property}": result.passed for result in card.repairs}


def _broken(card: Scorecard) -> tuple[str, ...]:
    return tuple(dict.fromkeys(change.object for change in card.changes if change.protected))
