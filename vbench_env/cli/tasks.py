"""`vbench-env tasks`: build, validate, list, show, render, sheet. Work on whole corpora is in `corpora`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Column, Table

from vbench_env.cli.console import NO, err, out, print_json, progress_bar, refuse

app = typer.Typer(
    help="Task folders: build, validate, list, show, render, contact sheets.", no_args_is_help=True
)

CorpusOption = Annotated[str, typer.Option("--corpus", "-c", help="Corpus name, or a folder of tasks.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
TaskArgument = Annotated[str, typer.Argument(help="Task id, corpus/id, or a task folder.")]


_ON_ONE_LINE = frozenset({"task", "difficulty", "tier"})


@app.command("list")
def list_tasks(corpus: CorpusOption = "vbench-40", json: JsonOption = False) -> None:
    """List the tasks of a corpus."""
    from vbench_env.report.words import plural
    from vbench_env.svg.complexity import complexity, tier
    from vbench_env.task import load_corpus

    tasks = load_corpus(corpus)
    tiers = {task.task_id: tier(complexity(task.target_svg)) for task in tasks}
    if json:
        print_json(
            [
                {
                    "task_id": task.task_id, "title": task.title, "genre": task.genre, "difficulty": task.difficulty,
                    "tier": tiers[task.task_id], "repairs": len(task.repairs), "protected": len(task.protected),
                    "kind": task.kind, "hash": task.hash,
                }
                for task in tasks
            ]
        )  # fmt: skip
        return
    title = f"{tasks.name}: {plural(len(tasks), 'task')}"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for name in ("task", "title", "genre", "difficulty", "tier"):
        table.add_column(name, overflow="fold", no_wrap=name in _ON_ONE_LINE)
    for name in ("repairs", "protected"):
        table.add_column(name, justify="right", no_wrap=True)
    for task in tasks:
        table.add_row(
            task.task_id,
            task.title,
            task.genre,
            task.difficulty,
            tiers[task.task_id],
            str(len(task.repairs)),
            str(len(task.protected)),
        )
    out.print(table)


@app.command()
def show(
    task: TaskArgument,
    hidden: Annotated[bool, typer.Option("--hidden", help="Show the repairs too (spoils the task).")] = False,
    json: JsonOption = False,
) -> None:
    """Show what an agent sees of a task."""
    from vbench_env.report.words import plural
    from vbench_env.task import load_task

    found = load_task(task)
    shown = {
        "task_id": found.task_id, "title": found.title, "genre": found.genre, "difficulty": found.difficulty,
        "instruction": found.instruction, "paraphrases": dict(found.paraphrases), "licence": found.licence,
        "author": found.author, "characters": len(found.corrupted_svg), "protected": len(found.protected),
        "hash": found.hash, "kind": found.kind,
    }  # fmt: skip
    if hidden:
        shown["repairs"] = [repair.model_dump(exclude_none=True) for repair in found.repairs]
    if json:
        print_json(shown)
        return
    kind = f"{found.kind}, " if found.kind != "repair" else ""
    out.print(f"[bold]{found.title or found.task_id}[/] ({kind}{found.genre}, {found.difficulty})")
    out.print(found.instruction)
    for name, text in found.paraphrases.items():
        out.print(f"[dim]{name}:[/] {text}")
    out.print(
        f"[dim]{plural(len(found.corrupted_svg), 'character')}, "
        f"{plural(len(found.protected), 'protected object')}[/]"
    )
    if hidden:
        for repair in found.repairs:
            out.print(
                f"- {repair.operation} {repair.object} {repair.property}: {repair.corrupted!r} is wrong"
            )


@app.command()
def build(
    folders: Annotated[list[Path], typer.Argument(help="Task folders (with target.svg and task.yaml).")],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail when a file is out of date.")
    ] = False,
) -> None:
    """Derive corrupted.svg from target.svg and task.yaml."""
    from vbench_env.taskkit.build import build_task

    stale = False
    for folder in folders:
        path = folder / "corrupted.svg"
        before = path.read_text(encoding="utf-8") if path.exists() else None
        text = build_task(folder, write=not check)
        changed = text != before
        stale = stale or changed
        state = ("out of date" if check else "written") if changed else "up to date"
        out.print(f"{path}: {state}")
    if check and stale:
        raise typer.Exit(NO)


@app.command()
def validate(
    paths: Annotated[
        list[str] | None, typer.Argument(help="Task folders, or corpora by name or folder.")
    ] = None,
    pictures: Annotated[bool, typer.Option(help="Also render: is every defect visible?")] = True,
    json: JsonOption = False,
) -> None:
    """Check tasks: schema, scores, undoing each repair, visibility, wording, evidence, licence, canary."""
    from vbench_env.taskkit.report import CorpusReport, Report
    from vbench_env.taskkit.validate import validate_corpus, validate_task

    reports: list[Report | CorpusReport] = []
    with progress_bar() as bar:
        names = paths or ["vbench-40"]
        step = bar.add_task("validating", total=len(names))
        for name in names:
            folder = task_or_corpus(name)
            one = (folder / "task.yaml").exists()
            reports.append((validate_task if one else validate_corpus)(folder, pictures=pictures))
            bar.advance(step)
    if json:
        from dataclasses import asdict

        print_json([asdict(report) for report in reports])
    else:
        for report in reports:
            _print_report(report)
    if not all(report.ok for report in reports):
        raise typer.Exit(NO)


def task_or_corpus(name: str) -> Path:
    from vbench_env.resources import data_root
    from vbench_env.task import find_task

    for path in (Path(name), data_root("tasks") / name):
        if path.is_dir():
            return path
    return find_task(name)


def _print_report(report: object) -> None:
    from vbench_env.taskkit.report import CorpusReport, Report

    if isinstance(report, CorpusReport):
        for inner in report.reports:
            _print_report(inner)
        for finding in report.findings:
            out.print(f"{report.name}: {finding}", highlight=False, markup=False)
        table = Table(
            "", Column("", overflow="fold"), title=f"{report.name}: corpus figures", show_header=False
        )
        for key, value in report.figures.items():
            text = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else str(value)
            table.add_row(key.replace("_", " "), text)
        table.add_row("content hash", report.hash)
        out.print(table)
    elif isinstance(report, Report):
        mark = "[green]valid[/]" if report.ok else "[red]not valid[/]"
        out.print(f"{report.task_id}: {mark}" + ("; published: expressible" if report.expressible else ""))
        for line in report.lines():
            out.print("  " + line, highlight=False, markup=False)


@app.command()
def render(
    task: TaskArgument,
    output: Annotated[Path, typer.Option("--out", "-o", help="PNG to write.")] = Path("task.png"),
    what: Annotated[str, typer.Option(help="corrupted, target (spoils the task) or both.")] = "corrupted",
    size: Annotated[int, typer.Option(help="Longer side in pixels.", min=16, max=4096)] = 1024,
) -> None:
    """Draw a task as PNG."""
    from vbench_env.task import load_task
    from vbench_env.taskkit.sheet import task_picture

    shown: dict[str, Literal["corrupted", "target", "both"]] = {
        "corrupted": "corrupted",
        "target": "target",
        "both": "both",
    }
    if what not in shown:
        refuse(f"--what takes corrupted, target or both, not {what!r}")
    output.write_bytes(task_picture(load_task(task), shown[what], size))
    out.print(str(output))


@app.command()
def sheet(
    tasks: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TASK]...", help="Tasks; every one of the corpus by default."),
    ] = None,
    corpus: CorpusOption = "vbench-40",
    output: Annotated[Path, typer.Option("--out", "-o", help="Folder for the pictures.")] = Path("sheets"),
    size: Annotated[int, typer.Option(help="Width of one drawing in pixels.", min=64, max=2048)] = 640,
) -> None:
    """Contact sheets: corrupted beside target, every defect ringed."""
    from vbench_env.report.words import plural
    from vbench_env.task import load_corpus, load_task
    from vbench_env.taskkit.sheet import write_sheet

    found = list(map(load_task, tasks)) if tasks else list(load_corpus(corpus))
    output.mkdir(parents=True, exist_ok=True)
    with progress_bar() as bar:
        step = bar.add_task("drawing", total=len(found))
        for task in found:
            write_sheet(task, output / f"{task.task_id}.png", size)
            bar.advance(step)
    err.print(f"{plural(len(found), 'sheet')} in {output}", highlight=False, soft_wrap=True)
