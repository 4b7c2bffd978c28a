"""`vbench-env report` and `view`: a page, a site, several runs, and pages that are served until Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.report.runs import HALF, TARGET, corpus_folder, first_task, record_of, write_run
from vbench_env.cli import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs a command in this process and checks its exit code; what it printed."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object, code: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["vbench-env", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert ended.value.code == code, printed
        return printed.out + printed.err

    return run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    corpus = corpus_folder(tmp_path)
    task = first_task(corpus)
    return write_run(tmp_path, corpus, [record_of(task, "m", TARGET), record_of(task, "m", HALF, sample=1)])


def test_a_report_is_one_page_in_the_run_folder(command, run):
    text = command("report", run)
    assert f"report: {(run / 'report.html').resolve()}" in text
    assert "1/2" in text
    assert (run / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_site_is_a_folder_of_pages_tables_and_figures(command, run):
    assert f"report: {(run / 'site/index.html').resolve()}" in command("report", run, "--site")
    for name in ("index.html", "tables/leaderboard.csv", "tables/leaderboard.md", "tables/repeated.csv",
                 "figures/leaderboard.svg", "figures/leaderboard.png"):  # fmt: skip
        assert (run / "site" / name).is_file(), name
    assert len(list((run / "site/episodes").iterdir())) == 2


def test_a_site_goes_where_it_is_told_and_draws_as_much(command, run, tmp_path):
    command("report", run, "--site", "--out", tmp_path / "there", "--pictures", 0)
    page = next((tmp_path / "there/episodes").iterdir()).read_text(encoding="utf-8")
    assert "this site draws no more than 0 drawings" in page


def test_several_runs_are_one_site_and_need_a_folder(command, run, tmp_path):
    assert "say where the site goes with --out FOLDER" in command("report", run, run, code=2)
    command("report", run, run, "--out", tmp_path / "both")
    assert len(list((tmp_path / "both/episodes").iterdir())) == 4


def test_what_cannot_be_reported_is_refused_in_a_line(command, run, tmp_path):
    assert "is no run folder" in command("report", tmp_path, code=2)
    assert "choose one of: published, surgical" in command("report", run, "--rules", "strict", code=2)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("mine")
    assert "holds other files" in command("report", run, "--site", "--out", tmp_path / "full", code=2)


def test_a_view_without_a_run_is_refused(command, tmp_path):
    assert "is no run folder" in command("view", tmp_path, "--no-browser", code=2)


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a signal")
def test_a_run_is_served_until_ctrl_c(run):
    paths = [str(ROOT), str(ROOT / "agents"), *sys.path]
    # A shell may have started the tests in the background, with Ctrl-C ignored, and that is inherited.
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from vbench_env.cli import main; main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, "view", str(run), "--no-browser"], stdout=subprocess.PIPE, text=True,
        stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    watch = threading.Timer(120, process.kill)
    watch.start()
    try:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/[\w-]+/", process.stdout.readline())
        assert address
        with urllib.request.urlopen(address[0], timeout=60) as answer:
            assert b"<h1>meadows</h1>" in answer.read()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        assert (process.returncode, errors) == (0, "")
    finally:
        watch.cancel()
        process.kill()
        process.wait()
