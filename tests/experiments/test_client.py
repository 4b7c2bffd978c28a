"""What the model client does with endpoints that behave and with others. A real local server answers."""

from __future__ import annotations

import email.utils
import json
import os
import subprocess
import sys
import threading
import time

import pytest

from tests.fake_openai import FakeOpenAI, Reply, failing, in_order, usage
from vbench_env.experiments.client import Attempt, ModelClient
from vbench_env.experiments.endpoint import ChatRequest, Endpoint, Price, RetryPolicy, picture_url
from vbench_env.experiments.failures import CallFailed
from vbench_env.experiments.reply import cut_off, read_answer

KEY = "sk-very-secret-0123456789"
QUICK = RetryPolicy(attempts=3, timeout_s=60, wall_s=180, backoff_s=0.01)
ASK = ChatRequest([{"role": "user", "content": "draw"}], max_tokens=100)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))
LOOK = ChatRequest(
    [{"role": "user", "content": [
        {"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": picture_url(PNG)}},
    ]}],
    max_tokens=100,
)  # fmt: skip


def client_of(
    server: FakeOpenAI, retry: RetryPolicy = QUICK, model: str = "openai/m", **fields: object
) -> ModelClient:
    return ModelClient(Endpoint(model, model, api_base=server.base_url, api_key=KEY, **fields), retry)  # type: ignore[arg-type]


def tool_call(arguments: str) -> dict[str, object]:
    return {"id": "1", "type": "function", "function": {"name": "rewrite", "arguments": arguments}}


def failure_of(client: ModelClient, request: ChatRequest = ASK) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        client.complete(request, lambda attempt: None)
    return caught.value


def test_an_answer_comes_with_usage_request_and_versions():
    with FakeOpenAI(Reply("hello", usage=usage(21, 5))) as server:
        record = client_of(server).complete(ASK, lambda attempt: None)
    assert read_answer(record.attempts[-1]["response"]).content == "hello"
    assert record.usage == usage(21, 5)
    assert record.request["messages"] == [{"role": "user", "content": "draw"}]
    assert record.request["max_tokens"] == 100
    assert record.finish_reason == "stop"
    assert record.versions["model"] == "m-2026-11"
    assert record.versions["litellm"]


def test_temperature_is_left_out_unless_asked_for():
    with FakeOpenAI() as server:
        client_of(server).complete(ASK, lambda attempt: None)
        client_of(server, temperature=0.0).complete(ASK, lambda attempt: None)
    assert "temperature" not in server.arrived[0].body
    assert server.arrived[1].body["temperature"] == 0.0


def test_missing_usage_is_none_and_so_is_the_cost():
    with FakeOpenAI(Reply(usage=None)) as server:
        record = client_of(server, price=Price(1, 2)).complete(ASK, lambda attempt: None)
    assert record.usage is None
    assert record.cost_usd is None


def test_cost_of_an_unlisted_model_is_none_and_that_of_a_listed_one_is_known():
    with FakeOpenAI(Reply(usage=usage(1000, 100))) as server:
        unknown = client_of(server).complete(ASK, lambda attempt: None)
        listed = client_of(server, model="openai/gpt-4o").complete(ASK, lambda attempt: None)
        priced = client_of(server, price=Price(2, 10)).complete(ASK, lambda attempt: None)
    assert unknown.cost_usd is None
    assert listed.cost_usd == pytest.approx(1000 * 2.5e-6 + 100 * 1e-5)
    assert priced.cost_usd == pytest.approx(0.003)


@pytest.mark.parametrize(
    "trouble",
    [failing(429, "slow down"), failing(500, "boom"), failing(503, "busy"), failing(529, "overloaded"),
     Reply(cut=True), Reply(raw=b'{"id": "x", "choi'), Reply(raw=b"<html>bad gateway</html>"),
     Reply(no_choices=True)],
    ids=["429", "500", "503", "529", "cut", "half-json", "html", "no-choices"],
)  # fmt: skip
def test_passing_trouble_is_tried_again_and_every_attempt_is_kept(trouble):
    seen: list[Attempt] = []
    with FakeOpenAI(in_order(trouble, Reply("at last"))) as server:
        record = client_of(server).complete(ASK, seen.append)
    assert len(server) == 2
    assert [("error" in entry) for entry in record.attempts] == [True, False]
    assert [attempt.entry for attempt in seen] == record.attempts
    assert read_answer(record.attempts[-1]["response"]).content == "at last"


