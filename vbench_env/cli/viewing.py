"""`vbench-env view`."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from vbench_env.cli.console import out


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(view)


def view(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders, finished or going on.")],
    rules: Annotated[str | None, typer.Option(help="Rule set of the headline.")] = None,
    port: Annotated[int, typer.Option(help="Port of the pages; 0 takes a free one.", min=0, max=65535)] = 0,
    browser: Annotated[bool, typer.Option(help="Open the first page in a browser.")] = True,
) -> None:
    """Look at a run in local pages while it goes on; Ctrl-C ends."""
    from vbench_env.report.viewer import Viewer

    viewer = Viewer(runs, rules, port)
    out.print(f"view at {viewer.url}", highlight=False, soft_wrap=True)
    if browser:
        webbrowser.open(viewer.url)
    never = threading.Event()
    try:
        while True:  # in short pieces, which Ctrl-C can interrupt on every system
            never.wait(1.0)
    except KeyboardInterrupt:
        out.print()
    finally:
        viewer.close()
