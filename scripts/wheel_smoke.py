"""Build the sdist, the wheel from it, install the wheel in a clean environment and use it from `/`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
import zipfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"vbench_env", "vbench_agents"}


def run(*command: str, cwd: str = "/") -> str:
    """Run a command and return what it printed; its output is shown when it fails."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def built_wheel(folder: Path) -> Path:
    """Build as a release would: an sdist, then the wheel from that sdist."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    wheels = list(folder.glob("*.whl"))
    assert len(wheels) == 1, wheels
    return wheels[0]


def check_contents(wheel: Path) -> Counter[str]:
    """Top-level names are the two packages; returns how many tasks of each corpus the wheel brings."""
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == PACKAGES, f"unexpected top-level names in the wheel: {tops ^ PACKAGES}"
    for need in ("vbench_env/py.typed", "vbench_agents/py.typed"):
        assert need in names, f"{need} is missing from the wheel"
    return Counter(name.split("/")[-3] for name in names if name.endswith("/task.yaml"))


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = built_wheel(folder)
        tasks = check_contents(wheel)
        venv.create(folder / "env", with_pip=True)
        python = str(folder / "env" / "bin" / "python")
        pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        run(*pip, "--require-hashes", "--requirement", str(ROOT / "requirements" / "dev.txt"))
        run(*pip, "--no-deps", str(wheel))
        script = str(folder / "env" / "bin" / "vbench-env")
        assert tasks, "no tasks in the wheel"
        for corpus, count in tasks.items():
            listed = run(script, "tasks", "list", "--corpus", corpus, "--json")
            assert listed.count('"task_id"') == count, (
                f"{count} tasks of {corpus} in the wheel: {listed[:400]}"
            )
        run(python, "-c", SMOKE)
        out = folder / "run"
        run(script, "run", "--corpus", "vbench-40", "--agent", "heuristic", "--limit", "2", "--out", str(out))
        run(script, "report", str(out))
        print(f"wheel {wheel.name}: {tasks.total()} tasks, command, environment, run and report work from /")


SMOKE = """
import gymnasium as gym, vbench_env
task = vbench_env.load_corpus("vbench-40")[0]
assert vbench_env.score(task, task.target_svg).reward == 1
assert vbench_env.score(task, task.corrupted_svg).reward == 0
env = gym.make("vbench_env:VBench/SvgRepair-v0", task=task.task_id, protocol="single-shot")
obs, info = env.reset(seed=0)
obs, reward, terminated, truncated, info = env.step(task.target_svg)
assert terminated and reward == 1, info
"""

if __name__ == "__main__":
    main()
