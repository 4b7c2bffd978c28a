"""Time and memory to add up a run, by the number of its episodes.

    python benchmarks/bench_report.py [--sizes 1000 10000 100000] [--bytes 4000] [--folder DIR] [--json]

The records are made up by this script: four models under three protocols on forty tasks, with as many samples as the
size needs; a scorecard under both rule sets each, and a conversation of `--bytes`. Each size is read and added up in
a process of its own (`aggregate`, then every finding of `vbench-env compare`), which tells its peak memory. What a
process needs before it reads anything is told apart. Goal: from one size to the next, at most 400 bytes for every
further episode; the records of a real run are hundreds of times that.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from vbench_env.experiments.record import UnitKey
from vbench_env.experiments.store import RunFolder
from vbench_env.report.aggregate import aggregate
from vbench_env.report.findings import findings_of

MODELS, PROTOCOLS, TASKS = 4, 3, 40
GOAL_BYTES = 400
OPERATIONS = ("recolor", "move", "resize", "rotate", "reshape", "text")


def records(count: int, size: int) -> Iterator[str]:
    """So many records, as lines."""
    draw, filler = random.Random(0), "x" * size
    for number in range(count):
        place, group = divmod(number, MODELS * PROTOCOLS)
        sample, task = divmod(place, TASKS)
        made = record(draw, f"model-{group % MODELS}", f"protocol-{group // MODELS}", task, sample, filler)
        yield json.dumps(made, separators=(",", ":")) + "\n"


def record(
    draw: random.Random, model: str, protocol: str, task: int, sample: int, filler: str
) -> dict[str, Any]:
    """One made-up episode; its fields come in the order in which a run writes them."""
    key = UnitKey(f"{task:064x}", protocol, model, sample, 7)
    cards = [card(draw, rules) for rules in ("surgical", "published")]
    return {
        "schema": 1, "episode_id": key.episode_id, "reward_valid": True, "stop_reason": "answer",
        "task_id": f"task-{task}", "task_hash": key.task_hash, "corpus": "made-up", "protocol": protocol,
        "rules": "surgical", "model": model, "agent": "single-shot", "control": False, "sample": sample, "seed": 7,
        "started_at": "2026-01-02T03:04:05+00:00", "wall_s": draw.random(),
        "messages": [{"role": "assistant", "content": filler}], "score": cards[0], "other_scores": cards[1:],
        "cut_off": ["length"] if draw.random() < 0.05 else [], "cost_usd": draw.random() / 100,
        "usage": {"prompt_tokens": draw.randrange(9000), "completion_tokens": draw.randrange(9000)},
    }  # fmt: skip


def card(draw: random.Random, rules: str) -> dict[str, Any]:
    """One made-up verdict with five repairs."""
    reached = [draw.random() for _ in range(5)]
    passed = [value > 0.4 for value in reached]
    repairs = [
        {"object": f"object-{n}", "operation": draw.choice(OPERATIONS), "property": "fill", "passed": good,
         "progress": value, "failure": None if good else "wrong_value"}
        for n, (value, good) in enumerate(zip(reached, passed, strict=True))
    ]  # fmt: skip
    return {
        "rules": rules, "reward": int(all(passed)), "valid": True, "repaired": all(passed), "preserved": True,
        "status": "PASS" if all(passed) else "PARTIAL", "repair_progress": sum(reached) / 5, "repairs": repairs,
        "unintended_change_rate": draw.random() / 10,
    }  # fmt: skip


def write(folder: Path, count: int, size: int) -> int:
    """Write a run of so many episodes; its size in bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "episodes.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(records(count, size))
    return (folder / "episodes.jsonl").stat().st_size


def peak_bytes() -> int:
    """Peak memory of this process so far."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def measure(folder: Path) -> dict[str, float]:
    """Add a run up in this process."""
    findings_of(aggregate([]))
    import scipy.stats  # noqa: F401

    before, clock = peak_bytes(), time.process_time()
    results = aggregate(RunFolder(folder).episodes())
    added, middle = time.process_time() - clock, peak_bytes()
    clock = time.process_time()
    findings_of(results)
    return {
        "episodes": sum(group.total.episodes for group in results.groups), "aggregate_s": added,
        "findings_s": time.process_time() - clock, "before_bytes": before, "aggregate_bytes": middle,
        "peak_bytes": peak_bytes(),
    }  # fmt: skip


def measured(folder: Path) -> dict[str, float]:
    """The same in a fresh process."""
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    command = [sys.executable, __file__, "--measure", str(folder)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def rows_of(sizes: Sequence[int], size: int, folder: Path) -> list[dict[str, float]]:
    """One row a size, each with what it takes more than the one before."""
    rows: list[dict[str, float]] = []
    for count in sizes:
        run = folder / str(count)
        file_bytes = write(run, count, size)
        row = {**measured(run), "file_bytes": file_bytes}
        (run / "episodes.jsonl").unlink()
        for name in ("aggregate", "peak"):
            taken = row[f"{name}_bytes"] - (rows[-1][f"{name}_bytes"] if rows else row["before_bytes"])
            row[f"{name}_growth"] = taken / (count - (rows[-1]["episodes"] if rows else 0))
        rows.append(row)
    return rows


def told(rows: Sequence[dict[str, float]]) -> str:
    """The rows as a table."""
    columns = {
        "episodes": (9, 0, 1.0), "file_bytes": (8, 0, 1e6), "aggregate_s": (11, 2, 1.0), "each_us": (8, 0, 1.0),
        "findings_s": (10, 2, 1.0), "before_bytes": (9, 1, 1e6), "peak_bytes": (8, 1, 1e6),
        "aggregate_growth": (12, 0, 1.0), "peak_growth": (10, 0, 1.0),
    }  # fmt: skip
    names = (
        "episodes",
        "file MB",
        "aggregate s",
        "us each",
        "findings s",
        "before MB",
        "peak MB",
        "B/episode",
        "with all",
    )
    lines = [
        "  ".join(f"{name:>{width}}" for name, (width, _, _) in zip(names, columns.values(), strict=True))
    ]
    for row in rows:
        cells = {**row, "each_us": row["aggregate_s"] / row["episodes"] * 1e6}
        lines.append(
            "  ".join(f"{cells[n] / by:{width},.{digits}f}" for n, (width, digits, by) in columns.items())
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--bytes", type=int, default=4_000, help="of the conversation of an episode")
    parser.add_argument(
        "--folder", type=Path, help="where the runs are written; a temporary folder by default"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure is not None:
        print(json.dumps(measure(given.measure)))
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as scratch:
        rows = rows_of(sorted(given.sizes), given.bytes, Path(scratch))
    print(json.dumps(rows, indent=2) if given.json else told(rows))
    if any(row["peak_growth"] > GOAL_BYTES for row in rows[1:]):
        sys.exit(1)


if __name__ == "__main__":
    main()
