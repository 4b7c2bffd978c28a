"""Every check of a task folder, each a small function from a `Case` to findings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from vbench_env.errors import TaskError
from vbench_env.scoring import Scorecard, score
from vbench_env.svg.parse import Document, parse
from vbench_env.task import Corpus, Task, assemble, read_drawing, task_folders
from vbench_env.task_file import CORRUPTED_NAME, TARGET_NAME, TaskFile, read_task_file
from vbench_env.taskkit.build import build_task, canary_line, derive, without_canary
from vbench_env.taskkit.check_evidence import evidence_findings
from vbench_env.taskkit.difficulty import is_styled, lookalikes, measure_difficulty, repaired_node
from vbench_env.taskkit.report import CorpusReport, Figures, Finding, Report, corpus_figures
from vbench_env.taskkit.scene import Scene
from vbench_env.taskkit.visibility import (
    LEAST_SEEN_PX,
    LEAST_SHARE,
    WIDTH_PX,
    Unseen,
    defect_masks,
    seen_pixels,
)
from vbench_env.taskkit.wording import (
    distinguishes,
    drawn_words,
    giveaway,
    looks_generated,
    says,
    wording_mistakes,
)
from vbench_env.taskkit.words import normal


@dataclass(frozen=True, slots=True)
class Case:
    """A task folder, read and built."""

    folder: Path
    data: TaskFile
    task: Task
    target: Document
    corrupted: Document
    built: str

    @property
    def clean(self) -> str:
        """The target without its canary line."""
        return without_canary(self.task.target_svg, self.task.canary)

    @property
    def wordings(self) -> dict[str, str]:
        return {"plain": self.task.instruction, **self.task.paraphrases}


Check = Callable[[Case], Iterator[Finding]]


def validate_task(folder: str | Path, *, pictures: bool = True) -> Report:
    """Run every check on a task folder.

    Args:
        folder: the task folder.
        pictures: render it to see whether defects are visible (the slow part).
    """
    folder = Path(folder)
    try:
        case = _read(folder)
    except TaskError as error:
        return Report(folder.name, (Finding("error", "schema", str(error)),))
    findings = [finding for check in CHECKS for finding in check(case)]
    shares: tuple[float, ...] = ()
    if pictures:
        shares, seen = _look(case)
        findings += seen
    reason, figures = _published(case), _figures(case)
    if reason:
        findings.append(Finding("note", "published", f"not expressible: {reason}"))
    if figures.difficulty != case.data.difficulty:
        message = f"is called {case.data.difficulty!r}, but measures {figures.points:.1f} points"
        findings.append(Finding("error", "difficulty", message, f"write `difficulty: {figures.difficulty}`"))
    return Report(case.task.task_id, tuple(findings), figures, reason or "expressible", shares)


def _read(folder: Path) -> Case:
    data = read_task_file(folder)
    target = read_drawing(folder / TARGET_NAME)
    built = build_task(folder, write=False)
    path = folder / CORRUPTED_NAME
    corrupted = read_drawing(path) if path.is_file() else built
    task = assemble(data, target, corrupted, folder.resolve().parent.name)
    return Case(folder, data, task, parse(target), parse(corrupted), built)


def _fresh(case: Case) -> Iterator[Finding]:
    if not (case.folder / CORRUPTED_NAME).is_file() or case.task.corrupted_svg != case.built:
        advice = f"run `vbench-env tasks build {case.folder}`"
        yield Finding("error", "build", f"{CORRUPTED_NAME} is not what the target and task.yaml make", advice)


_GUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


def _hidden(case: Case) -> Iterator[Finding]:
    task = case.task
    for name in ("licence", "author", "canary", "title", "genre"):
        if not getattr(task, name).strip():
            yield Finding("error", "hidden", f"{name} is empty", f"say the {name} in task.yaml")
    if not _GUID.search(task.canary):
        yield Finding("error", "hidden", "canary holds no GUID", "use the corpus's canary string")
    elif not task.target_svg.rstrip().endswith(canary_line(task.canary)):
        advice = f"end it, after </svg>, with the line {canary_line(task.canary)}"
        yield Finding("error", "hidden", f"{TARGET_NAME} does not end with the canary", advice)
    if task.canary and any(task.canary in text for text in (task.corrupted_svg, *case.wordings.values())):
        yield Finding("error", "hidden", "what agents see holds the canary", "build again")


def _ids(case: Case) -> Iterator[Finding]:
    for name, nodes in {**case.target.ids, **case.corrupted.ids}.items():
        if len(nodes) > 1:
            yield Finding("error", "ids", f"id {name!r} stands {len(nodes)} times", "rename one")
        word = giveaway(name)
        if word is not None:
            advice = "name it as a designer would name the right thing"
            yield Finding("error", "ids", f"id {name!r} gives the answer away ({word!r})", advice)
    for place, repair in enumerate(case.task.repairs):
        if looks_generated(repair.object):
            advice = "give it a name that a designer would use"
            yield Finding("error", "ids", f"id {repair.object!r} looks generated", advice, place)


def _wording(case: Case) -> Iterator[Finding]:
    for wording, text in case.wordings.items():
        for piece, what, advice in wording_mistakes(text, case.target, case.corrupted):
            yield Finding("error", "wording", f"{wording} wording: {piece!r} is {what}", advice)
    if len({normal(text) for text in case.wordings.values()}) < len(case.wordings):
        yield Finding("error", "wording", "two wordings are the same text", "write another paraphrase")


def _named(case: Case) -> Iterator[Finding]:
    owners: dict[str, str] = {}
    for place, repair in enumerate(case.task.repairs):
        if not repair.named:
            advice = "add `named`: the words of the instruction that pick out this object"
            yield Finding("error", "named", f"nothing says which words name {repair.object!r}", advice, place)
            continue
        if not says(case.task.instruction, repair.named):
            message = f"the words {repair.named!r} do not stand in the instruction"
            yield Finding("error", "named", message, "quote the instruction", place)
        owner = owners.setdefault(normal(repair.named), repair.object)
        if owner != repair.object:
            message = f"{repair.named!r} names both {owner!r} and {repair.object!r}"
            yield Finding("error", "named", message, "use words that fit one object only", place)


def _alone(case: Case) -> Iterator[Finding]:
    """Objects with look-alikes need words that tell them apart."""
    scene = Scene(case.task.corrupted_svg)
    drawn = drawn_words(case.target) | drawn_words(case.corrupted)
    for place, repair in enumerate(case.task.repairs):
        count = lookalikes(scene, repair)
        if count and repair.named and not distinguishes(repair.named, drawn):
            message = (
                f"{count} objects look like {repair.object!r}, and {repair.named!r} does not tell them apart"
            )
            yield Finding(
                "warning", "named", message, "say which one: its place, colour, size or label", place
            )


def _scores(case: Case) -> Iterator[Finding]:
    best, worst = score(case.task, case.clean), score(case.task, case.task.corrupted_svg)
    if best.reward != 1:
        yield Finding("error", "score", f"the target scores {best.status}: {_why(best)}", "repair the target")
    if worst.reward != 0 or not worst.valid:
        yield Finding("error", "score", f"the corrupted drawing scores {worst.status}: {_why(worst)}")
    for place, result in enumerate(worst.repairs):
        if result.passed:
            advice = "corrupt it more: the value is within tolerance of the target"
            yield Finding("error", "score", f"{result.object!r} passes although corrupted", advice, place)
    if not worst.preserved:
        changed = ", ".join(f"{change.object} ({change.subtype})" for change in worst.changes[:5])
        advice = "the corruption changes more than its repairs say"
        yield Finding("error", "score", f"the corrupted drawing changes other things: {changed}", advice)
    if worst.unintended_change_rate:
        message = (
            f"{worst.unintended_change_rate:.1%} of the protected objects differ in the corrupted drawing"
        )
        yield Finding("error", "protected", message, "take them off the list")


def _why(card: Scorecard) -> str:
    """The first reasons for a verdict, in words."""
    parts = [fault.message for fault in card.faults[:2]]
    parts += [f"{result.object} {result.property} fails" for result in card.repairs if not result.passed][:3]
    parts += [f"{change.object} {change.subtype} {change.detail}".strip() for change in card.changes[:3]]
    return "; ".join(parts) or "no reason given"


def _undo(case: Case) -> Iterator[Finding]:
    for place, repair in enumerate(case.task.repairs):
        card = score(case.task, derive(case.clean, [repair]))
        failed = [i for i, result in enumerate(card.repairs) if not result.passed]
        if failed != [place] or not card.preserved or not card.valid:
            names = ", ".join(case.task.repairs[i].object for i in failed) or "no check"
            message = f"undoing {repair.object!r} alone fails {names}: {_why(card)}"
            yield Finding("error", "undo", message, "repairs must not depend on each other", place)


def _look(case: Case) -> tuple[tuple[float, ...], list[Finding]]:
    findings: list[Finding] = []
    try:
        shares = tuple(float(mask.mean()) for mask in defect_masks(case.task))
        for place, share in enumerate(shares):
            findings += _visible(case, place, share)
    except Unseen as error:
        return (), [Finding("error", "visible", f"no picture to look at: {error}", "make it render")]
    return shares, findings


def _visible(case: Case, place: int, share: float) -> Iterator[Finding]:
    repair = case.task.repairs[place]
    if share < LEAST_SHARE:
        message = f"{repair.object!r} changes {share:.3%} of the pixels at {WIDTH_PX} px, less than {LEAST_SHARE:.2%}"
        yield Finding("error", "visible", message, "make the defect larger", place)
    seen = seen_pixels(case.task, repair)
    if seen is not None and seen < LEAST_SEEN_PX:
        message = f"{repair.object!r} is covered in the corrupted drawing ({seen} pixels show)"
        yield Finding("error", "visible", message, "let a part of it show", place)


def _evidence(case: Case) -> Iterator[Finding]:
    yield from evidence_findings(case.task, case.clean)


CHECKS: tuple[Check, ...] = (_fresh, _hidden, _ids, _wording, _named, _alone, _scores, _undo, _evidence)


def _published(case: Case) -> str | None:
    """Why the rule set `published` cannot express the task; None when it can."""
    target, start = (score(case.task, svg, "published") for svg in (case.clean, case.task.corrupted_svg))
    if not target.valid:
        return f"the target is invalid there ({target.faults[0].message})"
    blind = [result for result in target.repairs if not result.passed]
    blind += [result for result in start.repairs if result.passed]
    if blind:
        return "no check there for " + ", ".join(sorted({f"{r.operation} {r.property}" for r in blind}))
    if not target.preserved:
        return "the target is not its own equal there"
    for place, repair in enumerate(case.task.repairs):
        card = score(case.task, derive(case.clean, [repair]), "published")
        if [i for i, result in enumerate(card.repairs) if not result.passed] != [place]:
            return f"undoing {repair.object} alone is not told apart there"
    return None


def task_figures(folder: str | Path) -> Figures:
    """The figures of a task folder, without checking it."""
    return _figures(_read(Path(folder)))


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
        return _read(folder)
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
                yield Finding(
                    "error",
                    "corpus",
                    f"{len(origins)} tasks share the {what} {text[:60]!r}",
                    "make them differ",
                )


def _origin(case: Case, what: str) -> str:
    """What tells tasks apart: variants of one task may have its instruction in common."""
    variant = case.data.variant
    return variant.of if variant is not None and what == "instruction" else case.task.task_id
