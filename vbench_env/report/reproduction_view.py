"""Tables of a reproduction for a terminal: ours beside the published or recorded figures."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from vbench_env.report.agreement import Agreement
from vbench_env.report.controls import PAPER as PAPER_CONTROLS
from vbench_env.report.controls import control_table
from vbench_env.report.decomposition import Decomposition, ModelRow
from vbench_env.report.flips import OutcomeFlip
from vbench_env.report.reproduce import Reproduction
from vbench_env.report.sensitivity import tolerance_table

MAX_LISTED = 200
"""Disagreements listed at most; `to_json` has them all."""

LABELS = {
    "passed": "pass",
    "near": "near",
    "repaired": "all repairs",
    "preserved": "preserved",
    "source_preserved": "source preserved",
    "target_match": "target match",
    "side_effects": "side effects",
    "valid_incomplete": "valid, incomplete",
    "invalid_or_missing": "invalid or missing",
    "progress": "progress",
    "progress_valid": "progress of valid",
    "change_rate_pooled": "UCR of valid, pooled",
    "change_rate_macro": "UCR of valid, macro",
    "validity": "validity",
    "length_limited": "length-limited",
    "provider_errors": "provider errors",
}
"""Figures of a decomposition in words."""


def reproduction_view(found: Reproduction) -> Group:
    """Every table, the headline last."""
    return Group(*_parts(found))


def _parts(found: Reproduction) -> Iterator[RenderableType]:
    yield Text(f"{found.outcomes} outcomes on {found.tasks} tasks in {found.folder}, rules {found.rules}")
    if found.skipped:
        yield skipped_table(found)
    yield agreement_table(found.agreement)
    if found.agreement.disagreements and found.rules == "published":
        yield disagreement_table(found.agreement)
    yield decomposition_table(found)
    yield control_table(found.controls, PAPER_CONTROLS)
    yield model_table(found.models, found.models_beside)
    yield tolerance_table(
        found.tolerances, found.rules, found.tolerances_beside, found.reference, "Table 4. Tolerances scaled"
    )
    if found.flips:
        yield flip_table(found.flips)
    yield Text(found.headline, style="bold green" if found.ok else "bold red")


def skipped_table(found: Reproduction) -> Table:
    """Rows that cannot be scored, with reasons."""
    table = Table(title=f"{len(found.skipped)} rows cannot be scored")
    table.add_column("row", overflow="fold")
    table.add_column("reason", overflow="fold")
    for row in found.skipped[:MAX_LISTED]:
        table.add_row(Text(row.place), Text(row.reason))
    return table


def agreement_table(found: Agreement) -> Table:
    """How often every recorded field agrees."""
    table = Table(title="Agreement with the recorded verdicts")
    for name in ("field", "agree", "of", "not recorded"):
        table.add_column(name, justify="left" if name == "field" else "right")
    for row in found.fields:
        style = None if row.agreeing == row.comparable else "red"
        cells = (row.field, str(row.agreeing), str(row.comparable), str(row.not_comparable))
        table.add_row(*cells, style=style)
    return table


def disagreement_table(found: Agreement) -> Table:
    """Every disagreement."""
    table = Table(title=f"{len(found.disagreements)} disagreements")
    for name in ("task", "model", "field", "recorded", "found"):
        table.add_column(name, overflow="fold")
    for row in found.disagreements[:MAX_LISTED]:
        cells = (row.task_id, row.model, row.field, str(row.recorded), str(row.found))
        table.add_row(*map(Text, cells))
    return table


def decomposition_table(found: Reproduction) -> Table:
    """The outcome decomposition beside the reference."""
    what = "published" if found.reference == "published" else "recorded verdicts of these rows"
    table = Table(title=f"Outcomes, rules {found.rules}")
    table.add_column("")
    table.add_column("re-scored", justify="right")
    table.add_column(what, justify="right")
    for name, label in LABELS.items():
        ours = _figure(found.decomposition, name)
        theirs = _figure(found.beside, name) if found.beside is not None else "not recorded"
        table.add_row(label, ours, theirs, style=None if ours == theirs else "yellow")
    return table


def _figure(figures: Decomposition, name: str) -> str:
    value = getattr(figures, name)
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{100 * value:.1f} %"


_SHORT = {
    "preserved": "kept", "repaired": "all re-\npairs", "validity": "valid\n%", "progress": "progress\n%",
    "change_rate_pooled": "UCR\n%", "length_limited": "cut\noff %", "provider_errors": "errors\n%",
}  # fmt: skip
"""Headings of Table 3."""


def model_table(models: tuple[ModelRow, ...], beside: tuple[ModelRow, ...]) -> Table:
    """Table 3: models by passes; a figure that the recorded verdicts give otherwise has theirs in brackets.

    Fits 80 columns as long as no figure differs.
    """
    table = Table(title="Table 3. Models", box=None, padding=(0, 1, 0, 0), pad_edge=False)
    columns = ("passed", "near", "repaired", "preserved", "validity", "progress", "change_rate_pooled",
               "length_limited", "provider_errors")  # fmt: skip
    for name in ("model", "n", *columns):
        shown = _SHORT.get(name, LABELS.get(name, name))
        first = name == "model"
        table.add_column(
            shown, justify="left" if first else "right", overflow="fold", min_width=18 if first else None
        )
    known = {row.model: row.figures for row in beside}
    for row in models:
        cells = [_beside(row.figures, known.get(row.model), name).replace(" %", "") for name in columns]
        table.add_row(Text(row.model), str(row.figures.outcomes), *cells)
    return table


def _beside(ours: Decomposition, theirs: Decomposition | None, name: str) -> str:
    text = _figure(ours, name)
    known = text if theirs is None or theirs.outcomes != ours.outcomes else _figure(theirs, name)
    return text if text == known else f"{text} ({known})"


def flip_table(flips: tuple[OutcomeFlip, ...]) -> Table:
    """Every outcome whose verdict flips, with the reason gate by gate; flipped rewards first."""
    decisive = sum(flip.decisive for flip in flips)
    table = Table(title=f"Verdicts that differ from published: {decisive} rewards, {len(flips)} outcomes")
    for name in ("task", "model", "status", "gate", "reason"):
        table.add_column(name, overflow="fold")
    for flip in flips:
        for number, gate in enumerate(flip.gates):
            status = f"{flip.status_before} -> {flip.status_after}"
            first = (flip.task_id, flip.model, status) if not number else ("", "", "")
            change = f"{gate.gate} {'lost' if gate.before else 'gained'}"
            table.add_row(*map(Text, (*first, change, gate.reason)))
    return table
