"""`vbench-env play`: a person does an episode."""

from __future__ import annotations

import contextlib
import json as jsonlib
from pathlib import Path
from typing import Annotated

import typer

from vbench_env.cli.console import NO, out, refuse
from vbench_env.cli.tasks import TaskArgument


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(play)


def play(
    task: TaskArgument,
    protocol: Annotated[
        str, typer.Option("--protocol", "-p", help="An interactive protocol.")
    ] = "interactive-raster",
    web: Annotated[bool, typer.Option("--web", help="Play in a local page instead of the terminal.")] = False,
    port: Annotated[int, typer.Option(help="Port of the page; 0 takes a free one.", min=0, max=65535)] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    rules: Annotated[str | None, typer.Option(help="Rule set of the verdict.")] = None,
    output: Annotated[Path | None, typer.Option("--out", "-o", help="Write the events as JSON.")] = None,
) -> None:
    """Play an episode yourself: the same tools, turns and score that an agent gets."""
    from vbench_env.agent import AgentTurn
    from vbench_env.episode import Episode
    from vbench_env.experiments.agents import AGENTS
    from vbench_env.protocol import load_protocol
    from vbench_env.task import load_task

    wanted = load_protocol(protocol)
    if wanted.single_shot:
        refuse(f"protocol {protocol!r} has a single turn and no tools; play an interactive one")
    found = load_task(task)
    episode = Episode(found, wanted, rules=rules)
    factory = AGENTS.get("human")
    agent = factory.at("web", port=port, open_browser=browser) if web else factory.at("terminal")  # type: ignore[attr-defined]
    agent.reset(found.public, wanted, 0)
    while True:
        turn = AgentTurn(episode.messages, episode.tools, episode.observe(), episode.turn + 1)
        step = episode.step(agent.act(turn).message())
        if episode.done:
            break
    agent.finish(step)
    if output is not None:
        output.write_text(jsonlib.dumps(episode.events, indent=2), encoding="utf-8")
    if web:
        out.print("The episode is over; the page shows the score until you press Enter or Ctrl-C.")
        _wait()
    raise typer.Exit(0 if step.reward == 1 else NO)


def _wait() -> None:
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        input()
