"""Reading published outcomes: two layouts, many containers, and what is said about the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.published_folders import ROWS, TARGET, TASK, plain_folder, repository, repository_row
from vbench_env.errors import TaskError
from vbench_env.report.published import load_published
from vbench_env.report.recorded import flat, recorded_of

REPOSITORY_ROWS = [repository_row(row, raw=number % 2 == 1) for number, row in enumerate(ROWS)]


def camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def nested(row: dict[str, Any]) -> dict[str, Any]:
    """A row in camelCase with its verdict in objects of its own."""
    outer = {"model", "produced_svg", "raw_response", "finish_reason"}
    inner = {camel(name): value for name, value in row.items() if name not in outer}
    inner["checks"] = [{camel(name): value for name, value in item.items()} for item in row["checks"]]
    kept = {camel(name): value for name, value in row.items() if name in outer}
    return {**kept, "evaluation": {"score": inner}}


CONTAINERS = {
    "list": REPOSITORY_ROWS,
    "results": {"task_id": "sv_001", "results": REPOSITORY_ROWS},
    "outcomes": {"outcomes": REPOSITORY_ROWS},
    "rows by model": {"rows": {row["model"]: row for row in REPOSITORY_ROWS}},
    "models": {row["model"]: {k: v for k, v in row.items() if k != "model"} for row in REPOSITORY_ROWS},
    "with remarks": {"generated_at": "today", "summary": {"n": 6}, "results": REPOSITORY_ROWS},
    "nested camelCase": {"taskId": "sv_001", "results": [nested(row) for row in REPOSITORY_ROWS]},
}


def test_a_folder_with_lines_is_read(tmp_path: Path) -> None:
    data = load_published(plain_folder(tmp_path))
    assert data.layout == "folder"
    assert list(data.tasks) == ["sv_001"]
    assert [outcome.model for outcome in data.outcomes] == [row["model"] for row in ROWS]
    assert [outcome.text for outcome in data.outcomes] == [row["produced"] for row in ROWS]
    assert data.skipped == ()


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_of_the_repository_gives_the_same_rows(tmp_path: Path, container: str) -> None:
    data = load_published(repository(tmp_path, CONTAINERS[container]))
    plain = load_published(plain_folder(tmp_path / "plain"))
    assert data.layout == "repository"
    assert data.outcomes == plain.outcomes
    assert data.skipped == ()


def test_the_data_folder_itself_will_do(tmp_path: Path) -> None:
    assert len(load_published(repository(tmp_path, REPOSITORY_ROWS) / "data").outcomes) == len(ROWS)


def test_an_empty_produced_text_is_kept_and_not_replaced_by_the_raw_response(tmp_path: Path) -> None:
    row = {"model": "m", "produced_svg": "", "raw_response": TARGET, "status": "INVALID"}
    (outcome,) = load_published(repository(tmp_path, [row])).outcomes
    assert outcome.text == ""


def test_what_a_row_lacks_stays_unrecorded(tmp_path: Path) -> None:
    rows = [{"model": "m", "produced": TARGET, "reward": 1, "repair_pass": None}]
    (outcome,) = load_published(plain_folder(tmp_path, rows)).outcomes
    assert outcome.recorded.has("reward")
    assert not outcome.recorded.has("repair_pass")
    assert not outcome.recorded.has("validity_pass")
    assert outcome.recorded.checks is None


def test_a_value_of_another_type_counts_as_not_recorded() -> None:
    found = recorded_of({"reward": "high", "validity_pass": True, "checks": [{"part": 3}]})
    assert found.validity_pass is True
    assert not found.has("reward")
    assert found.checks is None


def test_what_stands_at_the_top_wins_over_what_is_nested() -> None:
    assert flat({"reward": 1, "evaluation": {"reward": 0, "nearPass": True}}) == {
        "reward": 1,
        "near_pass": True,
    }


def test_verdicts_in_an_object_of_any_name_are_found() -> None:
    found = recorded_of({"model": "m", "strict_check": {"nearPass": True, "reward": 0}, "reward": 1})
    assert (found.near_pass, found.reward) == (True, 1)


SKIPPED = [
    ({"model": "m", "produced": TARGET, "task_id": "sv_009"}, "its task 'sv_009' is not among the tasks"),
    ({"produced": TARGET}, "it names no model"),
    ({"model": "m", "status": "PASS"}, "it has no text: none of produced, produced_svg, raw_response"),
    ({"model": "m", "produced": {"svg": TARGET}}, "its text is dict, not a string"),
    ({"remark": "nothing"}, "the line holds no row"),
]


@pytest.mark.parametrize(("row", "reason"), SKIPPED)
def test_a_row_that_cannot_be_scored_is_listed_with_the_reason(
    tmp_path: Path, row: dict[str, Any], reason: str
) -> None:
    data = load_published(plain_folder(tmp_path, [ROWS[0], row]))
    assert len(data.outcomes) == 1
    (skipped,) = data.skipped
    assert skipped.place == "published_outcomes.jsonl:2"
    assert reason in skipped.reason


def test_a_broken_line_is_listed(tmp_path: Path) -> None:
    folder = plain_folder(tmp_path)
    with (folder / "published_outcomes.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"model": "cut')
    (skipped,) = load_published(folder).skipped
    assert skipped.place == "published_outcomes.jsonl:7"
    assert skipped.reason.startswith("not JSON")


def test_a_result_file_without_rows_is_listed(tmp_path: Path) -> None:
    root = repository(tmp_path, REPOSITORY_ROWS)
    (root / "data" / "model-results" / "sv_002.json").write_text('{"results": []}', encoding="utf-8")
    (skipped,) = load_published(root).skipped
    assert (skipped.place, skipped.reason) == ("sv_002.json", "the file holds no rows")


def test_a_missing_folder_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"no such folder; give a clone of the public repository"):
        load_published(tmp_path / "nowhere")


def test_a_folder_of_neither_layout_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"holds no published outcomes; give a clone"):
        load_published(tmp_path)


def test_a_folder_without_tasks_names_the_place(tmp_path: Path) -> None:
    folder = plain_folder(tmp_path, tasks=())
    with pytest.raises(TaskError, match=r"tasks: no task files"):
        load_published(folder)


def test_a_folder_whose_tasks_are_all_broken_names_a_file(tmp_path: Path) -> None:
    folder = plain_folder(tmp_path, tasks=({**TASK, "target_svg": None},))
    with pytest.raises(TaskError, match=r"sv_001\.json: no usable task: target_svg"):
        load_published(folder)


def test_a_broken_task_is_skipped_with_its_rows(tmp_path: Path) -> None:
    broken = {**TASK, "task_id": "sv_002", "expected_diff": None}
    rows = [ROWS[0], {**ROWS[0], "task_id": "sv_002"}]
    data = load_published(plain_folder(tmp_path, rows, (TASK, broken)))
    assert len(data.outcomes) == 1
    assert [row.place for row in data.skipped] == ["sv_002.json", "published_outcomes.jsonl:2"]
    assert "expected_diff" in data.skipped[0].reason


def test_a_result_file_that_is_no_json_names_its_file(tmp_path: Path) -> None:
    root = repository(tmp_path, REPOSITORY_ROWS)
    (root / "data" / "model-results" / "sv_001.json").write_text("<html>", encoding="utf-8")
    with pytest.raises(TaskError, match=r"sv_001\.json: not JSON"):
        load_published(root)


def test_rows_that_all_fail_say_why(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"no row of it can be scored \(.*it names no model\)"):
        load_published(plain_folder(tmp_path, [{"produced": TARGET}]))
