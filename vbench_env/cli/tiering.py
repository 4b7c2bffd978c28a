"""`vbench-env tasks tiers` and `tasks tests`: how complex the code of a corpus is, and what its tasks test."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer
from rich.table import Table

from vbench_env.cli.console import NO, out, print_json
from vbench_env.cli.tasks import CorpusOption, JsonOption


def add_to(app: typer.Typer) -> None:
    """Register the commands of `tasks`."""
    app.command()(tiers)
    app.command("tests")(list_tests)


def tiers(
    corpus: CorpusOption = "vbench-40",
    relative: Annotated[
        bool, typer.Option("--relative", help="Part this corpus in three, instead of by fixed bounds.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Paths, control points and commands of every target, and its tier."""
    from vbench_env.svg.complexity import FIXED, TIERS, complexity, thirds, tier
    from vbench_env.task import load_corpus

    tasks = load_corpus(corpus)
    counts = {task.task_id: complexity(task.target_svg) for task in tasks}
    bounds = thirds(list(counts.values())) if relative else FIXED
    found = {name: tier(count, bounds) for name, count in counts.items()}
    if json:
        print_json([{"task_id": name, **counts[name]._asdict(), "tier": found[name]} for name in counts])
        return
    table = Table(title=f"{tasks.name}: complexity of the code")
    table.add_column("task")
    for column in ("paths", "shapes", "commands", "control points", "tier"):
        table.add_column(column, justify="right")
    for name, count in counts.items():
        table.add_row(name, *map(str, count), found[name])
    out.print(table)
    totals = Counter(found.values())
    out.print(", ".join(f"{totals[name]} {name}" for name in TIERS))
    limits = (
        f"{name.replace('_', ' ')} {low:g} and {high:g}" for name, (low, high) in bounds._asdict().items()
    )
    out.print(f"[dim]easy and medium go up to: {', '.join(limits)}[/]", highlight=False)


def list_tests(corpus: CorpusOption = "vbench-40", json: JsonOption = False) -> None:
    """Tests of every task: repairs fail before and pass after, protected objects pass before and after."""
    from dataclasses import asdict

    from vbench_env.measures.swe import checks_of
    from vbench_env.task import load_corpus

    tasks = load_corpus(corpus)
    found = [checks_of(task) for task in tasks]
    if json:
        print_json([asdict(one) for one in found])
    else:
        table = Table(title=f"{tasks.name}: tests")
        table.add_column("task")
        for column in ("fail to pass", "pass to pass", "wrong"):
            table.add_column(column, justify="right")
        for one in found:
            counts = len(one.fail_to_pass), len(one.pass_to_pass), len(one.wrong)
            table.add_row(one.task_id, *map(str, counts))
        out.print(table)
        for one in found:
            for line in one.wrong:
                out.print(f"{one.task_id}: {line}", highlight=False, markup=False)
    if any(one.wrong for one in found):
        raise typer.Exit(NO)
