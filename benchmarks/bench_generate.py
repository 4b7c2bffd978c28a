"""The generator: tasks a second, yield, equal hashes in two processes, and its quick check against the full one.

    python benchmarks/bench_generate.py --n 1000 --seed 7 --validate 200 [--save FILE]

`--validate` tasks of those made go through the full `tasks validate`, pictures included: the quick check of the
generator, which looks at no picture, must agree with it on every one.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from vbench_env.generate.corpus import Order, Tally, generate_many, write_folder
from vbench_env.generate.corruptions.base import LEAST_SHARE
from vbench_env.taskkit.validate import validate_task
from vbench_env.taskkit.visibility import LEAST_SHARE as SEEN_SHARE


def main() -> int:
    """Print the figures; exit code 1 when hashes differ or a task is not valid."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--level", type=int, default=2)
    parser.add_argument("--validate", type=int, default=50, help="tasks that are validated in full")
    parser.add_argument("--save", type=Path, help="JSON file for the figures")
    arguments = parser.parse_args()
    order = Order(arguments.n, arguments.seed, arguments.level)
    tally = Tally()
    with tempfile.TemporaryDirectory() as place:
        write_folder(generate_many(order, tally), Path(place))
        folders = sorted(Path(place).iterdir())
        step = max(1, len(folders) // max(1, arguments.validate))
        judged = _judged(folders[::step][: arguments.validate])
    figures = {
        "tasks": tally.tasks, "draws": tally.draws, "tasks_per_cpu_s": round(tally.rate, 1), "hash": tally.hash,
        "hash_of_another_process": _elsewhere(order), "estimated_least_share": LEAST_SHARE,
        "needed_share": SEEN_SHARE, **judged,
    }  # fmt: skip
    text = json.dumps(figures, indent=2)
    print(text)
    if arguments.save:
        arguments.save.write_text(text + "\n", encoding="utf-8")
    good = figures["hash"] == figures["hash_of_another_process"] and judged["valid"] == judged["validated"]
    return 0 if good else 1


def _judged(folders: list[Path]) -> dict[str, Any]:
    reports = [validate_task(folder) for folder in folders]
    shares = [share for report in reports for share in report.visible]
    return {
        "validated": len(reports),
        "valid": sum(report.ok for report in reports),
        "least_visible_share": round(min(shares, default=0.0), 5),
        "errors": [str(f) for report in reports for f in report.findings if f.level == "error"],
    }


def _elsewhere(order: Order) -> str:
    """The hash that another process, with another hash seed, finds."""
    code = (
        "from vbench_env.generate.corpus import *; t = Tally();"
        f" drained(generate_many(Order({order.count}, {order.seed}, {order.level}), t)); print(t.hash)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "5"},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
