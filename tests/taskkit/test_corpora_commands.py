"""`vbench-env tasks variant`, `engines` and `page` on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vbench_env.cli import app
from vbench_env.task import load_task
from vbench_env.taskkit.engines import compare as comparing

TEA = Path(__file__).parent / "corpus" / "tea-table"
RUN = CliRunner()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    shutil.copytree(TEA, tmp_path / "corpus" / "tea-table")
    return tmp_path / "corpus"


def test_a_variant_is_written_and_told_about(corpus: Path, tmp_path: Path) -> None:
    result = RUN.invoke(
        app, ["tasks", "variant", str(corpus / "tea-table"), "--seed", "4", "--out", str(tmp_path / "out")]
    )
    assert result.exit_code == 0, result.output
    assert "valid" in result.output
    assert "names: " in result.output
    assert load_task(tmp_path / "out" / "tea-table-v4").corpus == "out"


def test_variants_of_a_corpus_are_counted_and_saved(corpus: Path, tmp_path: Path) -> None:
    broken = corpus / "broken-table"
    shutil.copytree(TEA, broken)
    save = tmp_path / "rows.json"
    command = [
        "tasks",
        "variant",
        str(corpus),
        "--seed",
        "1",
        "--out",
        str(tmp_path / "out"),
        "--save",
        str(save),
    ]
    result = RUN.invoke(app, command)
    assert result.exit_code == 1
    assert "1 of 2 variants are valid" in result.output
    rows = json.loads(save.read_text(encoding="utf-8"))
    assert [(row["task"], row["ok"]) for row in rows] == [("broken-table", False), ("tea-table", True)]
    assert "make them equal" in rows[0]["reason"]


def test_engines_are_printed_and_saved(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing.chromium, "find_chromium", lambda: None)
    save = tmp_path / "engines.json"
    result = RUN.invoke(app, ["tasks", "engines", "--corpus", str(corpus), "--save", str(save)])
    assert result.exit_code == 0, result.output
    assert "chromium: not installed" in result.output
    assert json.loads(save.read_text(encoding="utf-8"))["rows"][0]["task_id"] == "tea-table"


def test_the_page_is_written_and_checked(corpus: Path, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    arguments = ["tasks", "page", "--corpus", str(corpus), "--docs", str(docs)]
    assert RUN.invoke(app, [*arguments, "--check"]).exit_code == 1
    assert RUN.invoke(app, arguments).exit_code == 0
    assert (docs / "images" / "corpus" / "tea-table.jpg").is_file()
    assert RUN.invoke(app, [*arguments, "--check"]).exit_code == 0
    (docs / "corpus.md").write_text("old", encoding="utf-8")
    assert "out of date" in RUN.invoke(app, [*arguments, "--check"]).output
