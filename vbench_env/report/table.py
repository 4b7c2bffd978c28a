"""A run as a table for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.box import HORIZONTALS
from rich.table import Table
from rich.text import Text

from vbench_env.experiments.manifest import Manifest
from vbench_env.experiments.store import RunFolder
from vbench_env.report import words
from vbench_env.report.aggregate import Group, Results, aggregate
from vbench_env.report.expressed import expression_note, headline_rules
from vbench_env.report.played import load_tasks


def run_table(run_folder: str | Path, rules: str | None = None) -> Table:
    """Models of a run, best first, then its controls; one row for each protocol. Fits 100 columns.

    Where rows are judged under different rules, each says which. A note below says what those rules cannot tell.

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
    table.caption = note_below(folder.manifest, rules)
    table.caption_justify = "left"
    table.add_column("model / protocol", overflow="fold", min_width=16)
    cells = [_cells(group) for group in results.groups]
    shown = [name for name in (cells[0] if cells else ()) if any(row[name] is not None for row in cells)]
    for name in shown:
        table.add_column(name, justify="right", no_wrap=True)
    _add_rows(table, results, [[row[name] or words.DASH for name in shown] for row in cells])
    return table


def table_json(run_folder: str | Path, rules: str | None = None) -> dict[str, Any]:
    """The figures of `run_table` as plain data: counts, shares and the 95 % interval of passing."""
    folder = RunFolder(run_folder)
    results = aggregate(folder.episodes(), rules=rules)
    return {
        "run": str(run_folder), "corpus": str(folder.manifest.corpus.get("name", "")),
        "note": note_below(folder.manifest, rules), "rows": [_plain(group) for group in results.groups],
    }  # fmt: skip


def _plain(group: Group) -> dict[str, Any]:
    tally, rate = group.total, group.total.full_rate
    shares = {name: tally.gate_rate(name).value for name in ("valid", "repaired", "preserved")}
    return {
        "model": group.key.model, "protocol": group.key.protocol, "control": group.control, "rules": group.rules,
        "episodes": tally.episodes, "scored": tally.scored, "passed": tally.full, "owed": tally.unscored,
        "rate": rate.value, "low": rate.low, "high": rate.high, **shares, "progress": tally.progress.value,
        "cut_off": tally.cut_off, "cost_usd": tally.cost.total if tally.calls else None,
    }  # fmt: skip


def note_below(manifest: Manifest, rules: str | None) -> str | None:
    """What the rules of the verdicts cannot tell, where the tasks of the run can still be loaded."""
    if "published" not in headline_rules(manifest, rules):
        return None
    return expression_note(manifest, load_tasks(manifest)[0], rules)


def _add_rows(table: Table, results: Results, rows: list[list[str]]) -> None:
    mixed = len({group.rules for group in results.groups}) > 1
    for place, (group, row) in enumerate(zip(results.groups, rows, strict=True)):
        if place and place == len(results.models):
            table.add_section()
        table.add_row(_name(group, mixed), *row, style="dim" if group.control else "")


def _name(group: Group, mixed: bool) -> Text:
    name = Text(group.key.model, style="bold")
    if group.control:
        name.append(" (control)", style="not bold")
    name.append(f"\n{group.key.protocol}", style="not bold dim")
    return name.append(f"\n{group.rules} rules", style="not bold dim") if mixed else name


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
