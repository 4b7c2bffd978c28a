"""Tables of a run as CSV and Markdown: plain numbers, one row a line, for other programs and for papers."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from vbench_env.report.aggregate import Results
from vbench_env.report.contrasts import TITLES, Contrast
from vbench_env.report.failing import MEANING
from vbench_env.report.rows import Row

Value = str | int | float | None

GATES = ("valid", "repaired", "preserved", "full")
LONGEST_MARKDOWN = 1000
"""Rows of a Markdown table; the CSV has all of them."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with the name of its files. Shares are 0 to 1; None is an empty cell."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


def tables_of(results: Results, rows: Sequence[Row], found: Sequence[Contrast]) -> list[Table]:
    """Every table of a site."""
    return [
        leaderboard(results), outcomes(results), operations(results), tasks(results), length_limited(results),
        failures(results), failing(results), protocols(found), episodes(rows),
    ]  # fmt: skip


def leaderboard(results: Results) -> Table:
    """A row for each group: gates with Wilson intervals, progress, UCR, localisation, effort."""
    gates = chain.from_iterable((gate, f"{gate}_low", f"{gate}_high") for gate in GATES)
    columns = (
        "model", "protocol", "control", "rules", "scored", "unscored", "passed", *gates, "near", "progress",
        "progress_valid", "ucr_macro", "ucr_pooled", "localisation_precision", "localisation_recall", "cut_off",
        "calls", "prompt_tokens", "completion_tokens", "cost_usd", "unpriced", "mean_wall_s",
    )  # fmt: skip
    made: list[tuple[Value, ...]] = []
    for group in results.groups:
        t = group.total
        rates = [t.gate_rate(gate) for gate in GATES]
        shares = chain.from_iterable((rate.value, rate.low, rate.high) for rate in rates)
        made.append((
            *group.key, int(group.control), group.rules, t.scored, t.unscored, t.full, *shares, t.near,
            t.progress.value, t.progress_valid.value, t.ucr.value, t.ucr_pooled, t.precision.value, t.recall.value,
            t.cut_off, t.calls, t.prompt_tokens, t.completion_tokens, t.cost.total if t.cost.count else None,
            t.unpriced, t.wall_s.value,
        ))  # fmt: skip
    return Table("leaderboard", "Leaderboard", columns, tuple(made))


def outcomes(results: Results) -> Table:
    """Episodes by outcome."""
    names = sorted({status for group in results.groups for status in group.total.statuses})
    made: list[tuple[Value, ...]] = []
    for group in results.groups:
        counts = [group.total.statuses[name] for name in names]
        made.append((*group.key, *counts, group.total.unscored))
    return Table("outcomes", "Episodes by outcome", ("model", "protocol", *names, "UNSCORED"), tuple(made))


def operations(results: Results) -> Table:
    """Repairs by operation and group."""
    rows = tuple(
        (*group.key, name, tally.passed, tally.total, tally.passed / tally.total, tally.progress.value)
        for group in results.groups
        for name, tally in sorted(group.total.operations.items())
    )
    columns = ("model", "protocol", "operation", "repaired", "asked", "share", "progress")
    return Table("operations", "Repairs by operation", columns, rows)


def tasks(results: Results) -> Table:
    """Passes and progress by task and group."""
    rows = tuple(
        (task_id, *group.key, tally.full, tally.scored, tally.full_rate.value, tally.progress.value)
        for task_id in results.tasks
        for group in results.groups
        if (tally := group.tasks.get(task_id)) is not None
    )
    return Table(
        "tasks", "Tasks", ("task", "model", "protocol", "passed", "scored", "share", "progress"), rows
    )


def length_limited(results: Results) -> Table:
    """Passes with and without the episodes that a length limit cut off."""
    rows = tuple(
        (*group.key, t.scored, t.cut_off, t.full_rate.value, rate.value, rate.low, rate.high)
        for group in results.groups
        for t, rate in [(group.total, group.total.finished_rate)]
    )
    columns = (
        "model", "protocol", "scored", "cut_off", "passed", "passed_finished", "passed_finished_low",
        "passed_finished_high",
    )  # fmt: skip
    return Table("length-limited", "Cut off by a length limit", columns, rows)


