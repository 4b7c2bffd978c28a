"""`vbench-env generate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vbench_env.cli.console import err, out, print_json, progress_bar, refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vbench_env.generate.corpus import Tally
    from vbench_env.generate.make import Generated


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(generate)


def generate(
    count: Annotated[
        int | None,
        typer.Option(
            "--n", "-n", help="Number of tasks (100); with --from, one of each file without.", min=1
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Decides everything.")] = 0,
    level: Annotated[int, typer.Option("--level", "-l", help="1 (easiest) to 5.")] = 2,
    split: Annotated[
        str | None,
        typer.Option(
            help="train, validation or test; they share no task. Train, or with --from any file, without."
        ),
    ] = None,
    genre: Annotated[str | None, typer.Option(help="Genre of the drawings; any without.")] = None,
    operations: Annotated[
        list[str] | None,
        typer.Option("--operations", help="Repairs to draw from; repeatable, or with commas."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", help="Make the tasks of the SVG files in this folder.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Folder for task folders, or a .jsonl file; nothing is kept without."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Make tasks: drawings, corruptions and instructions from a seed, or from a folder of SVG files."""
    from vbench_env.generate.corpus import Order, Tally, generate_many

    if output is not None and output.exists() and (output.is_file() or any(output.iterdir())):
        refuse(f"{output} is there already and not empty; choose another place")
    wanted = tuple(name.strip() for text in operations or () for name in text.split(",") if name.strip())
    tally = Tally()
    if source is not None and genre is not None:
        refuse("--genre is for composed drawings; leave it out with --from, whose files are what they are")
    if source is not None:
        from vbench_env.generate.files import generate_from

        made = generate_from(source, seed, level, wanted or None, tally, count=count, split=split)
        shown = count
    else:
        shown = 100 if count is None else count
        made = generate_many(Order(shown, seed, level, split or "train", genre, wanted or None), tally)
    _keep(made, output, shown)
    if json:
        print_json(_figures(tally))
    else:
        _report(tally, output, None if source is not None else 5)


def _keep(made: Iterator[Generated], output: Path | None, total: int | None) -> None:
    from vbench_env.generate.corpus import drained, write_folder, write_lines

    with progress_bar() as shown:
        step = shown.add_task("making", total=total)

        def counted() -> Iterator[Generated]:
            for item in made:
                shown.advance(step)
                yield item

        if output is None:
            drained(counted())
        elif output.suffix == ".jsonl":
            write_lines(counted(), output)
        else:
            write_folder(counted(), output)


def _figures(tally: Tally) -> dict[str, object]:
    return {
        "hash": tally.hash, "tasks": tally.tasks, "draws": tally.draws, "skipped": tally.skipped,
        "share": tally.share, "rate": tally.rate, "cpu_s": tally.cpu_s, "genres": dict(tally.genres),
        "operations": dict(tally.operations), "reasons": dict(tally.reasons),
    }  # fmt: skip


def _report(tally: Tally, output: Path | None, reasons: int | None) -> None:
    if output is not None:
        out.print(f"written to {output}", highlight=False, soft_wrap=True)
    out.print(f"hash       {tally.hash}", highlight=False)
    out.print(f"tasks      {tally.tasks}", highlight=False)
    out.print(f"yield      {tally.share:.1%} of {tally.draws} draws", highlight=False)
    out.print(f"rate       {tally.rate:.1f} tasks a second of processor time", highlight=False)
    for name, table in (("genres", tally.genres), ("operations", tally.operations)):
        text = ", ".join(f"{key} {value}" for key, value in sorted(table.items()))
        out.print(f"{name:10} {text}", highlight=False, soft_wrap=True)
    for reason, number in tally.reasons.most_common(reasons):
        err.print(f"not taken  {number} x {reason}", highlight=False, markup=False, soft_wrap=True)
