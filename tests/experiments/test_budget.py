"""Reserving before, settling after, and never counting an unknown price as nothing."""

from __future__ import annotations

import threading
import time

import pytest

from vbench_env.agent import CallRecord
from vbench_env.experiments.budget import BudgetSpent, EpisodeMeter, Estimator, Meter, Spending, input_tokens
from vbench_env.experiments.config import EpisodeBudget, RunBudget
from vbench_env.experiments.endpoint import ChatRequest, Price, picture_url

ASK = ChatRequest([{"role": "user", "content": "x" * 250}], max_tokens=1000)
ASSUMED = Price(100.0, 100.0)


def record(usage: dict[str, int] | None, cost: float | None, *errors: str) -> CallRecord:
    attempts = [{"error": {"kind": kind}} for kind in errors]
    return CallRecord(request={}, attempts=[*attempts, {"response": {}}], usage=usage, cost_usd=cost)


def test_pictures_count_as_pictures_and_not_as_text():
    picture = {"type": "image_url", "image_url": {"url": picture_url(b"\x89PNG" * 10_000)}}
    plain = input_tokens(ChatRequest([{"role": "user", "content": [{"type": "text", "text": "look"}]}]))
    seen = input_tokens(
        ChatRequest([{"role": "user", "content": [{"type": "text", "text": "look"}, picture]}])
    )
    assert 3000 < seen - plain < 3100


def test_a_known_cost_counts_as_it_is():
    spent = Estimator(Price(1, 1), ASSUMED).spending(
        record({"prompt_tokens": 5, "completion_tokens": 2}, 0.25), ASK
    )
    assert spent == Spending(usd=0.25, tokens=7)


def test_an_unknown_cost_counts_at_the_assumed_price_and_apart():
    spent = Estimator(None, ASSUMED).spending(
        record({"prompt_tokens": 500, "completion_tokens": 500}, None), ASK
    )
    assert (spent.usd, spent.assumed_usd, spent.unknown_calls) == (0.0, pytest.approx(0.1), 1)


def test_without_usage_a_call_counts_what_was_reserved():
    estimator = Estimator(None, ASSUMED)
    assert estimator.spending(record(None, None), ASK).assumed_usd == estimator.ceiling_usd(ASK) > 0.1


def test_failed_attempts_count_only_where_they_may_have_been_charged():
    estimator = Estimator(Price(1, 1), ASSUMED)
    spent = estimator.spending(record({"prompt_tokens": 1}, 0.0, "rate_limit", "timeout", "server"), ASK)
    assert spent.assumed_usd == estimator.ceiling_usd(ASK)
    assert spent.unknown_calls == 1


def test_what_others_reserve_stands_in_the_way_until_it_is_settled():
    meter, order = Meter(RunBudget(usd=1.0)), list[str]()

    def second() -> None:
        with meter.reserve(0.7):
            order.append("second")

    with meter.reserve(0.7):
        waiting = threading.Thread(target=second)
        waiting.start()
        time.sleep(0.05)
        order.append("first")
        meter.settle(Spending(usd=0.1))
    waiting.join(5)
    assert order == ["first", "second"]


def test_what_does_not_fit_any_more_is_refused():
    meter = Meter(RunBudget(usd=1.0), Spending(usd=0.6, assumed_usd=0.3))
    with pytest.raises(BudgetSpent, match="budget_usd of the run"), meter.reserve(0.2):
        pass
    with meter.reserve(0.1):
        pass


def test_no_limit_never_refuses():
    with Meter(RunBudget()).reserve(1e9):
        pass


def test_an_episode_has_limits_of_its_own():
    meter = EpisodeMeter(EpisodeBudget(usd=1.0, tokens=10))
    meter.check(0.9)
    with pytest.raises(BudgetSpent, match="budget_usd of the episode"):
        meter.check(1.1)
    meter.spent.add(Spending(tokens=10))
    with pytest.raises(BudgetSpent, match="budget_tokens of the episode"):
        meter.check(0.0)
    with pytest.raises(BudgetSpent, match="budget_wall"):
        EpisodeMeter(EpisodeBudget(wall_s=1e-9)).check(0.0)
