"""One task of one foreign drawing.

Elements are named by what can be seen (a colour that is there once, a text, their order among twins), defects are
made where the drawing or a sentence determines the repair, and every task passes the full validation, pictures
included.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from vbench_env.generate.compose import apart, task_data
from vbench_env.generate.corpus import write_folder
from vbench_env.generate.corruptions import Defect
from vbench_env.generate.files.ids import with_ids
from vbench_env.generate.files.known import Known
from vbench_env.generate.files.look import LEAST_SHARE, View
from vbench_env.generate.files.offers import OFFERS
from vbench_env.generate.levels import draw_plan, level_of
from vbench_env.generate.make import CANARY, CORPUS, Generated, Rejected, assembled
from vbench_env.generate.sketch import Area, Sketch
from vbench_env.seeding import derive_random, derive_seed
from vbench_env.svg.parse import parse
from vbench_env.taskkit.scene import Unfounded
from vbench_env.taskkit.validate import validate_task
from vbench_env.taskkit.visibility import Unseen
from vbench_env.taskkit.words import quoted

LARGEST = 400_000
"""Characters of a file beyond which it is left out."""
_TRIES = 6
"""Tasks that are made of one file before it is given up."""


def generate_of(source: bytes, name: str, seed: int, level: int, operations: Sequence[str]) -> Generated:
    """The task of one file; `Rejected` or a `VBenchError` says why there is none.

    Args:
        source: the file's content.
        name: its name, for title and id.
        seed: decides what is corrupted.
        level: how many repairs.
        operations: repairs to draw from.
    """
    svg = _text_of(source)
    random = derive_random("file", seed, level, name, hashlib.sha256(source).hexdigest())
    try:
        known = Known.of(View(svg))
    except (Unfounded, Unseen, ValueError) as error:
        raise Rejected(str(error)) from error
    plan = draw_plan(level_of(level), random)
    offers = _offers(known, operations, random)
    rejected: list[str] = []
    banned: set[str] = set()
    for _ in range(_TRIES):
        defects = _chosen(offers, plan.repairs, banned)
        if not defects:
            break
        made = _made(known, defects, name, random)
        if isinstance(made, Generated):
            return made
        reason, wrong = made
        rejected.append(reason)
        banned.update(_mark(defects[place]) for place in wrong or range(len(defects)))
    why = rejected[-1] if rejected else "no element of it can be named and corrupted"
    raise Rejected(why)


def _text_of(source: bytes) -> str:
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Rejected(f"is not UTF-8 (byte {error.start}); save it as UTF-8") from error
    if len(text) > LARGEST:
        raise Rejected(f"{len(text):,} characters are too many ({LARGEST:,} at most)")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    document = parse(text)
    root = document.root
    if root is None:
        why = document.faults[0].message if document.faults else "nothing in it"
        raise Rejected(f"is not well-formed XML: {why}")
    if root.tag.startswith("{}"):
        raise Rejected(
            f"the root element {root.tag[2:]!r} has no namespace; SVG's is http://www.w3.org/2000/svg"
        )
    if root.tag != "svg":
        raise Rejected(f"the root element is {root.tag!r}, not svg")
    return text


def _offers(known: Known, operations: Sequence[str], random: Random) -> list[Defect]:
    """All defects on offer, operations in turn."""
    sources = {
        name: _of_operation(known, name, random)
        for name in random.sample(sorted(operations), len(operations))
    }
    found: list[Defect] = []
    while sources:
        for name in list(sources):
            defect = next(sources[name], None)
            if defect is None or len(found) > 80:
                del sources[name]
            else:
                found.append(defect)
    return found


def _of_operation(known: Known, name: str, random: Random) -> Iterator[Defect]:
    """Large enough defects of one operation, its functions in turn."""
    functions = OFFERS[name]
    sources = [offer(known, random) for offer in random.sample(functions, len(functions))]
    while sources:
        for source in list(sources):
            defect = next((one for one in source if one.share >= LEAST_SHARE), None)
            if defect is None:
                sources.remove(source)
            else:
                yield _alone(known, defect)


def _alone(known: Known, defect: Defect) -> Defect:
    """The defect; of what is missing, with the claim that nothing else is missing in that place of the file."""
    node = known.given.get(defect.repair.object)
    if defect.repair.operation != "insert" or node is None or node.parent is None:
        return defect
    return replace(defect, claims=defect.claims | {f"inside {node.parent.path}"})


def _names(defect: Defect) -> tuple[str, ...]:
    return (defect.repair.object, *defect.needs)


def _mark(defect: Defect) -> str:
    return (
        f"{defect.repair.object} {defect.repair.operation} {defect.repair.property} {defect.repair.corrupted}"
    )


def _chosen(offers: Sequence[Defect], count: int, banned: set[str]) -> list[Defect]:
    """Up to `count` defects that do not disturb each other."""
    chosen: list[Defect] = []
    for defect in offers:
        if (
            len(chosen) < count
            and _mark(defect) not in banned
            and all(_fits(defect, other) for other in chosen)
        ):
            chosen.append(defect)
    return sorted(chosen, key=lambda defect: defect.repair.operation != "insert")


def _fits(one: Defect, other: Defect) -> bool:
    """Whether two defects can stand in one task, with names that go on fitting."""
    return (
        apart(one, other)
        and not _shifts(one, other)
        and not _shifts(other, one)
        and not _rewrites(one, other)
        and not _rewrites(other, one)
    )


def _shifts(one: Defect, other: Defect) -> bool:
    """Whether what one takes out changes what the other's paths name."""
    return one.repair.operation == "insert" and any("/" in name for name in _names(other))


def _rewrites(one: Defect, other: Defect) -> bool:
    """Whether one is about a text by which the other names something."""
    named = one.repair.named or ""
    right = (
        one.sentence if one.repair.operation == "text" else named if named.startswith("the text “") else ""
    )
    return any(f"“{text}”" in other.sentence for text in quoted(right))


def _made(
    known: Known, defects: list[Defect], name: str, random: Random
) -> Generated | tuple[str, list[int]]:
    """The task, or what is wrong with it and with which of its repairs."""
    frame, stem = known.view.frame, _slug(name)
    key = f"{stem}-{derive_seed('file', name, *map(_mark, defects)):016x}"
    named = {name for defect in defects if defect.repair.operation == "insert" for name in _names(defect)}
    svg = with_ids(known.view.svg, {name: node for name, node in known.given.items() if name in named})
    sketch = Sketch(
        svg, "real drawing", f"{name} ({key[-6:]})", "the drawing", Area(*frame), "", {}, (),
    )  # fmt: skip
    data: dict[str, Any] = task_data(
        sketch, defects, 0, random, id=key, title=sketch.title, genre=sketch.genre, licence="that of the source file",
        author=f"the author of {name}", canary=CANARY,
    )  # fmt: skip
    try:
        task, _ = assembled(sketch.svg, data)
    except Rejected as error:
        return str(error), []
    made = Generated(task, data, 1)
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / CORPUS
        write_folder([made], out)
        report = validate_task(out / key)
    errors = [finding for finding in report.findings if finding.level == "error"]
    if not errors:
        return made
    return f"{errors[0].check}: {errors[0].message}", [e.repair for e in errors if e.repair is not None]


def _slug(name: str) -> str:
    words = "".join(
        letter if letter.isascii() and letter.isalnum() else " " for letter in name.lower()
    ).split()
    return "-".join(words[:-1] or words)[-48:].strip("-")
