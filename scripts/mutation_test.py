"""Mutation testing of our own code: small faults put into `svg/` and `scoring/`, one at a time; do the tests notice?

    pip install coverage
    python scripts/mutation_test.py --mutants 400 --seed 1 --jobs 2 --out mutants.jsonl

First the tests run once with coverage, which says for every line what tests reach it and how long they take. A
mutant is one change of one expression or statement (`changes`), drawn by seed from all places where one can be
made. It runs in a copy of the checkout, in a forked process with a limit of processor time, against the tests that
reach the line: those of its own module first, then the quick ones, the verdict lines, at last a slice of the audit.
The first failure ends it. Results are appended to `--out`; a second call goes on where the first stopped, and
`--again` runs those that survived against the tests as they are now. Exit code 1 below `--least` caught.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import json
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGES = ("vbench_env/svg", "vbench_env/scoring")
TESTS = ["tests/svg", "tests/scoring", "tests/fuzz", "tests/tools"]
LINES = ["tests/scoring/test_verdict_lines.py"]
AUDIT = ["tests/audit/test_audit.py::test_no_verdict_on_a_gallery_is_wrong"]
LEFT_OUT = ("hostile", "megabyte", "published_outcomes", "linear_time", "speed", "candidates_of_tasks")
"""Words in the names of tests that measure time or memory, or run long."""
SLOWEST_S = 3.0
"""Tests that take longer are not run for a mutant."""
BUDGETS_S = (2.0, 30.0)
"""Seconds of tests that reach the line, as they took without the mutant: before and after the verdict lines."""
MEMORY = 8 << 30
"""Bytes of addresses that the tests of a mutant may take."""
FORKED = ("numpy", "lxml.etree", "tinycss2", "cssselect2", "pyclipper", "pydantic", "hypothesis", "pytest", "yaml",
          "scipy.stats", "scipy.optimize", "coloraide", "typer", "PIL.Image")  # fmt: skip
"""Imported once, before the fork."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the file, the line, what kind, and the code before and after."""

    path: str
    line: int
    kind: str
    before: str
    after: str
    number: int
    """Which place of the file, in the order in which places are found."""

    @property
    def key(self) -> str:
        return hashlib.sha256(f"{self.path} {self.number} {self.before} {self.after}".encode()).hexdigest()[
            :12
        ]


# What can be changed

Change = tuple[str, ast.AST]
_COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
             ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}  # fmt: skip
_COUNTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
            ast.Mod: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.Pow: ast.Mult}  # fmt: skip


def changes(node: ast.AST) -> Iterator[Change]:
    """Every changed form of one node, with its kind."""
    made = copy.copy(node)
    if isinstance(made, ast.Compare) and type(made.ops[0]) in _COMPARED:
        made.ops = [_COMPARED[type(made.ops[0])](), *made.ops[1:]]
        yield "comparison", made
    elif isinstance(made, ast.BoolOp):
        made.op = ast.Or() if isinstance(made.op, ast.And) else ast.And()
        yield "and for or", made
    elif isinstance(made, ast.BinOp) and type(made.op) in _COUNTED:
        made.op = _COUNTED[type(made.op)]()
        yield "arithmetic", made
    elif isinstance(made, ast.UnaryOp) and isinstance(made.op, (ast.Not, ast.USub)):
        yield "negation dropped", made.operand
    elif isinstance(made, ast.Constant):
        yield from _constants(made)
    elif isinstance(made, ast.If) and ast.unparse(made.test) != "TYPE_CHECKING":
        for value in (True, False):
            forced = copy.copy(made)
            forced.test = ast.Constant(value)
            yield "condition forced", forced
    elif isinstance(made, ast.IfExp):
        yield "branch forced", made.body
        yield "branch forced", made.orelse
    elif isinstance(made, ast.Return) and made.value is not None and not _is_none(made.value):
        made.value = ast.Constant(None)
        yield "returns None", made
    elif isinstance(made, (ast.AugAssign, ast.Continue, ast.Break)) or (
        isinstance(made, ast.Expr) and isinstance(made.value, (ast.Call, ast.Yield, ast.YieldFrom))
    ):
        yield "statement dropped", ast.Pass()


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _constants(node: ast.Constant) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield "constant", ast.Constant(not value)
    elif isinstance(value, (int, float)):
        yield "constant", ast.Constant(value + 1 if isinstance(value, int) else value * 1.5 + 0.01)
    elif isinstance(value, str) and value and " " not in value:
        yield "constant", ast.Constant(value + "~")


