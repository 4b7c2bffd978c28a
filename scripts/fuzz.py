"""Fuzz the parser, the readers of values, the scorer, the tools, extraction and action parsing.

    python scripts/fuzz.py --seconds 600 --seeds FOLDER_OF_SVG --out findings/
    python scripts/fuzz.py --seconds 600 --engine atheris --targets scorer,tools   # pip install atheris

Engines: `mutation` (seeded, knows markup, CSS and JSON; the default), `hypothesis` (grammar of small drawings),
`atheris` (libFuzzer with coverage of vbench_env, tinycss2 and cssselect2). A finding is an exception, a broken
promise (tests/fuzz/fuzz_targets.py), or more than `--slow` seconds of CPU; it is made smaller and written to
`--out` as TARGET-HASH.bin, one per place in the code. Put those into tests/fuzz/findings once they are mended.
Exit code 1 when there is one.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import json
import multiprocessing
import resource
import sys
import time
import traceback
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).parents[1])]

SMALLER_TRIES = 300


class Driver:
    """Runs inputs on one target, counts, and keeps the first finding of each kind."""

    def __init__(self, name: str, args: argparse.Namespace) -> None:
        from tests.fuzz.fuzz_targets import TARGETS

        self.name, self.args, self.run = name, args, TARGETS[name]
        self.count, self.slowest = 0, 0.0
        self.found: dict[str, str] = {}

    def one(self, data: bytes) -> None:
        self.count += 1
        faulthandler.dump_traceback_later(120, exit=True)
        kind, seconds = self._kind(data)
        faulthandler.cancel_dump_traceback_later()
        self.slowest = max(self.slowest, seconds)
        if kind is not None and kind not in self.found:
            self._keep(kind, data)

    def _kind(self, data: bytes) -> tuple[str | None, float]:
        """What is wrong with an input, as exception and innermost place of ours; CPU seconds that it took."""
        (self.args.out / f"{self.name}.now").write_bytes(data)
        began = time.process_time()
        try:
            self.run(data)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            frames = traceback.extract_tb(error.__traceback__)
            ours = [frame for frame in frames if "vbench_env" in frame.filename] or frames[-1:]
            place = f"{Path(ours[-1].filename).name}:{ours[-1].name}"
            self.said = f"{type(error).__name__}: {error}"[:300]
            return f"{type(error).__name__} {place} {frames[-1].name}", time.process_time() - began
        seconds = time.process_time() - began
        self.said = f"{seconds:.1f} s"
        return ("slow" if seconds > self.args.slow else None), seconds

    def _keep(self, kind: str, data: bytes) -> None:
        said = self.said
        small = self._smaller(kind, data) if kind != "slow" else data
        path = self.args.out / f"{self.name}-{hashlib.sha256(small).hexdigest()[:12]}.bin"
        path.write_bytes(small)
        self.found[kind] = f"{kind}: {said} [{path.name}, {len(small)} bytes]"
        print(f"FINDING {self.name}: {self.found[kind]}", flush=True)

    def _smaller(self, kind: str, data: bytes) -> bytes:
        rng, size = Random(0), max(1, len(data) // 2)
        for _ in range(SMALLER_TRIES):
            start = rng.randrange(len(data) + 1)
            shorter = data[:start] + data[start + size :]
            if shorter != data and self._kind(shorter)[0] == kind:
                data = shorter
            else:
                size = max(1, size * 3 // 4) if rng.random() < 0.3 else size
            size = min(size, max(1, len(data) // 2))
        return data

    def report(self) -> None:
        row = {"target": self.name, "engine": self.args.engine, "inputs": self.count,
               "slowest_cpu_s": round(self.slowest, 2), "findings": list(self.found.values())}  # fmt: skip
        (self.args.out / f"{self.name}.json").write_text(json.dumps(row), encoding="utf-8")


def by_mutation(driver: Driver, seconds: float) -> None:
    from tests.fuzz.fuzz_inputs import mutated, seeds

    start, end = seeds(driver.name, driver.args.seeds), time.monotonic() + seconds
    for data in start:
        driver.one(data)
    rng = Random(f"{driver.args.seed} {driver.name}")
    while time.monotonic() < end:
        driver.one(mutated(rng.choice(start), start, rng))


def by_hypothesis(driver: Driver, seconds: float) -> None:
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    from tests.fuzz.fuzz_grammar import inputs

    end, number = time.monotonic() + seconds, 0
    quiet = settings(max_examples=200, deadline=None, database=None, phases=[Phase.generate],
                     suppress_health_check=list(HealthCheck))  # fmt: skip
    while time.monotonic() < end:
        number += 1
        seeded(driver.args.seed * 10_000 + number)(quiet(given(inputs(driver.name))(driver.one)))()


def by_atheris(driver: Driver, seconds: float) -> None:
    import atheris

    from tests.fuzz.fuzz_inputs import mutated, seeds

    start = seeds(driver.name, driver.args.seeds)
    corpus = driver.args.out / f"corpus-{driver.name}"
    corpus.mkdir(exist_ok=True)
    for number, data in enumerate(start):
        (corpus / f"seed-{number}").write_bytes(data)

    def one(data: bytes) -> None:
        driver.one(data)
        if driver.count % 50 == 1:
            driver.report()

    def change(data: bytes, longest: int, seed: int) -> bytes:
        return mutated(data, start, Random(seed))[:longest] if seed % 2 else atheris.Mutate(data, longest)

    flags = [f"-max_total_time={int(seconds)}", "-max_len=20000", "-timeout=120", f"-seed={driver.args.seed}",
    "-rss_limit_mb=4096",
             "-verbosity=0", "-len_control=0"]  # fmt: skip
    atheris.Setup([sys.argv[0], *flags, str(corpus)], one, custom_mutator=change)
    atheris.Fuzz()


ENGINES = {"mutation": by_mutation, "hypothesis": by_hypothesis, "atheris": by_atheris}


def work(name: str, args: argparse.Namespace, seconds: float) -> None:
    """One target in a process of its own, so that nothing it does stops the others."""
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    if args.engine == "atheris":
        import atheris

        with atheris.instrument_imports(include=["vbench_env", "tinycss2", "cssselect2"]):
            driver = Driver(name, args)
    else:
        driver = Driver(name, args)
    ENGINES[args.engine](driver, seconds)
    driver.report()


def main() -> int:
    """Run the targets one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60, help="for all targets together")
    parser.add_argument("--targets", default="all", help="names, comma between them")
    parser.add_argument("--engine", choices=ENGINES, default="mutation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=Path, help="folder of SVG files to start from, too")
    parser.add_argument("--slow", type=float, default=10.0, help="CPU seconds of one input")
    parser.add_argument("--out", type=Path, default=Path("fuzz-findings"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    from tests.fuzz.fuzz_targets import TARGETS

    names = list(TARGETS) if args.targets == "all" else args.targets.split(",")
    context, wrong = multiprocessing.get_context("spawn"), False
    for name in names:
        process = context.Process(target=work, args=(name, args, args.seconds / len(names)))
        process.start()
        process.join()
        wrong |= _told(args.out / f"{name}.json", process.exitcode, name)
    return 1 if wrong else 0


def _told(path: Path, code: int | None, name: str) -> bool:
    """Print what a target gave; whether something is wrong."""
    if not path.exists():
        print(f"{name}: ended with {code} before its first report; the input is in {name}.now")
        return True
    row = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    print(f"{name}: {row['inputs']} inputs by {row['engine']}, slowest {row['slowest_cpu_s']} s of CPU, "
          f"{len(row['findings'])} findings" + ("" if code == 0 else f"; ended with {code}"),
          flush=True)  # fmt: skip
    return bool(row["findings"]) or code != 0


if __name__ == "__main__":
    sys.exit(main())