def failures(results: Results) -> Table:
    """Repairs missed and things changed, by kind."""
    rows = tuple(
        (*group.key, what, kind, count)
        for group in results.groups
        for what, counts in (
            ("missed repair", group.total.missed),
            ("unrequested change", group.total.changes),
        )
        for kind, count in counts.most_common()
    )
    return Table("failures", "What went wrong", ("model", "protocol", "what", "kind", "count"), rows)


def failing(results: Results) -> Table:
    """Failed episodes by class, with what the class means."""
    rows = tuple(
        (*group.key, kind, count, count / group.total.scored, MEANING[kind])
        for group in results.groups
        for kind in MEANING
        if (count := group.total.failing[kind])
    )
    columns = ("model", "protocol", "class", "episodes", "share", "meaning")
    return Table("failure-classes", "Why episodes failed", columns, rows)


def protocols(found: Iterable[Contrast]) -> Table:
    """Protocols of a model against each other: paired differences with intervals."""
    columns = (
        "question", "model", "first", "second", "episodes", "tasks", "passed_difference", "passed_low",
        "passed_high", "progress_difference", "progress_low", "progress_high", "mcnemar_p",
    )  # fmt: skip
    rows = tuple(
        (
            TITLES[c.question], c.model, c.first, c.second, c.pairs, c.tasks, c.passed.value, c.passed.low,
            c.passed.high, c.progress.value, c.progress.low, c.progress.high, c.p_value,
        )
        for c in found
    )  # fmt: skip
    return Table("protocols", "One protocol against another", columns, rows)


def episodes(found: Iterable[Row]) -> Table:
    """Every episode."""
    columns = (
        "episode", "model", "protocol", "task", "sample", "wording", "control", "status", "reward", "progress",
        "ucr", "repaired", "repairs", "changes", "turns", "calls", "tokens", "cost_usd", "wall_s", "cut_off", "stop",
        "failure_class", "failure_evidence",
    )  # fmt: skip
    rows = tuple(
        (
            row.episode_id, row.model, row.protocol, row.task_id, row.sample, row.wording, int(row.control), row.status,
            row.reward, row.progress, row.ucr, sum(row.repairs), len(row.repairs), row.changes, row.turns, row.calls,
            row.tokens, row.cost_usd, row.wall_s, int(row.cut_off), row.stop_reason, row.failing, row.evidence,
        )
        for row in found
    )  # fmt: skip
    return Table("episodes", "Episodes", columns, rows)


def write_tables(tables: Sequence[Table], folder: Path) -> list[str]:
    """Write `NAME.csv` and `NAME.md` of every table; the names."""
    folder.mkdir(parents=True, exist_ok=True)
    for table in tables:
        with (folder / f"{table.name}.csv").open(
            "w", encoding="utf-8", errors="backslashreplace", newline=""
        ) as file:
            writer = csv.writer(file)
            writer.writerow(table.columns)
            writer.writerows([_plain(value) for value in row] for row in table.rows)
        text = "\n".join(markdown(table))
        (folder / f"{table.name}.md").write_text(text + "\n", encoding="utf-8", errors="backslashreplace")
    return [table.name for table in tables]


def markdown(table: Table) -> Iterator[str]:
    """Lines of a table in GitHub's Markdown, numbers aligned to the right."""
    numbers = [
        any(isinstance(row[at], int | float) for row in table.rows) for at in range(len(table.columns))
    ]
    yield f"### {table.title}"
    yield ""
    yield _line(table.columns)
    yield _line(["---:" if number else "---" for number in numbers])
    for row in table.rows[:LONGEST_MARKDOWN]:
        yield _line([_short(value) for value in row])
    if len(table.rows) > LONGEST_MARKDOWN:
        yield ""
        yield f"{len(table.rows) - LONGEST_MARKDOWN:,} more rows are in {table.name}.csv."


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(value: Value) -> str | int | float:
    """A cell of a CSV file; text that a spreadsheet would take for a formula gets an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value


def _short(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return " ".join(str(value).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").split())