_NAMING = ("__all__", "__slots__")
_KEPT = (ast.JoinedStr, ast.Raise, ast.Import, ast.ImportFrom, ast.Assert)


class _Places(ast.NodeTransformer):
    """Finds places, or changes the one with a number. Annotations, docstrings and messages stay as they are."""

    def __init__(self, wanted: int | None = None) -> None:
        self.wanted = wanted
        self.found: list[tuple[int, str, ast.AST, ast.AST]] = []

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, _KEPT):
            return node
        for kind, made in changes(node):
            number = len(self.found)
            self.found.append((node.lineno, kind, node, made))  # type: ignore[attr-defined]
            if number == self.wanted:
                return ast.copy_location(made, node)
        return super().visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.args.defaults = [self.visit(item) for item in node.args.defaults]
        node.args.kw_defaults = [None if item is None else self.visit(item) for item in node.args.kw_defaults]
        node.body = [self.visit(item) for item in node.body]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [self.visit(item) for item in node.body]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if not any(isinstance(name, ast.Name) and name.id in _NAMING for name in node.targets):
            node.value = self.visit(node.value)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)


def mutants_of(path: str) -> list[Mutant]:
    """Every mutant of a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    places = _Places()
    places.visit(tree)
    return [
        Mutant(path, line, kind, _short(before), _short(after), number)
        for number, (line, kind, before, after) in enumerate(places.found)
    ]


def _code(mutant: Mutant) -> str:
    """The line of a mutant as it is written, without its indentation."""
    return (ROOT / mutant.path).read_text(encoding="utf-8").split("\n")[mutant.line - 1].strip()


def _short(node: ast.AST) -> str:
    text = ast.unparse(node).split("\n")[0]
    return text if len(text) <= 100 else text[:97] + "..."


def mutated_source(mutant: Mutant) -> str:
    """The file with the change in it."""
    tree = ast.parse((ROOT / mutant.path).read_text(encoding="utf-8"))
    changed = _Places(mutant.number).visit(tree)
    return ast.unparse(ast.fix_missing_locations(changed))


def sample(count: int, seed: int, only: str = "") -> list[Mutant]:
    """Mutants drawn by seed from all files; the smaller sample is the beginning of the larger one."""
    files = [
        str(path.relative_to(ROOT)) for package in PACKAGES for path in sorted((ROOT / package).glob("*.py"))
    ]
    found = [mutant for path in files if only in path for mutant in mutants_of(path)]
    return Random(seed).sample(found, min(count, len(found)))


# Which tests reach which line

PLUGIN = """
import json, os, time
import coverage
_cov = coverage.Coverage(source=[os.path.join(os.environ["MUTATION_COPY"], "vbench_env")],
data_file=None, config_file=False)
_times = {}
def pytest_sessionstart(session): _cov.start()
def pytest_runtest_logstart(nodeid, location): _cov.switch_context(nodeid)
def pytest_runtest_logreport(report): _times[report.nodeid] = _times.get(report.nodeid, 0.0) + report.duration
def pytest_sessionfinish(session):
    _cov.stop()
    data, lines = _cov.get_data(), {}
    for path in data.measured_files():
        name = os.path.relpath(path, os.environ["MUTATION_COPY"])
        if name.startswith(("vbench_env/svg/", "vbench_env/scoring/")):
            lines[name] = {line: sorted(c for c in found if c) for line, found in data.contexts_by_lineno(path).items()}
    with open(os.environ["MUTATION_MAP"], "w") as file:
        json.dump({"lines": lines, "seconds": _times}, file)
