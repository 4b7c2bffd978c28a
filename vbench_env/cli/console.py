"""What all commands share: consoles, JSON output, progress, errors as exit codes."""

from __future__ import annotations

import errno
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


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_CLOSED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


def trouble_with_a_file(error: OSError) -> str:
    """What went wrong with a file, and what to do, in one line."""
    said = f"{error.filename}: {error.strerror or error}" if error.filename else f"{error.strerror or error}"
    if error.errno in _FULL:
        return f"{said}. Make room, then start again (a run: --resume); what was finished is kept"
    if error.errno in _CLOSED:
        return f"{said}; choose a folder that can be written to"
    return said


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
        err.print(f"[bold red]error:[/] {_escaped(trouble_with_a_file(error))}", soft_wrap=True)
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
