"""Scaled tolerances and varied switches over outcomes of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from tests.published_folders import CORRUPTED, CUT_OFF, NEAR, ROWS, TARGET, TASK, plain_folder
from vbench_env.errors import ConfigError, TaskError
from vbench_env.experiments.config import make_config
from vbench_env.experiments.runner import run
from vbench_env.report.samples import Sample, samples_of
from vbench_env.report.sensitivity import (
    Judged,
    Measured,
    SensitivityTable,
    distances_row,
    sensitivity,
    sensitivity_of,
    variations,
    within_scaled,
)
from vbench_env.scoring.rules import PUBLISHED, SURGICAL, Rules
from vbench_env.task import task_from_published

ONE = task_from_published(TASK)
GROUPED = TARGET.replace('<circle id="sun"', '<g><circle id="sun"').replace('"#ffff00"/>', '"#ffff00"/></g>')
RECOLORED = TARGET.replace('fill="#008000"', 'fill="green"')


@pytest.fixture(scope="module")
def table() -> SensitivityTable:
    samples = [
        Sample(ONE, TARGET, "exact"), Sample(ONE, NEAR, "near"), Sample(ONE, GROUPED, "grouped"),
        Sample(ONE, CUT_OFF, "cut"), Sample(ONE, None, "absent"), Sample(ONE, RECOLORED, "named"),
    ]  # fmt: skip
    return sensitivity(samples)


def test_tolerances_are_scaled_by_distances_and_by_scoring_again(table: SensitivityTable) -> None:
    counts = [(row.factor, row.how, row.full, row.repaired) for row in table.tolerances]
    assert counts == [
        (0.5, "distances", 2, 3), (1.0, "distances", 2, 3), (1.5, "distances", 3, 4),
        (0.5, "re-scored", 2, 3), (1.0, "re-scored", 2, 3), (1.5, "re-scored", 3, 4),
    ]  # fmt: skip


def test_every_switch_is_varied_alone_with_every_other_value(table: SensitivityTable) -> None:
    rows = [(row.switch, row.value) for row in table.switches]
    assert len(rows) == len(set(rows))
    switches = set(Rules.model_fields) - {"name", "limits", "tolerance_scale"}
    assert {switch for switch, _ in rows} == switches


def test_a_switch_row_counts_flips_per_gate_with_examples(table: SensitivityTable) -> None:
    row = next(row for row in table.switches if (row.switch, row.value) == ("nesting", "plain-groups"))
    assert (row.reward, row.valid, row.repaired, row.preserved) == (1, 0, 0, 1)
    first = row.examples[0]
    assert first._asdict() == {
        "task_id": "sv_001", "label": "grouped", "gate": "reward", "before": False, "after": True
    }  # fmt: skip


def test_a_switch_that_changes_nothing_counts_nothing(table: SensitivityTable) -> None:
    row = next(row for row in table.switches if row.switch == "cascade")
    assert (row.reward, row.valid, row.repaired, row.preserved, row.examples) == (0, 0, 0, 0, ())


@pytest.mark.parametrize("rules", [SURGICAL, PUBLISHED])
def test_variations_never_name_the_value_at_hand(rules: Rules) -> None:
    assert all(getattr(rules, name) != value for name, value in variations(rules))


@pytest.mark.parametrize(
    ("check", "factor", "passes"),
    [
        (Measured(False, 6.0, 5.0, 20.0), 1.0, False),
        (Measured(False, 6.0, 5.0, 20.0), 1.5, True),
        (Measured(True, 4.0, 5.0, 20.0), 0.5, False),
        (Measured(False, 9.5, 9.0, 10.0), 1.5, False),  # 0.9 delta holds
        (Measured(True, None, None, None), 0.5, True),
        (Measured(False, None, None, None), 1.5, False),
        (Measured(True, 0.8, 1.0, None), 0.5, False),
    ],
)
def test_a_distance_is_held_against_the_scaled_tolerance(
    check: Measured, factor: float, passes: bool
) -> None:
    assert within_scaled(check, factor) is passes


def test_an_invalid_outcome_passes_at_no_tolerance() -> None:
    outcomes = [Judged(False, True, (Measured(False, 0.0, 5.0, 20.0),))]
    assert distances_row(1.5, outcomes).repaired == 0


def test_pairs_of_task_and_text_will_do() -> None:
    found = sensitivity([(ONE, TARGET), (ONE, CORRUPTED)], "published", switches=False)
    assert found.switches == ()
    assert found.rules == "published"
    assert [row.full for row in found.tolerances] == [1] * 6


def test_progress_is_told_after_each_pass() -> None:
    calls: list[tuple[int, int]] = []
    sensitivity([(ONE, TARGET)], progress=lambda done, total: calls.append((done, total)))
    assert calls[-1][0] <= calls[-1][1]
    assert [done for done, _ in calls] == list(range(1, len(calls) + 1))


def test_a_folder_of_published_outcomes_will_do(tmp_path: Path) -> None:
    extra = {"model": "m", "produced": TARGET, "task_id": "sv_404"}
    found = sensitivity_of(plain_folder(tmp_path, [*ROWS, extra]), "published")
    assert found.outcomes == len(ROWS)
    assert found.notes == ("1 rows cannot be scored",)


def test_a_folder_of_neither_kind_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="holds no published outcomes"):
        sensitivity_of(tmp_path)


def test_the_table_is_printed_and_written_as_json(table: SensitivityTable) -> None:
    console = Console(width=160)
    with console.capture() as capture:
        console.print(table)
    text = capture.get()
    assert "Tolerances scaled, rules" in text
    assert "Table 4" not in text  # that is the paper's, of the published outcomes
    assert "plain-groups" in text
    assert "grouped reward gained" in text
    data = json.loads(json.dumps(table.to_json()))
    assert data["switches"][0]["switch"] == "form"
    assert data["tolerances"][0] == {
        "factor": 0.5, "how": "distances", "full": 2, "repaired": 3, "outcomes": 6
    }  # fmt: skip


def played(tmp_path: Path, *models: str) -> Path:
    """A run of offline agents on a corpus of the one task."""
    corpus = tmp_path / "suns"
    corpus.mkdir()
    (corpus / "sv_001.json").write_text(json.dumps(TASK), encoding="utf-8")
    run(make_config({"corpus": str(corpus), "models": list(models)}), tmp_path / "run")
    return tmp_path / "run"


def test_a_run_folder_will_do(tmp_path: Path) -> None:
    samples = samples_of(played(tmp_path, "noop"))
    assert [(sample.task, sample.text, sample.label.split()[0]) for sample in samples.found] == [
        (ONE, CORRUPTED, "noop")
    ]
    assert samples.notes == ()


def test_control_agents_are_left_out_where_there_are_others(tmp_path: Path) -> None:
    folder = played(tmp_path, "noop", "oracle")
    lines = (folder / "episodes.jsonl").read_text(encoding="utf-8")
    episodes = lines.replace('"agent":"noop","control":true', '"agent":"noop","control":false')
    (folder / "episodes.jsonl").write_text(episodes, encoding="utf-8")
    samples = samples_of(folder)
    assert [sample.label.split()[0] for sample in samples.found] == ["noop"]
    assert samples.notes == ("1 episodes of control agents left out",)


def test_a_run_whose_tasks_have_changed_says_so(tmp_path: Path) -> None:
    folder = played(tmp_path, "noop")
    changed = {**TASK, "instruction": "Something else."}
    (tmp_path / "suns" / "sv_001.json").write_text(json.dumps(changed), encoding="utf-8")
    with pytest.raises(ConfigError, match="no episode of it can be judged again"):
        samples_of(folder)
