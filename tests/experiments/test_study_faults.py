"""A study against an endpoint that fails: it completes, and killing it changes no byte.

The small slice runs always; `VBENCH_ENV_FULL_STUDY=1` runs all 1,440 episodes with ten kills and looks at the time too.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SMALL = [
    "--tasks",
    "2",
    "--samples",
    "1",
    "--concurrency",
    "16",
    "--faults",
    "0.2",
    "--kills",
    "2",
    "--timeout",
    "5",
]
FULL = "VBENCH_ENV_FULL_STUDY"


def study(*arguments: str) -> dict[str, Any]:
    command = [sys.executable, str(ROOT / "benchmarks" / "study_faults.py"), *arguments, "--json"]
    paths = [str(ROOT), str(ROOT / "agents"), *sys.path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def module(name: str) -> ModuleType:
    """A module of the benchmarks, which are no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[name] = found
    spec.loader.exec_module(found)
    return found


@pytest.mark.slow
def test_a_study_completes_and_being_killed_changes_no_byte():
    found = study(*SMALL)
    assert (found["summary"]["stop_reason"], found["summary"]["scored"]) == ("complete", 24)
    assert sum(found["counts"].get(kind, 0) for kind in module("faulty_endpoint").FAULTS) >= 3
    assert found["compared"]["equal"], found["compared"]
    assert found["compared"]["episodes"] == found["compared"]["lines"] == 24
    assert found["ratio"] >= 0.9


@pytest.mark.skipif(FULL not in os.environ, reason=f"takes minutes; set {FULL}=1")
def test_the_whole_study():
    found = study()
    assert (found["summary"]["stop_reason"], found["summary"]["scored"]) == ("complete", 1440)
    assert found["compared"]["equal"], found["compared"]
    assert found["ratio_of_cores_left"] <= module("study_faults").GOAL


def test_a_request_always_meets_the_same_faults():
    faulty = module("faulty_endpoint")
    drawn = [[faulty.fault_of(f"{n}".encode(), attempt, 0.05) for n in range(4000)] for attempt in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    counts = Counter(drawn[0])
    assert set(counts) == {None, *faulty.FAULTS}
    assert 0.04 < 1 - counts[None] / 4000 < 0.06
    assert min(counts[kind] for kind in faulty.FAULTS) > 20


def test_only_times_are_left_out():
    faults = module("study_faults")
    row = {"started_at": 1, "wall_s": 2, "calls": [{"attempts": [{"latency_s": 3, "number": 1}]}], "seed": 4}
    assert faults.timeless(row) == {"calls": [{"attempts": [{"number": 1}]}], "seed": 4}


def test_the_bounds_of_a_run():
    faults = module("study_faults")
    plan = faults.Study("c", 1, 1, 10, 0.05, 0.05, 8.0)
    counts = {"requests": 1010, "hang": 10}
    found = faults.speed(plan, counts, 20.0, 30.0, 2.0, 40.0)
    assert found["network_bound_s"] == pytest.approx((1000 * 0.05 + 10 * 8) / 10)
    assert found["cpu_bound_s"] == pytest.approx(32.0 / found["cores"])
    assert found["ratio"] == pytest.approx(20.0 / max(13.0, 32.0 / found["cores"]))
    assert found["cores_used_by_others"] == pytest.approx(8.0 / 20.0)
