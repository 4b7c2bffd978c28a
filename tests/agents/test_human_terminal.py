"""A person at the terminal: what is typed, what it costs, what is shown."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from vbench_agents.human import HumanAgent
from vbench_agents.human_terminal import TerminalDesk, read_line

from vbench_env.agent import AgentTurn
from vbench_env.episode import Episode
from vbench_env.task import Repair, Task

ROOT = Path(__file__).parents[2]
START = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60"><rect id="sky" width="100" height="60" '
    'fill="#bde0fe"/><circle id="sun" cx="31" cy="18" r="9" fill="#ffb703"/></svg>'
)
TARGET = START.replace('cx="31"', 'cx="70"')
TASK = Task(
    "suns", "Move the sun [1] to the right.", START, TARGET,
    (Repair(object="sun", operation="move", property="cx", corrupted="31", target="70"),), ("sky",),
)  # fmt: skip
SOLVE = "set_attribute object=sun name=cx value=70"


def play(
    monkeypatch: pytest.MonkeyPatch, lines: list[str], protocol: str = "interactive-text", task: Task = TASK,
    terminal: bool = False,
) -> tuple[Episode, str]:  # fmt: skip
    """An episode with these lines as input; the episode and what was shown."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    shown = io.StringIO()
    agent = HumanAgent(
        TerminalDesk(Console(file=shown, width=90, force_terminal=terminal, color_system=None))
    )
    episode = Episode(task, protocol, preview_size=64)
    agent.reset(task.public, episode.protocol, 0)
    while not episode.done:
        turn = AgentTurn(episode.messages, episode.tools, episode.observe(), episode.turn + 1)
        step = episode.step(agent.act(turn).message())
    agent.finish(step)
    return episode, shown.getvalue()


@pytest.mark.parametrize(
    ("line", "tool", "args"),
    [
        ("undo", "undo", {}),
        ("quit", "submit", {}),
        ("move object=sun dx=-3.5 dy=0", "move", {"object": "sun", "dx": -3.5, "dy": 0}),
        ('set_text object=a text="to be"', "set_text", {"object": "a", "text": "to be"}),
        ("set_style object=a property=r value=null", "set_style", {"object": "a", "property": "r", "value": None}),
        ("rotate object=a degrees=9 about=[1,2]", "rotate", {"object": "a", "degrees": 9, "about": [1, 2]}),
        ("render object=a side_by_side", "render", {"object": "a", "side_by_side": True}),
        ("set_text object=a text=it's", "set_text", {"object": "a", "text": "it's"}),
    ],
)  # fmt: skip
def test_a_line_becomes_a_call(line: str, tool: str, args: dict[str, Any]) -> None:
    assert json.loads(read_line(line)) == {"tool": tool, "args": args}


@pytest.mark.parametrize("line", ['{"tool": "undo"}', "<svg/>", "[]"])
def test_json_and_documents_go_as_they_are(line: str) -> None:
    assert read_line(line) == line


def test_a_person_solves_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    episode, shown = play(monkeypatch, [SOLVE, "diff", "submit"])
    assert (episode.stop_reason, episode.turn) == ("submit", 3)
    assert "Move the sun [1] to the right." in shown
    assert "turn 1, 24 left> " in shown
    assert 'set_attribute: circle sun: cx "31" -> "70"' in shown
    assert "PASS, reward 1" in shown
    assert "sun cx: repaired" in shown


def test_what_looks_costs_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    free = [
        "help",
        "?",
        "",
        "tools",
        "tools move",
        "objects",
        "objects sun",
        "objects moon",
        "source",
        "draw",
        "fly x=1",
    ]
    episode, shown = play(monkeypatch, [*free, "submit"])
    assert episode.turn == 1
    assert "2 circle sun [shape] box=22,9,18,18 fill=#ffb703" in " ".join(shown.split()).replace(
        "3 circle", "2 circle"
    )
    assert "'moon' matches no element" in shown
    assert START in shown
    assert "[a picture of 960 x 960 pixels; only a terminal can show it]" in shown
    assert "there is no tool 'fly'; `tools` lists them" in shown
    assert "object, dx, dy" in shown


def test_the_verdict_says_what_is_missing_and_what_else_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = play(monkeypatch, ["set_attribute object=sky name=fill value=#000", "submit"])
    assert "FAIL, reward 0" in shown
    assert "sun cx: untouched" in shown
    assert "also changed: sky" in shown


def test_the_end_of_input_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    episode, _ = play(monkeypatch, [SOLVE])
    assert (episode.stop_reason, episode.scorecards["surgical"].passed) == ("submit", True)


def test_markup_of_the_console_in_words_of_a_drawing_stays_text(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = replace(TASK, task_id="[/red]", instruction="[bold]x[/] [/red] [link=file:///etc]y[/link]")
    _, shown = play(monkeypatch, ['get_element object="[/red]"', "submit"], task=odd)
    assert "[bold]x[/] [/red] [link=file:///etc]y[/link]" in shown
    assert "error not_found at object: '[/red]'" in shown


def test_a_terminal_shows_a_picture_once_for_each_change(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["list_objects", SOLVE, "submit"]
    _, shown = play(monkeypatch, lines, "interactive-raster", terminal=True)
    rows = [line for line in shown.splitlines() if line.count("▀") > 60]
    assert len(rows) == 2 * 44
    _, plain = play(monkeypatch, lines, "interactive-raster")
    assert plain.count("a picture of 64 x 64 pixels") == 2


def test_calls_in_text_work_without_native_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    episode, shown = play(monkeypatch, ["tools submit", SOLVE, "submit"], "interactive-text-json")
    assert episode.scorecards["surgical"].passed
    assert "This ends the episode" in " ".join(shown.split())


# The command


def command(*arguments: str, lines: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "agents"), *sys.path])}
    code = "from vbench_env.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "play", *arguments], input=lines, env=variables, capture_output=True,
        text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> str:
    change = {"part": "sun", "attribute": "cx", "before": "31", "after": "70"}
    data = {
        "task_id": "suns", "instruction": TASK.instruction, "initial_svg": START, "target_svg": TARGET,
        "expected_diff": [change], "should_preserve": ["sky"],
    }  # fmt: skip
    path = tmp_path / "suns.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def test_the_command_plays_what_is_piped_in_and_its_exit_code_is_the_verdict(
    file: str, tmp_path: Path
) -> None:
    events = tmp_path / "events.json"
    solved = command(file, "--out", str(events), lines=f"{SOLVE}\nsubmit\n")
    assert solved.returncode == 0, solved.stderr
    assert "PASS, reward 1" in solved.stdout
    assert [event["action"]["tool"] for event in json.loads(events.read_text())] == [
        "set_attribute",
        "submit",
    ]
    missed = command(file, lines="submit\n")
    assert missed.returncode == 1
    assert "FAIL, reward 0" in missed.stdout


def test_the_command_refuses_a_protocol_without_turns(file: str) -> None:
    done = command(file, "--protocol", "single-shot", lines="")
    assert done.returncode == 2
    assert "has a single turn and no tools; play an interactive one" in " ".join(done.stderr.split())
