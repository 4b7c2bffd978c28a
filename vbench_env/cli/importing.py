"""`vbench-env import`: other people's tasks as a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from vbench_env.cli.console import NO, out, print_json, progress_bar

if TYPE_CHECKING:
    from vbench_env.importers import Imported


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("import")(import_)


def import_(
    layout: Annotated[str, typer.Argument(help="svgeditbench, svgenius, vector-bench or pairs.")],
    source: Annotated[
        Path, typer.Argument(help="A clone or folder of it; for pairs also a .jsonl, .json, .csv or .tsv file.")
    ],
    output: Annotated[Path, typer.Option("--out", "-o", help="New folder of the corpus.")],
    licence: Annotated[
        str | None, typer.Option(help="Terms of the data, noted in every task; they stay its owner's.")
    ] = None,
    most_repairs: Annotated[
        int | None, typer.Option(help="More differences than these are a global change; 24 by default.", min=1)
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N rows.", min=1)] = None,
    details: Annotated[bool, typer.Option("--details", help="List every refused row with its reason.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print every row as JSON.")] = False,
) -> None:  # fmt: skip
    """Make a corpus of other people's tasks: repairs derived, every task judged both ways, every row accounted for."""
    from vbench_env.importers import IMPORTERS, Terms, import_corpus

    given = {"licence": licence, "most_repairs": most_repairs, "limit": limit}
    terms = Terms(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    with progress_bar() as bar:
        step = bar.add_task("rows", total=None)
        found = import_corpus(
            IMPORTERS.get(layout), source, output, terms, lambda count: bar.update(step, completed=count)
        )
    if json:
        from dataclasses import asdict

        print_json([asdict(outcome) for outcome in found.outcomes])
    else:
        _print(found, details)
    if not found.total["imported"]:
        raise typer.Exit(NO)


def _print(found: Imported, details: bool) -> None:
    from vbench_env.importers import MEANING
    from vbench_env.importers.corpus import ROWS_NAME

    reasons = [reason for reason in MEANING if found.total[reason]]
    table = Table(title=f"{found.importer}: {found.total.total()} rows")
    table.add_column("kind")
    for name in ("rows", "imported", *reasons):
        table.add_column(name, justify="right")
    for group, counts in [*found.groups.items(), ("all", found.total)]:
        cells = [counts.total(), counts["imported"], *(counts[reason] for reason in reasons)]
        table.add_row(group, *map(str, cells), end_section=group == list(found.groups)[-1])
    out.print(table)
    for reason in reasons:
        out.print(f"[dim]{reason}:[/] {MEANING[reason]}", highlight=False)
    for outcome in found.outcomes if details else ():
        if outcome.reason:
            text = f"{outcome.source}: {outcome.reason}: {outcome.detail}"
            out.print(text, highlight=False, markup=False, soft_wrap=True)
    out.print(f"corpus: {found.folder}; every row is in {ROWS_NAME}", highlight=False, soft_wrap=True)
