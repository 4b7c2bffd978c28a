"""`vbench-env import`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vbench_env.cli import app
from vbench_env.errors import ConfigError, UnknownName
from vbench_env.task import load_corpus

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
FACE = HEAD + '<circle id="face" cx="4" cy="4" r="4" fill="{}"/></svg>'


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    pairs = [("red", "blue"), ("red", "red")]
    lines = [
        json.dumps({"before": FACE.format(one), "after": FACE.format(other), "instruction": "Blue."})
        for one, other in pairs
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_prints_rows_imported_and_refused_by_reason(rows: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["import", "pairs", str(rows), "-o", str(tmp_path / "out"), "--details"])
    assert done.exit_code == 0, done.output
    assert "no-op: start and target say the same" in done.output
    assert "rows.jsonl:2: no-op" in done.output
    assert len(load_corpus(tmp_path / "out")) == 1


def test_json_has_every_row(rows: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["import", "pairs", str(rows), "-o", str(tmp_path / "out"), "--json"])
    assert [row["reason"] for row in json.loads(done.stdout)] == [None, "no-op"]


def test_no_row_imported_is_exit_code_1(rows: Path, tmp_path: Path) -> None:
    arguments = [
        "import",
        "pairs",
        str(rows),
        "-o",
        str(tmp_path / "out"),
        "--most-repairs",
        "1",
        "--limit",
        "1",
    ]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    rows.write_text(rows.read_text(encoding="utf-8").splitlines()[1], encoding="utf-8")
    arguments[4] = str(tmp_path / "other")
    assert CliRunner().invoke(app, arguments).exit_code == 1


def test_mistakes_name_what_to_do(rows: Path, tmp_path: Path) -> None:
    unknown = CliRunner().invoke(app, ["import", "pears", str(rows), "-o", str(tmp_path / "out")])
    assert isinstance(unknown.exception, UnknownName) and "did you mean 'pairs'" in str(unknown.exception)
    missing = CliRunner().invoke(
        app, ["import", "pairs", str(tmp_path / "none"), "-o", str(tmp_path / "out")]
    )
    assert isinstance(missing.exception, ConfigError) and "no such folder" in str(missing.exception)
