"""An audit: many cases over many drawings, counted, with findings made small.

    python -c "from vbench_env.audit import *; print(audit(AuditConfig(corpus='vbench-40', cases=300)).summary())"

Cases are numbered; a case depends on the seed, its number and the drawings alone, so any number of processes
gives the same report.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from vbench_env.audit.cases import Kind, Subject, build, plan_of
from vbench_env.audit.pixels import Look, look
from vbench_env.audit.programs import check_program, program_cases
from vbench_env.audit.report import AuditReport, Disagreement, Finding, Tally
from vbench_env.audit.shrink import shrunk
from vbench_env.audit.verdicts import Judged, judged
from vbench_env.errors import ConfigError, TaskError
from vbench_env.scoring.rules import Rules, get_rules
from vbench_env.seeding import derive_seed
from vbench_env.task import Task, load_corpus

__all__ = ["AuditConfig", "AuditReport", "audit"]


class AuditConfig(BaseModel):
    """What to audit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    corpus: str | None = None
    """Name or folder of tasks; published tasks too."""
    folder: Path | None = None
    """Folder of SVG files, searched in depth."""
    cases: int = Field(default=3000, ge=1)
    """Cases to judge."""
    seed: int = 1
    rules: str = "surgical"
    """Name of the rule set."""
    pictures: int = Field(default=200, ge=0)
    """Cases of which pictures are compared with the verdict."""
    shrink: int = Field(default=20, ge=0)
    """Findings that are made small."""
    jobs: int = Field(default=1, ge=1)
    """Processes."""
    programs: tuple[str, ...] = ()
    """Programs of other people that write every drawing once more: `scour`, `svgo`."""
    largest: int = 400_000
    """Characters of a drawing of `folder` beyond which it is left out."""


def subjects_of(config: AuditConfig) -> list[Subject]:
    """The drawings that an audit is about, by name.

    Raises:
        ConfigError: neither or both of `corpus` and `folder` are given, or no drawing can be read.
    """
    if (config.corpus is None) == (config.folder is None):
        raise ConfigError(
            "an audit needs either a corpus of tasks or a folder of SVG files; give one of them"
        )
    rules = get_rules(config.rules)
    if config.corpus is not None:
        return [_subject(task, rules) for task in load_corpus(config.corpus)]
    assert config.folder is not None
    found = list(_files(config.folder, config))
    if not found:
        raise ConfigError(f"{config.folder}: holds no SVG file that can be read; give a folder of drawings")
    return found


def _subject(task: Task, rules: Rules) -> Subject:
    """A task with its repairs; of one that is about the text of a file, the target alone."""
    if not task.goal.well_formed or task.goal.hand_drawn:
        return Subject(task.task_id, task.target_svg, rules)
    return Subject(task.task_id, task.target_svg, rules, task.corrupted_svg, task.repairs, task.protected)


def _files(folder: Path, config: AuditConfig) -> Iterator[Subject]:
    for path in sorted(folder.rglob("*.svg")):
        data = path.read_bytes()
        if len(data) > config.largest:
            continue
        subject = Subject(str(path.relative_to(folder)), data, get_rules(config.rules))
        try:
            subject.draft()
            if subject.problem.root.tag != "svg":
                continue
        except (ValueError, TaskError, RecursionError):
            continue
        yield subject


@dataclass(slots=True)
class _Batch:
    """What some of the cases gave."""

    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    idle: list[tuple[int, str, Judged]] = field(default_factory=list)
    troubles: list[tuple[int, str, Judged]] = field(default_factory=list)
    looks: list[tuple[int, str, Judged, Look]] = field(default_factory=list)
    seconds: float = 0.0


def audit(config: AuditConfig, progress: Callable[[int], None] | None = None) -> AuditReport:
    """Run an audit.

    Args:
        config: what to audit.
        progress: called with the number of cases done since the last call.
    """
    for name in config.programs:
        check_program(name)
    subjects = subjects_of(config)
    started = time.perf_counter()
    total = _Batch()
    for batch, size in _batches(config, subjects):
        _add(total, batch)
        if progress is not None:
            progress(size)
    return _report(config, subjects, total, time.perf_counter() - started)


def _batches(config: AuditConfig, subjects: list[Subject]) -> Iterator[tuple[_Batch, int]]:
    size = 250
    ranges = [range(low, min(low + size, config.cases)) for low in range(0, config.cases, size)]
    if config.jobs == 1:
        for numbers in ranges:
            yield _batch(config, subjects, numbers), len(numbers)
        return
    with ProcessPoolExecutor(config.jobs, initializer=_load, initargs=(config,)) as pool:
        for numbers, batch in zip(ranges, pool.map(_in_process, ranges), strict=True):
            yield batch, len(numbers)