"""


def reach(copy_: Path, cache: Path) -> dict[str, Any]:
    """What tests reach each line, and their seconds; measured once and kept."""
    if not cache.exists():
        (copy_ / "mutation_plugin.py").write_text(PLUGIN, encoding="utf-8")
        environment = {**_environment(copy_), "MUTATION_COPY": str(copy_), "MUTATION_MAP": str(cache)}
        words = " and ".join(f"not {word}" for word in LEFT_OUT)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "mutation_plugin", "-p", "no:cacheprovider",
                   "--hypothesis-seed=0", "-k", words, *TESTS]  # fmt: skip
        done = subprocess.run(command, cwd=copy_, env=environment, check=False)
        if done.returncode != 0:
            sys.exit("the tests fail without any change; mend them first")
    found: dict[str, Any] = json.loads(cache.read_text(encoding="utf-8"))
    return found


def _compiled(copy_: Path) -> None:
    """Let Python keep the byte code of sources and tests, so that a mutant compiles its own file alone."""
    environment = {**_environment(copy_), "PYTHONDONTWRITEBYTECODE": ""}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--collect-only",
        "-p",
        "no:cacheprovider",
        *TESTS,
        *AUDIT,
    ]
    subprocess.run(command, cwd=copy_, env=environment, check=True, stdout=subprocess.DEVNULL)


def _environment(copy_: Path) -> dict[str, str]:
    path = os.pathsep.join([str(copy_), str(copy_ / "agents")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def tests_for(mutant: Mutant, reached: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The tests that reach the mutant's line, those first that are worth trying first, and some more.

    Of a table those come first that have the changed word as a parameter.
    """
    seconds = reached["seconds"]
    found = reached["lines"].get(mutant.path, {}).get(str(mutant.line), [])
    if not found:  # a line that runs on import alone, such as a table's: any test may read it
        found = sorted(seconds)
    own = Path(mutant.path).stem
    usable = [test for test in found if seconds.get(test, 99.0) <= SLOWEST_S]
    word = mutant.before.strip("'") if mutant.kind == "constant" else "::"
    usable.sort(key=lambda test: (f"test_{own}.py" not in test, f"[{word}" not in test, seconds[test]))
    chosen: tuple[list[str], list[str]] = ([], [])
    spent = 0.0
    for test in usable:
        spent += seconds[test] + 0.003
        if spent < sum(BUDGETS_S):
            chosen[spent > BUDGETS_S[0]].append(test)
    return chosen


# One mutant


def _child(copy_: str, tests: list[str], log: str, limit_s: int) -> None:
    """Run the tests in a fork that has the heavy imports already."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.chdir(copy_)
    sys.path[:] = [copy_, f"{copy_}/agents", *sys.path]
    os.environ.update(_environment(Path(copy_)))
    sys.dont_write_bytecode = True
    with open(log, "w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        import pytest
        from hypothesis import Phase, settings

        settings.register_profile(
            "first", deadline=None, database=None, phases=(Phase.explicit, Phase.generate)
        )
        flags = ["-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider", "-p", "no:randomly",
                 "--hypothesis-seed=0", "--hypothesis-profile=first"]  # fmt: skip
        code = int(pytest.main([*flags, *tests]))
        file.flush()
    os._exit(code)


def run_one(copy_: Path, mutant: Mutant, reached: dict[str, Any], limit_s: int) -> dict[str, Any]:
    """Whether a mutant is caught: `killed`, `timeout`, or `survived`."""
    path = copy_ / mutant.path
    original = path.read_text(encoding="utf-8")
    first, more, began = *tests_for(mutant, reached), time.monotonic()
    path.write_text(mutated_source(mutant), encoding="utf-8")
    try:
        verdict, last = "no test", ""
        for stage in (first, [*LINES, *more, *AUDIT]):
            if stage:
                verdict, last = _stage(copy_, stage, limit_s)
            if verdict in ("killed", "timeout"):
                break
    finally:
        path.write_text(original, encoding="utf-8")
    row = {**asdict(mutant), "key": mutant.key, "code": _code(mutant), "verdict": verdict, "by": last}
    return row | {"tests": len(first) + len(more), "seconds": round(time.monotonic() - began, 1)}


def _stage(copy_: Path, tests: list[str], limit_s: int) -> tuple[str, str]:
    log = copy_ / "mutation.log"
    child = multiprocessing.get_context("fork").Process(
        target=_child, args=(str(copy_), tests, str(log), limit_s)
    )
    child.start()
    child.join(10 * limit_s)
    if child.exitcode is None or child.exitcode in (-signal.SIGXCPU, -signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(child.pid or 0, signal.SIGKILL)
        child.join()
        return "timeout", f"more than {limit_s} s"
    lines = log.read_text(encoding="utf-8", errors="replace").strip().split("\n")
    if child.exitcode == 0:
        return "survived", lines[-1]
    if child.exitcode in (-signal.SIGTERM, -signal.SIGINT):
        sys.exit("interrupted; a further call goes on")
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return "killed", (failed or lines)[-1][:200]


# All of them


def main() -> int:
    """Draw, run, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mutants", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--limit", type=int, default=40, help="seconds of processor time for either go of tests on a mutant"
    )
    parser.add_argument(
        "--seconds", type=float, default=1e9, help="begin no mutant after this; go on by another call"
    )
    parser.add_argument("--least", type=float, default=0.9, help="share that has to be caught")
    parser.add_argument("--only", default="", help="part of the path of the files to change")
    parser.add_argument("--out", type=Path, default=Path("mutants.jsonl"))
    parser.add_argument(
        "--again",
        action="store_true",
        help="run those of --out that survived on the present sources and tests",
    )
    args = parser.parse_args()
    done = _read(args.out)
    wanted = {mutant.key: mutant for mutant in sample(args.mutants, args.seed, args.only)}
    if args.again:
        wanted = _found_again(done)
        args.out.with_suffix(".reach.json").unlink(missing_ok=True)
    left = {key: mutant for key, mutant in wanted.items() if args.again or key not in done}
    if left:
        _run_all(left, args, done)
    return _report([row for key, row in done.items() if args.again or key in wanted], args)


