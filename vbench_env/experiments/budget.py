"""Money, tokens and time of a run: reserved before a call, settled after it.

A call whose price nobody knows counts at an assumed one, apart from what is known to have been spent; a
failed attempt that may have been charged counts what was reserved for it. So a budget errs towards stopping.
"""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from vbench_env.agent import CallRecord
from vbench_env.errors import VBenchError
from vbench_env.experiments.config import EpisodeBudget, RunBudget
from vbench_env.experiments.endpoint import ChatRequest, Price
from vbench_env.experiments.failures import MAYBE_PAID

CHARACTERS_PER_TOKEN = 2.5
TOKENS_PER_PICTURE = 3_000
OUTPUT_TOKENS_UNLIMITED = 32_000
"""Assumed where a request sets no limit."""

BudgetReason = Literal["budget_usd", "budget_tokens", "budget_wall"]


class BudgetSpent(VBenchError):
    """The next call would pass a limit, of the episode or of the whole run."""

    def __init__(self, reason: BudgetReason, scope: Literal["episode", "run"]) -> None:
        super().__init__(f"{reason} of the {scope} is spent")
        self.reason, self.scope = reason, scope


@dataclass(slots=True)
class Spending:
    """What was spent. `assumed_usd` stands for `unknown_calls` whose price nobody knows."""

    usd: float = 0.0
    assumed_usd: float = 0.0
    unknown_calls: int = 0
    tokens: int = 0

    @property
    def total_usd(self) -> float:
        return self.usd + self.assumed_usd

    def add(self, other: Spending) -> None:
        self.usd += other.usd
        self.assumed_usd += other.assumed_usd
        self.unknown_calls += other.unknown_calls
        self.tokens += other.tokens


@dataclass(frozen=True, slots=True)
class Estimator:
    """What a call may cost at most, and what a finished one counts."""

    price: Price | None
    """None where nobody knows."""
    assumed: Price

    def ceiling_usd(self, request: ChatRequest) -> float:
        """Dollars of a request with all the output that it may have."""
        output = request.max_tokens or OUTPUT_TOKENS_UNLIMITED
        return (self.price or self.assumed).cost_usd(input_tokens(request), output)

    def spending(self, record: CallRecord, request: ChatRequest) -> Spending:
        """What an answered call counts, its failed attempts included."""
        usage = record.usage or {}
        tokens = int(usage.get("prompt_tokens") or 0) + int(usage.get("completion_tokens") or 0)
        spent = self.failed(record.attempts, request)
        if record.cost_usd is not None:
            spent.add(Spending(usd=record.cost_usd, tokens=tokens))
            return spent
        counts = usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0
        usd = (self.price or self.assumed).cost_usd(*counts) if tokens else self.ceiling_usd(request)
        counted = tokens or math.ceil(input_tokens(request))
        spent.add(Spending(assumed_usd=usd, unknown_calls=1, tokens=counted))
        return spent

    def failed(self, attempts: Sequence[dict[str, object]], request: ChatRequest) -> Spending:
        """What failed attempts count that may have been charged."""
        errors = [entry["error"] for entry in attempts if isinstance(entry.get("error"), dict)]
        count = sum(error.get("kind") in MAYBE_PAID for error in errors if isinstance(error, dict))
        if not count:
            return Spending()
        return Spending(assumed_usd=count * self.ceiling_usd(request), unknown_calls=count)


def sent_request(record: CallRecord) -> ChatRequest:
    """What can be told of a request from its record."""
    messages, limit = record.request.get("messages"), record.request.get("max_tokens")
    return ChatRequest(
        messages if isinstance(messages, list) else [record.request],
        max_tokens=limit if isinstance(limit, int) else None,
    )


def input_tokens(request: ChatRequest) -> float:
    """Tokens that a request has at most, from its length and its pictures."""
    pictures = sum(1 for _ in request.pictures())
    text = json.dumps([request.without_pictures(), list(request.tools)], default=str, ensure_ascii=False)
    return len(text) / CHARACTERS_PER_TOKEN + pictures * TOKENS_PER_PICTURE


@dataclass(slots=True)
class Meter:
    """The budget of a whole run. Safe to share between threads."""

    limits: RunBudget
    spent: Spending = field(default_factory=Spending)
    started: float = field(default_factory=time.monotonic)
    _reserved_usd: float = 0.0
    _changed: threading.Condition = field(default_factory=threading.Condition)

    @contextmanager
    def reserve(self, usd: float) -> Iterator[None]:
        """Hold `usd` back during a call. Waits while only other calls in flight stand in the way.

        Raises:
            BudgetSpent: there is not so much left.
        """
        with self._changed:
            while reason := self.reason(usd):
                if reason != "budget_usd" or self._reserved_usd <= 0:
                    raise BudgetSpent(reason, "run")
                self._changed.wait(1.0)
            self._reserved_usd += usd
        try:
            yield
        finally:
            with self._changed:
                self._reserved_usd -= usd
                self._changed.notify_all()

    def settle(self, spending: Spending) -> None:
        """Count what a call cost."""
        with self._changed:
            self.spent.add(spending)
            self._changed.notify_all()

    def reason(self, usd: float = 0.0) -> BudgetReason | None:
        """Which limit a call for `usd` would pass now."""
        limits = self.limits
        if limits.wall_s is not None and time.monotonic() - self.started >= limits.wall_s:
            return "budget_wall"
        if limits.tokens is not None and self.spent.tokens >= limits.tokens:
            return "budget_tokens"
        committed = self.spent.total_usd + self._reserved_usd + usd
        return "budget_usd" if limits.usd is not None and committed > limits.usd + 1e-12 else None


@dataclass(slots=True)
class EpisodeMeter:
    """The budget of one episode; used by the one thread that plays it."""

    limits: EpisodeBudget
    spent: Spending = field(default_factory=Spending)
    started: float = field(default_factory=time.monotonic)

    def check(self, usd: float) -> None:
        """Raise `BudgetSpent` when a call for `usd` would pass a limit."""
        limits = self.limits
        if limits.wall_s is not None and time.monotonic() - self.started >= limits.wall_s:
            raise BudgetSpent("budget_wall", "episode")
        if limits.tokens is not None and self.spent.tokens >= limits.tokens:
            raise BudgetSpent("budget_tokens", "episode")
        if limits.usd is not None and self.spent.total_usd + usd > limits.usd + 1e-12:
            raise BudgetSpent("budget_usd", "episode")