@pytest.mark.parametrize(
    ("answer", "kind", "fatal"),
    [
        (failing(400, "bad field"), "bad_request", False),
        (failing(401, "Incorrect API key provided: " + KEY), "auth", True),
        (failing(403, "not yours"), "auth", True),
        (failing(404, "no such model"), "not_found", True),
        (
            failing(400, "maximum context length is 10", code="context_length_exceeded"),
            "context_length",
            False,
        ),
        (failing(429, "You exceeded your current quota", type="insufficient_quota"), "quota", True),
    ],
)
def test_hopeless_trouble_is_not_tried_again(answer, kind, fatal):
    with FakeOpenAI(answer) as server:
        failed = failure_of(client_of(server))
    assert len(server) == 1
    assert failed.failure.kind == kind
    assert failed.failure.as_record().fatal is fatal


def test_attempts_end_and_the_last_failure_says_why():
    with FakeOpenAI(failing(500, "boom")) as server:
        failed = failure_of(client_of(server))
    assert len(server) == QUICK.attempts
    assert failed.failure.kind == "server"
    assert failed.failure.status == 500
    assert "boom" in str(failed)


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_is_honoured(form):
    value = "1" if form == "seconds" else email.utils.formatdate(time.time() + 2, usegmt=True)
    with FakeOpenAI(in_order(failing(429, "slow", {"Retry-After": value}), Reply())) as server:
        begun = time.monotonic()
        client_of(server).complete(ASK, lambda attempt: None)
    assert 0.9 <= time.monotonic() - begun < 4


def test_retry_after_is_bounded():
    patient = RetryPolicy(attempts=2, timeout_s=60, wall_s=180, backoff_s=0.01, longest_wait_s=0.1)
    with FakeOpenAI(in_order(failing(429, "slow", {"Retry-After": "86400"}), Reply())) as server:
        begun = time.monotonic()
        client_of(server, patient).complete(ASK, lambda attempt: None)
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize("trouble", [Reply(delay_s=60), Reply(drip_s=60)], ids=["hang", "drip"])
def test_an_endpoint_that_hangs_or_drips_is_left_in_time(trouble):
    with FakeOpenAI(trouble) as server:
        begun = time.monotonic()
        failed = failure_of(client_of(server, RetryPolicy(attempts=1, timeout_s=0.5, wall_s=50)))
    assert failed.failure.kind == "timeout"
    assert time.monotonic() - begun < 45


def test_wall_clock_bounds_all_attempts_together():
    with FakeOpenAI(failing(500, "boom")) as server:
        begun = time.monotonic()
        failure_of(client_of(server, RetryPolicy(attempts=1000, timeout_s=60, wall_s=0.6, backoff_s=0.2)))
    assert time.monotonic() - begun < 45
    assert 1 <= len(server) < 6


def test_a_stopped_run_does_not_wait_for_the_next_attempt():
    stop = threading.Event()
    with FakeOpenAI(failing(500, "boom")) as server:
        client = ModelClient(Endpoint("m", "openai/m", server.base_url, KEY), RetryPolicy(backoff_s=60), stop)
        threading.Timer(0.3, stop.set).start()
        begun = time.monotonic()
        failed = failure_of(client)
    assert failed.failure.kind == "interrupted"
    assert time.monotonic() - begun < 45


def test_nothing_kept_holds_the_key():
    seen: list[Attempt] = []
    with FakeOpenAI(in_order(failing(429, f"limit for {KEY}"), Reply(f"your key is {KEY}"))) as server:
        record = client_of(server).complete(ASK, seen.append)
        assert server.arrived[0].headers["authorization"] == f"Bearer {KEY}"
    kept = record.model_dump_json() + json.dumps([(a.request, a.entry) for a in seen])
    assert "limit for" in kept
    assert KEY not in kept
    assert "Bearer" not in kept


