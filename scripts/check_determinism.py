"""The same verdicts everywhere: one digest over processes, hash seeds, locales, time zones, threads, library versions.

    python scripts/check_determinism.py                       # this environment, varied
    python scripts/check_determinism.py --python A --python B # other environments, such as those made below
    python scripts/check_determinism.py --make FOLDER         # with the oldest and newest allowed numpy, lxml, ...

The digest is that of `tests.scoring.verdict_lines`: verdicts, distances, tolerances and changes of some thousand
candidates. Exit code 1 where two digests differ.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
VARIED: dict[str, dict[str, str]] = {
    "as it is": {},
    "again, another process": {},
    "hash seed 1": {"PYTHONHASHSEED": "1"},
    "hash seed 4242": {"PYTHONHASHSEED": "4242"},
    "Turkish locale": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "C locale, no UTF-8 mode": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "German locale, Tokyo": {"LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo"},
    "Marquesas": {"TZ": "Pacific/Marquesas"},
    "one thread": {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    "eight threads": {"OMP_NUM_THREADS": "8", "OPENBLAS_NUM_THREADS": "8"},
    "optimised": {"PYTHONOPTIMIZE": "1"},
}
DIGEST = "from tests.scoring.verdict_lines import digest; print(digest())"
THREADED = """
from concurrent.futures import ThreadPoolExecutor
from tests.scoring.verdict_lines import digest
with ThreadPoolExecutor(4) as pool:
    found = set(pool.map(lambda _: digest(), range(4)))
print(" ".join(sorted(found)))
"""
SCORING = ("numpy", "lxml", "tinycss2", "cssselect2", "pyclipper", "scipy", "pydantic", "coloraide")
"""What verdicts may depend on."""
OLDEST = ("numpy", "lxml", "tinycss2", "cssselect2", "pyclipper", "scipy", "coloraide")
UNNEEDED = ("litellm", "cairosvg")
"""Requirements that no verdict asks for, and that keep old versions of others away."""


def digest_of(python: str, variables: dict[str, str], code: str = DIGEST) -> str:
    """The digest that one process gives; its error text where it ends badly."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "agents")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **variables}
    done = subprocess.run(
        [python, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else f"failed: {done.stderr.strip()[-300:]}"


def versions_of(python: str) -> str:
    """Versions of what verdicts may depend on."""
    names = ", ".join(map(repr, SCORING))
    told = f"*(n + ' ' + m.version(n) for n in ({names},))"
    code = f"import sys, importlib.metadata as m; print(sys.version.split()[0], {told})"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=False).stdout.strip()


def make(folder: Path) -> list[str]:
    """Environments with the oldest and the newest versions that pyproject.toml allows."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    pythons = []
    for name in ("oldest", "newest"):
        home = folder / name
        python = home / "bin" / "python"
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        needed = [item for item in wanted if _named(item) not in UNNEEDED]
        chosen = [_oldest(item) if name == "oldest" and _named(item) in OLDEST else item for item in needed]
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        flags = ["--only-binary", ":all:"] if name == "oldest" else ["--upgrade"]
        subprocess.run([*install, *flags, *chosen, "hypothesis", "pytest"], check=True)
        pythons.append(str(python))
    return pythons


def _named(requirement: str) -> str:
    return re.split(r"[<>=!~\[ ]", requirement, maxsplit=1)[0]


def _oldest(requirement: str) -> str:
    """`lxml>=5.2` as `lxml==5.2.0`, the first release that is allowed; of a less exact bound the first series."""
    found = re.search(r">=\s*([\d.]+)", requirement)
    if found is None:
        return requirement
    exact = _named(requirement) in ("numpy", "lxml")
    return f"{_named(requirement)}=={found[1]}{'.0' if exact else '.*'}"


def main() -> int:
    """Print a line for each variation."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--python", action="append", default=[], help="another interpreter to compare; repeatable"
    )
    parser.add_argument(
        "--make", type=Path, help="folder for environments of the oldest and newest allowed versions"
    )
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    runs = [(name, sys.executable, variables, DIGEST) for name, variables in VARIED.items()]
    runs.append(("four threads at once", sys.executable, {}, THREADED))
    others = [*args.python, *(make(args.make) if args.make else ())]
    runs += [(versions_of(python), python, {}, DIGEST) for python in others]
    with ThreadPoolExecutor(args.jobs) as pool:
        found = list(pool.map(lambda run: digest_of(*run[1:]), runs))
    for (name, *_), digest in zip(runs, found, strict=True):
        print(f"{digest[:300] if digest.startswith('failed') else digest[:16]}  {name}", flush=True)
    print(f"here: {versions_of(sys.executable)}")
    return 0 if len(set(found)) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
