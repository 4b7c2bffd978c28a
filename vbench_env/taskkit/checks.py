"""The checks of a task folder that ask for nothing of its kind, and those of the kind `repair`.

Each is a small function from a `Case` to findings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vbench_env.scoring import Scorecard, score
from vbench_env.task_file import CORRUPTED_NAME, TARGET_NAME
from vbench_env.taskkit.build import canary_line, derive
from vbench_env.taskkit.case import Case, Check
from vbench_env.taskkit.check_evidence import evidence_findings
from vbench_env.taskkit.difficulty import lookalikes
from vbench_env.taskkit.report import Finding
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


def fresh(case: Case) -> Iterator[Finding]:
    """Is `corrupted.svg` what `build` makes?"""
    if not (case.folder / CORRUPTED_NAME).is_file() or case.task.corrupted_svg != case.built:
        advice = f"run `vbench-env tasks build {case.folder}`"
        yield Finding("error", "build", f"{CORRUPTED_NAME} is not what the target and task.yaml make", advice)


_GUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


def hidden(case: Case) -> Iterator[Finding]:
    """Are the parts complete that agents must not see, and hidden?"""
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


def ids(case: Case) -> Iterator[Finding]:
    """Are ids unique, and do they tell nothing?"""
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


def wording(case: Case) -> Iterator[Finding]:
    """Do instruction and paraphrases say what they may?"""
    for wording, text in case.wordings.items():
        for piece, what, advice in wording_mistakes(text, case.target, case.corrupted):
            yield Finding("error", "wording", f"{wording} wording: {piece!r} is {what}", advice)
    if len({normal(text) for text in case.wordings.values()}) < len(case.wordings):
        yield Finding("error", "wording", "two wordings are the same text", "write another paraphrase")


def named(case: Case) -> Iterator[Finding]:
    """Does the instruction name every object?"""
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


def alone(case: Case) -> Iterator[Finding]:
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


def scores(case: Case) -> Iterator[Finding]:
    """Do the target and the corrupted drawing get the verdicts that they must?"""
    best, worst = score(case.task, case.clean), score(case.task, case.task.corrupted_svg)
    if best.reward != 1:
        yield Finding("error", "score", f"the target scores {best.status}: {why(best)}", "repair the target")
    if worst.reward != 0 or not worst.valid:
        yield Finding("error", "score", f"the corrupted drawing scores {worst.status}: {why(worst)}")
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


def why(card: Scorecard) -> str:
    """The first reasons for a verdict, in words."""
    parts = [fault.message for fault in card.faults[:2]]
    parts += [f"{result.object} {result.property} fails" for result in card.repairs if not result.passed][:3]
    parts += [f"{change.object} {change.subtype} {change.detail}".strip() for change in card.changes[:3]]
    return "; ".join(parts) or "no reason given"


def undo(case: Case) -> Iterator[Finding]:
    """Does undoing one repair fail its check and nothing else?"""
    for place, repair in enumerate(case.task.repairs):
        card = score(case.task, derive(case.clean, [repair]))
        failed = [i for i, result in enumerate(card.repairs) if not result.passed]
        if failed != [place] or not card.preserved or not card.valid:
            names = ", ".join(case.task.repairs[i].object for i in failed) or "no check"
            message = f"undoing {repair.object!r} alone fails {names}: {why(card)}"
            yield Finding("error", "undo", message, "repairs must not depend on each other", place)


def look(case: Case) -> tuple[tuple[float, ...], list[Finding]]:
    """The share of pixels that each defect changes, and what cannot be seen."""
    findings: list[Finding] = []
    try:
        shares = tuple(float(mask.mean()) for mask in defect_masks(case.task))
        for place, share in enumerate(shares):
            findings += visible(case, place, share)
    except Unseen as error:
        return (), [Finding("error", "visible", f"no picture to look at: {error}", "make it render")]
    return shares, findings


def visible(case: Case, place: int, share: float) -> Iterator[Finding]:
    """Is one defect large enough, and uncovered?"""
    repair = case.task.repairs[place]
    if share < LEAST_SHARE:
        message = f"{repair.object!r} changes {share:.3%} of the pixels at {WIDTH_PX} px, less than {LEAST_SHARE:.2%}"
        yield Finding("error", "visible", message, "make the defect larger", place)
    seen = seen_pixels(case.task, repair)
    if seen is not None and seen < LEAST_SEEN_PX:
        message = f"{repair.object!r} is covered in the corrupted drawing ({seen} pixels show)"
        yield Finding("error", "visible", message, "let a part of it show", place)


def evidence(case: Case) -> Iterator[Finding]:
    """Does the evidence lead to the targets?"""
    yield from evidence_findings(case.task, case.clean)


CHECKS: tuple[Check, ...] = (fresh, hidden, ids, wording, named, alone, scores, undo, evidence)
BLIND_CHECKS: tuple[Check, ...] = (hidden, ids, wording, named, scores, undo, evidence)
"""What can make a task invalid, without files and pictures."""
