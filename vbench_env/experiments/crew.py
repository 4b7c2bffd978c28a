"""Worker threads that play, and the one thread that writes what they bring."""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from vbench_env.experiments.budget import EpisodeMeter, Meter
from vbench_env.experiments.chat import EpisodeChat
from vbench_env.experiments.plan import Plan, Unit
from vbench_env.experiments.play import Left, Play, Seat
from vbench_env.experiments.record import EpisodeRecord, FailureRecord
from vbench_env.experiments.seats import Seats
from vbench_env.experiments.store import RunWriter
from vbench_env.experiments.summary import Progress, RunProgress, RunSummary, StopReason
from vbench_env.experiments.workshop import Workshop

_STOPS: dict[str, StopReason] = {
    "interrupted": "interrupted", "budget_usd": "budget_usd", "budget_tokens": "budget_tokens",
    "budget_wall": "budget_wall",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Handover:
    """What a worker brings: a record, why it stopped, or None when it found nothing more to do."""

    result: EpisodeRecord | BaseException | None
    taken: threading.Event = field(default_factory=threading.Event)


@dataclass(slots=True)
class Crew:
    """Plays `units` with as many threads as the configuration says."""

    plan: Plan
    seats: Seats | None
    """None when there is nothing to play."""
    writer: RunWriter
    meter: Meter
    workshop: Workshop
    stop: threading.Event
    """Set when episodes in flight must end after the call that they wait for."""
    units: Sequence[Unit]
    reason: StopReason | None = None
    """Why no further episode is begun."""
    given_up: dict[str, FailureRecord] = field(default_factory=dict)
    failures: Counter[str] = field(default_factory=Counter)
    played: int = 0
    gained: int = 0
    """Results of this part of the run."""
    _in_a_row: Counter[str] = field(default_factory=Counter)
    _started: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _results: queue.SimpleQueue[_Handover] = field(default_factory=queue.SimpleQueue)

    def interrupt(self) -> None:
        """Begin nothing new; episodes in flight end after the call that they wait for."""
        self.reason = self.reason or "interrupted"
        self.stop.set()
        self._results.put(_Handover(Left("interrupted")))  # so that the one who watches is told at once

    def work(self, progress: Progress) -> RunSummary:
        """Play until all is done or the run must stop; the summary says how far it came."""
        progress(self._progress(None))
        left, count = iter(self.units), min(self.plan.config.concurrency, len(self.units))
        for number in range(count):
            threading.Thread(target=self._worker, args=(left,), daemon=True, name=f"episode-{number}").start()
        while count:
            handover = self._results.get()
            match handover.result:
                case None:
                    count -= 1
                case Left(reason=reason):
                    self.reason = self.reason or _STOPS[reason]
                    progress(self._progress(None))
                case EpisodeRecord() as record:
                    self._keep(record)
                    progress(self._progress(record))
                case error:
                    self.interrupt()
                    raise error
            handover.taken.set()
        return self._summary()

    def _worker(self, left: Iterator[Unit]) -> None:
        try:
            assert self.seats is not None
            while (unit := self._next(left)) is not None:
                self._hand_over(self._play(unit, self.seats.of(unit)))
        except BaseException as error:  # a `Left`, or a fault that the writing thread raises again
            self._hand_over(error)
        self._hand_over(None)

    def _play(self, unit: Unit, seat: Seat) -> EpisodeRecord:
        config = self.plan.config
        if (record := self.workshop.whole(unit, seat, config)) is not None:
            return record
        own, chat = EpisodeMeter(config.episode_budget), None
        if seat.client is not None:
            journal = self.writer.journal(unit.key.episode_id)
            chat = EpisodeChat(seat.client, journal, self.meter, own, seat.estimator)
        return Play(unit, seat, config, own, self.stop, chat, self.workshop.episode).record()

    def _hand_over(self, result: EpisodeRecord | BaseException | None) -> None:
        """Wait until the writing thread has dealt with it: what it decides holds for the next episode."""
        handover = _Handover(result)
        self._results.put(handover)
        handover.taken.wait()

    def _next(self, left: Iterator[Unit]) -> Unit | None:
        with self._lock:
            for unit in left:
                if self.reason is not None:
                    return None
                if unit.model.name not in self.given_up:
                    return unit
        return None

    def _keep(self, record: EpisodeRecord) -> None:
        self.writer.append(record)
        self.played += 1
        if not record.owed:
            self.gained += 1
            self._in_a_row[record.model] = 0
            return
        error = record.error or FailureRecord(kind="unknown", message="no reason was given")
        self.failures[error.kind] += 1
        self._in_a_row[record.model] += 1
        if error.fatal or self._in_a_row[record.model] >= self.plan.config.give_up_after:
            self.given_up.setdefault(record.model, error)

    def _progress(self, last: EpisodeRecord | None) -> RunProgress:
        total, spent = len(self.plan.units), self.meter.spent
        scored = total - len(self.units) + self.gained
        return RunProgress(
            total, scored, dict(self.failures), spent.usd, spent.assumed_usd, spent.tokens, last, self.reason
        )

    def _summary(self) -> RunSummary:
        owed = len(self.units) - self.gained
        spent = self.meter.spent
        return RunSummary(
            folder=str(self.writer.path), stop_reason=self._stop_reason(owed), total=len(self.plan.units),
            scored=len(self.plan.units) - owed, owed=owed, played=self.played, failures=dict(self.failures),
            given_up=self.given_up, spent_usd=spent.usd, assumed_usd=spent.assumed_usd,
            unknown_calls=spent.unknown_calls, tokens=spent.tokens,
            wall_s=round(time.monotonic() - self._started, 3),
        )  # fmt: skip

    def _stop_reason(self, owed: int) -> StopReason:
        if not owed:
            return "complete"
        if self.reason is not None:
            return self.reason
        return "provider" if {unit.model.name for unit in self.units} <= set(self.given_up) else "owed"
