"""A reproduction as a folder: every table and figure there, ours beside the reference, and a page that works."""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

import pytest

from tests.chromium import BROWSER, NO_BROWSER
from tests.chromium import page as browser_tab
from tests.published_folders import ROWS, plain_folder, published_data
from tests.report.test_html import Page
from vbench_env.cli import main
from vbench_env.errors import ConfigError
from vbench_env.report.decomposition import PAPER, Decomposition
from vbench_env.report.reproduce import Reproduction, reproduce
from vbench_env.report.reproduction_site import agreeing, figures_of, tables_of, write_reproduction

TABLES = {"agreement", "outcomes", "table-2-controls", "table-3-models", "table-4-tolerances"}
FIGURES = {
    "leaderboard", "outcomes", "operations", "progress-ucr", "length-limited", "tasks", "tolerance-full",
    "tolerance-repaired",
}  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    priced = [{**row, "cost_usd": 0.25, "prompt_tokens": 100, "completion_tokens": 50} for row in ROWS]
    return reproduce(plain_folder(tmp_path_factory.mktemp("published"), priced))


@pytest.fixture(scope="module")
def site(found: Reproduction, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_reproduction(found, tmp_path_factory.mktemp("site") / "out").parent


def rows_of(site: Path, name: str) -> list[dict[str, str]]:
    with (site / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_table_and_figure_is_a_file(site: Path) -> None:
    names = {kind: {path.stem for path in site.rglob(f"*.{kind}")} for kind in ("csv", "md", "svg", "png")}
    assert names["csv"] == names["md"] == TABLES
    assert names["svg"] == names["png"] == {*FIGURES, "cost", "tokens"}


def test_figures_without_prices_and_tokens_are_left_out(tmp_path: Path) -> None:
    assert {plot.name for plot in figures_of(reproduce(plain_folder(tmp_path)))} == FIGURES


def test_our_figures_stand_beside_the_recorded_ones(site: Path) -> None:
    ours = {row["figure"]: row for row in rows_of(site, "outcomes")}
    assert ours["side effects"] == {
        "figure": "side effects",
        "rescored": "1",
        "recorded": "1",
        "agrees": "yes",
    }
    assert {row["agrees"] for row in ours.values()} == {"yes"}
    tolerances = rows_of(site, "table-4-tolerances")
    assert [(row["how"], row["agrees"]) for row in tolerances] == [("distances", "yes")] * 3 + [
        ("re-scored", "")
    ] * 3
    assert {row["agrees"] for row in rows_of(site, "table-3-models")} == {"yes"}


def test_controls_stand_beside_the_published_ones(site: Path) -> None:
    rows = [row for row in rows_of(site, "table-2-controls") if row["control"] == "corrupted input"]
    assert [(row["whose"], row["full"], row["clean"]) for row in rows] == [
        ("re-scored", "0.0", "100.0"), ("published", "0", "100"),
    ]  # fmt: skip


def test_a_figure_that_differs_is_marked(tmp_path: Path) -> None:
    wrong = {**ROWS[0], "reward": 0, "status": "NEAR"}
    tables = tables_of(reproduce(plain_folder(tmp_path, [wrong, *ROWS[1:]])))
    named = {table.name: {row[0]: row[-1] for row in table.rows} for table in tables}
    assert named["outcomes"]["pass"] == "no"
    assert named["outcomes"]["near"] == "yes"
    assert named["table-3-models"] | {} == {**dict.fromkeys(named["table-3-models"], "yes"), "exact": "no"}
    yes, total = agreeing(tables)
    assert 0 < yes < total


def test_shares_agree_at_the_digits_that_are_published(tmp_path: Path) -> None:
    rows = [{**ROWS[5], "model": f"model-{number}"} for number in range(PAPER.outcomes)]
    (outcomes,) = [
        table for table in tables_of(reproduce(plain_folder(tmp_path, rows))) if table.name == "outcomes"
    ]
    assert outcomes.columns[2] == "published"
    assert {row[0]: row[-1] for row in outcomes.rows}["validity"] == "no"
    assert isinstance(PAPER, Decomposition)


def test_flips_of_other_rules_are_a_table(tmp_path: Path) -> None:
    spelled = {
        **ROWS[0],
        "produced": ROWS[0]["produced"].replace('id="hill"', 'id="hill" aria-label="steep"'),
    }
    site = write_reproduction(
        reproduce(plain_folder(tmp_path, [spelled]), "surgical"), tmp_path / "out"
    ).parent
    (row,) = rows_of(site, "flips")
    assert (row["published"], row["surgical"], row["gate"], row["change"]) == (
        "PASS", "SIDE_EFFECTS", "preserved", "lost",
    )  # fmt: skip
    assert "aria-label" in row["reason"]


def test_the_page_shows_and_links_everything(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    page = Page(text)
    assert "6 of 6 outcomes agree" in page.text
    for name in ("href", "src"):
        for _, attrs in page.elements:
            address = attrs.get(name, "#")
            assert address.startswith("#") or (site / address).is_file(), address
    assert len(page.all("table")) == len(TABLES)
    assert len(page.all("img")) == len(FIGURES) + 2
    assert re.search(
        r"Content-Security-Policy\" content=\"default-src &#39;none&#39;|default-src 'none'", text
    )


def test_the_folder_of_somebody_else_is_left_alone(found: Reproduction, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ConfigError, match="holds other files"):
        write_reproduction(found, tmp_path)


def test_the_command_writes_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = plain_folder(tmp_path)
    monkeypatch.setattr(sys, "argv", ["vbench-env", "reproduce", str(folder), "--out", str(tmp_path / "out")])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert (tmp_path / "out/index.html").is_file()
    assert "6 of 6 outcomes agree" in capsys.readouterr().out


@pytest.mark.skipif(BROWSER is None, reason=NO_BROWSER)
def test_the_page_works_in_a_browser_at_every_width(site: Path, tmp_path: Path) -> None:
    with browser_tab(tmp_path / "profile") as tab:
        for width, dark in ((1280, False), (400, True)):
            tab.shape(width, 900, dark=dark)
            tab.open((site / "index.html").as_uri())
            assert tab.value("document.documentElement.scrollWidth - innerWidth") <= 0
            tab.value("document.querySelectorAll('img').forEach(img => { img.loading = 'eager' })")
            tab.until("[...document.images].every(img => img.complete && img.naturalWidth > 0)")
        assert tab.complaints == []


@pytest.mark.published
def test_every_published_table_is_reproduced() -> None:
    tables = tables_of(reproduce(published_data()))
    yes, total = agreeing(tables)
    assert yes == total > 40
