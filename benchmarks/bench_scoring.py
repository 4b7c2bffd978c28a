"""Time to score one outcome, as a multiple of lxml parsing the same text in the same run.

    python benchmarks/bench_scoring.py DIR [--repeat N]

DIR holds published outcomes: a clone of the public repository or a folder with `tasks/` and
`published_outcomes.jsonl`. Each outcome is scored `--repeat` times and parsed by lxml as often, turn about; the
median of each is kept. Rows without text are left out; text that lxml cannot parse is compared with the median
parse of the others.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from lxml import etree

from vbench_env.report.published import load_published
from vbench_env.scoring import score


def best(action: Callable[[], object], repeat: int) -> float:
    """Median seconds of one call."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def parse(data: bytes) -> None:
    """Parse as lxml does by default; a fault costs what it costs."""
    with contextlib.suppress(etree.XMLSyntaxError):
        etree.fromstring(data)


def percentile(values: list[float], share: float) -> float:
    """The value below which `share` of the sorted values lie."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    published = load_published(options.folder)
    print(f"{'rules':10} {'rows':>5} {'median us':>10} {'p95 us':>10} {'median x':>9} {'p95 x':>9}")
    for rules in ("published", "surgical"):
        for task in published.tasks.values():
            score(task, task.target_svg, rules)
        seconds, multiples = [], []
        for row in published.outcomes:
            if not row.text:
                continue
            task, text = published.tasks[row.task_id], row.text
            data = text.encode()
            ours = best(lambda task=task, text=text, rules=rules: score(task, text, rules), options.repeat)
            floor = best(lambda data=data: parse(data), options.repeat)
            seconds.append(ours * 1e6)
            multiples.append(ours / floor)
        print(
            f"{rules:10} {len(seconds):5} {statistics.median(seconds):10.0f} {percentile(seconds, 0.95):10.0f} "
            f"{statistics.median(multiples):9.1f} {percentile(multiples, 0.95):9.1f}"
        )


if __name__ == "__main__":
    main()
