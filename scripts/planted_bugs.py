"""One planted bug in each gate, tolerance family, rule switch, normal form and tool: does a test notice each?

    python scripts/planted_bugs.py [--only tool] [--jobs 2]

Gates let everything pass; families get twice their tolerance (exact ones get one); switches fall back to the weaker
value; normal forms read every value of their kind alike; tools do nothing and say so. Each bug is put into a copy of
the checkout, and the tests run until the first failure. Exit code 1 when a bug goes unnoticed.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

sys.path[:0] = [str(Path(__file__).parent)]

from mutation_test import FORKED, ROOT, _copied, _stage  # noqa: E402

SCORING = ["tests/scoring/test_golden.py", "tests/scoring/test_verdict_lines.py", "tests/scoring/test_tolerance.py",
           "tests/scoring/test_switches.py", "tests/scoring/test_repairs.py", "tests/scoring/test_validity.py",
           "tests/scoring/test_preservation.py", "tests/scoring/test_equivalence.py"]  # fmt: skip
TOOLS = [
    "tests/tools/test_edit_tools.py",
    "tests/tools/test_look_tools.py",
    "tests/tools/test_edit_properties.py",
    "tests/tools",
]


class Plant(NamedTuple):
    """A bug: what kind, its name, the file, and the text after which or instead of which it stands."""

    kind: str
    name: str
    path: str
    old: str
    new: str

    @property
    def tests(self) -> list[str]:
        return TOOLS if self.kind == "tool" else SCORING


def plants() -> Iterator[Plant]:
    """All bugs, from the sources as they are."""
    scorer, assemble = "vbench_env/scoring/scorer.py", "vbench_env/scoring/assemble.py"
    faults = "    faults = document_faults(candidate, rules, problem.baseline)\n"
    yield Plant("gate", "validity", scorer, faults, "    faults: list[Fault] = []\n")
    yield Plant(
        "gate", "repairs", assemble, "    repaired = passed == total and valid\n", "    repaired = valid\n"
    )
    yield Plant(
        "gate", "preservation", assemble, "    same = preserved.same and valid\n", "    same = valid\n"
    )
    yield from _families("vbench_env/scoring/tolerance.py")
    yield from _switches("vbench_env/scoring/rules.py")
    yield from _forms("vbench_env/svg/properties.py", "_READERS", "*a: ('raw', 'x')")
    yield from _forms("vbench_env/svg/attributes.py", "_ATTRIBUTE_READERS", "*a: ('raw', 'x')")
    yield from _tools("vbench_env/tools/base.py")


def _families(path: str) -> Iterator[Plant]:
    found = re.compile(r'Family\("([\w-]+)", ([\d.]+), ([\d.]+), Cap\(([^)]*)\), "([\w ]+)"')
    for match in found.finditer((ROOT / path).read_text(encoding="utf-8")):
        name, ratio, floor, cap, distance = match.groups()
        wide = ", ".join(item if '"' in item else f"{2 * float(item):g}" for item in cap.split(", ") if item)
        new = f'Family("{name}", {2 * float(ratio):g}, {2 * float(floor):g}, Cap({wide}), "{distance}"'
        if distance == "exact":
            new = f'Family("{name}", 0.5, 0.75, Cap(9.0), "absolute"'
        yield Plant("tolerance family", name, path, match[0], new)


def _switches(path: str) -> Iterator[Plant]:
    found = re.compile(r'    (\w+): Literal\[([^\]]+)\] = "([\w-]+)"\n')
    for match in found.finditer((ROOT / path).read_text(encoding="utf-8")):
        values = re.findall(r'"([\w-]+)"', match[2])
        other = next(value for value in values if value != match[3])
        yield Plant("switch", match[1], path, match[0], match[0].replace(f'= "{match[3]}"', f'= "{other}"'))


def _forms(path: str, table: str, blind: str) -> Iterator[Plant]:
    text = (ROOT / path).read_text(encoding="utf-8")
    body = text[text.index(f"\n{table}: ") :]
    for key in re.findall(r'^    "([\w-]+)":', body[: body.index("\n}")], re.M):
        yield Plant(
            "normal form", f"{Path(path).stem} {key}", path, "", f'\n{table}["{key}"] = lambda {blind}\n'
        )


def _tools(path: str) -> Iterator[Plant]:
    from vbench_env import tools

    old = "        TOOLS.add(name, Tool(name, description, arguments, group, run))\n"
    for name in tools.TOOLS.names():
        idle = "(lambda context, _: ToolResult('done', context.document))"
        new = old.replace("group, run", f"group, {idle} if name == {name!r} else run")
        yield Plant("tool", name, path, old, new)


def noticed(copy_: Path, plant: Plant, limit_s: int) -> tuple[bool, str]:
    """Whether a test fails with the bug in place, and which."""
    path = copy_ / plant.path
    original = path.read_text(encoding="utf-8")
    if plant.old not in original:
        return False, "the place is gone"
    text = original.replace(plant.old, plant.new, 1) if plant.old else original + plant.new
    path.write_text(text, encoding="utf-8")
    try:
        verdict, by = _stage(copy_, plant.tests, limit_s)
    finally:
        path.write_text(original, encoding="utf-8")
    return verdict != "survived", by


def main() -> int:
    """Plant them one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="part of the kind or name")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=120, help="seconds of processor time for one bug")
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT)]
    chosen = [plant for plant in plants() if args.only in f"{plant.kind} {plant.name}"]
    for name in FORKED:
        with suppress(ImportError):
            __import__(name)
    for name in [name for name in sys.modules if name.startswith("vbench_")]:
        del sys.modules[name]
    sys.path.remove(str(ROOT))
    missed = 0
    with tempfile.TemporaryDirectory(prefix="planted-") as folder, ThreadPoolExecutor(args.jobs) as pool:
        free = [_copied(Path(folder) / str(number)) for number in range(args.jobs)]

        def one(plant: Plant) -> tuple[bool, str]:
            copy_ = free.pop()
            found = noticed(copy_, plant, args.limit)
            free.append(copy_)
            return found

        for plant, (seen, by) in zip(chosen, pool.map(one, chosen), strict=True):
            missed += not seen
            print(f"{'caught' if seen else 'MISSED'}  {plant.kind}: {plant.name}  {by[:110]}", flush=True)
    print(f"{len(chosen)} planted bugs, {len(chosen) - missed} caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
