"""Runs a Harbor task folder as Harbor does, with folders in place of containers.

The Dockerfile's COPY lines fill the workspace; an agent works in it; the declared artifacts, and nothing else, go to
the verifier's side; `tests/test.sh` writes `reward.json`, which must be numbers.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any


def play(task: Path, folder: Path, agent: str) -> dict[str, float]:
    """The rewards of one trial of `oracle`, `nop`, `gone`, or one that puts something in the drawing's place.

    That is a copy of a file (`file:PATH`), a link to a path (`link:PATH`) or a pipe (`pipe`).
    """
    config: dict[str, Any] = tomllib.loads((task / "task.toml").read_text(encoding="utf-8"))
    assert (task / "instruction.md").read_text(encoding="utf-8").strip()
    assert config["verifier"]["environment_mode"] == "separate"
    root = folder / "agent"
    for line in (task / "environment" / "Dockerfile").read_text(encoding="utf-8").splitlines():
        if line.startswith("COPY "):
            _, source, target = line.split()
            _copy(task / "environment" / source, root / target.lstrip("/"))
    workspace = root / config["environment"]["workdir"].lstrip("/")
    if agent == "oracle":
        run([str(task / "solution" / "solve.sh")], workspace, VBENCH_WORKSPACE=str(workspace))
    elif agent == "gone":
        (workspace / "drawing.svg").unlink()
    elif agent.startswith("file:"):
        shutil.copyfile(agent.removeprefix("file:"), workspace / "drawing.svg")
    elif agent.startswith("link:") or agent == "pipe":
        (workspace / "drawing.svg").unlink()
        if agent == "pipe":
            os.mkfifo(workspace / "drawing.svg")
        else:
            (workspace / "drawing.svg").symlink_to(agent.removeprefix("link:"))
    judged = folder / "verifier"
    shutil.copytree(task / "tests", judged / "tests")
    for name in config["artifacts"]:
        left, target = root / name.lstrip("/"), judged / name.lstrip("/")
        if left.is_fifo():
            target.parent.mkdir(parents=True)
            os.mkfifo(target)
        elif left.is_file() or left.is_symlink():
            _copy(left, target)
    logs = judged / "logs"
    run(
        [str(judged / "tests" / "test.sh")], judged, VBENCH_WORKSPACE=str(judged / "workspace"),
        VBENCH_LOGS=str(logs), VBENCH_PYTHON=sys.executable, PYTHONPATH=os.pathsep.join(sys.path),
    )  # fmt: skip
    rewards: dict[str, float] = json.loads((logs / "reward.json").read_text(encoding="utf-8"))
    assert all(isinstance(value, int | float) and math.isfinite(value) for value in rewards.values())
    return rewards


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target, follow_symlinks=False)


def run(command: list[str], folder: Path, **variables: str) -> None:
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
