"""Tests of the integrations, each against its real package in a virtual environment of its own.

    python scripts/test_integrations.py                 # all
    python scripts/test_integrations.py mcp ray         # some
    python scripts/test_integrations.py --light         # the light one, on top of this environment, for every commit

Environments are kept in `.venvs/` and made anew when what goes into them changes. After its tests, the `bash` and
`python` blocks of an integration's section of docs/integrations.md are run as written, one after the other, in an empty
folder. Blocks in other languages are not run.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".venvs"
DOCS = ROOT / "docs" / "integrations.md"
LIGHT_S, BLOCKS_S = 600, 900
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Integration:
    """One environment and what is tried in it."""

    extra: str
    shown: tuple[str, ...]
    """Packages whose versions are printed."""
    tests: tuple[str, ...]
    sections: tuple[str, ...]
    """Headings of docs/integrations.md whose blocks are run."""
    players: str = ""
    """Its name in the conformance suite."""
    also: tuple[tuple[str, ...], ...] = ()
    """More arguments for pip, one call each."""


def tests_of(name: str) -> tuple[str, ...]:
    return (f"tests/integrations/test_{name}.py",)


INTEGRATIONS = {
    "trl": Integration(
        "trl", ("trl", "transformers", "torch", "datasets"), tests_of("trl"), ("TRL",), "trl", (("torch==2.13.0",),)
    ),
    "mcp": Integration("mcp", ("mcp",), tests_of("mcp"), ("MCP",), "mcp"),
    "openenv": Integration("openenv", ("openenv", "fastapi"), tests_of("openenv"), ("OpenEnv",), "openenv"),
    "inspect": Integration("inspect", ("inspect-ai",), tests_of("inspect"), ("Inspect",), "inspect"),
    "verifiers": Integration(
        "verifiers", ("verifiers", "uv"), tests_of("verifiers"), ("verifiers",), "verifiers", (("uv",),)
    ),
    "datasets": Integration(
        "datasets", ("datasets", "pyarrow", "harbor"), ("tests/exporters",), ("Data sets", "Harbor"),
        also=(("--no-deps", "--ignore-requires-python", "harbor==0.26.0"), ("toml",)),
    ),
    "ray": Integration("ray", ("ray",), tests_of("ray"), ("Ray",), "ray"),
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description="Test the integrations with their real packages.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join(INTEGRATIONS)}; all by default"
    )
    parser.add_argument("--light", action="store_true", help="the light one only, on top of this environment")
    options = parser.parse_args()
    if unknown := sorted(set(options.names) - set(INTEGRATIONS)):
        parser.error(f"no integration is called {unknown[0]}")
    if options.light:
        return light()
    failed = []
    for name in options.names or INTEGRATIONS:
        started = time.monotonic()
        good = tried(name, INTEGRATIONS[name])
        print(
            f"== {name}: {'passed' if good else 'FAILED'} in {time.monotonic() - started:.0f} s", flush=True
        )
        failed += [] if good else [name]
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


def tried(name: str, integration: Integration) -> bool:
    """Whether its tests and its part of the page pass."""
    python = environment(name, integration)
    shown = ", ".join(f"{package} {version(python, package)}" for package in integration.shown)
    print(f"== {name}: Python {version(python, '')}, {shown}", flush=True)
    calls = [[*integration.tests]]
    if integration.players:
        calls.append(["tests/integrations/test_same_through_adapters.py", "-k", integration.players])
    pytest = [str(python), "-m", "pytest", "-p", "no:cacheprovider"]
    results = [run([*pytest, *call], python) for call in calls]
    results += [page(section, python) for section in integration.sections]
    return all(results)


def environment(name: str, integration: Integration) -> Path:
    """The interpreter of its environment, made when there is none of today's requirements."""
    folder = HOME / name
    python, stamp = folder / "bin" / "python", folder / ".installed"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [project["dependencies"], project["optional-dependencies"][integration.extra], integration.also]
    digest = hashlib.sha256(repr([sys.version, wanted, project["entry-points"]]).encode()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == digest:
        return python
    print(f"== {name}: installing", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for more in integration.also[:1] if integration.extra == "trl" else ():
        subprocess.run([*pip, *more], check=True)
    subprocess.run([*pip, "--editable", f"{ROOT}[{integration.extra}]", "pytest", "hypothesis"], check=True)
    for more in integration.also:
        subprocess.run([*pip, *more], check=True)
    stamp.write_text(digest, encoding="utf-8")
    return python


def version(python: Path, package: str) -> str:
    code = "import sys; print(sys.version.split()[0])"
    if package:
        code = f"from importlib.metadata import version; print(version({package!r}))"
    return (
        subprocess.run([str(python), "-c", code], capture_output=True, text=True).stdout.strip() or "missing"
    )


def page(section: str, python: Path) -> bool:
    """Whether the blocks of a section of the page run as written."""
    text = DOCS.read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(section)}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        print(f"docs/integrations.md has no section {section}")
        return False
    lines = ["set -euo pipefail"]
    for language, code in _BLOCK.findall(found[1]):
        if language == "bash":
            lines.append(code)
        elif language == "python":
            lines.append(f"cat > block.py <<'END_OF_BLOCK'\n{code}END_OF_BLOCK\npython block.py")
    with tempfile.TemporaryDirectory(prefix="vbench-env-docs-") as folder:
        print(f"== docs/integrations.md, {section}", flush=True)
        return run(["bash", "-c", "\n".join(lines)], python, Path(folder), BLOCKS_S)


def run(command: list[str], python: Path, folder: Path = ROOT, limit_s: float | None = None) -> bool:
    """Whether a command succeeds in an environment."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    variables["PATH"] = os.pathsep.join([str(python.parent), variables.get("PATH", "")])
    variables |= {
        "VIRTUAL_ENV": str(python.parent.parent),
        "HF_HUB_OFFLINE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    try:
        return (
            subprocess.run(command, cwd=folder, env=variables, check=False, timeout=limit_s).returncode == 0
        )
    except subprocess.TimeoutExpired:
        print(f"no end within {limit_s} s", flush=True)
        return False


def light() -> int:
    """The MCP tests, with the package in a folder of its own in front of this environment's import path."""
    folder = HOME / "light"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["optional-dependencies"]["mcp"]
    stamp = folder / ".installed"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != repr(wanted):
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade"]
        subprocess.run([*pip, "--target", str(folder), *wanted], check=True)
        stamp.write_text(repr(wanted), encoding="utf-8")
    paths = [str(folder), str(ROOT), str(ROOT / "agents"), os.environ.get("PYTHONPATH", "")]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    tests = [
        "tests/integrations/test_mcp.py",
        "tests/integrations/test_same_through_adapters.py",
        "-k",
        "mcp",
    ]
    command = [sys.executable, "-m", "pytest", *tests]
    return subprocess.run(command, cwd=ROOT, env=variables, check=False, timeout=LIGHT_S).returncode


if __name__ == "__main__":
    sys.exit(main())
