"""What all commands share: consoles, JSON output, progress, errors as exit codes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import typer
from rich.console import Console, ConsoleDimensions
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from vbench_env.errors import VBenchError

NO, UNUSABLE, OWED, INTERRUPTED = 1, 2, 3, 130

PIPE_WIDTH = 200
"""Columns of what goes to a file or a pipe, where `COLUMNS` does not say: names stay whole and on their line."""


class _Out(Console):
    @property
    def size(self) -> ConsoleDimensions:
        found = super().size
        if self.is_terminal or os.environ.get("COLUMNS"):
            return found
        return ConsoleDimensions(PIPE_WIDTH, found.height)

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self._width, self._height = new_size


out = _Out()
err = Console(stderr=True)


def guarded(app: Callable[[], Any]) -> NoReturn:
    """Run the command; errors that vbench-env raises on purpose become one line and exit code 2."""
    try:
        app()
    except VBenchError as error:
        err.print(f"[bold red]error:[/] {_escaped(str(error))}", soft_wrap=True)
        sys.exit(UNUSABLE)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        err.print(f"[bold red]error:[/]{_escaped(where)}: {error.strerror or error}", soft_wrap=True)
        sys.exit(UNUSABLE)
    except KeyboardInterrupt:
        err.print("interrupted")
        sys.exit(INTERRUPTED)
    sys.exit(0)


def _escaped(text: str) -> str:
    return text.replace("[", "\\[")


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, default=str) + "\n")


def progress_bar() -> Progress:
    """A bar on standard error that leaves nothing behind."""
    return Progress(
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
    )


def refuse(message: str) -> NoReturn:
    """End with exit code 2 and a message that says what to do."""
    err.print(f"[bold red]error:[/] {_escaped(message)}", soft_wrap=True)
    raise typer.Exit(UNUSABLE)
