"""`vbench-env generate`."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from vbench_env.cli import app
from vbench_env.task import load_corpus

_RUNNER = CliRunner()


def test_a_corpus_is_written_and_its_hash_printed(tmp_path: Path) -> None:
    out = tmp_path / "tasks"
    result = _RUNNER.invoke(app, ["generate", "--n", "3", "--seed", "7", "--level", "1", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert load_corpus(out).hash in result.output
    assert "yield" in result.output


def test_figures_come_as_json(tmp_path: Path) -> None:
    arguments = ["generate", "--n", "2", "--operations", "recolor,text", "--level", "1", "--json"]
    result = _RUNNER.invoke(app, arguments)
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert figures["tasks"] == 2
    assert set(figures["operations"]) <= {"recolor", "text"}
    assert len(figures["hash"]) == 64


def test_a_place_that_is_taken_is_refused(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("", encoding="utf-8")
    result = _RUNNER.invoke(app, ["generate", "--n", "1", "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "not empty" in result.output
