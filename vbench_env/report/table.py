"""A run as a table for the terminal."""

from __future__ import annotations

from pathlib import Path

from rich.box import HORIZONTALS
from rich.table import Table
from rich.text import Text

from vbench_env.experiments.store import RunFolder
from vbench_env.report import words
from vbench_env.report.aggregate import Group, Results, aggregate


def run_table(run_folder: str | Path, rules: str | None = None) -> Table:
    """Models of a run, best first, then its controls; one row for each protocol. Fits 100 columns.

    Args:
        run_folder: a run, finished or not.
        rules: rule set of the verdicts; None takes the headline of the run.

    Raises:
        ConfigError: no run folder, or no verdict under these rules.
    """
    folder = RunFolder(run_folder)
    corpus = str(folder.manifest.corpus.get("name", ""))
    results = aggregate(folder.episodes(), rules=rules)
    names = ", ".join(sorted({group.rules for group in results.groups}))
    title = f"{corpus}, {names} rules" if names else f"{corpus}: no episode has ended yet"
    table = Table(
        title=Text(title, style="bold"), title_justify="left", min_width=min(len(title), 80), box=HORIZONTALS,
        padding=(0, 1, 0, 0),
    )  # fmt: skip
    table.add_column("model / protocol", overflow="fold", min_width=16)
    cells = [_cells(group) for group in results.groups]
    shown = [name for name in (cells[0] if cells else ()) if any(row[name] is not None for row in cells)]
    for name in shown:
        table.add_column(name, justify="right", no_wrap=True)
    _add_rows(table, results, [[row[name] or words.DASH for name in shown] for row in cells])
    return table


def _add_rows(table: Table, results: Results, rows: list[list[str]]) -> None:
    for place, (group, row) in enumerate(zip(results.groups, rows, strict=True)):
        if place and place == len(results.models):
            table.add_section()
        table.add_row(_name(group), *row, style="dim" if group.control else "")


def _name(group: Group) -> Text:
    name = Text(group.key.model, style="bold")
    if group.control:
        name.append(" (control)", style="not bold")
    return name.append(f"\n{group.key.protocol}", style="not bold dim")


def _cells(group: Group) -> dict[str, str | None]:
    """Cells by column; None where there is nothing to say. A column of nothing is left out."""
    tally = group.total
    return {
        "passed": f"{tally.full}/{tally.scored}",
        "95 % CI": words.interval(tally.full_rate),
        "valid": words.percent(tally.gate_rate("valid").value),
        "repaired": words.percent(tally.gate_rate("repaired").value),
        "kept": words.percent(tally.gate_rate("preserved").value),
        "progress": words.percent(tally.progress.value),
        "cut off": words.count(tally.cut_off) if tally.cut_off else None,
        "owed": words.count(tally.unscored) if tally.unscored else None,
        "cost": cost_text(group),
    }


def cost_text(group: Group) -> str | None:
    """Dollars of a group, with a plus where the price of some episodes is unknown; None without model calls."""
    tally = group.total
    if not tally.calls:
        return None
    if tally.unpriced == tally.episodes:
        return "unknown"
    return words.dollars(tally.cost.total) + ("+" if tally.unpriced else "")
