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


_DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 80"><rect width="100" height="80" fill="#ffffff"/>'
    '<rect x="{}" y="10" width="50" height="30" fill="#1f4fe0"/></svg>'
)


def test_a_number_and_a_split_count_for_files_too(tmp_path: Path) -> None:
    folder = tmp_path / "drawings"
    folder.mkdir()
    for number in range(8):
        (folder / f"{number}.svg").write_text(_DRAWING.format(10 + number), encoding="utf-8")
    result = _RUNNER.invoke(
        app, ["generate", "--from", str(folder), "--n", "3", "--split", "train", "--json"]
    )
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["tasks"] == 3


def test_a_genre_is_refused_for_files(tmp_path: Path) -> None:
    result = _RUNNER.invoke(app, ["generate", "--from", str(tmp_path), "--genre", "bar-chart"])
    assert result.exit_code == 2
    assert "--genre is for composed drawings" in result.output


def test_every_file_without_a_task_is_named(tmp_path: Path) -> None:
    for number in range(7):
        (tmp_path / f"{number}.svg").write_text("no drawing", encoding="utf-8")
    result = _RUNNER.invoke(app, ["generate", "--from", str(tmp_path)])
    assert result.output.count("is not well-formed XML") == 7
