"""`vbench-env agents`: who can play."""

from __future__ import annotations

import typer
from rich.table import Table

from vbench_env.cli.console import out, print_json
from vbench_env.cli.tasks import JsonOption


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(agents)


def agents(json: JsonOption = False) -> None:
    """List the agents that `run --agent` takes, and those that play for a model."""
    from vbench_env.experiments.agents import AGENTS, described

    found = [described(name) for name in AGENTS.names()]
    if json:
        print_json([agent._asdict() for agent in found])
        return
    table = Table(title="agents")
    for column in ("agent", "plays", "what it does"):
        table.add_column(column, overflow="fold")
    for agent in found:
        table.add_row(agent.name, agent.plays, agent.summary)
    out.print(table)
