"""Which rows of a run folder count, whatever the order in which they were written."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from vbench_env.experiments.record import EpisodeRecord
from vbench_env.experiments.store import RunFolder


def row(episode_id: str, number: int, valid: bool) -> str:
    record = EpisodeRecord(
        episode_id=episode_id, reward_valid=valid, stop_reason="answer", task_id="t", task_hash="0", corpus="c",
        protocol="p", rules="surgical", model="m", sample=number, seed=0, started_at="", wall_s=0,
    )  # fmt: skip
    return record.line() + "\n"


def folder(path: Path, rows: list[str]) -> RunFolder:
    (path / "episodes.jsonl").write_text("".join(rows))
    return RunFolder(path)


@pytest.mark.parametrize(
    ("written", "counts"),
    [
        ([("a", True), ("a", False)], [0]),
        ([("a", False), ("a", True)], [1]),
        ([("a", False), ("a", False)], [1]),
        ([("a", True), ("a", True)], [1]),
        ([("b", True), ("a", False), ("b", False), ("a", True), ("c", False)], [0, 3, 4]),
        ([], []),
    ],
)
def test_a_result_is_superseded_by_a_later_result_only(tmp_path, written, counts):
    run = folder(tmp_path, [row(name, number, valid) for number, (name, valid) in enumerate(written)])
    assert [record.sample for record in run.episodes()] == counts


def test_the_rows_that_are_read_are_those_of_the_index(tmp_path):
    draw = random.Random(0)
    rows = [row(f"{draw.randrange(60):016x}", number, draw.random() < 0.6) for number in range(300)]
    run = folder(tmp_path, [*rows, '{"schema":1,"episode_id":"torn","reward_valid":true,'])
    offsets = sorted(place.offset for place in run.index().values())
    starts = [sum(map(len, rows[:number])) for number in range(300)]
    assert [starts[record.sample] for record in run.episodes()] == offsets
    assert len(offsets) == len({json.loads(line)["episode_id"] for line in rows})


def test_a_folder_without_rows_holds_no_episodes(tmp_path):
    assert list(RunFolder(tmp_path).episodes()) == []
