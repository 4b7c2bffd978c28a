"""Checks of the kind `malformed`: every mend breaks the file by itself, and XML alone says how to mend it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace

from vbench_env.protected import find_object
from vbench_env.repair import Repair
from vbench_env.scoring import score
from vbench_env.svg.parse import parse
from vbench_env.taskkit import checks
from vbench_env.taskkit.build import derive
from vbench_env.taskkit.case import Case
from vbench_env.taskkit.kinds.base import KindChecks
from vbench_env.taskkit.mends import without_mends
from vbench_env.taskkit.references import accepts
from vbench_env.taskkit.report import Finding
from vbench_env.taskkit.wording import says

_TOKEN = re.compile(r"</?[\w:.-]+|&#?\w+;|[\w#.%-]+|\s+|.", re.DOTALL)
_KNOWN = re.compile(r"""xmlns(?::xlink)?=["']http://www\.w3\.org/(?:2000/svg|1999/xlink)["']""")
"""Declarations that everybody can write again."""


def plain(case: Case) -> Case:
    """The same case without its mends."""
    task = without_mends(case.task)
    return replace(case, task=task, corrupted=parse(task.corrupted_svg), built=task.corrupted_svg)


def verdicts(case: Case) -> Iterator[Finding]:
    """Do the target and the broken file get the verdicts that they must?"""
    best, worst = score(case.task, case.clean), score(case.task, case.task.corrupted_svg)
    if not best.passed:
        yield Finding(
            "error", "score", f"the target scores {best.status}: {checks.why(best)}", "repair the target"
        )
    if worst.valid or not any(fault.kind == "malformed" for fault in worst.faults):
        yield Finding("error", "score", "the file that agents get is well-formed", "break its markup")
    inner = plain(case)
    if inner.task.repairs:
        for check in (checks.alone, checks.scores, checks.undo, accepts, checks.evidence):
            yield from check(inner)


def broken(case: Case) -> Iterator[Finding]:
    """Does each mend break the file by itself, in the object that it names?"""
    for place, repair in enumerate(case.task.repairs):
        if repair.operation != "mend":
            continue
        if parse(derive(case.clean, [repair])).root is not None:
            advice = "make it a repair of another operation"
            yield Finding(
                "error", "undo", f"{repair.object!r} alone leaves the file well-formed", advice, place
            )
        if find_object(case.target, repair.object) is None:
            yield Finding("error", "schema", f"the target has no object {repair.object!r}", "name one", place)


def determined(case: Case) -> Iterator[Finding]:
    """Does the markup, or the instruction, say how each piece was meant?"""
    for place, repair in enumerate(case.task.repairs):
        if repair.operation == "mend":
            message = _undetermined(repair, case.wordings)
            if message:
                advice = "break markup only, or say what is meant (`kind: stated`, `words`)"
                yield Finding("error", "evidence", f"{repair.object!r}: {message}", advice, place)


def _undetermined(repair: Repair, wordings: dict[str, str]) -> str | None:
    evidence = repair.evidence or {}
    kind = evidence.get("kind")
    if kind == "markup":
        lost = lost_words(**repair.corrupted)
        return (
            f"the damage touches {', '.join(map(repr, lost))}, which no rule of XML brings back"
            if lost
            else None
        )
    if kind == "stated":
        words = evidence.get("words")
        said = words if isinstance(words, dict) else dict.fromkeys(wordings, words)
        missing = [name for name, text in wordings.items() if not says(text, str(said.get(name, "\0")))]
        return f"the words do not stand in the {missing[0]} instruction" if missing else None
    return "a mend takes `markup` or `stated` as evidence"


def lost_words(find: str, put: str) -> list[str]:
    """Words that stand on one side only: what a damage takes away, or adds, beyond tags' marks and end tags."""
    mine, theirs = (Counter(_TOKEN.findall(_KNOWN.sub("", text))) for text in (find, put))
    both = {*mine, *theirs}
    apart = [*(mine - theirs), *(theirs - mine)]
    return [token for token in apart if _says_something(token) and not _is_tag_name(token, both)]


def _says_something(token: str) -> bool:
    """Whether no mark or end tag stands for it: a word, a number, or a start tag."""
    return not token.startswith(("</", "&")) and any(letter.isalnum() for letter in token)


def _is_tag_name(token: str, tokens: Collection[str]) -> bool:
    """Whether the other side says the same with, or without, the mark that begins a tag."""
    name = token.removeprefix("<")
    return any(form in tokens for form in (name, f"<{name}", f"</{name}") if form != token)


MALFORMED = KindChecks(
    (
        checks.fresh, checks.hidden, checks.ids, checks.wording, checks.named, verdicts, broken, determined,
    ),
    lambda case: checks.look(plain(case)),
)  # fmt: skip
