"""`vbench-env tasks variant`, `engines` and `page`: work on whole corpora."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vbench_env.cli.console import NO, out, print_json, progress_bar
from vbench_env.cli.tasks import CorpusOption, JsonOption, app, task_or_corpus

__all__ = ["CorpusOption", "JsonOption", "app"]

if TYPE_CHECKING:
    from vbench_env.taskkit.engines import Agreement
    from vbench_env.taskkit.page.results import VariantRow

DocsOption = Annotated[Path, typer.Option("--docs", help="Folder of the page and its data files.")]


@app.command()
def variant(
    task: Annotated[str, typer.Argument(help="Task id, corpus/id, a task folder, or a whole corpus.")],
    seed: Annotated[
        list[int], typer.Option("--seed", "-s", help="Decides all changes; may be given several times.")
    ],
    output: Annotated[Path, typer.Option("--out", "-o", help="Folder for the variants' folders.")] = Path(
        "variants"
    ),
    save: Annotated[
        Path | None, typer.Option("--save", help="Write what was done to this JSON file.")
    ] = None,
    json_: JsonOption = False,
) -> None:
    """Make re-skinned equals of tasks: other names, colours, layout and corrupted values, validated."""
    from vbench_env.task import task_folders

    folder = task_or_corpus(task)
    folders = [folder] if (folder / "task.yaml").exists() else task_folders(folder)
    rows: list[VariantRow] = []
    with progress_bar() as bar:
        step = bar.add_task("making variants", total=len(folders) * len(seed))
        for item in folders:
            for number in seed:
                rows.append(_variant_row(item, number, output))
                bar.advance(step)
                if not json_:
                    _print_variant(rows[-1], output)
    data = [row.model_dump() for row in rows]
    if save is not None:
        save.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if json_:
        print_json(data)
    elif len(rows) > 1:
        out.print(f"{sum(row.ok for row in rows)} of {len(rows)} variants are valid")
    if not all(row.ok for row in rows):
        raise typer.Exit(NO)


def _variant_row(folder: Path, seed: int, output: Path) -> VariantRow:
    from vbench_env.errors import TaskError
    from vbench_env.taskkit.page.results import VariantRow
    from vbench_env.taskkit.variant import make_variant

    try:
        made = make_variant(folder, seed, output)
    except TaskError as error:
        return VariantRow(task=folder.name, seed=seed, ok=False, reason=str(error))
    return VariantRow(
        task=folder.name, seed=seed, ok=True, changes=dict(made.changes), left_out=dict(made.left_out)
    )


def _print_variant(row: VariantRow, output: Path) -> None:
    if not row.ok:
        out.print(f"[red]{row.task}, seed {row.seed}: no variant[/]")
        out.print(f"  {row.reason}", highlight=False, markup=False)
        return
    out.print(f"{output / f'{row.task}-v{row.seed}'}: [green]valid[/]", highlight=False)
    for kind, what in row.changes.items():
        out.print(f"  {kind}: {what}", highlight=False, markup=False)
    for kind, why in row.left_out.items():
        out.print(f"  {kind} left out: {why}", highlight=False, markup=False)


@app.command()
def engines(
    corpus: CorpusOption = "vbench-40",
    save: Annotated[Path | None, typer.Option("--save", help="Write the result to this JSON file.")] = None,
    json_: JsonOption = False,
) -> None:
    """Draw every target in resvg, CairoSVG and Chromium: how far pictures differ, which features engines lack."""
    from vbench_env.task import load_corpus
    from vbench_env.taskkit.engines import compare_engines

    tasks = load_corpus(corpus)
    with progress_bar() as bar:
        step = bar.add_task("drawing", total=len(tasks))
        found = compare_engines(tasks, tasks.name, lambda: bar.advance(step))
    if save is not None:
        text = json.dumps(found.to_json(), indent=1, ensure_ascii=False)
        save.write_text(text + "\n", encoding="utf-8")
    if json_:
        print_json(found.to_json())
    else:
        _print_agreement(found)


def _print_agreement(found: Agreement) -> None:
    from rich.table import Table

    others = found.engines[1:]
    table = Table(title=f"{found.corpus}: pixels that differ from {found.engines[0]} at {found.width_px} px")
    table.add_column("task", overflow="fold")
    for name in others:
        table.add_column(name, justify="right")
        table.add_column("no text", justify="right")
        table.add_column("areas", justify="right")
    table.add_column("lacks")
    for row in found.rows:
        items = row.differences
        shares = [share for item in items for share in (item.changed, item.changed_without_text, item.apart)]
        cells = ["no picture" if share is None else f"{share:.2%}" for share in shares]
        said = [(found.engines[0], row.lacks), *((item.engine, item.lacks) for item in items)]
        lacks = "; ".join(f"{name}: {', '.join(features)}" for name, features in said if features)
        table.add_row(row.task_id, *cells, lacks)
    out.print(table)
    for name, why in found.missing.items():
        out.print(f"{name}: {why}", highlight=False, markup=False)


@app.command()
def page(
    corpus: CorpusOption = "vbench-40",
    docs: DocsOption = Path("docs"),
    pictures: Annotated[bool, typer.Option(help="Draw the contact sheets anew.")] = True,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail when the page is out of date.")
    ] = False,
) -> None:
    """Write corpus.md: table, figures, content hash, results and contact sheets."""
    from vbench_env.task import load_corpus
    from vbench_env.taskkit.page import corpus_page, read_page_data, write_pictures
    from vbench_env.taskkit.validate import validate_corpus

    tasks, path = load_corpus(corpus), docs / "corpus.md"
    report = validate_corpus(task_or_corpus(corpus), pictures=False)
    text = corpus_page(tasks, report, read_page_data(docs))
    if check:
        current = path.is_file() and path.read_text(encoding="utf-8") == text
        out.print(
            f"{path}: {'up to date' if current else 'out of date; run `vbench-env tasks page`'}", markup=False
        )
        raise typer.Exit(0 if current else NO)
    path.write_text(text, encoding="utf-8")
    if pictures:
        write_pictures(tasks, docs / "images" / "corpus")
    out.print(str(path))
