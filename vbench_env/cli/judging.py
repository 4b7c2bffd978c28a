"""`vbench-env score`, `controls`, `sensitivity`, `reproduce` and `tools`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Column, Table

from vbench_env.cli.console import NO, err, out, print_json, progress_bar, refuse
from vbench_env.cli.tasks import CorpusOption, JsonOption

RulesOption = Annotated[str, typer.Option("--rules", "-r", help="surgical or published.")]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(score)
    app.command()(controls)
    app.command()(sensitivity)
    app.command()(reproduce)
    app.command()(tools)


def score(
    task: Annotated[str, typer.Argument(help="Task id, corpus/id, task folder or published JSON file.")],
    file: Annotated[Path, typer.Argument(help="Candidate SVG, or a model's answer with --answer.")],
    rules: RulesOption = "surgical",
    answer: Annotated[
        bool, typer.Option("--answer", help="Take the SVG out of a model's answer first.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Score one drawing for a task; exit code 0 when all three gates pass, 1 when not."""
    from vbench_env import extract_svg
    from vbench_env import score as score_task
    from vbench_env.scoring.scorecard import Scorecard
    from vbench_env.task import load_task

    try:
        data: bytes | str | None = file.read_bytes()
    except OSError as error:
        refuse(f"{file} cannot be read: {error.strerror}; give the path of the drawing to score")
    holds = extract_svg(data) if data is not None else None
    if answer:
        data = holds
    card: Scorecard = score_task(load_task(task), data, rules)
    if json:
        print_json(card.model_dump(mode="json"))
    else:
        _print_card(card)
    malformed = any(fault.kind == "malformed" for fault in card.faults)
    if answer and data is None:
        err.print(f"{file} holds no SVG document: nothing was handed in.", highlight=False, soft_wrap=True)
    elif not answer and holds and holds.strip().encode() != file.read_bytes().strip() and malformed:
        advice = "is no SVG document but holds one; score that with --answer"
        err.print(f"{file} {advice}", highlight=False, soft_wrap=True)
    raise typer.Exit(0 if card.passed else NO)


def _print_card(card: object) -> None:
    from vbench_env.scoring.scorecard import Scorecard

    assert isinstance(card, Scorecard)
    gates = "  ".join(
        f"{name} {'[green]pass[/]' if good else '[red]fail[/]'}"
        for name, good in (
            ("validity", card.valid),
            ("repair", card.repaired),
            ("preservation", card.preserved),
        )
    )
    out.print(f"[bold]{card.status}[/]  reward {card.reward}  {gates}")
    if card.reference != "target":
        out.print(f"  against the further solution {card.reference}", markup=False, highlight=False)
    if card.measures:
        told = ", ".join(
            f"{name.replace('_', ' ')} {_number(value)}" for name, value in card.measures.items()
        )
        out.print(f"  {told}", markup=False, highlight=False)
    for fault in card.faults:
        where = f" at {fault.place}" if fault.place else f" (line {fault.line})" if fault.line else ""
        out.print(f"  invalid: {fault.message}{where}", markup=False, highlight=False)
    table = Table(
        *(Column(name, overflow="fold") for name in ("object", "property")), "passed", "distance", "tolerance",
        "progress", "why not", box=None,
    )  # fmt: skip
    for repair in card.repairs:
        table.add_row(
            repair.object, repair.property, "yes" if repair.passed else "no", _number(repair.distance),
            _number(repair.tolerance), _number(repair.progress), (repair.failure or "").replace("_", " "),
        )  # fmt: skip
    out.print(table)
    for change in card.changes[:20]:
        arrow = f": {change.before} -> {change.after}" if change.before or change.after else ""
        out.print(
            f"  changed: {change.object} {change.subtype} {change.detail}{arrow}",
            markup=False,
            highlight=False,
        )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def controls(
    corpus: CorpusOption = "vbench-40", rules: RulesOption = "surgical", json: JsonOption = False
) -> None:
    """Four controls that any scorer must get right: corrupted, target, one extra mutation, malformed."""
    from vbench_env.report.controls import controls as control_rows
    from vbench_env.task import load_corpus

    table = control_rows(load_corpus(corpus), rules)
    if json:
        print_json(table.to_json())
    else:
        out.print(table)
    if not table.ok:
        raise typer.Exit(NO)


def sensitivity(
    source: Annotated[
        Path, typer.Argument(metavar="RUN", help="Run folder, or a folder of published outcomes.")
    ],
    output: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write tables and figures to this folder too.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """How verdicts depend on the tolerances and on each rule switch varied alone."""
    from vbench_env.report.sensitivity import sensitivity_of

    with progress_bar() as bar:
        step = bar.add_task("passes", total=None)
        table = sensitivity_of(
            source, progress=lambda done, total: bar.update(step, completed=done, total=total)
        )
    if json:
        print_json(table.to_json())
    else:
        out.print(table)
    if output is not None:
        from vbench_env.report.sensitivity_files import write_sensitivity

        err.print(f"tables and figures: {write_sensitivity(table, output)}", highlight=False, soft_wrap=True)


def reproduce(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Clone of the public repository, or like it.")
    ],
    rules: RulesOption = "published",
    output: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write every table and figure to this folder, with a page of them."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Score published outcomes anew and compare with the published verdicts, tables and figures.

    DIR is a clone of github.com/yug-space/vector-edit-gym, the repository of the Vector-Bench paper
    (Gupta and Hebbar 2026, arXiv:2607.19056).
    """
    from vbench_env.report.reproduce import reproduce as reproduce_folder

    with progress_bar() as bar:
        step = bar.add_task("outcomes", total=None)
        found = reproduce_folder(
            folder, rules, progress=lambda done, total: bar.update(step, completed=done, total=total)
        )
    if json:
        print_json(found.to_json())
    else:
        out.print(found)
    if output is not None:
        from vbench_env.report.reproduction_site import write_reproduction

        page = write_reproduction(found, output)
        err.print(f"tables and figures: {page.resolve()}", highlight=False, soft_wrap=True)
    if not found.ok:
        raise typer.Exit(NO)


def tools(
    form: Annotated[
        str, typer.Option("--format", "-f", help="markdown, openai or json-schema.")
    ] = "markdown",
    json: Annotated[bool, typer.Option("--json", help="The same as --format json-schema.")] = False,
) -> None:
    """Describe the edit tools."""
    from vbench_env.tools import TOOLS, json_schemas, markdown, openai_tools

    names = TOOLS.names()
    form = "json-schema" if json else form
    if form == "markdown":
        out.print(markdown(names), markup=False, highlight=False, soft_wrap=True)
    elif form in ("openai", "json-schema"):
        print_json((openai_tools if form == "openai" else json_schemas)(names))
    else:
        refuse(f"--format takes markdown, openai or json-schema, not {form!r}")
