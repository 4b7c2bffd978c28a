"""`vbench-env run`: files that extend others, options, single settings, dry runs, going on with a run."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.experiments.conftest import COLOURS, drawing, target_for, task
from tests.fake_openai import FakeOpenAI, Reply, failing
from vbench_env.cli import main
from vbench_env.experiments.store import RunFolder


class Done(NamedTuple):
    """What a command printed."""

    stdout: str
    stderr: str


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Runs a command in this process and checks its exit code."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments: object, code: int = 0) -> Done:
        monkeypatch.setattr(sys, "argv", ["vbench-env", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        done = Done(*capsys.readouterr())
        assert ended.value.code == code, done
        return done

    return run


@pytest.fixture
def suns(tmp_path: Path) -> Path:
    """Four published tasks, without paraphrases."""
    folder = tmp_path / "suns"
    folder.mkdir()
    for number in range(4):
        (folder / f"t{number}.json").write_text(json.dumps(task(number)))
    return folder


def worded_corpus(folder: Path) -> Path:
    """A corpus of one task that has all three wordings."""
    home = folder / "worded" / "t1"
    home.mkdir(parents=True)
    (home / "target.svg").write_text(drawing(1, COLOURS[1]))
    (home / "corrupted.svg").write_text(drawing(1, "black"))
    (home / "task.yaml").write_text(
        "id: t1\ntitle: A sun\ninstruction: 'Task 1: make the sun green again.'\ngenre: icon-set\ndifficulty: easy\n"
        "licence: CC0-1.0\nauthor: Nobody\ncanary: vbench-env canary 0b0b0b0b-55a0-475f-bca3-556b0fa53c50\n"
        "paraphrases:\n  terse: 'Task 1: sun green.'\n  chatty: 'Task 1: would you please paint the sun green?'\n"
        "protected: others\nrepairs:\n  - object: sun-1\n    named: sun\n    operation: recolor\n    property: fill\n"
        "    corrupted: black\n    evidence: {kind: stated, words: green}\n"
    )
    return home.parent


def study(folder: Path, suns: Path) -> Path:
    (folder / "base.yaml").write_text(
        f"corpus: {suns}\nmodels: [noop]\nprotocols: [single-shot]\nretry: {{attempts: 2, backoff_s: 0.01}}\nseed: 5\n"
    )
    path = folder / "study.yaml"
    path.write_text("extends: base\nmodels+: [oracle]\nsamples: 2\nretry: {attempts: 3}\n")
    return path


def test_a_study_takes_over_another_and_options_and_settings_win(command, tmp_path, suns):
    run = tmp_path / "run"
    arguments = ["--protocol", "interactive-text", "--limit", 2, "--set", "seed=9", "--set", "retry.wall_s=7"]
    shown = json.loads(command("run", study(tmp_path, suns), "--out", run, *arguments, "--json").stdout)
    assert (shown["scored"], shown["stop_reason"]) == (8, "complete")
    config = RunFolder(run).manifest.config
    assert [model.name for model in config.models] == ["noop", "oracle"]
    assert (config.protocols, config.tasks, config.samples) == (("interactive-text",), ("t0", "t1"), 2)
    assert (config.seed, config.retry.attempts, config.retry.backoff_s) == (9, 3, 0.01)
    assert config.retry.wall_s == 7


def test_every_way_to_say_how_long_and_how_far(command, tmp_path, suns):
    given = ["--timeout", 30, "--attempts", 2, "--budget-tokens", 500, "--budget-usd", 3, "--workers", 0]
    command("run", "--corpus", suns, "--agent", "noop", "--out", tmp_path / "run", *given)
    config = RunFolder(tmp_path / "run").manifest.config
    assert (config.retry.timeout_s, config.retry.attempts, config.retry.wall_s) == (30, 2, 1800)
    assert (config.budget.tokens, config.budget.usd, config.workers) == (500, 3, 0)


def test_a_run_goes_on_with_another_budget(command, tmp_path, suns):
    run = tmp_path / "run"
    price = (
        "[{name: openai/m, input_usd_per_million: 0, output_usd_per_million: 1000, max_output_tokens: 10}]"
    )
    with FakeOpenAI(lambda body, seen: Reply(target_for(body))) as server:
        options = ["--api-base", server.base_url, "--concurrency", 1, "--set", f"models={price}"]
        first = command("run", "--corpus", suns, *options, "--budget-usd", 0.018, "--out", run, code=3)
        assert f"vbench-env run --resume --out {run}" in first.stderr
        second = command("run", "--resume", "--out", run, "--budget-usd", 20, "--attempts", 1, "--json")
    assert json.loads(second.stdout)["stop_reason"] == "complete"
    refused = command("run", "--resume", "--out", run, "--samples", 2, code=2)
    assert "settings.samples: 1 -> 2" in refused.stderr.replace("\n", " ")
    assert "--resume needs --out FOLDER" in command("run", "--resume", code=2).stderr


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("seed", "write it as NAME=VALUE"),
        ("seed=[", "the value is no YAML"),
        ("models.7.temperature=1", "'7' is no place in a list of 1"),
        ("seed.x=1", "there is no field 'x' in the plain value 0"),
        ("sede=1", "sede: unknown field 'sede'; did you mean 'seed'? Known: "),
        (
            "retry.backof=1",
            "retry.backof: unknown field 'backof'; did you mean 'backoff_s'? Known: attempts, ",
        ),
        ("models=[{name: noop, temprature: 1}]", "unknown field 'temprature'; did you mean 'temperature'?"),
    ],
)
def test_settings_that_lead_nowhere_are_refused(command, tmp_path, suns, setting, words):
    arguments = [
        "--corpus",
        suns,
        "--agent",
        "noop",
        "--seed",
        0,
        "--out",
        tmp_path / "run",
        "--set",
        setting,
    ]
    assert words in command("run", *arguments, code=2).stderr
    assert not (tmp_path / "run").exists()


def test_a_circle_of_files_is_refused(command, tmp_path):
    (tmp_path / "a.yaml").write_text("extends: b\n")
    (tmp_path / "b.yaml").write_text("extends: a.yaml\n")
    assert "extends itself; break the circle" in command("run", tmp_path / "a.yaml", code=2).stderr


def test_a_setting_reaches_into_the_models(command, tmp_path, suns):
    options = ["--agent", "noop", "--agent", "oracle", "--set", "models.1.temperature=0.5", "--dry-run"]
    command("run", "--corpus", suns, *options)
    command("run", "--corpus", suns, *options[:-1], "--out", tmp_path / "run")
    assert [m.temperature for m in RunFolder(tmp_path / "run").manifest.config.models] == [None, 0.5]


def test_a_dry_run_tells_the_plan_and_spends_nothing(command, tmp_path, suns):
    with FakeOpenAI() as server:
        options = ["--api-base", server.base_url, "--out", tmp_path / "run", "--dry-run"]
        models = "[{name: openai/m, input_usd_per_million: 1, output_usd_per_million: 10}, openai/unheard-of, noop]"
        wanted = [
            "--corpus",
            suns,
            "--protocol",
            "single-shot",
            "--protocol",
            "interactive-text",
            "--samples",
            3,
        ]
        shown = json.loads(command("run", *wanted, *options, "--set", f"models={models}", "--json").stdout)
        text = command("run", *wanted, *options, "--set", f"models={models}").stdout
        assert len(server) == 0
    assert not (tmp_path / "run").exists()
    cells = {(cell["model"], cell["protocol"]): cell for cell in shown["cells"]}
    assert shown["episodes"] == 72
    assert {cell["episodes"] for cell in cells.values()} == {12}
    single, many = cells["openai/m", "single-shot"], cells["openai/m", "interactive-text"]
    assert (single["calls"], many["calls"]) == (12, 12 * (1 + 3))
    assert single["usd"] == pytest.approx(
        (single["input_tokens"] + 10 * single["output_tokens"]) / 1e6, rel=1e-3
    )
    assert many["input_tokens"] > 4 * single["input_tokens"]
    assert cells["openai/unheard-of", "single-shot"]["usd"] is None
    assert shown["assumed_usd"] > 0
    assert cells["noop", "single-shot"]["calls"] == cells["noop", "single-shot"]["usd"] == 0
    assert "4 tasks, 3 samples: 72 episodes" in text
    assert "calls of unknown price" in text
    assert "Assumed:" in text


def test_a_dry_run_of_a_run_to_go_on_with_counts_what_is_missing(command, tmp_path, suns):
    run = tmp_path / "run"

    def half(body: dict[str, Any], seen: int) -> Reply:
        return failing(400, "bad") if "Task 1" in json.dumps(body) else Reply(target_for(body))

    with FakeOpenAI(half) as server:
        command(
            "run",
            "--corpus",
            suns,
            "--model",
            "openai/m",
            "--api-base",
            server.base_url,
            "--out",
            run,
            code=3,
        )
    shown = json.loads(command("run", "--resume", "--out", run, "--dry-run", "--json").stdout)
    assert shown["episodes"] == 1


def test_wordings_are_a_dimension_of_a_run(command, tmp_path):
    asked: list[str] = []

    def script(body: dict[str, Any], seen: int) -> Reply:
        asked.append(json.dumps(body["messages"]))
        return Reply(target_for(body))

    run, corpus = tmp_path / "run", worded_corpus(tmp_path)
    words = ["--wording", "plain", "--wording", "terse", "--wording", "chatty"]
    with FakeOpenAI(script) as server:
        options = ["--corpus", corpus, "--model", "openai/m", "--api-base", server.base_url, "--out", run]
        shown = json.loads(command("run", *options, *words, "--json").stdout)
    assert (shown["scored"], shown["stop_reason"]) == (3, "complete")
    assert len(set(asked)) == 3
    records = {record.wording: record for record in RunFolder(run).episodes()}
    assert set(records) == {"plain", "terse", "chatty"}
    assert len({record.task_hash for record in records.values()}) == 1
    assert len({record.seed for record in records.values()}) == 1
    assert all(
        record.score.passed and record.episode_id == record.key.episode_id for record in records.values()
    )
    for wording, words_sent in (
        ("terse", "sun green."),
        ("chatty", "would you please"),
        ("plain", "sun green again"),
    ):
        assert words_sent in json.dumps(records[wording].messages)
    refused = command("run", "--resume", "--out", run, "--wording", "plain", code=2)
    assert "settings.wordings" in refused.stderr


def test_a_task_without_the_wording_is_refused_by_name(command, tmp_path, suns):
    options = ["--corpus", suns, "--agent", "noop", "--wording", "terse", "--out", tmp_path / "run"]
    assert "task t0 has no wording 'terse' (it has plain)" in command("run", *options, code=2).stderr.replace(
        "\n", " "
    )
