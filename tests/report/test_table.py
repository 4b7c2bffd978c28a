"""The table for the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from tests.report.runs import (
    CORRUPTED,
    HALF,
    TARGET,
    corpus_folder,
    first_task,
    owed_record,
    record_of,
    write_run,
)
from vbench_env.errors import ConfigError
from vbench_env.report import run_table


def printed(run: Path, rules: str | None = None) -> list[str]:
    console = Console(width=100)
    with console.capture() as capture:
        console.print(run_table(run, rules))
    return [line.rstrip() for line in capture.get().splitlines()]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    corpus = corpus_folder(tmp_path)
    task = first_task(corpus)
    long = "openrouter/some-provider/a-model-with-a-long-name-2026-11-29"
    call = {"request": {}, "cost_usd": 12.5}
    records = [
        record_of(task, "oracle", TARGET, control=True),
        record_of(task, "[bold]odd", HALF),
        record_of(task, long, TARGET, calls=[call], cost_usd=12.5, cut_off=["length"]),
        owed_record(task, long, sample=1),
    ]
    return write_run(tmp_path, corpus, records)


def test_models_come_first_and_controls_under_a_line(run):
    lines = printed(run)
    names = [next(i for i, line in enumerate(lines) if name in line) for name in ("openr", "odd", "oracle")]
    assert names == sorted(names)
    assert "oracle (control)" in lines[names[2]]
    assert set(lines[names[2] - 1].strip()) == {"─"}


def test_everything_fits_a_hundred_columns(run):
    lines = printed(run)
    assert max(map(len, lines)) <= 100
    assert "…" not in "".join(lines)
    (row,) = [line for line in lines if "openrouter" in line]
    figures = "1/1 21–100 % 100 % 100 % 100 % 100 % 1 1 $12.50+"
    assert " ".join(row.split()).endswith(figures)


def test_names_are_text_not_markup(run):
    assert any("[bold]odd" in line for line in printed(run))


def test_columns_without_content_are_left_out(tmp_path):
    corpus = corpus_folder(tmp_path)
    run = write_run(tmp_path, corpus, [record_of(first_task(corpus), "noop", CORRUPTED, control=True)])
    head = next(line for line in printed(run) if "passed" in line)
    assert "valid" in head and "cut off" not in head and "owed" not in head and "cost" not in head


def test_rules_are_named_and_may_be_chosen(run):
    assert printed(run)[0].strip() == "meadows, surgical rules"
    assert printed(run, "published")[0].strip() == "meadows, published rules"
    with pytest.raises(ConfigError, match="no verdicts under the rules 'lenient'"):
        run_table(run, "lenient")


def test_a_run_that_has_just_begun_has_an_empty_table(tmp_path):
    assert "meadows: no episode has ended yet" in printed(write_run(tmp_path, corpus_folder(tmp_path), []))[0]
