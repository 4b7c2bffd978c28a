"""Validating task folders and corpora: the checks of the kind of each task, and its figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from vbench_env.errors import TaskError
from vbench_env.kind import DEFAULT_KIND
from vbench_env.scoring import score
from vbench_env.task import Corpus, task_folders
from vbench_env.taskkit.build import derive
from vbench_env.taskkit.case import Case, read_case
from vbench_env.taskkit.checks import BLIND_CHECKS
from vbench_env.taskkit.difficulty import is_styled, measure_difficulty, repaired_node
from vbench_env.taskkit.expressible import unexpressible
from vbench_env.taskkit.kinds import CHECKS
from vbench_env.taskkit.report import CorpusReport, Figures, Finding, Level, Report, corpus_figures
from vbench_env.taskkit.scene import Scene

__all__ = ["BLIND_CHECKS", "Case", "task_figures", "validate_corpus", "validate_task"]


def validate_task(folder: str | Path, *, pictures: bool = True) -> Report:
    """Run every check on a task folder that its kind asks for.

    Args:
        folder: the task folder.
        pictures: render it to see whether defects are visible (the slow part).
    """
    folder = Path(folder)
    try:
        case = read_case(folder)
    except TaskError as error:
        return Report(folder.name, (Finding("error", "schema", str(error)),))
    asked = CHECKS.get(case.task.kind)
    findings = [finding for check in asked.checks for finding in check(case)]
    shares: tuple[float, ...] = ()
    if pictures:
        shares, seen = asked.look(case)
        findings += seen
    reason, figures = _published(case), _figures(case)
    if reason:
        findings.append(Finding("note", "published", f"not expressible: {reason}"))
    if figures.difficulty != case.data.difficulty:
        message = f"is called {case.data.difficulty!r}, but measures {figures.points:.1f} points"
        findings.append(Finding("error", "difficulty", message, f"write `difficulty: {figures.difficulty}`"))
    return Report(case.task.task_id, tuple(findings), figures, reason or "expressible", shares)


def _published(case: Case) -> str | None:
    """Why the rule set `published` cannot express the task, or tell its repairs apart; None when it can."""
    if (reason := unexpressible(case.task)) is not None or case.task.kind != DEFAULT_KIND:
        return reason
    for place, repair in enumerate(case.task.repairs):
        card = score(case.task, derive(case.clean, [repair]), "published")
        if [i for i, result in enumerate(card.repairs) if not result.passed] != [place]:
            return f"undoing {repair.object} alone is not told apart there"
    return None


def task_figures(folder: str | Path) -> Figures:
    """The figures of a task folder, without checking it."""
    return _figures(read_case(Path(folder)))


def _figures(case: Case) -> Figures:
    task, measures = case.task, measure_difficulty(case.task)
    scene = Scene(task.target_svg)
    nodes = [repaired_node(scene, repair) for repair in task.repairs]
    kinds = [str((repair.evidence or {}).get("kind", "none")) for repair in task.repairs]
    return Figures(
        repairs=len(task.repairs), operations=Counter(repair.operation for repair in task.repairs),
        evidence=Counter(kinds), protected=len(task.protected),
        styled=sum(node is not None and is_styled(scene, node) for node in nodes), objects=int(measures.objects),
        lookalikes=round(measures.lookalikes, 2), depth=round(measures.depth, 2),
        characters=len(task.corrupted_svg), points=round(measures.points, 2), difficulty=measures.level,
    )  # fmt: skip


def validate_corpus(folder: str | Path, *, pictures: bool = True) -> CorpusReport:
    """Validate every task folder of a corpus, and what they have in common."""
    folder = Path(folder)
    if not folder.is_dir():
        raise TaskError(f"{folder}: no such folder; name a corpus folder that holds task folders")
    folders = task_folders(folder)
    reports = tuple(validate_task(item, pictures=pictures) for item in folders)
    cases = [case for item in folders if (case := _readable(item)) is not None]
    tasks = [case.task for case in cases]
    findings = list(_in_common(cases))
    if not folders:
        findings.append(Finding("error", "corpus", f"{folder} holds no task folders"))
    name = folder.resolve().name
    return CorpusReport(
        name, reports, tuple(findings), Corpus(name, tuple(tasks)).hash, corpus_figures(reports)
    )


def _readable(folder: Path) -> Case | None:
    try:
        return read_case(folder)
    except TaskError:
        return None


def _in_common(cases: list[Case]) -> Iterator[Finding]:
    if len({case.task.canary for case in cases}) > 1:
        yield Finding("error", "corpus", "tasks have different canaries", "use one canary for the corpus")
    for what in ("instruction", "target_svg", "title"):
        sharing: dict[str, set[str]] = {}
        for case in cases:
            sharing.setdefault(getattr(case.task, what), set()).add(_origin(case, what))
        for text, origins in sharing.items():
            if len(origins) > 1:
                level: Level = "warning" if what == "target_svg" else "error"
                message = f"{len(origins)} tasks share the {what} {text[:60]!r}"
                yield Finding(level, "corpus", message, _SHARED.get(what, "make them differ"))


_SHARED = {"target_svg": "each shows what the others ask for; keep them in one split, or make them differ"}


def _origin(case: Case, what: str) -> str:
    """What tells tasks apart: variants of one task may have its instruction in common."""
    variant = case.data.variant
    return variant.of if variant is not None and what == "instruction" else case.task.task_id
