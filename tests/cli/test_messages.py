"""What the commands say to somebody who mistypes, asks for help or reads a table in a narrow terminal."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from vbench_env import __version__
from vbench_env.cli import main
from vbench_env.experiments.agents import AGENTS
from vbench_env.report import run_table
from vbench_env.report.table import table_json
from vbench_env.task import load_corpus

Command = Callable[..., str]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command in this process, checks its exit code, and gives all that it printed."""

    def run(*arguments: object, code: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["vbench-env", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = "".join(capsys.readouterr())
        assert ended.value.code == code, printed
        return printed

    return run


@pytest.fixture(scope="module")
def mixed_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The oracle on two tasks that the published rules cannot express and one that they can, under both rule sets."""
    from vbench_env.experiments import runner
    from vbench_env.experiments.config import make_config

    folder = tmp_path_factory.mktemp("mixed") / "run"
    runner.run(
        make_config(
            {
                "corpus": "vbench-40", "tasks": ["harbor-dawn", "bakery-window", "weather-icons"],
                "models": [{"name": "oracle"}], "protocols": ["single-shot", "single-shot-paper"], "workers": 0,
            }
        ),
        folder,
    )  # fmt: skip
    return folder


def test_the_version(command: Command) -> None:
    assert command("--version").strip() == f"vbench-env {__version__}"


def test_every_agent_is_listed_with_what_it_does(command: Command) -> None:
    listed = json.loads(command("agents", "--json"))
    assert [agent["name"] for agent in listed] == AGENTS.names()
    assert all(agent["summary"] for agent in listed)
    assert {agent["name"]: agent["plays"] for agent in listed}["oracle"] == "as a control"
    assert "vbench-env agents" in command("run", "--help").replace("\n", " ")


def test_a_run_of_nobody_says_who_could_play(command: Command) -> None:
    said = command("run", code=2)
    assert "--model NAME" in said
    assert "--agent heuristic" in said


def test_a_mistyped_run_to_go_on_with_starts_nothing(command: Command, mixed_run: Path) -> None:
    wrong = mixed_run.parent / "ruin"
    for more in ((), ("--limit", 1), ("--dry-run",)):
        said = command("run", "--resume", "--out", wrong, "--agent", "noop", *more, code=2)
        assert "holds no run to go on with" in said
        assert str(mixed_run) in said
        assert not wrong.exists()


def test_what_differs_from_the_run_to_go_on_with_is_named(command: Command, mixed_run: Path) -> None:
    said = command("run", "--resume", "--out", mixed_run, "--agent", "noop", code=2)
    assert "settings.models: oracle -> noop" in said


@pytest.mark.parametrize("made", [False, True])
def test_a_refused_start_leaves_nothing_behind(command: Command, tmp_path: Path, made: bool) -> None:
    folder = tmp_path / "run"
    if made:
        folder.mkdir()
    assert "did you mean 'noop'" in command("run", "--agent", "nop", "--limit", 1, "--out", folder, code=2)
    assert folder.exists() is made
    assert not made or not list(folder.iterdir())


def table(folder: Path, rules: str | None = None) -> str:
    """The table of a run as printed in 80 columns."""
    console = Console(width=80, file=io.StringIO(), record=True)
    console.print(run_table(folder, rules))
    return " ".join(console.export_text().split())


class TestTheTableOfARun:
    def test_rows_of_several_rule_sets_say_which(self, mixed_run: Path) -> None:
        assert "published, surgical rules" in table(mixed_run)
        assert table(mixed_run).count("surgical rules") == 2

    def test_tasks_that_the_rules_cannot_express_are_counted(self, mixed_run: Path) -> None:
        assert "2 of 3 tasks cannot be expressed under these rules" in table(mixed_run)
        assert "only the other 1 can be read as" in table(mixed_run)
        assert "cannot be expressed" not in table(mixed_run, "surgical")

    def test_the_rules_asked_for_are_those_of_page_and_table(self, command: Command, mixed_run: Path) -> None:
        said = command("report", mixed_run, "--rules", "published")
        assert "vbench-40, published rules" in said
        assert said.count("2/3") == 2
        page = (mixed_run / "report.html").read_text("utf-8")
        assert "2 of 3 tasks cannot be expressed under these rules" in page
        found = table_json(mixed_run, "surgical")
        assert [(row["rules"], row["passed"]) for row in found["rows"]] == [("surgical", 3)] * 2
        assert found["note"] is None


class TestScoring:
    def test_prose_is_an_answer_without_a_drawing(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / "answer.md").write_text("I could not do it.")
        said = command("score", "harbor-dawn", tmp_path / "answer.md", "--answer", code=1)
        assert "ERR" in said
        assert "holds no SVG document: nothing was handed in" in said

    def test_a_file_that_holds_a_drawing_points_to_the_option(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / "answer.md").write_text("Sure:\n```svg\n<svg xmlns='http://www.w3.org/2000/svg'/>\n```\n")
        assert "score that with --answer" in command("score", "harbor-dawn", tmp_path / "answer.md", code=1)
        (tmp_path / "broken.svg").write_text("<svg")
        assert "--answer" not in command("score", "harbor-dawn", tmp_path / "broken.svg", code=1)


class TestTasks:
    def test_ids_are_whole_in_a_narrow_terminal(
        self, command: Command, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "80")
        said = command("tasks", "list")
        assert all(task.task_id in said for task in load_corpus("vbench-40"))
        assert "…" not in said
        assert max(map(len, said.splitlines())) <= 80

    def test_what_the_published_rules_lack_is_said_once(self, command: Command) -> None:
        said = command("tasks", "validate", "harbor-dawn", "--no-pictures")
        assert said.count("not expressible") == 1
        assert "published: expressible" in command("tasks", "validate", "weather-icons", "--no-pictures")

    def test_a_task_that_cannot_be_read_is_not_called_expressible(
        self, command: Command, tmp_path: Path
    ) -> None:
        (tmp_path / "task.yaml").write_text("id: x\n")
        assert "expressible" not in command("tasks", "validate", tmp_path, "--no-pictures", code=1)

    def test_a_contact_sheet_of_one_task(self, command: Command, tmp_path: Path) -> None:
        assert "1 sheet in" in command("tasks", "sheet", "weather-icons", "--out", tmp_path, "--size", 64)
        assert [path.name for path in tmp_path.iterdir()] == ["weather-icons.png"]


def test_tools_as_json(command: Command) -> None:
    assert json.loads(command("tools", "--json")) == json.loads(command("tools", "--format", "json-schema"))


def test_the_paper_is_named_where_it_is_reproduced(command: Command) -> None:
    assert "arXiv:2607.19056" in command("reproduce", "--help")
