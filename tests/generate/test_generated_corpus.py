"""Corpora of generated tasks: full validation, folders that load, figures, foreign files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vbench_env.errors import ConfigError
from vbench_env.generate import generate_task
from vbench_env.generate.corpus import Order, Tally, drained, generate_many, write_folder, write_lines
from vbench_env.generate.corruptions import CORRUPTIONS
from vbench_env.generate.corruptions.base import LEAST_SHARE
from vbench_env.generate.files import generate_from
from vbench_env.generate.scenes import SCENES
from vbench_env.task import load_corpus
from vbench_env.taskkit.validate import validate_corpus
from vbench_env.taskkit.visibility import LEAST_SHARE as SEEN_SHARE


def test_written_tasks_pass_the_full_validation_and_load_as_they_were_made(tmp_path: Path) -> None:
    tally = Tally()
    made = []
    for place, genre in enumerate(SCENES.names()):
        made += list(generate_many(Order(1, 7, level=1 + place % 3, genre=genre), tally))
    write_folder(made, tmp_path / "generated")
    report = validate_corpus(tmp_path / "generated")
    errors = [str(f) for one in report.reports for f in one.findings if f.level == "error"]
    assert errors == []
    assert report.ok
    loaded = load_corpus(tmp_path / "generated")
    assert {task.task_id: task.hash for task in loaded} == {one.task.task_id: one.task.hash for one in made}
    assert loaded.hash == tally.hash


def test_estimates_ask_for_about_twice_what_must_be_seen() -> None:
    assert LEAST_SHARE >= 2 * SEEN_SHARE


def test_every_operation_can_be_asked_for() -> None:
    for operation in CORRUPTIONS.names():
        task = generate_task(4, 1, operations=[operation])
        assert [repair.operation for repair in task.repairs] == [operation]


def test_no_two_tasks_of_a_corpus_say_the_same() -> None:
    tally = Tally()
    made = list(generate_many(Order(40, 3, level=1, operations=("delete",)), tally))
    assert len({one.task.instruction for one in made}) == len({one.task.title for one in made}) == 40
    assert tally.tasks == 40
    assert 0.5 < tally.share <= 1.0


def test_equal_orders_have_equal_hashes_and_other_seeds_and_splits_others() -> None:
    hashes = []
    for seed, split in ((1, "train"), (1, "train"), (2, "train"), (1, "test")):
        tally = Tally()
        drained(generate_many(Order(3, seed, 1, split), tally))
        hashes.append(tally.hash)
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3


def test_lines_hold_the_whole_task(tmp_path: Path) -> None:
    made = list(generate_many(Order(2, 5, 1), Tally()))
    write_lines(made, tmp_path / "tasks.jsonl")
    read = [json.loads(line) for line in (tmp_path / "tasks.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [item["task_hash"] for item in read] == [one.task.hash for one in made]
    assert read[0]["target_svg"] == made[0].task.target_svg


_BADGE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 80"><rect width="100" height="80" fill="#ffffff"/>'
    '<rect x="20" y="10" width="60" height="30" fill="#1f4fe0"/>'
    '<text x="50" y="64" font-size="14" text-anchor="middle">Harbour</text></svg>'
)


@pytest.fixture
def drawings(tmp_path: Path) -> Path:
    folder = tmp_path / "drawings"
    (folder / "deeper").mkdir(parents=True)
    (folder / "badge.svg").write_text(_BADGE, encoding="utf-8")
    (folder / "deeper" / "torn.svg").write_text("<svg", encoding="utf-8")
    return folder


def test_a_folder_of_files_gives_tasks_and_reasons(drawings: Path, tmp_path: Path) -> None:
    tally = Tally()
    made = list(generate_from(drawings, 1, 1, None, tally))
    assert len(made) == 1
    assert (tally.tasks, tally.skipped, tally.draws) == (1, 1, 2)
    assert [reason.partition(" XML")[0] for reason in tally.reasons] == [
        "deeper/torn.svg: is not well-formed"
    ]
    write_folder(made, tmp_path / "generated")
    assert validate_corpus(tmp_path / "generated").ok


@pytest.mark.parametrize("operation", ["recolor", "delete", "text", "rotate", "move"])
def test_files_bear_the_operation_that_is_asked_for(drawings: Path, operation: str) -> None:
    made = list(generate_from(drawings, 2, 1, [operation], Tally()))
    assert [repair.operation for repair in made[0].task.repairs] == [operation]


def test_a_folder_without_drawings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no SVG files"):
        list(generate_from(tmp_path, 1, 1, None, Tally()))
    with pytest.raises(ConfigError, match="no such folder"):
        list(generate_from(tmp_path / "none", 1, 1, None, Tally()))
