"""Checks of the kind `optimisation`: there is enough to save, and the target saves it without changing anything."""

from __future__ import annotations

from collections.abc import Iterator

from vbench_env.scoring import score
from vbench_env.scoring.kinds.optimisation import mutated, size_bytes
from vbench_env.taskkit import checks
from vbench_env.taskkit.case import Case
from vbench_env.taskkit.kinds.base import KindChecks
from vbench_env.taskkit.report import Finding

LEAST_SAVING = 0.15
"""Part of the start's bytes that the target must save."""


def verdicts(case: Case) -> Iterator[Finding]:
    """Do the target and the start get the verdicts that they must?"""
    best, worst = score(case.task, case.clean), score(case.task, case.task.corrupted_svg)
    if not best.passed:
        yield Finding(
            "error", "score", f"the target scores {best.status}: {checks.why(best)}", "repair the target"
        )
    if worst.repaired or not worst.valid or not worst.preserved:
        yield Finding("error", "score", f"the start scores {worst.status}: {checks.why(worst)}")
    spoilt = mutated(case.task)
    if spoilt is not None and score(case.task, spoilt).preserved:
        yield Finding("error", "score", "the target without one of its ids passes", "list ids to keep")


def saving(case: Case) -> Iterator[Finding]:
    """Is there enough to save?"""
    start, least = size_bytes(case.task.corrupted_svg), size_bytes(case.clean)
    share = (start - least) / start
    if share < LEAST_SAVING:
        message = f"the target saves {share:.1%} of the bytes, less than {LEAST_SAVING:.0%}"
        yield Finding("error", "saving", message, "start from a longer file, or shorten the target")


def kept(case: Case) -> Iterator[Finding]:
    """Do the ids to keep stand in both drawings?"""
    for name in case.task.protected:
        for what, document in (("start", case.corrupted), ("target", case.target)):
            if document.by_id(name) is None:
                yield Finding(
                    "error", "ids", f"the {what} has no id {name!r}, which is to be kept", "take it out"
                )


OPTIMISATION = KindChecks((checks.fresh, checks.hidden, checks.ids, checks.wording, verdicts, saving, kept))
