"""The corpus page: what it shows, and that the checked-in one is up to date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vbench_env.errors import ConfigError
from vbench_env.task import load_corpus
from vbench_env.taskkit import validate_corpus
from vbench_env.taskkit.page import PageData, corpus_page, read_page_data, write_pictures
from vbench_env.taskkit.page.corpus import hash_line
from vbench_env.taskkit.page.results import BLIND_NAME, ENGINES_NAME, VARIANTS_NAME
from vbench_env.taskkit.page.sections import blind_section, engine_section, table, variant_section

CORPUS = Path(__file__).parent / "corpus"
DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "corpus.md"
REFRESH = "run `make corpus-page`"

BLIND = [
    {"task": "tea-table", "attempt": 1, "solver": "person", "repairs": {
        "sign.text": {"passed": True, "progress": 1.0}, "cup.x": {"passed": False, "progress": 0.5},
        "lid.d": {"passed": False, "progress": 0.0}}},
    {"task": "tea-table", "attempt": 2, "solver": "model", "repairs": {
        "sign.text": {"passed": True, "progress": 1.0}, "cup.x": {"passed": True, "progress": 1.0},
        "lid.d": {"passed": False, "progress": 0.2}}},
]  # fmt: skip
ENGINES = {
    "corpus": "corpus", "width_px": 800, "engines": ["resvg", "cairosvg"], "missing": {"chromium": "not installed"},
    "rows": [{"task_id": "tea-table", "lacks": ["vector-effect"], "differences": [
        {"engine": "cairosvg", "changed": 0.0123, "changed_without_text": None, "apart": 0.002,
         "lacks": ["feGaussianBlur"], "reason": "it broke"}]}],
}  # fmt: skip
VARIANTS = [
    {"task": "tea-table", "seed": 1, "ok": True, "changes": {"layout": "mirrored, times 2", "names": "9 ids"},
     "left_out": {"palette": "it is grey"}},
    {"task": "tea-table", "seed": 2, "ok": False, "reason": "nothing to rename"},
]  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> PageData:
    for name, content in ((BLIND_NAME, BLIND), (ENGINES_NAME, ENGINES), (VARIANTS_NAME, VARIANTS)):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    return read_page_data(tmp_path)


def test_the_page_shows_figures_tasks_hash_and_results(data: PageData) -> None:
    corpus = load_corpus(CORPUS)
    text = corpus_page(corpus, validate_corpus(CORPUS, pictures=False), data)
    for piece in (
        f"Content hash: `{corpus.hash}`", "| repairs | 9 |", "](#tea-table) | hard (", "(images/corpus/tea-table.jpg)",
        "> " + corpus[0].instruction, "## A blind try", "## Variants", "## Engines", "1 recolor (",
    ):  # fmt: skip
        assert piece in text, piece


def test_the_blind_table_counts_what_was_reached(data: PageData) -> None:
    text = blind_section(load_corpus(CORPUS), data.attempts)
    assert "2 independent attempts (model, person) at 1 tasks" in text
    assert "Of 6 repairs asked for, 3 were reached within tolerance; 0 attempts reached all" in text
    assert "Repairs that no attempt reached: 1." in text
    assert "| tea-table | 2 | 0 of 2 | 3 of 6 | cup.x 1/2; lid.d 0/2 |" in text


def test_the_engine_table_has_shares_and_gaps(data: PageData) -> None:
    text = engine_section(data.engines)
    lacks = "resvg: vector-effect; cairosvg: feGaussianBlur, it broke"
    assert f"| tea-table | 1.23% | no picture | 0.20% | {lacks} |" in text
    assert text.endswith("resvg lacks: vector-effect. chromium: not installed.")


def test_the_variant_table_says_what_was_left_out(data: PageData) -> None:
    text = variant_section(data.variants)
    assert "1 of 2 variants validate" in text
    assert "| tea-table | 1 of 2 | 1 | 1 | 0 | 0 | 1 | palette: it is grey; nothing to rename |" in text


def test_results_that_are_not_there_are_left_out(tmp_path: Path) -> None:
    nothing = read_page_data(tmp_path)
    assert nothing == PageData()
    text = corpus_page(load_corpus(CORPUS), validate_corpus(CORPUS, pictures=False), nothing)
    assert "blind" not in text
    assert "## Engines" not in text


def test_results_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / BLIND_NAME).write_text("[1]", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"corpus-blind.json: cannot be used \(.*\); write it anew"):
        read_page_data(tmp_path)


def test_cells_cannot_break_a_table() -> None:
    assert table(("a", "n"), [("x|y", "1")], right=["n"]) == "| a | n |\n| --- | --: |\n| x\\|y | 1 |"


def test_pictures_are_written_and_old_ones_removed(tmp_path: Path) -> None:
    (tmp_path / "gone.jpg").write_bytes(b"")
    (path,) = write_pictures(load_corpus(CORPUS), tmp_path)
    assert path.read_bytes()[:3] == b"\xff\xd8\xff"
    assert [item.name for item in tmp_path.iterdir()] == ["tea-table.jpg"]


def test_the_checked_in_page_is_about_the_corpus_as_it_is() -> None:
    assert hash_line(load_corpus("vbench-40")) in PAGE.read_text(encoding="utf-8"), REFRESH


def test_the_checked_in_page_shows_the_recorded_results() -> None:
    text, data, corpus = PAGE.read_text(encoding="utf-8"), read_page_data(DOCS), load_corpus("vbench-40")
    for section in (
        blind_section(corpus, data.attempts),
        engine_section(data.engines),
        variant_section(data.variants),
    ):
        assert section and section in text, REFRESH


def test_there_is_one_small_picture_for_each_task() -> None:
    pictures = {path.stem: path.stat().st_size for path in (DOCS / "images" / "corpus").glob("*.jpg")}
    assert set(pictures) == set(load_corpus("vbench-40").ids), REFRESH
    assert sum(path.stat().st_size for path in (DOCS / "images").rglob("*") if path.is_file()) < 6_000_000
