"""Sensitivity on disk: tables, figures, and the command that writes them."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest

from tests.published_folders import ROWS, plain_folder
from vbench_env.cli import main
from vbench_env.errors import ConfigError
from vbench_env.report.sensitivity import sensitivity_of
from vbench_env.report.sensitivity_files import switch_plot, write_sensitivity


def rows_of(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_command_writes_tables_and_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    command = ["vbench-env", "sensitivity", str(plain_folder(tmp_path)), "--out", str(folder)]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert "tables and figures:" in capsys.readouterr().err
    assert [row["factor"] for row in rows_of(folder, "tolerances")] == ["0.5", "1.0", "1.5"] * 2
    assert {row["outcomes"] for row in rows_of(folder, "switches")} == {"6"}
    names = {path.name for path in (folder / "figures").iterdir()}
    assert names == {
        f"{name}.{kind}"
        for name in ("tolerance-full", "tolerance-repaired", "switches")
        for kind in ("svg", "png")
    }


def test_switches_that_matter_come_first(tmp_path: Path) -> None:
    grouped = ROWS[0]["produced"].replace('<circle id="sun"', '<g><circle id="sun"')
    grouped = grouped.replace('fill="#ffff00"/>', 'fill="#ffff00"/></g>')
    plot = switch_plot(sensitivity_of(plain_folder(tmp_path, [{**ROWS[0], "produced": grouped}])))
    assert (plot.marks[0].label, plot.marks[0].text) == ("nesting", "1 of 1")
    assert plot.marks[-1].text == "0 of 1"


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    table = sensitivity_of(plain_folder(tmp_path))
    with pytest.raises(ConfigError, match="holds other files"):
        write_sensitivity(table, tmp_path)
