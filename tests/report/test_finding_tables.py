"""Findings as tables: every number of a pair, ranks, repeated samples and breakdowns in plain cells."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.report.test_findings import GOOD, POOR, records
from vbench_env.report.aggregate import aggregate
from vbench_env.report.finding_tables import finding_tables
from vbench_env.report.findings import findings_of
from vbench_env.report.tables import Table, write_tables

USAGE = {"prompt_tokens": 10, "completion_tokens": 5}
FOUND = findings_of(aggregate([*records("good", GOOD, usage=USAGE), *records("poor", POOR, usage=USAGE)]))
TRAITS = {"genre": {"a": "map", "b": "map", "c": "icon", "d": "icon"}, "difficulty": {}}


def named() -> dict[str, Table]:
    return {table.name: table for table in finding_tables(FOUND, TRAITS)}


def test_only_tables_with_rows_are_made():
    assert list(named()) == ["pairs", "ranks", "repeated", "variance", "fronts", "genre"]


def test_a_pair_holds_differences_intervals_and_both_p_values():
    (row,) = [dict(zip(named()["pairs"].columns, row, strict=True)) for row in named()["pairs"].rows]
    (pair,) = FOUND.pairs
    one = pair.comparison
    assert (row["what"], row["model"], row["other_model"]) == ("models", "good", "poor")
    assert (row["episodes"], row["tasks"], row["only_first"], row["only_second"]) == (8, 4, 5, 0)
    assert one.passed is not None
    assert (row["passed_low"], row["passed_difference"]) == (one.passed.low, one.passed.value)
    assert (row["mcnemar_p"], row["task_p"]) == (one.passes.p_value, one.p_value)
    assert row["mcnemar_p"] < row["task_p"] == row["task_p_adjusted"]


def test_repeated_samples_and_variance_are_rows_of_a_model():
    found = {(row[0], row[2], row[3]): row[4] for row in named()["repeated"].rows}
    assert found["good", "pass@k", 1] == found["good", "pass^k", 1] == 0.75
    assert found["good", "pass@k", 2] == 1.0
    assert found["good", "pass^k", 2] == 0.5
    assert {row[2] for row in named()["variance"].rows} == {"passed", "progress"}


def test_breakdowns_count_by_trait():
    rows = {(row[0], row[2]): row[3:5] for row in named()["genre"].rows}
    assert rows["good", "map"] == (4, 4)
    assert rows["poor", "icon"] == (0, 4)


def test_they_are_written_like_other_tables(tmp_path: Path):
    write_tables(list(named().values()), tmp_path)
    with (tmp_path / "ranks.csv").open(encoding="utf-8", newline="") as file:
        assert [(row["rank"], row["model"]) for row in csv.DictReader(file)] == [("1", "good"), ("2", "poor")]
