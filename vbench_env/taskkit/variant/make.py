"""Making variants: seeded changes of every kind that a task bears, each checked, the whole validated.

Each kind of change is drawn several times; what does not leave a valid task is drawn anew, and left out, with the
reason, when no draw does. A whole that does not validate is not emitted; the next sub-seed is tried.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from vbench_env.errors import TaskError
from vbench_env.kind import DEFAULT_KIND
from vbench_env.seeding import derive_random
from vbench_env.task import assemble
from vbench_env.task_file import CORRUPTED_NAME, TARGET_NAME, YAML_NAME, parse_task_file, read_task_file
from vbench_env.taskkit.build import canary_line, derive
from vbench_env.taskkit.difficulty import measure_difficulty
from vbench_env.taskkit.report import Finding, Report
from vbench_env.taskkit.validate import validate_task
from vbench_env.taskkit.variant.defects import with_values
from vbench_env.taskkit.variant.draft import Data, Draft, Step, Unvaried, closed, open_draft
from vbench_env.taskkit.variant.layout import with_layout
from vbench_env.taskkit.variant.naming import with_names
from vbench_env.taskkit.variant.palette import with_palette
from vbench_env.taskkit.variant.policy import Policy, read_policy
from vbench_env.taskkit.variant.yaml_text import yaml_text

KINDS = ("layout", "palette", "values", "names")
DRAWS = 5
"""How often one kind of change is drawn before it is left out."""
_MOVING_DRAWS = 3
"""Draws in which a layout may be mirrored or moved; the rest are for drawings that bear only another scale."""
ATTEMPTS = 6
"""How many sub-seeds are tried."""
_LEAST_KINDS = 3


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant that was written: its folder, what was changed, what was left out and why, its report."""

    folder: Path
    changes: Mapping[str, str]
    left_out: Mapping[str, str]
    report: Report


@dataclass(slots=True)
class _Work:
    """A draft with what was done to it so far."""

    draft: Draft
    changes: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)


def make_variant(folder: str | Path, seed: int, out: str | Path) -> Variant:
    """Write a variant of a task folder to `out/<id>-v<seed>`; equal arguments give equal files.

    Args:
        folder: a task folder that validates (`TaskError` says what is wrong otherwise).
        seed: any whole number.
        out: folder that shall hold the variant's folder.

    Raises:
        TaskError: no sub-seed leads to a variant that validates; the message says why.
    """
    folder, out = Path(folder), Path(out)
    _require_valid(folder)
    start, policy = open_draft(folder), read_policy(folder)
    reasons: list[str] = []
    for attempt in range(ATTEMPTS):
        work = _worked(
            start, policy, lambda *key, n=attempt: derive_random("variant", start.data["id"], seed, n, *key)
        )
        with tempfile.TemporaryDirectory() as place:
            written = _write(work, folder, seed, attempt, Path(place))
            report = validate_task(written)
            if report.ok and len(work.changes) >= _LEAST_KINDS:
                return _emit(written, out, work, report)
        reasons.append(_reason(report) or f"only {', '.join(work.changes) or 'nothing'} could be changed")
    tried = "; ".join(dict.fromkeys(reasons))
    raise TaskError(f"{folder}: no variant with seed {seed} validates ({tried}); try another seed")


def _require_valid(folder: Path) -> None:
    data = read_task_file(folder)
    if data.kind != DEFAULT_KIND or data.solutions:
        what = f"of the kind {data.kind}" if data.kind != DEFAULT_KIND else "with further solutions"
        raise TaskError(f"{folder}: variants are made of tasks of repairs with one target, not of one {what}")
    reason = _reason(validate_task(folder, pictures=False))
    if reason:
        raise TaskError(
            f"{folder}: only a valid task has variants, and this one is not ({reason}); repair it first"
        )


def _reason(report: Report) -> str:
    return next((str(finding) for finding in report.findings if finding.level == "error"), "")


def _emit(written: Path, out: Path, work: _Work, report: Report) -> Variant:
    out.mkdir(parents=True, exist_ok=True)
    target = out / written.name
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(written, target)
    return Variant(target, work.changes, work.left_out, report)


def _worked(start: Draft, policy: Policy, rng: Callable[..., Random]) -> _Work:
    """All kinds of change, one after the other."""
    work = _Work(start)
    for kind in KINDS:
        _do(work, kind, policy, rng)
    return work


def _do(work: _Work, kind: str, policy: Policy, rng: Callable[..., Random]) -> None:
    """One kind of change: the first draw that leaves a valid task."""
    kept: set[int] = set()
    reason = ""
    for draw in range(DRAWS):
        try:
            step = _step(work, kind, policy, rng(kind, draw), kept, moving=draw < _MOVING_DRAWS)
        except Unvaried as error:
            reason = str(error)
            continue
        findings = _problems(step.draft)
        if not findings:
            work.draft, work.changes[kind] = step.draft, step.note
            work.words.update(step.words)
            return
        reason = findings[0].message
        kept.update(finding.repair for finding in findings if finding.repair is not None)
    work.left_out[kind] = reason


def _step(work: _Work, kind: str, policy: Policy, random: Random, kept: set[int], *, moving: bool) -> Step:
    if kind == "layout":
        return with_layout(work.draft, random, policy, moving=moving)
    if kind == "palette":
        return with_palette(work.draft, random, policy)
    if kind == "values":
        return with_values(work.draft, random, kept)
    return with_names(work.draft, random, work.words)


def _problems(draft: Draft) -> list[Finding]:
    """Errors of a draft as a task, what can be seen included."""
    with tempfile.TemporaryDirectory() as place:
        data = draft.copied()
        folder = Path(place) / data["id"]
        try:
            _write_files(draft, data, folder)
        except TaskError as error:
            return [Finding("error", "build", str(error))]
        return [finding for finding in validate_task(folder).findings if finding.level == "error"]


def _write(work: _Work, source: Path, seed: int, attempt: int, place: Path) -> Path:
    data = work.draft.copied()
    origin = f"{source.resolve().parent.name}/{data['id']}"
    data["id"] = f"{data['id']}-v{seed}"
    data["title"] = f"{data['title']} (variant {seed})"
    data["variant"] = {
        "of": origin, "seed": seed, "attempt": attempt, "changes": work.changes, "left_out": work.left_out,
    }  # fmt: skip
    folder = place / str(data["id"])
    _write_files(work.draft, data, folder)
    return folder


def _write_files(draft: Draft, data: Data, folder: Path) -> None:
    """Write a task folder; the difficulty is measured."""
    target, own = closed(Draft(draft.svg, data))
    file = parse_task_file(own, str(folder))
    corrupted = derive(target, file.repairs)
    own["difficulty"] = measure_difficulty(assemble(file, target, corrupted, "")).level
    folder.mkdir(parents=True)
    whole = target.rstrip("\n") + "\n" + canary_line(file.canary) + "\n"
    (folder / TARGET_NAME).write_text(whole, encoding="utf-8", newline="\n")
    (folder / YAML_NAME).write_text(yaml_text(own), encoding="utf-8", newline="\n")
    (folder / CORRUPTED_NAME).write_text(corrupted, encoding="utf-8", newline="\n")
