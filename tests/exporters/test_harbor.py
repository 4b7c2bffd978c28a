from __future__ import annotations

import json
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
from harbor_format import play

from vbench_env import ConfigError, UnknownName, load_task
from vbench_env.exporters.harbor import write_tasks


@pytest.fixture(scope="module")
def tasks(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("harbor")
    write_tasks("vbench-40", folder, ["harbor-dawn", "city-climate"])
    return folder


@pytest.mark.parametrize("name", ["harbor-dawn", "city-climate"])
def test_the_oracle_gets_one_and_an_agent_that_does_nothing_gets_zero(tasks, name, tmp_path):
    solved = play(tasks / name, tmp_path / "oracle", "oracle")
    assert solved["reward"] == solved["repaired"] == solved["edit_completion"] == 1
    untouched = play(tasks / name, tmp_path / "nop", "nop")
    assert untouched["reward"] == untouched["repaired"] == 0
    assert untouched["valid"] == untouched["preserved"] == 1


def test_a_file_that_is_gone_or_no_drawing_gets_zero(tasks, tmp_path):
    garbage = tmp_path / "garbage.svg"
    garbage.write_bytes(b"\xff<svg")
    for name, agent in (("gone", "gone"), ("garbage", f"file:{garbage}")):
        rewards = play(tasks / "harbor-dawn", tmp_path / name, agent)
        assert rewards["reward"] == rewards["valid"] == 0


def test_no_link_leads_to_the_target_and_no_pipe_blocks(tasks, tmp_path):
    assert (tasks / "harbor-dawn" / "tests" / "task" / "harbor-dawn" / "target.svg").is_file()
    for number, agent in enumerate(("link:../tests/task/harbor-dawn/target.svg", "link:nowhere", "pipe")):
        rewards = play(tasks / "harbor-dawn", tmp_path / str(number), agent)
        assert rewards["reward"] == rewards["valid"] == 0


def test_the_agents_side_holds_the_drawing_and_nothing_hidden(tasks):
    task, home = load_task("harbor-dawn"), tasks / "harbor-dawn"
    assert (home / "environment" / "drawing.svg").read_text(encoding="utf-8") == task.corrupted_svg
    assert sorted(path.name for path in (home / "environment").iterdir()) == ["Dockerfile", "drawing.svg"]
    assert "pip" not in (home / "environment" / "Dockerfile").read_text(encoding="utf-8")
    assert task.instruction in (home / "instruction.md").read_text(encoding="utf-8")
    config = tomllib.loads((home / "task.toml").read_text(encoding="utf-8"))
    assert config["artifacts"] == ["/workspace/drawing.svg"]


@pytest.mark.skipif(find_spec("harbor") is None, reason="harbor is not installed (it needs Python 3.12)")
def test_harbor_reads_the_configuration(tasks):
    from harbor.models.task.config import TaskConfig, VerifierEnvironmentMode

    config = TaskConfig.model_validate(
        tomllib.loads((tasks / "harbor-dawn" / "task.toml").read_text("utf-8"))
    )
    assert config.verifier.environment_mode == VerifierEnvironmentMode.SEPARATE
    assert config.task is not None and config.task.short_name == "harbor-dawn"


def test_published_tasks_and_wheels_are_taken(tmp_path):
    corpus = tmp_path / "published"
    corpus.mkdir()
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle id="sun" r="4" fill="{}"/></svg>'
    text = (
        '{"task_id": "sunny", "instruction": "Make it orange.", "should_preserve": [], "initial_svg": %s,'
        ' "target_svg": %s, "expected_diff": [{"part": "sun", "attribute": "fill", "before": "red",'
        ' "after": "orange"}]}'
    )
    (corpus / "a.json").write_text(text % tuple(json.dumps(svg.format(fill)) for fill in ("red", "orange")))
    wheel = tmp_path / "vbench_env-1-py3-none-any.whl"
    wheel.write_bytes(b"")
    assert write_tasks(str(corpus), tmp_path / "out", wheel=wheel) == 1
    home = tmp_path / "out" / "sunny"
    assert f"/tests/{wheel.name}" in (home / "tests" / "Dockerfile").read_text(encoding="utf-8")
    assert play(home, tmp_path / "trial", "oracle")["reward"] == 1


def test_what_cannot_be_written_is_refused_with_the_reason(tasks, tmp_path):
    with pytest.raises(ConfigError, match="there already"):
        write_tasks("vbench-40", tasks, ["harbor-dawn"])
    with pytest.raises(UnknownName, match="did you mean 'harbor-dawn'"):
        write_tasks("vbench-40", tmp_path, ["harbor-down"])
    with pytest.raises(ConfigError, match="is no wheel"):
        write_tasks("vbench-40", tmp_path, wheel=tmp_path / "nothing.whl")
