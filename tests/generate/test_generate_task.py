"""Tasks from seeds: the same everywhere, valid, of the level that was asked for."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest

from vbench_env.errors import ConfigError, UnknownName
from vbench_env.generate import LEVELS, SPLITS, generate_task
from vbench_env.generate.levels import child_seed
from vbench_env.scoring import score

_PRINT = """
import hashlib
from vbench_env.generate import generate_task
tasks = [generate_task(seed, level=level) for seed, level in ((1, 1), (2, 3), (3, 4))]
print(hashlib.sha256("".join(task.hash for task in tasks).encode()).hexdigest())
"""


def test_equal_seeds_give_equal_tasks_whatever_the_hash_seed() -> None:
    printed = [
        subprocess.run(
            [sys.executable, "-c", _PRINT], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True,
            text=True, check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    ]  # fmt: skip
    own = "".join(generate_task(seed, level=level).hash for seed, level in ((1, 1), (2, 3), (3, 4)))
    assert {*printed, hashlib.sha256(own.encode()).hexdigest()} == {printed[0]}


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_a_task_has_as_many_repairs_as_its_level_says_and_its_target_solves_it(level: int) -> None:
    least, most = LEVELS[level].repairs
    for seed in range(3):
        task = generate_task(seed, level)
        assert least <= len(task.repairs) <= most
        assert score(task, task.target_svg).reward == 1
        assert score(task, task.corrupted_svg).reward == 0


def test_splits_never_share_a_seed() -> None:
    remainders = [{child_seed(split, "any", seed) % len(SPLITS) for seed in range(50)} for split in SPLITS]
    assert [len(found) for found in remainders] == [1, 1, 1]
    assert len(set.union(*remainders)) == len(SPLITS)


def test_operations_and_genre_can_be_chosen() -> None:
    task = generate_task(5, 3, genre="bar-chart", operations=["recolor", "resize"])
    assert task.genre == "bar-chart"
    assert {repair.operation for repair in task.repairs} <= {"recolor", "resize"}


def test_unknown_arguments_are_refused_with_what_is_known() -> None:
    with pytest.raises(ConfigError, match="level must be one of 1, 2"):
        generate_task(1, 9)
    with pytest.raises(ConfigError, match="split must be one of train"):
        generate_task(1, split="dev")
    with pytest.raises(UnknownName, match="bar-chart"):
        generate_task(1, genre="bar-chrt")
    with pytest.raises(UnknownName, match="recolor"):
        generate_task(1, operations=["recolour"])
