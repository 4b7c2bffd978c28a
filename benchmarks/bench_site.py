"""A site about a run of very many episodes: how long it takes to write, and whether its pages stay quick.

    python benchmarks/bench_site.py [--episodes 10000] [--folder DIR] [--json]

Offline agents really play the tasks of a corpus once (`heuristic`, `random`, `noop`, `oracle`, in turns and in a
single shot); their records are then copied under further sample numbers, each with a drawing of its own text. The
site is written in a process of its own. Where there is a Chromium, its biggest pages are opened from disk: milliseconds
until they are loaded, elements, and milliseconds from a key in the filter to the filtered rows.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vbench_env.experiments.config import make_config
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.experiments.runner import run
from vbench_env.experiments.store import RunFolder
from vbench_env.report import write_site

AGENTS = ("heuristic", "random", "noop", "oracle")
PROTOCOLS = ("single-shot", "interactive-text")
CHROMIUM = Path(__file__).parents[1] / "tests" / "chromium.py"
FILTERED = """
new Promise(done => {
  const field = document.querySelector('input[data-filter]'), rows = [...document.querySelectorAll('[data-find]')];
  const clock = performance.now();
  field.value = rows[rows.length - 1].dataset.find;
  field.dispatchEvent(new Event('input', {bubbles: true}));
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - clock)));
})
"""


def grown(records: list[EpisodeRecord], count: int) -> Iterator[str]:
    """Lines of so many records: the given ones, then copies of them as further samples."""
    for number in range(count):
        sample, place = divmod(number, len(records))
        record = records[place]
        key = record.key._replace(sample=sample)
        svg = record.final_svg and f"{record.final_svg}<!-- {sample} -->"
        yield (
            record.model_copy(
                update={"episode_id": key.episode_id, "sample": sample, "final_svg": svg}
            ).line()
            + "\n"
        )


def make_run(folder: Path, episodes: int, tasks: int) -> Path:
    """A run of so many episodes."""
    from vbench_env.task import load_corpus

    config = make_config({
        "corpus": "vbench-40", "tasks": load_corpus("vbench-40").ids[:tasks], "protocols": PROTOCOLS, "models": AGENTS,
    })  # fmt: skip
    run(config, folder)
    records = list(RunFolder(folder).episodes())
    with (folder / "episodes.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(grown(records, episodes))
    return folder


def written(folder: Path) -> dict[str, float]:
    """Write the site in a fresh process."""
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    command = [sys.executable, __file__, "--write", str(folder)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def write(folder: Path) -> dict[str, float]:
    """Write the site in this process and measure."""
    clock, wall = time.process_time(), time.monotonic()
    write_site([folder])
    unit = 1 if sys.platform == "darwin" else 1024
    return {
        "wall_s": time.monotonic() - wall, "cpu_s": time.process_time() - clock,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6,
    }  # fmt: skip


def biggest(site: Path, folder: str) -> Path:
    return max((site / folder).glob("*.html"), key=lambda path: path.stat().st_size)


def looked_at(site: Path, scratch: Path) -> list[dict[str, Any]]:
    """The biggest page of every kind in a browser; nothing where there is none."""
    spec = importlib.util.spec_from_file_location("chromium", CHROMIUM)
    if spec is None or spec.loader is None or not CHROMIUM.is_file():
        return []
    chromium = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(chromium)
    if chromium.BROWSER is None:
        return []
    pages = [site / "index.html", *(biggest(site, name) for name in ("lists", "tasks", "episodes"))]
    with chromium.page(scratch / "profile") as tab:
        tab.shape(1280, 900)
        return [opened(tab, site, page) for page in pages]


def opened(tab: Any, site: Path, page: Path) -> dict[str, Any]:
    """One page in the browser."""
    tab.open(page.as_uri())
    tab.until("performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
    loaded = tab.value("performance.getEntriesByType('navigation')[0].loadEventEnd")
    has_filter = tab.value(
        "!!document.querySelector('input[data-filter]') && !!document.querySelector('[data-find]')"
    )
    return {
        "page": str(page.relative_to(site)), "kb": page.stat().st_size / 1000, "loaded_ms": loaded,
        "elements": tab.value("document.querySelectorAll('*').length"),
        "filter_ms": tab.value(FILTERED) if has_filter else None, "complaints": list(tab.complaints),
    }  # fmt: skip


def told(found: dict[str, Any]) -> str:
    """The figures in words."""
    lines = [
        f"{found['episodes']:,} episodes, {found['run_mb']:.0f} MB: site written in {found['wall_s']:.0f} s "
        f"({found['cpu_s']:.0f} s of processor), peak {found['peak_mb']:.0f} MB; {found['files']:,} files, "
        f"{found['site_mb']:.0f} MB"
    ]
    for page in found["pages"]:
        filtered = "" if page["filter_ms"] is None else f", filtered in {page['filter_ms']:.0f} ms"
        lines.append(
            f"{page['page']}: {page['kb']:.0f} kB, {page['elements']:,} elements, loaded in {page['loaded_ms']:.0f} ms"
            f"{filtered}{'; COMPLAINTS: ' + str(page['complaints']) if page['complaints'] else ''}"
        )
    return "\n".join(lines)


def measured(folder: Path, episodes: int, tasks: int, scratch: Path) -> dict[str, Any]:
    """Everything about one site."""
    make_run(folder, episodes, tasks)
    found = written(folder)
    files = [path for path in (folder / "site").rglob("*") if path.is_file()]
    return {
        "episodes": episodes, "run_mb": (folder / "episodes.jsonl").stat().st_size / 1e6, **found,
        "files": len(files), "site_mb": sum(path.stat().st_size for path in files) / 1e6,
        "pages": looked_at(folder / "site", scratch),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--tasks", type=int, default=40)
    parser.add_argument(
        "--folder", type=Path, help="a new folder for run and site; a temporary one by default"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write is not None:
        print(json.dumps(write(given.write)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch) / "run"
        found = measured(folder, given.episodes, given.tasks, Path(scratch))
    print(json.dumps(found, indent=2) if given.json else told(found))


if __name__ == "__main__":
    main()
