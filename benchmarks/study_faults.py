"""A study against an endpoint that fails: does it finish, how fast, and does killing it change a byte?

    python benchmarks/study_faults.py [--tasks 40] [--samples 3] [--kills 10] [--concurrency 64] [--out FOLDER] [--json]

Three models under four protocols (text and pictures, single and interactive) repair the tasks of a corpus three times:
1,440 episodes. The endpoint is 50 ms away and lets 5 % of all attempts fail (429, 500, no answer, cut off, garbage),
see `faulty_endpoint.py`. The study is run twice: undisturbed, and killed with SIGKILL at ten random moments and
resumed. Both are read back, sorted by key, stripped of times (`TIMES`) and compared byte by byte.

How fast: the wall time of the undisturbed run, from the start of its process to its end, against the larger of two
bounds: seconds in which its requests were under way over the number of concurrent calls, and processor seconds (the
run, its workers and renderers, and the endpoint, which shares the machine) over cores. The goal is at most 1.25.
Other programs take cores away; their share is measured, and the same figure is given for the cores that they left.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vbench_env.experiments.executors import default_workers
from vbench_env.experiments.store import RunFolder
from vbench_env.task import load_corpus

HERE = Path(__file__).parent
PROTOCOLS = ("single-shot", "single-shot-raster", "interactive-text", "interactive-raster")
MODELS = ("careful", "hasty", "careless")
TIMES = frozenset({"started_at", "wall_s", "latency_s"})
"""Fields of a record that say when something was or how long it took; all else must be the same."""
GOAL = 1.25
RUN = """
import json, sys
from vbench_env.experiments.config import make_config
from vbench_env.experiments.runner import run
summary = run(make_config(json.loads(sys.argv[1])), sys.argv[2], resume=True)
print(summary.model_dump_json())
"""


@dataclass(frozen=True, slots=True)
class Study:
    """What is run, and how."""

    corpus: str
    tasks: int
    samples: int
    concurrency: int
    latency_s: float
    share: float
    timeout_s: float

    @property
    def episodes(self) -> int:
        return len(MODELS) * len(PROTOCOLS) * self.tasks * self.samples

    def config(self, api_base: str) -> dict[str, Any]:
        """The configuration of the run."""
        prices = {"input_usd_per_million": 1.0, "output_usd_per_million": 4.0}
        retry = {"attempts": 8, "timeout_s": self.timeout_s, "backoff_s": 0.1, "longest_wait_s": 1.0}
        return {
            "corpus": self.corpus, "tasks": load_corpus(self.corpus).ids[: self.tasks], "samples": self.samples,
            "models": [{"name": f"openai/{name}", "vision": True, **prices} for name in MODELS],
            "protocols": PROTOCOLS, "concurrency": self.concurrency, "api_base": api_base, "retry": retry,
        }  # fmt: skip


class Endpoint:
    """The endpoint in a process of its own."""

    def __init__(self, study: Study) -> None:
        options = ["--corpus", study.corpus, "--latency", str(study.latency_s), "--faults", str(study.share)]
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "faulty_endpoint.py"), *options], env=environment(), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.url = self._line().strip()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def report(self) -> dict[str, Any]:
        """Its counts and processor seconds so far."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        found: dict[str, Any] = json.loads(self._line())
        return found

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


@contextmanager
def endpoint(study: Study) -> Iterator[Endpoint]:
    """An endpoint for the length of a block."""
    started = Endpoint(study)
    try:
        yield started
    finally:
        started.close()


def environment() -> dict[str, str]:
    """This process's environment and import path."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path)}


def start(config: dict[str, Any], folder: Path) -> subprocess.Popen[str]:
    """A process that runs, or goes on with, the study."""
    command = [sys.executable, "-c", RUN, json.dumps(config), str(folder)]
    return subprocess.Popen(command, env=environment(), text=True, stdout=subprocess.PIPE)


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The summary that the process prints at its end."""
    out, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"the run ended with exit code {process.returncode}")
    found: dict[str, Any] = json.loads(out)
    return found


def busy_s() -> float:
    """Processor seconds of the whole machine since it was started; 0 where nobody knows."""
    try:
        fields = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]
    except OSError:
        return 0.0
    user, nice, system, _, _, irq, softirq, steal = map(int, fields)
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def undisturbed(study: Study, server: Endpoint, folder: Path) -> dict[str, Any]:
    """Run the study and measure it."""
    config, before = study.config(server.url), server.report()
    busy, children, clock = busy_s(), children_s(), time.monotonic()
    summary = finish(start(config, folder))
    wall, busy, own, after = (
        time.monotonic() - clock,
        busy_s() - busy,
        children_s() - children,
        server.report(),
    )
    counts = {name: count - before["counts"].get(name, 0) for name, count in after["counts"].items()}
    figures = speed(study, counts, wall, own, after["cpu_s"] - before["cpu_s"], busy)
    return {"summary": summary, "wall_s": wall, "counts": counts, **figures}


def children_s() -> float:
    """Processor seconds of the processes that have ended under this one, with those under them."""
    spent = os.times()
    return spent.children_user + spent.children_system


