"""`vbench-env measure` and `measures`: the measures of other benchmarks."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from vbench_env.cli.console import out, print_json, progress_bar, refuse

if TYPE_CHECKING:
    from vbench_env.measures import Settings
    from vbench_env.report.measured import Measured, Sum

Names = Annotated[
    list[str] | None, typer.Option("--measure", "-m", help="Name of a measure; repeatable. All that need no extra.")
]  # fmt: skip
Published = Annotated[
    bool,
    typer.Option("--as-published", help="Compute what the published code does, its known faults included."),
]
Weights = Annotated[
    list[str] | None,
    typer.Option("--weights", metavar="NAME=PATH", help="Weights that you have, for dino, clip, lpips."),
]
Width = Annotated[
    int, typer.Option("--width", help="Width of compared pictures in pixels.", min=16, max=2048)
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(measure)
    app.command()(measures)


def measure(
    candidate: Annotated[Path, typer.Argument(help="The drawing to measure.")],
    target: Annotated[Path, typer.Argument(help="The drawing that it should be.")],
    start: Annotated[Path | None, typer.Option("--start", help="The drawing that was to be edited.")] = None,
    names: Names = None,
    as_published: Published = False,
    weights: Weights = None,
    width: Width = 256,
    json: Json = False,
) -> None:
    """Measure one drawing against another by the measures of other benchmarks."""
    from vbench_env.measures import MEASURES, PLAIN
    from vbench_env.measures import measure as take

    settings = _settings(as_published, weights, width)
    texts = [
        path.read_bytes().decode("utf-8-sig", "replace") if path else None
        for path in (candidate, target, start)
    ]
    assert texts[1] is not None
    found = {name: take(name, texts[0], texts[1], texts[2], settings) for name in names or PLAIN}
    if json:
        print_json({name: asdict(value) for name, value in found.items()})
        return
    table = _table("measure", "value", "better", "parts")
    for name, value in found.items():
        parts = ", ".join(f"{part} {number:.4g}" for part, number in value.parts.items())
        shown = "none" if value.value is None else f"{value.value:.4g}"
        table.add_row(name, shown, MEASURES.get(name).better, value.reason or parts)
    out.print(table)


def measures(
    run: Annotated[
        Path | None, typer.Argument(help="A run folder; without one, the measures are listed.")
    ] = None,
    names: Names = None,
    as_published: Published = False,
    weights: Weights = None,
    width: Width = 256,
    table: Annotated[
        Path | None, typer.Option("--csv", help="Write a row for each episode to this file.")
    ] = None,
    json: Json = False,
) -> None:
    """List the measures, or take them of every episode of a run, with fail-to-pass and pass-to-pass tests."""
    if run is None:
        _list(json)
        return
    from vbench_env.measures import PLAIN
    from vbench_env.report.measured import measure_run

    with progress_bar() as bar:
        step = bar.add_task("episodes", total=None)
        settings = _settings(as_published, weights, width)
        found = measure_run(run, names or PLAIN, settings, table=table, told=lambda: bar.advance(step))
    if json:
        print_json(_plain(found))
        return
    if not found.groups:
        refuse(f"{run} holds no finished episode yet; go on with the run first")
    out.print(_means(found, as_published))
    out.print(_tests(found))
    if found.skipped:
        out.print(f"{found.skipped} episodes are left out: their tasks are no longer what was played")


def _settings(as_published: bool, weights: list[str] | None, width: int) -> Settings:
    from vbench_env.measures import Settings

    given: dict[str, Path] = {}
    for item in weights or ():
        name, mark, path = item.partition("=")
        if not mark:
            refuse(f"--weights takes NAME=PATH, not {item!r}")
        given[name] = Path(path)
    return Settings(width, as_published, given)


def _list(json: bool) -> None:
    from vbench_env.measures import MEASURES

    found = [MEASURES.get(name) for name in MEASURES.names()]
    if json:
        keys = ("name", "about", "better", "source", "needs", "fault")
        print_json([{key: getattr(item, key) for key in keys} for item in found])
        return
    table = _table("measure", "what", "better", "after", "needs")
    for item in found:
        table.add_row(item.name, item.about, item.better, item.source, item.needs)
    out.print(table)


def _table(*columns: str) -> Table:
    table = Table()
    for name in columns:
        table.add_column(name, justify="right" if name == "value" else "left")
    return table


def _means(found: Measured, as_published: bool) -> Table:
    """A row for each measure: columns of groups would not fit when there are many."""
    from vbench_env.measures import MEASURES

    table = Table(
        title="Means over episodes" + (", as the published code computes them" if as_published else "")
    )
    table.add_column("model / protocol", overflow="fold", min_width=18)
    for name in found.names:
        mark = "↑" if MEASURES.get(name).better == "higher" else "↓"
        table.add_column(f"{name} {mark}", justify="right")
    for key in found.groups:
        sums = found.sums[key].values()
        cells = (
            "–" if one.mean is None else f"{one.mean:.3g}" + (f" ({one.missing}–)" if one.missing else "")
            for one in sums
        )
        table.add_row(_name(found, key), *cells)
    table.caption = "(n–): episodes without a number, such as drawings that cannot be drawn"
    return table


def _tests(found: Measured) -> Table:
    table = Table(title="Tests")
    table.add_column("model / protocol", overflow="fold", min_width=18)
    for name in ("answers", "applied", "resolved", "fail to pass", "pass to pass"):
        table.add_column(name, justify="right")
    for key in found.groups:
        one = found.tests[key]
        counts = one.answers, one.applied, one.resolved
        table.add_row(
            _name(found, key), *map(str, counts), f"{one.fixed}/{one.to_fix}", f"{one.kept}/{one.to_keep}"
        )
    return table


def _name(found: Measured, key: tuple[str, str]) -> Text:
    control = " (control)" if key in found.controls else ""
    return Text(f"{key[0]}{control}").append(f"\n{key[1]}", style="dim")


def _plain(found: Measured) -> dict[str, object]:
    groups = [
        {
            "model": key.model, "protocol": key.protocol, "control": key in found.controls,
            "measures": {name: _mean(one) for name, one in found.sums[key].items()},
            "tests": asdict(found.tests[key]),
        }
        for key in found.groups
    ]  # fmt: skip
    return {"groups": groups, "skipped": found.skipped}


def _mean(one: Sum) -> dict[str, object]:
    return {"mean": one.mean, "episodes": one.episodes, "missing": one.missing}
