"""The corpus page as Markdown: a pure function of tasks, their validation and recorded results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vbench_env.errors import TaskError
from vbench_env.task import Corpus, Task
from vbench_env.taskkit.page.results import (
    BLIND_NAME,
    ENGINES_NAME,
    VARIANTS_NAME,
    Attempt,
    Engines,
    VariantRow,
    read_attempts,
    read_engines,
    read_variants,
)
from vbench_env.taskkit.page.sections import blind_section, engine_section, table, variant_section
from vbench_env.taskkit.report import CorpusReport, Report

REFRESH = "make corpus-page"
PICTURES = "images/corpus"


@dataclass(frozen=True, slots=True)
class PageData:
    """Recorded results for the page."""

    attempts: tuple[Attempt, ...] = ()
    engines: Engines | None = None
    variants: tuple[VariantRow, ...] = ()


def read_page_data(docs: Path) -> PageData:
    """The results that stand in the folder `docs`."""
    return PageData(
        read_attempts(docs / BLIND_NAME),
        read_engines(docs / ENGINES_NAME),
        read_variants(docs / VARIANTS_NAME),
    )


def corpus_page(corpus: Corpus, report: CorpusReport, data: PageData) -> str:
    """The text of `docs/corpus.md`."""
    parts = [
        _head(corpus, report),
        _figures(report),
        _tasks(corpus, report.reports),
        blind_section(corpus, data.attempts),
        variant_section(data.variants),
        engine_section(data.engines),
        _sheets(corpus),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def hash_line(corpus: Corpus) -> str:
    """The line that freezes the content of a corpus."""
    return f"Content hash: `{corpus.hash}`"


_HEAD = """\
# The corpus {name}

{tasks} drawings, each with a corrupted copy, an instruction in three wordings, and {repairs} repairs in all. Every
drawing was made for this corpus; [the datasheet](datasheet.md) says how, under which licence, and what it cannot
tell. [Tasks](tasks.md) describes the format. This page shows targets: keep it from the agents that you test.

{hash}

The hash covers everything that the tasks say. `vbench-env tasks validate {name}` prints it, and a run records that of
its corpus. This page is written by `{refresh}`."""

_TASKS = """\
## Tasks

Difficulty is measured ([formula](tasks.md#difficulty)); its points stand beside it. *Styled* counts repairs on objects
with inherited or cascaded properties or under a transform. The last column says whether the rule set `published` can
express all repairs of the task.

"""

_SHEETS = """\
## Contact sheets

The corrupted drawing (left) beside the target (right); every defect is ringed and numbered in the order of the task's
list. `vbench-env tasks sheet` makes larger ones."""

_SHEET = """\
<a id="{id}"></a>

### {title}

![{title}: corrupted and target, defects ringed]({folder}/{id}.jpg)

> {instruction}

{repairs}."""


def _head(corpus: Corpus, report: CorpusReport) -> str:
    return _HEAD.format(
        name=corpus.name,
        tasks=len(corpus),
        repairs=report.figures["repairs"],
        hash=hash_line(corpus),
        refresh=REFRESH,
    )


_NAMES = {
    "repairs_mean": "repairs a task, mean",
    "protected_mean": "protected objects a task, mean",
    "styled_repairs": "repairs on styled or transformed objects",
    "published_expressible": "tasks that `published` can express",
}


def _figures(report: CorpusReport) -> str:
    rows = [(_NAMES.get(key, key.replace("_", " ")), _figure(value)) for key, value in report.figures.items()]
    return "## Figures\n\n" + table(("what", "figure"), rows)


def _figure(value: object) -> str:
    return (
        ", ".join(f"{name} {count}" for name, count in value.items())
        if isinstance(value, dict)
        else str(value)
    )


def _tasks(corpus: Corpus, reports: Sequence[Report]) -> str:
    found = {report.task_id: report for report in reports}
    rows = [_row(task, found[task.task_id]) for task in _by_genre(corpus)]
    heads = ("genre", "task", "difficulty", "repairs", "operations", "protected", "styled", "published")
    return _TASKS + table(heads, rows, right=("repairs", "protected", "styled"))


def _row(task: Task, report: Report) -> tuple[str, ...]:
    figures = report.figures
    if figures is None:
        raise TaskError(f"{task.task_id} does not validate; run `vbench-env tasks validate`")
    counts = sorted(figures.operations.items())
    return (
        task.genre.replace("-", " "),
        f"[{task.title}](#{task.task_id})",
        f"{figures.difficulty} ({figures.points:.1f})",
        str(figures.repairs),
        ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in counts),
        str(figures.protected),
        str(figures.styled),
        "yes" if report.expressible else f"no: {(report.published or 'unreadable').partition(' (')[0]}",
    )


def _by_genre(corpus: Corpus) -> list[Task]:
    return sorted(corpus, key=lambda task: (task.genre, task.task_id))


def _sheets(corpus: Corpus) -> str:
    return "\n\n".join([_SHEETS, *(_sheet(task) for task in _by_genre(corpus))])


def _sheet(task: Task) -> str:
    repairs = (
        f"{n} {repair.operation} ({repair.named or repair.object})"
        for n, repair in enumerate(task.repairs, 1)
    )
    return _SHEET.format(
        id=task.task_id,
        title=task.title,
        folder=PICTURES,
        instruction=task.instruction,
        repairs="; ".join(repairs),
    )