def speed(
    study: Study, counts: dict[str, int], wall_s: float, run_s: float, endpoint_s: float, busy: float
) -> dict[str, float]:
    """The bounds, and how far above the larger one the run stayed."""
    hangs, cores, cpu_s = counts.get("hang", 0), default_workers(), run_s + endpoint_s
    under_way = (counts["requests"] - hangs) * study.latency_s + hangs * study.timeout_s
    network = under_way / study.concurrency
    others = max(0.0, busy - cpu_s) / wall_s
    return {
        "network_bound_s": network, "run_cpu_s": run_s, "endpoint_cpu_s": endpoint_s, "cores": cores,
        "cpu_bound_s": cpu_s / cores, "ratio": wall_s / max(network, cpu_s / cores),
        "cores_used_by_others": others,
        "ratio_of_cores_left": wall_s / max(network, cpu_s / max(0.1, cores - others)),
    }  # fmt: skip


def killed(
    study: Study, server: Endpoint, folder: Path, kills: int, seconds: float, seed: int
) -> list[dict[str, Any]]:
    """Run the study, killed at random moments of its work and resumed; where it stood at each."""
    config, draw, moments = study.config(server.url), random.Random(seed), []
    for _ in range(kills):
        asked, moment = requests_of(server), draw.uniform(0.0, 2 * seconds / (kills + 1))
        process = start(config, folder)
        while process.poll() is None and requests_of(server) == asked:
            time.sleep(0.05)
        with suppress(subprocess.TimeoutExpired):
            process.wait(moment)
        process.kill()
        process.communicate()
        in_flight = len(list((folder / "calls").glob("*.jsonl")))
        moments.append(
            {"after_s": round(moment, 2), "done": len(RunFolder(folder).done()), "in_flight": in_flight}
        )
    moments.append({"summary": finish(start(config, folder))})
    return moments


def requests_of(server: Endpoint) -> int:
    """Requests that have arrived so far."""
    return int(server.report()["counts"].get("requests", 0))


def timeless(value: Any) -> Any:
    """A record without the fields that say when and how long."""
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if key not in TIMES}
    return [timeless(item) for item in value] if isinstance(value, list) else value


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every record without times, by key."""
    rows = ((record.key, record.line()) for record in RunFolder(folder).episodes())
    return {
        repr(tuple(key)): hashlib.sha256(json.dumps(timeless(json.loads(line))).encode()).hexdigest()
        for key, line in rows
    }


def compared(calm: Path, other: Path) -> dict[str, Any]:
    """Whether two runs are the same after sorting by key and leaving out times."""
    first, second = digests(calm), digests(other)
    differing = sorted(key for key in {*first, *second} if first.get(key) != second.get(key))
    whole = [hashlib.sha256("\n".join(f"{k} {v}" for k, v in sorted(found.items())).encode()).hexdigest()
             for found in (first, second)]  # fmt: skip
    lines = len((other / "episodes.jsonl").read_bytes().splitlines())
    return {"equal": not differing, "episodes": len(first), "differing": differing[:5], "lines": lines,
            "sha256": whole}  # fmt: skip


def play(study: Study, folder: Path, kills: int, seed: int) -> dict[str, Any]:
    """Both runs, and all that is to be told of them."""
    with endpoint(study) as server:
        calm = undisturbed(study, server, folder / "calm")
        result: dict[str, Any] = {"episodes": study.episodes, **calm}
        if kills:
            result["kills"] = killed(study, server, folder / "killed", kills, calm["summary"]["wall_s"], seed)
            result["compared"] = compared(folder / "calm", folder / "killed")
        return result


def told(found: dict[str, Any]) -> str:
    """The result in words."""
    summary, counts = found["summary"], found["counts"]
    faults = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()) if kind != "requests")
    lines = [
        f"{summary['scored']} of {found['episodes']} episodes, {summary['stop_reason']}; {counts['requests']} requests "
        f"({faults})",
        f"wall {found['wall_s']:.1f} s; network bound {found['network_bound_s']:.1f} s; processor bound "
        f"{found['cpu_bound_s']:.1f} s (run {found['run_cpu_s']:.1f} s and endpoint {found['endpoint_cpu_s']:.1f} s "
        f"on {found['cores']} cores)",
        f"wall over the larger bound: {found['ratio']:.2f} (goal {GOAL}); other programs used "
        f"{found['cores_used_by_others']:.2f} cores, over what they left: {found['ratio_of_cores_left']:.2f}",
    ]
    for kill in found.get("kills", []):
        if "after_s" in kill:
            lines.append(
                f"killed after {kill['after_s']} s: {kill['done']} done, {kill['in_flight']} in flight"
            )
    if same := found.get("compared"):
        verdict = "byte-equal" if same["equal"] else f"NOT EQUAL: {same['differing']}"
        digest = same["sha256"][1][:16]
        lines.append(f"{same['episodes']} records without {', '.join(sorted(TIMES))}: {verdict} ({digest})")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", default="vbench-40")
    parser.add_argument("--tasks", type=int, default=40)
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--faults", type=float, default=0.05)
    parser.add_argument(
        "--timeout", type=float, default=3.0, help="seconds after which an attempt counts as hung"
    )
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument("--out", type=Path, help="keep the runs in this folder")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    study = Study(
        given.corpus,
        given.tasks,
        given.samples,
        given.concurrency,
        given.latency,
        given.faults,
        given.timeout,
    )
    with tempfile.TemporaryDirectory() as scratch:
        found = play(study, given.out or Path(scratch), given.kills, given.seed)
    print(json.dumps(found, indent=2) if given.json else told(found))
    if found["summary"]["stop_reason"] != "complete" or not found.get("compared", {"equal": True})["equal"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
