"""What a run says while it goes on."""

from __future__ import annotations

import pytest
from rich.console import Console
from rich.progress import MofNCompleteColumn

from vbench_env.cli.run_display import _Bar, _Lines, _state, watched
from vbench_env.experiments.summary import RunProgress, RunSummary


def state(**changes: object) -> RunProgress:
    fields = {
        "total": 8,
        "scored": 3,
        "failures": {},
        "spent_usd": 0.0,
        "assumed_usd": 0.0,
        "tokens": 0,
        "last": None,
    }
    return RunProgress(**{**fields, **changes})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, ""),
        ({"tokens": 5, "spent_usd": 1.2}, "$1.20"),
        ({"tokens": 5, "spent_usd": 1.2, "assumed_usd": 0.3}, "$1.20 + ~$0.30 assumed"),
        ({"assumed_usd": 0.3}, "$0.00 + ~$0.30 assumed"),
        ({"failures": {"rate_limit": 2, "auth": 1}}, "[red]failed: 1 auth, 2 rate limit[/]"),
        ({"stopping": "budget_usd"}, "[yellow]stopping: budget usd[/]"),
        ({"stopping": "interrupted"}, "[yellow]stopping after the calls in flight; Ctrl-C again leaves at once[/]"),
    ],
)  # fmt: skip
def test_cost_known_and_assumed_failures_and_the_end_in_words(changes, words):
    assert _state(state(**changes)) == words


def test_in_a_file_a_run_is_told_in_lines_now_and_then(capsys):
    tell = _Lines(every_s=0.0)
    tell(state(scored=2))
    tell(state(scored=4, tokens=9, spent_usd=1.2, assumed_usd=0.3))
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("4/8 episodes  ")
    assert line.endswith("/min  $1.20 + ~$0.30 assumed")
    assert "  0/min" not in line


def test_a_short_run_says_nothing_in_a_file_until_it_stops_early(capsys, monkeypatch):
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE"):  # they make a terminal of a file
        monkeypatch.delenv(name, raising=False)

    def work(progress: object) -> RunSummary:
        for scored in range(3):
            progress(state(scored=scored))
        assert capsys.readouterr().err == ""
        for _ in range(2):
            progress(state(stopping="interrupted"))
        return RunSummary(folder="r", stop_reason="interrupted", total=8, scored=3, owed=5, played=3)

    watched(work)
    assert capsys.readouterr().err.count("stopping after the calls in flight") == 1


def test_a_narrow_terminal_breaks_the_words_and_cuts_nothing():
    console = Console(width=40, color_system=None)
    bar = _Bar(MofNCompleteColumn(), console=console)
    bar.add_task("", total=8, completed=3)
    bar.words = _state(state(tokens=5, spent_usd=1.2, assumed_usd=0.3, stopping="interrupted"))
    with console.capture() as capture:
        console.print(bar.get_renderable())
    first, *rest = capture.get().split("\n")
    assert first.strip() == "3/8"
    words = " ".join(" ".join(rest).split())
    assert words == "$1.20 + ~$0.30 assumed stopping after the calls in flight; Ctrl-C again leaves at once"
