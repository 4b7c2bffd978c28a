"""`vbench-env audit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vbench_env.cli.console import NO, out, print_json, progress_bar, refuse
from vbench_env.cli.tasks import JsonOption


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(audit)


def audit(
    corpus: Annotated[
        str | None,
        typer.Option(
            "--corpus", "-c", help="Corpus name, a folder of tasks, or a clone of the public repository."
        ),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--from", metavar="DIR", help="Folder of SVG files, searched in depth.")
    ] = None,
    cases: Annotated[int, typer.Option("--cases", "-n", min=1, help="Cases to judge.")] = 3000,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed; it decides every case.")] = 1,
    pictures: Annotated[
        int,
        typer.Option(
            "--pictures",
            min=0,
            help="Cases of which pictures are compared with the verdict; as many as --cases for all.",
        ),
    ] = 200,
    programs: Annotated[
        list[str] | None,
        typer.Option(
            "--with", metavar="NAME", help="scour or svgo: what it writes is audited too. Repeatable."
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes.")] = 1,
    rules: Annotated[str, typer.Option("--rules", "-r", help="surgical or published.")] = "surgical",
    json: JsonOption = False,
) -> None:
    """Try to fool the scorer: drawings rewritten without a change, and drawings with one change.

    Exit code 0 when no verdict is wrong, 1 when one is. False rejects and accepts come with 95 % intervals.
    """
    if corpus is not None and folder is not None:
        refuse("give either --corpus NAME or --from DIR, not both")
    if folder is None:
        corpus = corpus or "vbench-40"
    from vbench_env.audit import AuditConfig
    from vbench_env.audit import audit as run_audit

    config = AuditConfig(
        corpus=corpus,
        folder=folder,
        cases=cases,
        seed=seed,
        pictures=pictures,
        jobs=jobs,
        rules=rules,
        programs=tuple(programs or ()),
    )
    with progress_bar() as bar:
        task = bar.add_task("cases", total=cases)
        report = run_audit(config, lambda done: bar.advance(task, done))
    if json:
        print_json({"ok": report.ok, **report.model_dump(mode="json")})
    else:
        out.print(report)
    if not report.ok:
        raise typer.Exit(NO)
