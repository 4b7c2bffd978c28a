"""Renders per second of every engine on the same files in one run.

    python benchmarks/bench_render.py [FILE_OR_FOLDER ...] [--size 512] [--rounds 5]

Without files, the targets of the shipped tasks. Each figure is the median over rounds; nothing is taken from a
cache. `bare` is the engine alone on the prepared document, `whole` is what a caller waits: screening, engine,
check. `ratio` compares renders per second of the first engine with each.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from vbench_env.render import (
    RENDERERS,
    Prepared,
    RenderFailure,
    RenderLimits,
    RenderRequest,
    SafeRenderer,
    prepare,
    unavailable,
)
from vbench_env.resources import data_root

LIMITS = RenderLimits()


def milliseconds(action: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


def measure(name: str, documents: dict[str, bytes], size: int, rounds: int) -> dict[str, tuple[float, ...]]:
    """File: milliseconds of screening, of the engine alone, and of a whole render."""
    engine = RENDERERS.get(name)(LIMITS)
    renderer = SafeRenderer(engine, LIMITS, cache_bytes=0)
    rows = {}
    for path, svg in documents.items():
        request = RenderRequest(svg, size, size)
        prepared = prepare(request, LIMITS)
        if not isinstance(prepared, Prepared) or isinstance(renderer.render(request), RenderFailure):
            continue
        rows[path] = (
            milliseconds(lambda request=request: prepare(request, LIMITS), rounds),
            milliseconds(lambda prepared=prepared: engine.draw(prepared.svg, size, size), rounds),
            milliseconds(lambda request=request: renderer.render(request), rounds),
        )
    renderer.close()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    paths = options.paths or [data_root("tasks")]
    found = [file for path in paths for file in (sorted(path.rglob("*.svg")) if path.is_dir() else [path])]
    if not options.paths:
        found = [file for file in found if file.name == "target.svg"]
    documents = {str(file): file.read_bytes() for file in found}
    results = {}
    for name in RENDERERS.names()[::-1]:
        reason = unavailable(name)
        if reason is not None:
            print(f"{name}: not measured, {reason}")
            continue
        results[name] = measure(name, documents, options.size, options.rounds)
    report(results, len(documents), options.size)


def report(results: dict[str, dict[str, tuple[float, ...]]], given: int, size: int) -> None:
    """Figures over the files that every engine could draw."""
    common = set.intersection(*(set(rows) for rows in results.values())) if results else set()
    print(f"{len(common)} of {given} files drawn by every engine, {size} px, 1 at a time")
    if not common:
        return
    print(f"{'engine':<10} renders/s  ratio  whole ms  bare ms  screen ms  whole/bare")
    first = None
    for name, rows in results.items():
        screen, bare, whole = ([rows[path][column] for path in common] for column in range(3))
        per_second = 1000 * len(common) / sum(whole)
        first = first or per_second
        print(
            f"{name:<10} {per_second:>9.1f} {first / per_second:>6.2f} {statistics.median(whole):>9.2f} "
            f"{statistics.median(bare):>8.2f} {statistics.median(screen):>10.2f} {sum(whole) / sum(bare):>11.2f}"
        )


if __name__ == "__main__":
    main()
