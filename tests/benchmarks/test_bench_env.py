"""The benchmark of the environment runs, and what does not depend on the machine holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_figures_are_there_and_an_unchanged_document_is_not_drawn() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "bench_env.py"), "--tasks", "1", "--rounds", "1"]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "agents"), *sys.path])}
    done = subprocess.run(
        [*command, "--size", "64", "--json"], env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["renders_of_an_unchanged_document"] == 0
    assert figures["renders_per_second"]["resvg"] > 0
    for row in figures["modes"].values():
        parts = row["tool_ms"] + row["render_ms"] + row["score_ms"] + row["observation_ms"]
        assert abs(parts - row["step_ms"]) < 0.5 * row["step_ms"]
    assert figures["modes"]["text"]["render_ms"] == 0
    assert (
        figures["modes"]["raster on demand"]["render_ms"] < figures["modes"]["raster each turn"]["render_ms"]
    )
    assert figures["text_step_over_parse"] < 15
