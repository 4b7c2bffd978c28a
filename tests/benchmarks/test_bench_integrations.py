from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_it_measures_the_episode_and_the_adapter_in_one_interpreter():
    paths = os.pathsep.join([str(ROOT), str(ROOT / "agents"), *sys.path])
    command = [
        sys.executable,
        str(ROOT / "benchmarks" / "bench_integrations.py"),
        "--adapter",
        "session",
        "--steps",
        "3",
    ]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True
    )
    row = json.loads(done.stdout)
    assert row["episode_ms"] > 0 and row["step_ms"] > 0
    assert row["over_ms"] == row["step_ms"] - row["episode_ms"]
