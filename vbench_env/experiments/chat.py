"""How an agent talks to its model in one episode: budgeted, written down, and never paid for twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vbench_env.agent import CallRecord
from vbench_env.experiments.budget import EpisodeMeter, Estimator, Meter, Spending
from vbench_env.experiments.client import Attempt, ModelClient
from vbench_env.experiments.endpoint import ChatRequest
from vbench_env.experiments.failures import CallFailed
from vbench_env.experiments.journal import CallJournal
from vbench_env.experiments.record import CutOff
from vbench_env.experiments.reply import call_record, cut_off, read_answer

__all__ = ["Chat", "ChatReply", "ChatRequest", "EpisodeChat"]


@dataclass(frozen=True, slots=True)
class ChatReply:
    """One answer of a model."""

    content: str | None
    tool_calls: tuple[dict[str, Any], ...]
    """In OpenAI form; arguments may be no JSON where the answer was cut off."""
    finish_reason: str | None
    """`length` also where the model only seems to have been cut off at its limit."""
    cut_off: tuple[CutOff, ...]
    record: CallRecord


Chat = Callable[[ChatRequest], ChatReply]
"""What a model-driven agent is given."""


class EpisodeChat:
    """The calls of one episode, in order. Not for several threads."""

    def __init__(self, client: ModelClient, journal: CallJournal, meter: Meter, episode: EpisodeMeter,
                 estimator: Estimator) -> None:  # fmt: skip
        self._client, self._journal, self._estimator = client, journal, estimator
        self._meter, self._episode = meter, episode
        self.calls: list[CallRecord] = []
        self.cut_off: list[CutOff] = []

    def __call__(self, request: ChatRequest) -> ChatReply:
        """The model's answer, from the journal where it was given before.

        Raises:
            BudgetSpent: the call would pass a limit.
            CallFailed: there is no answer to be had.
        """
        request = request.bounded(self._client.endpoint.max_output_tokens)
        digest = request.digest(self._client.endpoint)
        record = self._known(request, digest) or self._asked(request, digest)
        self.calls.append(record)
        last = record.attempts[-1]
        answer = read_answer(last["response"])
        reasons = cut_off(answer, last.get("native_finish_reason"), record.usage, request.max_tokens)
        self.cut_off += [reason for reason in reasons if reason not in self.cut_off]
        finish = "length" if {"length", "token_limit"} & set(reasons) else answer.finish_reason
        return ChatReply(answer.content, answer.tool_calls, finish, reasons, record)

    def _known(self, request: ChatRequest, digest: str) -> CallRecord | None:
        earlier = self._journal.earlier(len(self.calls), digest)
        if earlier is None or not earlier.answered:
            return None
        record = earlier.record()
        self._count(self._estimator.spending(record, request), new=False)
        return record

    def _asked(self, request: ChatRequest, digest: str) -> CallRecord:
        number = len(self.calls)
        earlier = self._journal.earlier(number, digest)
        before = earlier.attempts if earlier else []
        usd = self._estimator.ceiling_usd(request) if self._limited() else 0.0

        def keep(attempt: Attempt) -> None:
            self._journal.write(number, digest, attempt.request, attempt.entry)

        self._episode.check(usd)
        with self._meter.reserve(usd):
            try:
                record = self._client.complete(request, keep, before, digest)
            except CallFailed as failed:
                self._count(self._estimator.failed(failed.attempts[len(before) :], request), new=True)
                self.calls.append(call_record(failed.request, failed.attempts))
                raise
            self._count(self._estimator.spending(record, request), new=True)
        return record

    def _limited(self) -> bool:
        """Whether dollars are, so that it matters what a call may cost."""
        return self._meter.limits.usd is not None or self._episode.limits.usd is not None

    def _count(self, spending: Spending, *, new: bool) -> None:
        """Charge the episode, and the run too unless an earlier process was charged already."""
        self._episode.spent.add(spending)
        if new:
            self._meter.settle(spending)
