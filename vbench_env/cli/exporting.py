"""`vbench-env export`: corpora and runs in the formats of others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vbench_env.cli.console import out, refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vbench_env.experiments.store import RunFolder
    from vbench_env.exporters.rows import Row

app = typer.Typer(help="Write corpora and runs in other formats.", no_args_is_help=True)

Run = Annotated[Path, typer.Argument(metavar="RUN", help="Run folder.")]
Output = Annotated[Path, typer.Option("--out", "-o", help="File to write: .jsonl or .parquet.")]
Folder = Annotated[Path, typer.Option("--out", "-o", help="Folder to write.")]
Corpus = Annotated[str, typer.Option("--corpus", "-c", help="Corpus name or folder.")]
Split = Annotated[str | None, typer.Option(help="train or test part of the corpus.")]


@app.command()
def prompts(
    output: Output,
    corpus: Corpus = "vbench-40",
    split: Split = None,
    protocol: Annotated[str, typer.Option("--protocol", "-p", help="Protocol name or file.")] = "single-shot",
    samples: Annotated[int, typer.Option(help="Rows of each task.", min=1)] = 1,
) -> None:
    """The first messages of every task of a corpus."""
    from vbench_env.env import chosen_tasks
    from vbench_env.exporters import rows
    from vbench_env.protocol import load_protocol

    _write(rows.prompts(chosen_tasks(None, corpus, split), load_protocol(protocol), samples), output)


@app.command()
def trajectories(run: Run, output: Output) -> None:
    """Every scored episode of a run: conversation, verdict, final drawing."""
    from vbench_env.exporters import rows

    _of_run(run, rows.trajectories, output)


@app.command()
def sft(run: Run, output: Output) -> None:
    """Conversations to imitate: those of episodes that passed all three gates."""
    from vbench_env.exporters import rows

    _of_run(run, rows.chats, output)


@app.command()
def preferences(run: Run, output: Output) -> None:
    """Pairs of episodes of one task, of which the chosen one went further."""
    from vbench_env.exporters import rows

    _of_run(run, rows.preferences, output)


@app.command()
def atif(run: Run, output: Folder) -> None:
    """Trajectories in the Agent Trajectory Interchange Format, a file for each episode."""
    from vbench_env.exporters.atif import write_trajectories

    _said(write_trajectories(_run(run), output), output)


@app.command()
def harbor(
    output: Folder,
    corpus: Corpus = "vbench-40",
    task: Annotated[list[str] | None, typer.Option("--task", "-t", help="Task id; may be repeated.")] = None,
    rules: Annotated[str, typer.Option(help="Rule set of the reward.")] = "surgical",
    wheel: Annotated[
        Path | None, typer.Option(help="Wheel of this package that verifiers install, instead of by name.")
    ] = None,
) -> None:
    """Task folders for Harbor, each with a verifier in a container of its own."""
    from vbench_env.exporters.harbor import write_tasks
    from vbench_env.scoring.rules import get_rules

    count = write_tasks(corpus, output, task or (), rules=get_rules(rules).name, wheel=wheel)
    _said(count, output)


@app.command()
def inspect(run: Run, output: Folder) -> None:
    """Logs for Inspect's viewer, one for each model and protocol."""
    from vbench_env.exporters.inspect_log import write_logs

    for path in write_logs(_run(run), output):
        out.print(f"written: {path}", highlight=False, soft_wrap=True)


def _of_run(run: Path, made: Callable[[RunFolder], Iterable[Row]], output: Path) -> None:
    _write(made(_run(run)), output)


def _run(path: Path) -> RunFolder:
    """A run folder, with its manifest."""
    from vbench_env.experiments.store import RunFolder

    folder = RunFolder(path)
    if not folder.manifest.protocols:
        refuse(f"{path} names no protocols")
    return folder


def _write(made: Iterable[Row], output: Path) -> None:
    from vbench_env.exporters.sinks import write_rows

    _said(write_rows(made, output), output)


def _said(count: int, output: Path) -> None:
    out.print(f"{count} written: {output}", highlight=False, soft_wrap=True)
