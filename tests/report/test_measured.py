"""Measures and tests over the episodes of a run, and their commands."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

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
from vbench_env.cli import app
from vbench_env.report.aggregate import GroupKey
from vbench_env.report.measured import graded_record, measure_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    corpus = corpus_folder(tmp_path)
    task = first_task(corpus)
    failed = {"error": {"kind": "patch_failed"}, "action": {"text": "a patch"}}
    records = [
        record_of(task, "good", TARGET),
        record_of(task, "good", HALF, sample=1),
        record_of(task, "idle", CORRUPTED, events=[failed]),
        record_of(task, "mute", None),
        owed_record(task, "good", sample=2),
    ]
    return write_run(tmp_path, corpus, records)


def test_means_and_tests_by_group(run: Path) -> None:
    found = measure_run(run, ["repair-accuracy", "rmse", "lines"])
    good, idle, mute = (GroupKey(name, "single-shot") for name in ("good", "idle", "mute"))
    assert found.groups == [good, idle, mute]
    assert found.sums[good]["repair-accuracy"].mean == 0.5
    assert found.sums[idle]["rmse"].mean == 1
    assert found.sums[mute]["lines"].mean is None and found.sums[mute]["lines"].missing == 1
    tests = found.tests[good]
    assert (tests.answers, tests.applied, tests.resolved, tests.fixed, tests.to_fix) == (2, 2, 1, 3, 4)
    assert (found.tests[idle].applied, found.tests[idle].kept, found.tests[idle].to_keep) == (0, 1, 1)
    assert found.tests[mute].applied == 0


def test_a_patch_that_fits_at_last_is_applied(run: Path) -> None:
    task = first_task(run.parent / "meadows")
    failed = {"error": {"kind": "patch_failed"}, "action": {"tool": "apply_patch"}}
    fitting = {"error": None, "action": {"tool": "apply_patch"}}
    assert not graded_record(record_of(task, "m", CORRUPTED, events=[failed]), task).applied
    mended = graded_record(record_of(task, "m", TARGET, events=[failed]), task)
    assert mended.applied and mended.resolved
    assert graded_record(record_of(task, "m", CORRUPTED, events=[failed, fitting]), task).applied
    assert graded_record(record_of(task, "m", TARGET), task).applied


def test_the_command_prints_means_tests_and_rows(run: Path, tmp_path: Path) -> None:
    table = tmp_path / "out" / "rows.csv"
    done = CliRunner().invoke(app, ["measures", str(run), "-m", "mse", "--csv", str(table)])
    assert done.exit_code == 0, done.output
    assert "mse ↓" in done.output and "fail to pass" in done.output
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert len(rows) == 4
    assert next(row["mse"] for row in rows if row["model"] == "good") == "0"
    assert {row["applied"] for row in rows if row["model"] == "idle"} == {"0"}
    data = json.loads(CliRunner().invoke(app, ["measures", str(run), "-m", "mse", "--json"]).stdout)
    assert data["groups"][0]["tests"]["resolved"] == 1


def test_without_a_run_the_measures_are_listed() -> None:
    found = json.loads(CliRunner().invoke(app, ["measures", "--json"]).stdout)
    assert {"chamfer", "clip", "compression", "dino", "edit-distance", "lines", "location", "lpips", "mse",
            "repair-accuracy", "rmse", "ssim"} <= {item["name"] for item in found}  # fmt: skip
    assert "SVGEditBench V2" in CliRunner().invoke(app, ["measures"], env={"COLUMNS": "150"}).output


def test_one_drawing_against_another(tmp_path: Path) -> None:
    for name, svg in (("a", HALF), ("b", TARGET), ("s", CORRUPTED)):
        (tmp_path / f"{name}.svg").write_text(svg, encoding="utf-8")
    files = [str(tmp_path / "a.svg"), str(tmp_path / "b.svg")]
    done = CliRunner().invoke(app, ["measure", *files, "--start", str(tmp_path / "s.svg"), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["repair-accuracy"]["value"] == 0
    assert 0 < found["rmse"]["value"] < 1
    assert found["location"]["parts"] == {"precision": 1.0, "recall": 0.5}
    alone = CliRunner().invoke(app, ["measure", *files, "-m", "rmse"])
    assert "there is no start" in alone.output
    wrong = CliRunner().invoke(app, ["measure", *files, "-m", "dino", "--weights", "dino"])
    assert wrong.exit_code == 2


def test_tiers_and_tests_of_a_corpus(tmp_path: Path) -> None:
    corpus = str(corpus_folder(tmp_path))
    shown = json.loads(CliRunner().invoke(app, ["tasks", "tiers", "-c", corpus, "--json"]).stdout)
    assert shown == [
        {"task_id": "meadow", "paths": 0, "shapes": 3, "commands": 16, "control_points": 13, "tier": "easy"}
    ]
    assert (
        "1 easy, 0 medium, 0 hard"
        in CliRunner().invoke(app, ["tasks", "tiers", "-c", corpus, "--relative"]).output
    )
    listed = json.loads(CliRunner().invoke(app, ["tasks", "list", "-c", corpus, "--json"]).stdout)
    assert listed[0]["tier"] == "easy"
    found = json.loads(CliRunner().invoke(app, ["tasks", "tests", "-c", corpus, "--json"]).stdout)
    assert found[0]["fail_to_pass"] == ["sun.cx", "house.fill"] and found[0]["wrong"] == []
    assert CliRunner().invoke(app, ["tasks", "tests", "-c", corpus]).exit_code == 0
