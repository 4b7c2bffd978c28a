"""A full disk, a folder that is none, a clock that jumps: nothing is lost, the error says what to do."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = ["run", "--corpus", "vbench-40", "--agent", "noop", "--limit", "2"]
MAIN = "from vbench_env.cli import main; main()"
JUMPING = """
import itertools, time
real, calls = time.time, itertools.count()
time.time = lambda: real() + (86400 if next(calls) % 2 else -86400)
"""


def ran(*arguments: str, code: str = MAIN, before: Callable[[], None] | None = None) -> tuple[int, str]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "agents"), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-c", f"import sys; sys.argv[0] = 'vbench-env'\n{code}", *arguments]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=before,
    )
    return done.returncode, done.stdout + done.stderr


def rows(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "episodes.jsonl").read_text(encoding="utf-8").splitlines()]


def small_files() -> None:
    """Every write beyond 12 kB fails, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (12_288, 12_288))


def test_a_full_disk_is_one_line_and_the_run_goes_on_when_there_is_room(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    code, said = ran(*RUN, "--out", str(folder), before=small_files)
    assert code == 2
    assert "Make room, then start again (a run: --resume); what was finished is kept" in said
    assert "Traceback" not in said
    code, said = ran("run", "--resume", "--out", str(folder))
    assert code == 0, said
    assert len({row["episode_id"] for row in rows(folder)}) == len(rows(folder)) == 2


def test_a_jumping_clock_changes_no_record(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    code, said = ran(*RUN, "--out", str(folder), code=JUMPING + MAIN)
    assert code == 0, said
    assert [row["reward_valid"] for row in rows(folder)] == [True, True]
    assert all(0 <= float(str(row["wall_s"])) < 600 for row in rows(folder))


@pytest.mark.parametrize(
    "command", [RUN, ["tasks", "build", "nowhere"], ["report", "nowhere"]], ids=lambda words: words[0]
)
def test_a_folder_that_cannot_be_is_one_line(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    code, said = ran(*command, "--out", str(tmp_path / "file" / "run"))
    assert code == 2
    assert "Traceback" not in said
    assert said.count("error") == 1 or "Error" in said
