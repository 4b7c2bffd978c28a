"""Running a configuration.

    run(config, "runs/first")                   # start
    run(config, "runs/first", resume=True)      # go on, with the same settings
    resume("runs/first")                        # the same, settings from the folder
    resume("runs/first", {"budget": {"usd": 20}})

A process that is killed at any moment loses no answer that had arrived. Ctrl-C lets the calls in flight come
home, begins nothing new and leaves the rest owed; a second one leaves at once.
"""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from vbench_env.experiments.budget import Meter, Spending, sent_request
from vbench_env.experiments.config import RunBudget, RunConfig, make_config
from vbench_env.experiments.config_file import with_settings
from vbench_env.experiments.crew import Crew
from vbench_env.experiments.executors import Executor, default_workers, make_executor
from vbench_env.experiments.journal import read_journal
from vbench_env.experiments.manifest import make_manifest
from vbench_env.experiments.plan import Plan, Unit, make_plan
from vbench_env.experiments.seats import Seats
from vbench_env.experiments.store import RunFolder, RunWriter
from vbench_env.experiments.summary import Progress, RunSummary
from vbench_env.experiments.workshop import Workshop
from vbench_env.layers import merge

EPISODES_PER_WORKER = 12
"""Episodes that make it worth while to start a worker."""
_SWITCH_S = 0.0005
"""How long a thread may go on while others want to. Python's own is ten times as long."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run(config: RunConfig, folder: str | Path, *, resume: bool = False,
        progress: Progress | None = None) -> RunSummary:  # fmt: skip
    """Play what is missing of a run.

    Args:
        config: what to run.
        folder: run folder; a new or empty one, unless `resume` is true.
        progress: called in this thread before the first episode and after each.

    Raises:
        VBenchError: the run cannot start as configured; nothing was played.
    """
    plan, stop = make_plan(config), threading.Event()
    manifest = make_manifest(plan)
    with RunWriter(folder, manifest, resume=resume) as writer:
        units = missing(plan, writer)
        with _executor(config, units) as executor:  # its workers start while the model client is imported
            seats = Seats(plan, stop, writer.pictures) if units else None
            writer.begin(manifest)
            meter = _meter(plan, writer, seats)
            crew = Crew(plan, seats, writer, meter, Workshop(executor), stop, units)
            with _signals(crew.interrupt), _settled():
                summary = crew.work(progress or (lambda state: None))
        summary.write(writer.path)
    return summary


def resume(
    folder: str | Path, changes: Mapping[str, Any] | None = None, settings: Sequence[str] = (), *,
    progress: Progress | None = None,
) -> RunSummary:  # fmt: skip
    """Go on with the run in `folder` as its manifest says.

    Args:
        folder: run folder.
        changes: fields of the configuration that are different from now on (`{"budget": {"usd": 20}}`,
            `concurrency`, `retry`, ...), merged into what it says; one that would change results is refused.
        settings: the same as `NAME=VALUE`, see `config_file.with_settings`.
        progress: as in `run`.
    """
    config = RunFolder(folder).manifest.config
    if changes or settings:
        data = merge(config.model_dump(mode="json"), changes or {})
        config = make_config(with_settings(data, settings), str(folder))
    return run(config, folder, resume=True, progress=progress)


def _executor(config: RunConfig, units: Sequence[Unit]) -> Executor:
    """Workers as far as there is enough to do for them: each takes a second to start."""
    wanted = default_workers() if config.workers is None else config.workers
    workers = min(wanted, len(units) // EPISODES_PER_WORKER) if config.executor is None else wanted
    name = config.executor or ("processes" if workers > 1 else "inline")
    return make_executor(name, workers, ("vbench_env.experiments.workshop", "vbench_env.scoring.scorer"))


def missing(plan: Plan, folder: RunFolder) -> list[Unit]:
    """Units without a result, in the order of the plan."""
    done = folder.done()
    return [unit for unit in plan.units if unit.key.episode_id not in done]


def _meter(plan: Plan, folder: RunFolder, seats: Seats | None) -> Meter:
    """The budget of the run, with what its earlier parts spent where that matters."""
    limits = plan.config.budget
    if seats is None or limits == RunBudget():
        return Meter(limits)
    return Meter(limits, spent_before(plan, folder, seats))


def spent_before(plan: Plan, folder: RunFolder, seats: Seats) -> Spending:
    """What finished episodes, and the calls of unfinished ones, have cost."""
    spent = Spending()
    for record in folder.episodes():
        if not record.owed:
            for call in record.calls:
                spent.add(seats.estimator(record.model).spending(call, sent_request(call)))
    for unit in plan.units:
        for earlier in read_journal(folder.journal_path(unit.key.episode_id)).values():
            call = earlier.record()
            spent.add(seats.estimator(unit.model.name).spending(call, sent_request(call)))
    return spent


@contextmanager
def _settled() -> Iterator[None]:
    """An interpreter made ready for many threads that mostly wait.

    What is there before the work begins, a large client library above all, is not searched for garbage during it, and
    a thread whose answer has arrived soon gets its turn, so that the worker it feeds does not stand idle.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_S)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        sys.setswitchinterval(interval)


@contextmanager
def _signals(interrupt: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C and SIGTERM interrupt; a second one does what it always did. Works in the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def first(number: int, frame: FrameType | None) -> None:
        interrupt()
        for which, handler in before.items():
            signal.signal(which, handler)

    for number in _SIGNALS:
        signal.signal(number, first)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
