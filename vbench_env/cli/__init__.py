"""The command `vbench-env`: argument parsing only; every command calls one function of the package.

Exit codes: 0 done and good; 1 done, and the answer is no (a task not solved, a validation or agreement that
fails); 2 the command cannot be carried out as given; 3 work is owed (a provider or renderer failed, a budget
ended); 130 interrupted.
"""

from __future__ import annotations

from typing import Annotated

import typer

from vbench_env.cli import (
    auditing,
    comparing,
    corpora,
    exporting,
    generating,
    importing,
    judging,
    listing,
    measuring,
    playing,
    reviewing,
    running,
    serving,
    tiering,
    viewing,
)
from vbench_env.cli.console import guarded, out

app = typer.Typer(
    name="vbench-env",
    help="Surgical SVG editing as an environment: tasks, episodes, a three-gate score, runs and reports.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
running.add_to(app)
comparing.add_to(app)
judging.add_to(app)
listing.add_to(app)
auditing.add_to(app)
playing.add_to(app)
generating.add_to(app)
importing.add_to(app)
measuring.add_to(app)
reviewing.add_to(app)
viewing.add_to(app)
tiering.add_to(corpora.app)
app.add_typer(corpora.app, name="tasks")
app.add_typer(serving.app, name="serve")
app.add_typer(exporting.app, name="export")


def _version(wanted: bool) -> None:
    if wanted:
        from vbench_env import __version__

        out.print(f"vbench-env {__version__}", highlight=False)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Surgical SVG editing as an environment: tasks, episodes, a three-gate score, runs and reports."""


def main() -> None:
    """Entry point of the console script."""
    guarded(app)
