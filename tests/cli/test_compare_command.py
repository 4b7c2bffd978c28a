"""`vbench-env compare`: pairs, ranks, repeated samples, effort, as tables and as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.report.runs import CORRUPTED, HALF, TARGET, TASK, corpus_folder, record_of, write_run
from vbench_env.cli import main
from vbench_env.experiments.record import UnitKey
from vbench_env.task import load_corpus


class Done(NamedTuple):
    """What a command printed."""

    stdout: str
    stderr: str


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Runs a command in this process and checks its exit code."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: object, code: int = 0) -> Done:
        monkeypatch.setattr(sys, "argv", ["vbench-env", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        done = Done(*capsys.readouterr())
        assert ended.value.code == code, done
        return done

    return run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two models on three tasks of two kinds, twice each."""
    kinds = {"meadow": "easy", "field": "hard", "yard": "hard"}
    corpus = corpus_folder(
        tmp_path, [{**TASK, "task_id": name, "difficulty": kind} for name, kind in kinds.items()]
    )
    answers = {"good": [TARGET, TARGET, TARGET, HALF], "poor": [TARGET, CORRUPTED, CORRUPTED, HALF]}
    return write_run(tmp_path, corpus, [
        record_of(task, model, given[(number + sample) % 4], sample=sample, protocol=protocol,
                  episode_id=UnitKey(task.hash, protocol, model, sample, 7).episode_id)
        for protocol in ("single-shot", "single-shot-raster")
        for number, task in enumerate(load_corpus(corpus))
        for model, given in answers.items()
        for sample in (0, 1)
    ])  # fmt: skip


def test_everything_fits_a_terminal(command, run):
    text = command("compare", run, "--breakdown", "difficulty").stdout
    for words in ("Models, under the same protocol", "Protocols, of the same model", "Order of models, single-shot",
                  "Several samples of a task", "pass^2", "by groups of tasks", "95 % bootstrap"):  # fmt: skip
        assert words in " ".join(text.split())
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "…" not in text


def test_one_model_alone_is_said_to_have_nothing_beside_it(command, tmp_path):
    corpus = corpus_folder(tmp_path, [TASK])
    (task,) = load_corpus(corpus)
    alone = write_run(tmp_path, corpus, [record_of(task, "good", TARGET)])
    text = " ".join(command("compare", alone, "--by", "models").stdout.split())
    assert text.startswith("nothing to compare by models: that takes two of a kind")


def test_the_same_as_data(command, run):
    found = json.loads(
        command("compare", run, "--by", "models", "--breakdown", "difficulty", "--json").stdout
    )
    assert {pair["by"] for pair in found["pairs"]} == {"models"}
    pair = found["pairs"][0]
    assert pair["comparison"]["first"] == {
        "model": "good",
        "protocol": pair["comparison"]["second"]["protocol"],
    }
    assert pair["comparison"]["tasks"] == 3
    assert 0 < pair["comparison"]["p_value"] <= pair["p_adjusted"] <= 1
    assert pair["comparison"]["passed"]["low"] <= pair["comparison"]["passed"]["value"]
    assert set(found["ranks"]) == {"single-shot", "single-shot-raster"}
    group = next(g for g in found["groups"] if g["model"] == "good" and g["protocol"] == "single-shot")
    assert (group["scored"], group["passed"]["successes"]) == (6, 5)
    assert group["traits"]["easy"]["scored"] == 2
    assert group["repeated"]["any"][1]["k"] == 2
    assert set(group["operations"]) == {"move", "recolor"}


def test_runs_of_the_same_episodes_are_told_apart(command, run, tmp_path):
    other = tmp_path / "second"
    run.rename(other)
    copied = tmp_path / "first"
    copied.mkdir()
    for path in other.iterdir():
        if path.is_file():
            (copied / path.name).write_bytes(path.read_bytes())
    found = json.loads(command("compare", copied, other, "--by", "models", "--json").stdout)
    assert {group["model"] for group in found["groups"]} == {
        "good (first)", "good (second)", "poor (first)", "poor (second)",
    }  # fmt: skip


def test_what_cannot_be_compared_is_refused(command, run, tmp_path):
    assert (
        "--by takes models, protocols, wordings" in command("compare", run, "--by", "colours", code=2).stderr
    )
    assert (
        "--breakdown takes kind, genre, difficulty, tier"
        in command("compare", run, "--breakdown", "x", code=2).stderr
    )
    assert "is no run folder" in command("compare", tmp_path, code=2).stderr
    assert "choose one of" in command("compare", run, "--rules", "lenient", code=2).stderr
