"""The benchmark of reports runs, and memory does not grow with what episodes hold."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_memory_does_not_grow_with_what_episodes_hold() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "bench_report.py"), "--sizes", "480", "4800"]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "agents"), *sys.path])}
    done = subprocess.run(
        [*command, "--bytes", "20000", "--json"], env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    small, large = json.loads(done.stdout)
    assert (small["episodes"], large["episodes"]) == (480, 4800)
    assert large["file_bytes"] > 4800 * 20000
    assert large["aggregate_growth"] < 1000
