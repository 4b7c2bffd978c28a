"""Every example runs from a clean checkout, in seconds, and says what it is there to say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAYS = {
    "hello.py": ["Please put this harbour picture right.", '"MUSEUM" -> "MARKET"', "0.0 PARTIAL ['sign-bottom']"],
    "tool_call_episode.py": [
        "aligned: centre x",
        "error not_found at object: 'sign-botom' matches no element; did you mean 'sign-bottom'",
        '+                <use id="third-bollard" x="468" y="18" xlink:href="#bollard"></use>',
        "reward 0.0: PARTIAL, 43% of the repairs",
        "repaired  third-bollard: insert",
    ],
    "mend_a_file.py": [
        "list_objects: error malformed_document at line 25: the document is not well-formed",
        "replace_text: line 25: 23 characters replaced by 24",
        "malformed: line 28, column 97",
        'set_attribute: circle sun: fill "#9a9a9a" -> "#f2b632"',
        "reward 1.0: PASS",
        "mend buoy: done",
    ],
    "own_agent.py": ["harbor-dawn pair-fader: PARTIAL, repaired ['seaward-beam']", "order-pipeline noop: FAIL"],
    "own_tool.py": [
        "### `align_center`",
        "error bad_arguments at axis: axis: Input should be 'x' or 'y'.",
        'align_center: g lantern: transform "translate(64.000000, 52.000000)" -> "translate(38, 52.000000)"',
        "the lamp house is repaired: True",
    ],
    "text_vs_raster.py": [
        "single-shot / single-shot-raster 2 1 0 1 1.000",
        "interactive-text / interactive-raster 2 1 0 1 1.000",
        "had a picture: each is the preview of its turn, byte for byte",
    ],
    "rejection_sampling.py": ["of 6 attempts pass", "of 2 tasks"],
}  # fmt: skip
ARGUMENTS = {
    "text_vs_raster.py": ["--tasks", "2"],
    "rejection_sampling.py": ["--tasks", "2", "--samples", "3"],
}
TRAINING = {"train_ppo.py": "sb3_contrib", "train_grpo.py": "trl"}
"""Examples that need an extra, with a package of it."""


def run(name: str, folder: Path, *arguments: str) -> str:
    paths = [str(ROOT), str(ROOT / "agents"), *sys.path]
    command = [sys.executable, str(ROOT / "examples" / name), *(arguments or ARGUMENTS.get(name, []))]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "120", "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "name", sorted({path.name for path in (ROOT / "examples").glob("*.py")} - TRAINING.keys())
)
def test_an_example_runs_from_any_folder_and_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    said = run(name, tmp_path)
    for words in SAYS[name]:
        assert " ".join(words.split()) in " ".join(said.split()), said
    assert list(tmp_path.iterdir()) == []


def test_a_policy_is_trained_and_its_curve_drawn(tmp_path: Path) -> None:
    for package in ("sb3_contrib", "matplotlib"):
        pytest.importorskip(package, reason="needs the extra rl")
    said = run("train_ppo.py", tmp_path, "--tasks", "3", "--held-out", "2", "--steps", "1024", "--seeds", "0")
    assert "seed 0" in said and "1024 steps" in said
    assert {path.name for path in (tmp_path / "ppo").iterdir()} == {"curve.json", "curve.svg", "policy-0.zip"}


def test_a_language_model_is_trained_for_a_step(tmp_path: Path) -> None:
    pytest.importorskip("trl", reason="needs the extra trl")
    assert "mean reward of each step:" in run("train_grpo.py", tmp_path, "--smoke", "--steps", "1")
    assert list(tmp_path.iterdir()) == []


def test_hello_world_has_at_most_fifteen_lines() -> None:
    text = (ROOT / "examples" / "hello.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 15


def test_a_picture_that_gets_lost_on_the_way_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import text_vs_raster as example

    from vbench_env.agent import CallRecord
    from vbench_env.episode import Episode
    from vbench_env.experiments.store import EpisodeRecord

    task = example.load_corpus(example.CORPUS)[0]
    record = EpisodeRecord(
        episode_id="0", reward_valid=True, stop_reason="answer", task_id=task.task_id, task_hash=task.hash,
        corpus=task.corpus, protocol="single-shot-raster", rules="surgical", model="m", sample=0, seed=0,
        started_at="", wall_s=0.0, calls=[CallRecord(request={})],
    )  # fmt: skip
    messages = Episode(task, "single-shot-raster").messages
    arrived = tuple(example.arrived_pictures(messages))
    sight = example.Sight(task.task_id, False, 1, arrived)
    assert len(arrived) == 1
    assert example.missing_pictures([record], [task], [sight]) == []
    for wrong in (sight._replace(pictures=()), sight._replace(pictures=("0" * 64,))):
        lost = example.missing_pictures([record], [task], [wrong])
        assert [line.partition(":")[0] for line in lost] == ["not arrived", "not expected"]
    with pytest.raises(SystemExit, match="not arrived"):
        example.report_pictures(lost, [sight])