def _found_again(done: dict[str, dict[str, Any]]) -> dict[str, Mutant]:
    """Mutants of `--out` that were not caught, where their places are now; those whose code is gone are told."""
    found: dict[str, Mutant] = {}
    for key, row in done.items():
        if row["verdict"] in ("killed", "timeout"):
            continue
        what = [row["kind"], row["before"], row["after"], row["code"]]
        places = [m for m in mutants_of(row["path"]) if [m.kind, m.before, m.after, _code(m)] == what]
        if places:
            found[key] = min(places, key=lambda place: abs(place.line - row["line"]))
        else:
            print(f"gone: {row['path']}:{row['line']} {row['before']} -> {row['after']}")
    return found


def _read(path: Path) -> dict[str, dict[str, Any]]:
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["key"]: row for row in rows}


def _run_all(left: dict[str, Mutant], args: argparse.Namespace, done: dict[str, dict[str, Any]]) -> None:
    for name in FORKED:
        with suppress(ImportError):
            __import__(name)
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        copies = [_copied(Path(folder) / str(number)) for number in range(args.jobs)]
        reached = reach(copies[0], args.out.with_suffix(".reach.json").resolve())
        for copy_ in copies:
            _compiled(copy_)
        free = list(copies)
        end = time.monotonic() + args.seconds

        def one(key: str) -> None:
            if time.monotonic() > end:
                return
            copy_ = free.pop()
            mutant = left[key]
            row = run_one(copy_, mutant, reached, args.limit) | {"key": key}
            free.append(copy_)
            done[key] = row
            with args.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            print(f"{len(done)} {row['verdict']:9} {row['seconds']:6} s {mutant.path}:{mutant.line} {mutant.before} -> "
                  f"{mutant.after}", flush=True)  # fmt: skip

        with ThreadPoolExecutor(args.jobs) as pool:
            list(pool.map(one, left))


def _copied(folder: Path) -> Path:
    left_out = shutil.ignore_patterns(
        ".git", ".venv", "runs", "dist", "build", "__pycache__", ".*cache", ".hypothesis", "variants"
    )
    shutil.copytree(ROOT, folder, ignore=left_out)
    return folder


def _report(rows: list[dict[str, Any]], args: argparse.Namespace) -> int:
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        counts[row["verdict"]] += 1
    caught = counts["killed"] + counts["timeout"]
    print(f"\n{len(rows)} mutants, seed {args.seed}: {caught} caught ({100 * caught / max(1, len(rows)):.1f} %), "
          f"{counts['killed']} by a test, {counts['timeout']} by the time limit")  # fmt: skip
    for row in rows:
        if row["verdict"] not in ("killed", "timeout"):
            change = f"{row['kind']}: {row['before']} -> {row['after']} ({row['tests']} tests)"
            print(f"{row['verdict']}: {row['path']}:{row['line']} {change}")
    return 0 if caught >= args.least * len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
