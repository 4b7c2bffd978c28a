"""`vbench-env compare` and `best-of`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vbench_env.cli.console import out, print_json, refuse
from vbench_env.cli.tasks import JsonOption


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(compare)
    app.command("best-of")(choose)


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders.")],
    by: Annotated[
        list[str] | None,
        typer.Option("--by", help="models, protocols or wordings; repeatable, all by default."),
    ] = None,
    rules: Annotated[str | None, typer.Option("--rules", "-r", help="Rule set of the verdicts.")] = None,
    breakdown: Annotated[
        str | None, typer.Option(help="Add up by kind, genre, difficulty, tier or third too.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Compare models, protocols and wordings in pairs; ranks, repeated samples and cost, with intervals."""
    from vbench_env.report.comparing import plain, read_runs, traits_of
    from vbench_env.report.comparing_view import tables_of
    from vbench_env.report.findings import BY, findings_of
    from vbench_env.report.traits import TRAITS

    if unknown := [name for name in by or () if name not in BY]:
        refuse(f"--by takes {', '.join(BY)}, not {unknown[0]!r}")
    if breakdown is not None and breakdown not in TRAITS:
        refuse(f"--breakdown takes {', '.join(TRAITS)}, not {breakdown!r}")
    kinds = tuple(name for name in BY if not by or name in by)
    traits = traits_of(runs, breakdown) if breakdown else None
    found = findings_of(read_runs(runs, rules), kinds, traits)
    if json:
        print_json(plain(found))
        return
    if not found.results.groups:
        refuse(f"{runs[0]} holds no finished episode yet; go on with the run first")
    tables = list(tables_of(found))
    if not tables:
        asked = ", ".join(kinds)
        out.print(
            f"nothing to compare by {asked}: that takes two of a kind on the same tasks (controls are left out)"
        )
    for table in tables:
        out.print(table)
        out.print()


def choose(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders with several samples.")],
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by", help="first, smallest-diff, consensus or smallest-file; repeatable, all by default."
        ),
    ] = None,
    k: Annotated[
        list[int] | None, typer.Option("--k", help="Samples to choose from; repeatable.", min=1)
    ] = None,
    rules: Annotated[str | None, typer.Option("--rules", "-r", help="Rule set of the verdicts.")] = None,
    json: JsonOption = False,
) -> None:
    """What a model is worth when one of its samples is chosen without knowing the target, and the best possible."""
    from vbench_env.report.best_of import best_of, plain
    from vbench_env.report.best_of_view import table_of

    found = best_of(runs, rules, by or (), k or ())
    if json:
        print_json(plain(found))
        return
    if not any(item.chosen for item in found):
        refuse(
            f"{runs[0]} holds no scored episode whose task is still what was played, or fewer samples than --k"
        )
    out.print(table_of(found))
