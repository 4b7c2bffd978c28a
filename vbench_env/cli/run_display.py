"""What a run looks like in a terminal: its plan beforehand, its progress while it goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from rich.box import HORIZONTALS
from rich.console import Group, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from vbench_env.cli.console import err
from vbench_env.report.words import plural

if TYPE_CHECKING:
    from vbench_env.experiments.estimate import Cell, Estimate
    from vbench_env.experiments.summary import RunProgress, RunSummary


class _Rate(ProgressColumn):
    """Episodes a minute."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed * 60:,.0f}/min", style="cyan")


def watched(work: Callable[[Callable[[RunProgress], None]], RunSummary]) -> RunSummary:
    """Do the work under a bar on standard error, or with a line now and then where that is a file."""
    if not err.is_terminal:
        return work(_Lines())
    columns = (
        SpinnerColumn(), BarColumn(), MofNCompleteColumn(), TextColumn("episodes"), _Rate(), TimeElapsedColumn(),
        TimeRemainingColumn(),
    )  # fmt: skip
    with _Bar(*columns, console=err, transient=True) as bar:
        step = bar.add_task("", total=None)

        def progress(state: RunProgress) -> None:
            bar.words = _state(state)
            bar.update(step, total=state.total, completed=state.scored)

        return work(progress)


class _Bar(Progress):
    """A bar with a line of words below it, which narrow terminals may break but not cut."""

    words = ""

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        if self.words:
            yield Text.from_markup(self.words)


class _Lines:
    """Tells of a run in lines, the first after `every_s`, so that a short run says nothing."""

    def __init__(self, every_s: float = 30.0) -> None:
        self._every_s, self._begun = every_s, time.monotonic()
        self._told, self._before = self._begun, -1
        self._stopping = False

    def __call__(self, state: RunProgress) -> None:
        now = time.monotonic()
        if self._before < 0:
            self._before = state.scored
        stops = state.stopping is not None and not self._stopping
        self._stopping |= stops
        if now - self._told < self._every_s and not stops:
            return
        self._told = now
        rate = (state.scored - self._before) / max(now - self._begun, 1e-9) * 60
        words = [f"{state.scored:,}/{state.total:,} episodes", f"{rate:,.0f}/min", _state(state)]
        err.print("  ".join(filter(None, words)), highlight=False, soft_wrap=True)


def _state(state: RunProgress) -> str:
    """Cost, failures and whether it stops, in words."""
    words = [_spent(state)] if state.tokens or state.assumed_usd else []
    if state.failures:
        kinds = ", ".join(
            f"{count} {kind.replace('_', ' ')}" for kind, count in sorted(state.failures.items())
        )
        words.append(f"[red]failed: {kinds}[/]")
    if state.stopping == "interrupted":
        words.append("[yellow]stopping after the calls in flight; Ctrl-C again leaves at once[/]")
    elif state.stopping is not None:
        words.append(f"[yellow]stopping: {state.stopping.replace('_', ' ')}[/]")
    return "  ".join(words)


def _spent(state: RunProgress) -> str:
    """Dollars that are known, and apart from them those that are only assumed."""
    if not state.assumed_usd:
        return f"${state.spent_usd:,.2f}"
    return f"${state.spent_usd:,.2f} + ~${state.assumed_usd:,.2f} assumed"


def plan_of(found: Estimate) -> Group:
    """The plan of a run with what it would take."""
    table = Table(box=HORIZONTALS, padding=(0, 1, 0, 0), min_width=76)
    table.add_column("model / protocol", overflow="fold", min_width=24)
    for name in ("episodes", "calls", "tokens in", "out", "cost"):
        table.add_column(name, justify="right", no_wrap=True)
    for cell in found.cells:
        table.add_row(
            f"{cell.model}\n[dim]{cell.protocol}[/]", f"{cell.episodes:,}", f"{cell.calls:,}",
            _tokens(cell.input_tokens), _tokens(cell.output_tokens), _cost(cell),
        )  # fmt: skip
    lines = "\n".join(f"* {line}" for line in found.assumptions.lines())
    return Group(
        table, Text(f"{_total(found)}\n\nAssumed:\n{lines}\n\nNothing was sent and nothing was written.")
    )


def _total(found: Estimate) -> str:
    """The whole plan in a sentence."""
    several = f", wordings {', '.join(found.wordings)}" if len(found.wordings) > 1 else ""
    calls, sent, said = (
        sum(getattr(cell, name) for cell in found.cells)
        for name in ("calls", "input_tokens", "output_tokens")
    )
    text = (
        f"{plural(found.tasks, 'task')}, {plural(found.samples, 'sample')}{several}: "
        f"{plural(found.episodes, 'episode')}, {plural(calls, 'call')}, "
        f"{_tokens(sent)} tokens in and {_tokens(said)} out, ${found.usd:,.2f}"
    )
    if not found.assumed_usd:
        return f"{text}."
    each = found.assumed_price.input_usd
    return f"{text}; calls of unknown price ${found.assumed_usd:,.2f}, if a million tokens cost ${each:g}."


def _tokens(count: float) -> str:
    return f"{count / 1e6:,.2f} M" if count >= 1e6 else f"{count:,.0f}"


def _cost(cell: Cell) -> str:
    return "unknown" if cell.usd is None else "free" if cell.usd == 0 else f"${cell.usd:,.2f}"


def plan_json(found: Estimate) -> dict[str, Any]:
    """The same as plain data."""
    names = ("model", "protocol", "episodes", "calls", "usd")
    return {
        "tasks": found.tasks, "samples": found.samples, "wordings": list(found.wordings), "episodes": found.episodes,
        "cells": [
            {name: getattr(cell, name) for name in names}
            | {"input_tokens": round(cell.input_tokens), "output_tokens": round(cell.output_tokens)}
            for cell in found.cells
        ],
        "usd": found.usd, "assumed_usd": found.assumed_usd, "assumptions": found.assumptions.lines(),
    }  # fmt: skip
