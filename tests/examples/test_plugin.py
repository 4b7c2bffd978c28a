"""The example plug-in, installed: what it brings is found by name, in this process's children."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "examples" / "plugin"

pytestmark = pytest.mark.skipif(
    find_spec("hatchling") is None, reason="hatchling, which builds it, is not installed"
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> dict[str, str]:
    """Variables of a process that has the plug-in."""
    target = tmp_path_factory.mktemp("site")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    copy = tmp_path_factory.mktemp("source") / "plugin"
    subprocess.run(["cp", "-r", str(PLUGIN), str(copy)], check=True)
    done = subprocess.run([*pip, "--target", str(target), str(copy)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    paths = [str(target), str(ROOT), str(ROOT / "agents"), *sys.path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "NO_COLOR": "1", "COLUMNS": "100"}


def said(code: str, variables: dict[str, str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=variables, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_agent_tool_and_renderer_are_found_by_name_without_an_import(installed, tmp_path):
    code = """
import json
from vbench_env.experiments.agents import AGENTS
from vbench_env.render import RENDERERS, render_picture
from vbench_env.tools import TOOLS, openai_tools
svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="red"/></svg>'
print(json.dumps({
    "agent": AGENTS.get("tidy").name,
    "tool": openai_tools(["count_elements"])[0]["function"]["description"],
    "pixel": [int(value) for value in render_picture(svg, 16, renderer="grey").array()[8, 8]],
    "listed": [name in registry for name, registry in
               (("tidy", AGENTS), ("count_elements", TOOLS), ("grey", RENDERERS))],
}))
"""
    found = json.loads(said(code, installed, tmp_path))
    assert found == {
        "agent": "tidy",
        "tool": "Count the elements of the document by name.",
        "pixel": [76, 76, 76],
        "listed": [True, True, True],
    }


def test_its_agent_plays_with_its_tool_in_a_run_with_workers(installed, tmp_path):
    code = f"""
from vbench_env.cli import main
import sys
sys.argv = ["vbench-env", "run", "--agent", "tidy", "--protocol", {str(PLUGIN / "with-count.yaml")!r}, "--limit", "1",
            "--workers", "1", "--out", "run"]
main()
"""
    said(code, installed, tmp_path)
    (line,) = (tmp_path / "run" / "episodes.jsonl").read_text(encoding="utf-8").splitlines()
    record = json.loads(line)
    assert record["stop_reason"] == "submit" and record["reward_valid"]
    assert "path: " in record["events"][0]["result"]
