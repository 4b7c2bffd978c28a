"""How verdicts depend on tolerances and switches, as tables and figures on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from vbench_env.render import get_renderer
from vbench_env.report import plots
from vbench_env.report.figures import write_figures
from vbench_env.report.sensitivity import SensitivityTable, SwitchRow, ToleranceRow
from vbench_env.report.site import claim
from vbench_env.report.statistics import wilson
from vbench_env.report.tables import Table, write_tables


def write_sensitivity(found: SensitivityTable, folder: str | Path) -> Path:
    """Write `tables/` and `figures/` into an empty folder, or into one that holds such files already.

    Raises:
        ConfigError: the folder holds other things.
    """
    root = Path(folder)
    claim(root)
    write_tables(sensitivity_tables(found), root / "tables")
    drawn = [*tolerance_plots(found.tolerances), *([switch_plot(found)] if found.switches else [])]
    write_figures(drawn, root / "figures", get_renderer())
    return root.resolve()


def sensitivity_tables(found: SensitivityTable) -> list[Table]:
    """Passes by tolerance, and outcomes that change by switch."""
    tolerances = tuple(
        (row.factor, row.how, row.full, row.repaired, row.outcomes) for row in found.tolerances
    )
    switches = tuple(
        (
            row.switch,
            row.value,
            row.reward,
            row.valid,
            row.repaired,
            row.preserved,
            found.outcomes,
            _examples(row),
        )
        for row in found.switches
    )
    return [
        Table(
            "tolerances", f"Tolerances scaled, rules {found.rules}",
            ("factor", "how", "full", "all_repairs", "outcomes"), tolerances,
        ),
        Table(
            "switches", f"Switches varied alone from {found.rules}",
            ("switch", "value", "reward", "valid", "repaired", "preserved", "outcomes", "examples"), switches,
        ),
    ]  # fmt: skip


def _examples(row: SwitchRow) -> str:
    return "; ".join(
        f"{flip.task_id} {flip.label} {flip.gate} {'lost' if flip.before else 'gained'}"
        for flip in row.examples
    )


def tolerance_plots(rows: Sequence[ToleranceRow]) -> Iterator[plots.Intervals]:
    """Shares that pass, and that make all repairs, by the factor of the tolerances."""
    for name, what in (("full", "all three gates"), ("repaired", "all repairs")):
        rates = [wilson(getattr(row, name), row.outcomes) for row in rows]
        marks = [
            (f"tolerance x {row.factor:g}", row.how, rate, f"{rate.successes} of {rate.total}")
            for row, rate in zip(rows, rates, strict=True)
        ]
        about = (
            f"Share of outcomes that pass {what} with tolerances scaled, with 95 % Wilson intervals: by the distances "
            "of the verdicts, and scored anew."
        )
        yield plots.rates(f"tolerance-{name}", f"Tolerances and {what}", about, marks)


def switch_plot(found: SensitivityTable) -> plots.Intervals:
    """Share of outcomes whose reward changes, by switch, the largest first."""
    ordered = sorted(found.switches, key=lambda row: (-row.reward, row.switch, row.value))
    marks = [
        (
            row.switch.replace("_", " "),
            row.value,
            wilson(row.reward, found.outcomes),
            f"{row.reward} of {found.outcomes}",
        )
        for row in ordered
    ]
    about = (
        f"Share of outcomes whose reward changes when one switch of the rules {found.rules} is varied alone."
    )
    return plots.rates("switches", "Every switch of the rules", about, marks)
