"""Best of N as a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import HORIZONTALS
from rich.table import Table
from rich.text import Text

from vbench_env.report import words
from vbench_env.report.best_of import BestOf
from vbench_env.report.statistics import Interval

_NOTE = (
    "Share of tasks passed by the chosen of k samples, with 95 % bootstrap intervals over tasks. Best possible looks "
    "at the verdicts (pass@k); no other criterion does."
)


def table_of(found: Sequence[BestOf]) -> Table:
    """A row for each group and number of samples, a column for each criterion."""
    names = list(dict.fromkeys(one.criterion for item in found for one in item.chosen))
    table = Table(
        title=Text("Best of k samples", style="bold"), title_justify="left", box=HORIZONTALS, padding=(0, 1, 0, 0),
        caption=Text(_NOTE, style="dim"), caption_justify="left",
    )  # fmt: skip
    table.add_column("model / protocol", overflow="fold", min_width=18)
    table.add_column("k", justify="right")
    for name in names:
        table.add_column("best possible" if name == "oracle" else name.replace("-", " "), justify="right")
    for item in found:
        _rows(table, item, names)
    return table


def _rows(table: Table, item: BestOf, names: Sequence[str]) -> None:
    ks = list(dict.fromkeys(one.k for one in item.chosen))
    mark = " (control)" if item.control else ""
    for place, k in enumerate(ks):
        label = Text(f"{item.key.model}{mark}\n{item.key.protocol}") if place == 0 else Text("")
        cells = [item.at(name, k) for name in names]
        shown = [words.DASH if one is None else _interval(one.passed) for one in cells]
        table.add_row(label, str(k), *shown, end_section=place == len(ks) - 1)


def _interval(found: Interval) -> str:
    return f"{words.percent(found.value)}\n{100 * found.low:.0f}–{100 * found.high:.0f} %"