_LOADED: list[tuple[AuditConfig, list[Subject]]] = []


def _load(config: AuditConfig) -> None:
    _LOADED[:] = [(config, subjects_of(config))]


def _in_process(numbers: range) -> _Batch:
    return _batch(*_LOADED[0], numbers)


def _batch(config: AuditConfig, subjects: list[Subject], numbers: range) -> _Batch:
    batch = _Batch()
    for number in numbers:
        _one(config, subjects, number, batch)
    return batch


def _one(config: AuditConfig, subjects: list[Subject], number: int, batch: _Batch) -> None:
    """One case; a plan that finds nothing to do is replaced by the next one of the same number."""
    subject = subjects[derive_seed("subject", config.seed, number) % len(subjects)]
    for attempt in range(40):
        plan = plan_of(config.seed, number * 64 + attempt, subject)
        case = build(subject, plan)
        if case is not None:
            break
    else:
        return
    found = judged(subject, case)
    batch.kinds[plan.kind, "without effect" if found.without_effect else found.trouble or "right"] += 1
    batch.steps.update(f"{step.what} {step.name}" for step in plan.steps)
    batch.seconds += found.seconds
    if found.without_effect:
        batch.idle.append((number, subject.name, found))
    if found.trouble is not None:
        batch.troubles.append((number, subject.name, found))
    if config.pictures and found.card is not None and number % max(1, config.cases // config.pictures) == 0:
        seen = look(subject, case, found.card)
        batch.looks.append((number, subject.name, found, seen))


def _add(total: _Batch, batch: _Batch) -> None:
    total.kinds.update(batch.kinds)
    total.steps.update(batch.steps)
    total.idle.extend(batch.idle)
    total.troubles.extend(batch.troubles)
    total.looks.extend(batch.looks)
    total.seconds += batch.seconds


def _report(config: AuditConfig, subjects: list[Subject], total: _Batch, seconds: float) -> AuditReport:
    by_name = {subject.name: subject for subject in subjects}
    findings = [
        _finding(number, by_name[name], found, small=place < config.shrink)
        for place, (number, name, found) in enumerate(total.troubles)
    ]
    rows = [row for name in config.programs for row in program_cases(name, subjects)]
    return AuditReport(
        config=config.model_dump(mode="json"),
        drawings=len(subjects),
        cases=sum(total.kinds.values()),
        seconds=seconds,
        scoring_seconds=total.seconds,
        rejects=_tally(total, ("rewritten target", "rewritten start", "route"), "false reject"),
        accepts=_tally(total, ("mutation", "repair missed", "rewritten start"), "false accept"),
        without_effect=tuple(f"{name}, case {n}: {found.case.done[0]}" for n, name, found in total.idle),
        steps=dict(sorted(total.steps.items())),
        findings=(*findings, *(finding for _, found in rows for finding in found)),
        pictures=len(total.looks),
        disagreements=tuple(_disagreements(total)),
        programs=tuple(row for row, _ in rows),
    )


def _tally(total: _Batch, kinds: tuple[Kind, ...], trouble: str) -> Tally:
    counted = {
        key: count for key, count in total.kinds.items() if key[0] in kinds and key[1] != "without effect"
    }
    wrong = sum(count for key, count in counted.items() if key[1] == trouble)
    return Tally.of(wrong, sum(counted.values()))


def _finding(number: int, subject: Subject, found: Judged, *, small: bool) -> Finding:
    if small:
        subject, found = shrunk(subject, found)
    return Finding(
        case=number,
        drawing=subject.name,
        trouble=found.trouble or "",
        said=found.said,
        done=found.case.done,
        target=_text(subject.target),
        candidate=_text(found.case.candidate),
    )


def _text(svg: str | bytes) -> str:
    return svg if isinstance(svg, str) else svg.decode("utf-8", "backslashreplace")


def _disagreements(total: _Batch) -> Iterator[Disagreement]:
    grouped: dict[tuple[str, str, str], list[Any]] = {}
    for number, name, found, seen in total.looks:
        if seen.agrees or found.without_effect:
            continue
        first = found.case.plan.steps[0].name
        verdict = (
            "accepted, picture differs" if found.card and found.card.reward else "rejected, picture same"
        )
        grouped.setdefault((verdict, first, seen.reason), []).append((number, name, seen.share))
    for (verdict, first, reason), rows in sorted(grouped.items()):
        yield Disagreement(
            verdict=verdict,
            step=first,
            reason=reason,
            cases=len(rows),
            example=f"{rows[0][1]}, case {rows[0][0]}",
        )
