"""A reproduction as a folder: tables as CSV and Markdown, figures as SVG and PNG, and a page of all of them.

Tables hold our figures beside those of the reference, cell by cell; `agrees` says whether they are the same at
the digits that the reference gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from vbench_env.render import get_renderer
from vbench_env.report import plots, words
from vbench_env.report.aggregate import STATUSES
from vbench_env.report.controls import PAPER as PAPER_CONTROLS
from vbench_env.report.decomposition import Decomposition, Verdicts
from vbench_env.report.figures import write_figures
from vbench_env.report.pages import POLICY, template
from vbench_env.report.reproduce import Reproduction
from vbench_env.report.reproduction_view import LABELS
from vbench_env.report.sensitivity import ToleranceRow
from vbench_env.report.sensitivity_files import tolerance_plots
from vbench_env.report.site import ASSETS, asset, claim, write
from vbench_env.report.tables import Table, Value, write_tables

_MODEL_FIGURES = (
    "outcomes", "passed", "near", "repaired", "preserved", "side_effects", "validity", "progress", "progress_valid",
    "change_rate_pooled", "length_limited", "provider_errors",
)  # fmt: skip
_CONTROL_FIGURES = ("full", "repair", "progress", "clean", "change_rate", "valid")
_DIGITS = 3
"""Digits behind the point to which published shares are given."""


def write_reproduction(found: Reproduction, folder: str | Path) -> Path:
    """Write tables, figures and the page; an empty folder, or one that holds a site already.

    Returns:
        The page.

    Raises:
        ConfigError: the folder holds other things.
    """
    root, tables = Path(folder), tables_of(found)
    claim(root)
    write_tables(tables, root / "tables")
    drawn = figures_of(found)
    write_figures(drawn, root / "figures", get_renderer())
    for name in ASSETS:
        write(root / "assets" / name, asset(name))
    page = template("reproduction.html").render(
        found=found, tables=tables, figures=drawn, words=words, up="", policy=POLICY, corpus="Published outcomes",
        versions={"vbench-env": version("vbench-env")}, canaries=(), shown=_shown,
    )  # fmt: skip
    write(root / "index.html", page)
    return root / "index.html"


def _shown(value: Value) -> str:
    """A cell of the page."""
    if value is None:
        return words.DASH
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


# Tables


def tables_of(found: Reproduction) -> list[Table]:
    """Every table, ours beside the reference."""
    made = [agreement(found), outcomes(found), controls(found), models(found), tolerances(found)]
    return [*made, *([flips(found)] if found.flips else [])]


def agreement(found: Reproduction) -> Table:
    """How often every recorded field agrees."""
    rows = tuple(
        (row.field, row.agreeing, row.comparable, row.not_comparable) for row in found.agreement.fields
    )
    return Table(
        "agreement", "Agreement with the recorded verdicts", ("field", "agree", "of", "not_recorded"), rows
    )


def outcomes(found: Reproduction) -> Table:
    """The outcome decomposition."""
    rows = tuple(
        (
            label,
            ours := getattr(found.decomposition, name),
            theirs := _of(found.beside, name),
            _same(ours, theirs),
        )
        for name, label in LABELS.items()
    )
    columns = ("figure", "rescored", found.reference, "agrees")
    return Table("outcomes", "Outcomes", columns, rows)


def controls(found: Reproduction) -> Table:
    """Table 2, in percent."""
    rows: list[tuple[Value, ...]] = []
    for row in found.controls.rows:
        ours = [getattr(row, name) for name in _CONTROL_FIGURES]
        rows.append((row.control, "re-scored", row.tasks, *ours))
        rows.append((row.control, "published", 40, *PAPER_CONTROLS[row.control]))
    columns = ("control", "whose", "tasks", "full", "repair", "progress", "clean", "ucr", "valid")
    return Table("table-2-controls", "Table 2. Controls, % of tasks", columns, tuple(rows))


def models(found: Reproduction) -> Table:
    """Table 3: a row a model; `agrees` says whether the recorded verdicts give the same figures."""
    beside = {row.model: row.figures for row in found.models_beside}
    rows = tuple(
        (row.model, *ours, _all_same(ours, [_of(beside.get(row.model), name) for name in _MODEL_FIGURES]))
        for row in found.models
        for ours in [[_of(row.figures, name) for name in _MODEL_FIGURES]]
    )
    return Table("table-3-models", "Table 3. Models", ("model", *_MODEL_FIGURES, "agrees"), rows)


def tolerances(found: Reproduction) -> Table:
    """Table 4: passes with tolerances scaled, by recorded distances and scored anew."""
    beside = {(row.factor, row.how): row for row in found.tolerances_beside}
    rows = tuple(_tolerance(row, beside) for row in found.tolerances)
    columns = (
        "tolerance", "how", "outcomes", "full", "all_repairs", f"{found.reference}_full",
        f"{found.reference}_all_repairs", "agrees",
    )  # fmt: skip
    return Table("table-4-tolerances", "Table 4. Tolerances scaled", columns, rows)


def _tolerance(
    row: ToleranceRow, beside: Mapping[tuple[float, Literal["distances", "re-scored"]], ToleranceRow]
) -> tuple[Value, ...]:
    ours, other = (row.full, row.repaired), beside.get((row.factor, row.how))
    theirs = (None, None) if other is None else (other.full, other.repaired)
    return (f"x {row.factor:g}", row.how, row.outcomes, *ours, *theirs, _all_same(ours, theirs))


def flips(found: Reproduction) -> Table:
    """Outcomes that the rules judge otherwise than `published`, gate by gate."""
    rows = tuple(
        (flip.task_id, flip.model, flip.status_before, flip.status_after, gate.gate,
         "lost" if gate.before else "gained", gate.reason)
        for flip in found.flips
        for gate in flip.gates
    )  # fmt: skip
    columns = ("task", "model", "published", found.rules, "gate", "change", "reason")
    return Table("flips", "Verdicts that differ from published", columns, rows)


def _of(figures: Decomposition | None, name: str) -> Value:
    value: Value = None if figures is None else getattr(figures, name)
    return value


def _same(ours: Value, theirs: Value) -> str | None:
    """`yes` or `no`; None where there is nothing to compare with."""
    if theirs is None:
        return None
    if isinstance(ours, float) and isinstance(theirs, float):
        return "yes" if abs(ours - theirs) <= 0.5 * 10**-_DIGITS + 1e-9 else "no"
    return "yes" if ours == theirs else "no"


def _all_same(ours: Sequence[Value], theirs: Sequence[Value]) -> str | None:
    found = {_same(one, other) for one, other in zip(ours, theirs, strict=True) if one is not None}
    return "no" if "no" in found else None if None in found or not found else "yes"


def agreeing(tables: Sequence[Table]) -> tuple[int, int]:
    """Rows that agree with the reference, and rows that have one."""
    cells = [row[-1] for table in tables if table.columns[-1] == "agrees" for row in table.rows]
    return cells.count("yes"), len([cell for cell in cells if cell is not None])


# Figures


def figures_of(found: Reproduction) -> list[plots.Plot]:
    """Every figure, drawn from the verdicts that were reached here."""
    made = plots.all_plots(found.results, STATUSES, ())
    return [*made, endings(found.verdicts), by_task(found.verdicts), *tolerance_plots(found.tolerances)]


def endings(verdicts: Sequence[Verdicts]) -> plots.Stacks:
    """Outcomes by how the answer ended: those that the length limit cut off apart from the others."""
    parts = {
        "finished": [v for v in verdicts if v.answered and not v.length_limited],
        "cut off by the length limit": [v for v in verdicts if v.answered and v.length_limited],
        "no answer": [v for v in verdicts if not v.answered],
    }
    about = "Outcomes of answers that ended by themselves, of those that the output limit cut off, and of no answer."
    return _stacks("length-limited", "By how the answer ended", about, parts)


def by_task(verdicts: Sequence[Verdicts]) -> plots.Stacks:
    """Outcomes by task."""
    parts: dict[str, list[Verdicts]] = {}
    for verdict in verdicts:
        parts.setdefault(verdict.task_id, []).append(verdict)
    return _stacks("tasks", "By task", "Outcomes of all models on each task.", dict(sorted(parts.items())))


def _stacks(name: str, title: str, about: str, parts: Mapping[str, Sequence[Verdicts]]) -> plots.Stacks:
    rows = [(label, [v.status for v in found]) for label, found in parts.items() if found]
    return plots.Stacks(
        name,
        title,
        about,
        tuple((label, plots.parts_of(found, STATUSES), len(found)) for label, found in rows),
    )
