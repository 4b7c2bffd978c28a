"""`vbench-env compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from vbench_env.cli.console import out, print_json, refuse
from vbench_env.cli.tasks import JsonOption

_TRAITS = ("genre", "difficulty", "tier")


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(compare)


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders.")],
    by: Annotated[
        list[str] | None,
        typer.Option("--by", help="models, protocols or wordings; repeatable, all by default."),
    ] = None,
    rules: Annotated[str | None, typer.Option("--rules", "-r", help="Rule set of the verdicts.")] = None,
    breakdown: Annotated[str | None, typer.Option(help="Add up by genre, difficulty or tier too.")] = None,
    json: JsonOption = False,
) -> None:
    """Compare models, protocols and wordings in pairs; ranks, repeated samples and cost, with intervals."""
    from vbench_env.report.comparing import plain, read_runs, traits_of
    from vbench_env.report.comparing_view import tables_of
    from vbench_env.report.findings import BY, findings_of
    from vbench_env.report.traits import Trait

    if unknown := [name for name in by or () if name not in BY]:
        refuse(f"--by takes {', '.join(BY)}, not {unknown[0]!r}")
    if breakdown is not None and breakdown not in _TRAITS:
        refuse(f"--breakdown takes {', '.join(_TRAITS)}, not {breakdown!r}")
    kinds = tuple(name for name in BY if not by or name in by)
    traits = traits_of(runs, cast(Trait, breakdown)) if breakdown else None
    found = findings_of(read_runs(runs, rules), kinds, traits)
    if json:
        print_json(plain(found))
        return
    if not found.results.groups:
        refuse(f"{runs[0]} holds no finished episode yet; go on with the run first")
    for table in tables_of(found):
        out.print(table)
        out.print()