def test_a_picture_arrives_and_is_in_the_request_as_kept():
    with FakeOpenAI() as server:
        record = client_of(server).complete(LOOK, lambda attempt: None)
        arrived = json.dumps(server.arrived[0].body)
    assert picture_url(PNG) in arrived
    assert picture_url(PNG) in json.dumps(record.request)


def test_a_picture_that_the_client_library_would_drop_costs_nothing():
    with FakeOpenAI() as server:
        client = client_of(server, model="deepseek/some-new-model")
        failed = failure_of(client, LOOK)
    assert len(server) == 0
    assert failed.failure.kind == "picture_missing"
    assert "drops pictures" in str(failed)


def test_a_model_known_to_take_no_pictures_is_refused():
    with FakeOpenAI() as server:
        failed = failure_of(client_of(server, vision=False), LOOK)
    assert len(server) == 0
    assert "takes no pictures" in str(failed)


def test_what_the_model_list_says_about_pictures():
    assert ModelClient(Endpoint("x", "gpt-4o")).takes_pictures() is True
    assert ModelClient(Endpoint("x", "gpt-3.5-turbo")).takes_pictures() is False
    assert ModelClient(Endpoint("x", "openai/never-heard-of")).takes_pictures() is None


def test_many_threads_share_a_client_without_mixing_requests():
    def echo(body, seen):
        return Reply(body["messages"][-1]["content"])

    found: dict[int, str | None] = {}

    def ask(number: int) -> None:
        request = ChatRequest([{"role": "user", "content": f"number {number}"}])
        record = client.complete(request, lambda attempt: None)
        assert record.request["messages"][-1]["content"] == f"number {number}"
        found[number] = read_answer(record.attempts[-1]["response"]).content

    with FakeOpenAI(echo) as server:
        client = client_of(server)
        threads = [threading.Thread(target=ask, args=(number,)) for number in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {number: f"number {number}" for number in range(24)}


def test_earlier_attempts_stay_in_the_record_and_numbers_go_on():
    with FakeOpenAI() as server:
        record = client_of(server).complete(
            ASK, lambda attempt: None, [{"number": 1, "error": {"kind": "server"}}]
        )
    assert [entry["number"] for entry in record.attempts] == [1, 2]


@pytest.mark.parametrize(
    ("reply", "reasons"),
    [
        (Reply("<svg><g/></svg>"), ()),
        (Reply("<svg><g/>", finish_reason="length"), ("length", "document")),
        (Reply("<svg><g/></svg>", usage=usage(5, 100)), ("token_limit",)),
        (Reply("<svg><g"), ("document",)),
        (Reply("<svg xmlns='x'/>"), ()),
        (Reply(None, [tool_call('{"svg": "<svg xml')], "tool_calls"), ("arguments",)),
        (Reply(None, [tool_call("{}")], "tool_calls"), ()),
    ],
)  # fmt: skip
def test_signs_of_a_cut_off_answer(reply, reasons):
    with FakeOpenAI(reply) as server:
        entry = client_of(server).complete(ASK, lambda attempt: None).attempts[-1]
    assert (
        cut_off(read_answer(entry["response"]), entry.get("native_finish_reason"), entry["usage"], 100)
        == reasons
    )


def test_importing_the_client_does_not_import_litellm():
    code = "import sys, vbench_env.experiments.client; sys.exit('litellm' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


def test_an_endpoint_is_told_how_often_it_was_asked_and_the_record_is_not():
    with FakeOpenAI(in_order(failing(500), failing(500), Reply())) as server:
        record = client_of(server).complete(ASK, lambda attempt: None)
        counts = [arrived.headers["x-stainless-retry-count"] for arrived in server.arrived]
        before = [{"number": 1, "error": {"kind": "server"}}]
        client_of(server).complete(ASK, lambda attempt: None, before)
        counts.append(server.arrived[-1].headers["x-stainless-retry-count"])
    assert counts == ["0", "1", "2", "1"]
    assert len(record.attempts) == 3
    assert set(record.request) == {"model", "messages", "max_tokens", "api_base"}
