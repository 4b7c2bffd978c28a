from __future__ import annotations

import json

import pytest

from vbench_env.cli import main
from vbench_env.errors import MissingExtra


def run(monkeypatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["vbench-env", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_prompts_and_tasks_are_written_and_counted(monkeypatch, tmp_path, capsys):
    path = tmp_path / "prompts.jsonl"
    assert run(monkeypatch, "export", "prompts", "--split", "test", "--out", str(path)) == 0
    rows = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    assert rows and all(row["prompt"][0]["role"] == "system" for row in rows)
    assert f"{len(rows)} written: {path}" in capsys.readouterr().out
    assert (
        run(monkeypatch, "export", "harbor", "--task", "harbor-dawn", "--out", str(tmp_path / "tasks")) == 0
    )
    assert (tmp_path / "tasks" / "harbor-dawn" / "task.toml").is_file()


@pytest.mark.parametrize("kind", ["trajectories", "sft", "preferences", "atif"])
def test_a_folder_that_is_no_run_is_refused_in_a_line(monkeypatch, tmp_path, capsys, kind):
    assert run(monkeypatch, "export", kind, str(tmp_path), "--out", str(tmp_path / "out.jsonl")) == 2
    assert "is no run folder" in capsys.readouterr().err


def test_a_missing_package_is_named_with_its_extra(monkeypatch, tmp_path, capsys):
    from importlib.util import find_spec

    for command, package in (
        (["serve", "openenv"], "openenv"),
        (["serve", "mcp"], "mcp_types"),
        (["export", "inspect", "x", "-o", "y"], "inspect_ai"),
    ):
        if find_spec(package) is None:
            assert run(monkeypatch, *command) == 2
            assert "pip install 'vbench-env[" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("module", "package"), [("openenv", "openenv"), ("verifiers", "verifiers"), ("inspect", "inspect_ai")]
)
def test_a_module_whose_package_is_missing_names_its_extra(module, package):
    from importlib import import_module
    from importlib.util import find_spec

    if find_spec(package) is not None:
        pytest.skip(f"{package} is installed")
    for error in (ImportError, MissingExtra):
        with pytest.raises(error, match=rf"pip install 'vbench-env\[{module}\]'"):
            import_module(f"vbench_env.integrations.{module}")
