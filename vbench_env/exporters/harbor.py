"""Harbor: tasks of a corpus as task folders.

    <task>/task.toml  instruction.md
           environment/Dockerfile  drawing.svg      what the agent gets, at /workspace
           solution/solve.sh  target.svg            the oracle's
           tests/Dockerfile  test.sh  verify.py  task/   a verifier in a container of its own

The agent's container holds the drawing and nothing of this package, whose corpora come with their targets. The
verifier's gets the one file that the agent leaves, `/workspace/drawing.svg`, and writes `reward.json`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vbench_env import __version__
from vbench_env.errors import ConfigError, UnknownName
from vbench_env.resources import data_root
from vbench_env.task import Task, load_corpus, load_task
from vbench_env.task_file import YAML_NAME

DRAWING = "/workspace/drawing.svg"
_IMAGE = "python:3.12-slim"

_INSTRUCTION = """\
The file `{drawing}` is an SVG drawing with a few things wrong. Repair it in place:

{instruction}

Make every change that the request asks for and no other. Everything else stays as it is: every other object, attribute,
id, definition and group, and their order. Work out exact values from the request and the drawing itself. The file must
stay a valid SVG document.
"""

_VERIFY = '''\
"""Score a drawing: reward, gates and shares as Harbor reads them."""

import json
import os
import stat
import sys
from pathlib import Path

from vbench_env import load_task, score

LONGEST = 20_000_000  # far more than a valid drawing may have


def left(path):
    """What a plain file holds, else None. No link is followed: the agent made it, and the target lies on this side."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            return file.read(LONGEST) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None
    except OSError:
        return None


task_path, drawing, rules, target = sys.argv[1:]
card = score(load_task(Path(task_path)), left(drawing), rules)
rewards = {
    "reward": card.reward,
    "valid": int(card.valid),
    "repaired": int(card.repaired),
    "preserved": int(card.preserved),
    "edit_completion": card.edit_completion,
}
Path(target).write_text(json.dumps(rewards), encoding="utf-8")
print(card.status, rewards)
'''

_TEST = """\
#!/bin/bash
# VBENCH_WORKSPACE and VBENCH_LOGS are for trying this out without a container.
set -euo pipefail
here="$(cd "$(dirname "${{BASH_SOURCE[0]}}")" && pwd)"
logs="${{VBENCH_LOGS:-/logs/verifier}}"
mkdir -p "$logs"
"${{VBENCH_PYTHON:-python}}" "$here/verify.py" "$here/{task}" \\
  "${{VBENCH_WORKSPACE:-/workspace}}/drawing.svg" {rules} "$logs/reward.json"
"""

_SOLVE = """\
#!/bin/bash
set -euo pipefail
cp "$(dirname "${BASH_SOURCE[0]}")/target.svg" "${VBENCH_WORKSPACE:-/workspace}/drawing.svg"
"""


def write_tasks(
    corpus: str,
    folder: Path,
    tasks: Iterable[str] = (),
    *,
    rules: str = "surgical",
    wheel: Path | None = None,
) -> int:
    """Write a task folder for each task of a corpus; their number.

    Args:
        corpus: name or folder of the corpus.
        folder: where the task folders go.
        tasks: ids; all of the corpus when empty.
        rules: rule set of the reward.
        wheel: this package as a file, for verifiers without a network; they install it by name when None.

    Raises:
        VBenchError: no such corpus or task, or a folder that is there already.
    """
    loaded = load_corpus(corpus)
    chosen = [loaded.task(name) for name in tasks] or list(loaded)
    if wheel is not None and (wheel.suffix != ".whl" or not wheel.is_file()):
        raise ConfigError(f"{wheel} is no wheel; build one with `python -m build --wheel`")
    for task in chosen:
        home = folder / task.task_id
        if home.exists():
            raise ConfigError(f"{home} is there already; choose an empty folder (--out)")
        _write_task(task, task_source(corpus, task.task_id), home, rules, wheel)
    return len(chosen)


def task_source(corpus: str, task_id: str) -> Path:
    """The folder or published JSON file that a task of a corpus is read from."""
    root = Path(corpus) if Path(corpus).is_dir() else data_root("tasks") / corpus
    if (root / task_id / YAML_NAME).is_file():
        return root / task_id
    for path in sorted(root.rglob("*.json")):
        if _id_of(path) == task_id:
            return path
    raise UnknownName("task", task_id, ())


def _id_of(path: Path) -> Any:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError):
        return None
    return data.get("task_id") if isinstance(data, dict) else None


def _write_task(task: Task, source: Path, home: Path, rules: str, wheel: Path | None) -> None:
    for name in ("environment", "solution", "tests"):
        (home / name).mkdir(parents=True)
    kept = f"task/{task.task_id}" if source.is_dir() else "task/task.json"
    (home / "tests" / "task").mkdir()
    if source.is_dir():
        shutil.copytree(source, home / "tests" / kept, ignore=shutil.ignore_patterns(".*"))
    else:
        shutil.copyfile(source, home / "tests" / kept)
    target = load_task(source).target_svg
    requirement = f"vbench-env=={__version__.partition('+')[0]}"
    if wheel is not None:
        shutil.copyfile(wheel, home / "tests" / wheel.name)
        requirement = f"/tests/{wheel.name}"
    texts = {
        "task.toml": _toml(task, rules),
        "instruction.md": _INSTRUCTION.format(drawing=DRAWING, instruction=task.instruction),
        "environment/Dockerfile": f"FROM {_IMAGE}\nWORKDIR /workspace\nCOPY drawing.svg {DRAWING}\n",
        "environment/drawing.svg": task.corrupted_svg,
        "solution/solve.sh": _SOLVE,
        "solution/target.svg": target,
        "tests/Dockerfile": f"FROM {_IMAGE}\nCOPY . /tests\nRUN pip install --no-cache-dir {requirement}\n",
        "tests/test.sh": _TEST.format(task=kept, rules=rules),
        "tests/verify.py": _VERIFY,
    }
    for name, text in texts.items():
        (home / name).write_text(text, encoding="utf-8", newline="")
    for name in ("solution/solve.sh", "tests/test.sh"):
        (home / name).chmod(0o755)


def _toml(task: Task, rules: str) -> str:
    """Strings of JSON are strings of TOML."""
    values = {"title": task.title, "genre": task.genre, "difficulty": task.difficulty, "licence": task.licence,
              "corpus": task.corpus, "task_hash": task.hash, "rules": rules}  # fmt: skip
    metadata = "\n".join(f"{name} = {json.dumps(value)}" for name, value in values.items() if value)
    canary = f"# canary: {task.canary}\n" if task.canary else ""
    return f"""\
{canary}schema_version = "1.4"
artifacts = [{json.dumps(DRAWING)}]

[task]
name = {json.dumps(f"vbench-env/{task.task_id}")}
description = "Repair a corrupted SVG drawing surgically."
keywords = ["svg", "editing"]

[metadata]
{metadata}

[agent]
timeout_sec = 1800.0

[environment]
cpus = 1
memory_mb = 2048
workdir = "/workspace"

[verifier]
timeout_sec = 300.0
environment_mode = "separate"
"""
