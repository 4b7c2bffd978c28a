"""Whole runs: against a local server that behaves, one that does not, killed and resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.experiments.conftest import (
    COLOURS,
    KEY,
    KEY_NAME,
    assert_no_secret,
    config,
    rows,
    settings,
    target_for,
    task_of,
)
from tests.fake_openai import FakeOpenAI, Reply, failing, usage
from vbench_env.errors import ConfigError, UnknownName
from vbench_env.experiments.runner import resume, run
from vbench_env.experiments.store import RunFolder, RunWriter


def right(body: dict[str, Any], seen: int) -> Reply:
    return Reply(target_for(body))


def by_task(*replies: Reply) -> Any:
    """A script that answers each task in its own way."""
    return lambda body, seen: replies[task_of(body)]


def test_right_answers_pass_and_both_verdicts_are_kept(corpus, tmp_path):
    with FakeOpenAI(right) as server:
        summary = run(config(corpus, server), tmp_path / "run")
    assert summary.stop_reason == "complete"
    assert (summary.scored, summary.owed) == (4, 0)
    for record in rows(tmp_path / "run").values():
        assert record.score.passed
        assert set(record.scorecards) == {"surgical", "published"}
        assert record.corpus
        assert record.usage == {"prompt_tokens": 11, "completion_tokens": 7}
        assert [message["role"] for message in record.messages] == ["system", "user", "assistant"]
        assert record.final_svg.startswith("<svg")
    assert_no_secret(tmp_path / "run")


def test_the_forms_in_which_models_answer(corpus, tmp_path):
    target = {n: target_for({"messages": [f"Task {n}:"]}) for n in range(4)}
    script = by_task(
        Reply(f"Here you are:\n```svg\n{target[0]}\n```\nI made it red."),
        Reply(f"<think>a draft <svg></svg></think>{target[1]}"),
        Reply(target[2][:90], finish_reason="length", usage=usage(9, 10**6)),
        Reply(""),
    )
    with FakeOpenAI(script) as server:
        summary = run(config(corpus, server), tmp_path / "run")
        assert len(server) == 4
    found = {key[0]: record for key, record in rows(tmp_path / "run").items()}
    assert summary.complete
    assert [found[f"t{n}"].score.status for n in range(3)] == ["PASS", "PASS", "INVALID"]
    assert found["t2"].cut_off == ["length", "token_limit", "document"]
    assert not found["t3"].score.passed
    assert found["t3"].score.status in {"ERR", "INVALID"}
    assert found["t0"].cut_off == []


def test_trouble_of_the_endpoint_is_survived(corpus, tmp_path):
    slow = failing(429, "slow", {"Retry-After": "0"})
    trouble = [slow, failing(500), Reply(cut=True), Reply(raw=b'{"choices": [')]

    def script(body: dict[str, Any], seen: int) -> Reply:
        return right(body, seen) if seen else trouble[task_of(body)]

    with FakeOpenAI(script) as server:
        summary = run(config(corpus, server), tmp_path / "run")
    assert summary.complete
    records = rows(tmp_path / "run").values()
    assert all(record.score.passed for record in records)
    assert all(
        ["error" in attempt for attempt in record.calls[0].attempts] == [True, False] for record in records
    )


def test_infrastructure_failures_are_owed_and_played_again_while_model_failures_stay(corpus, tmp_path):
    good = Reply(target_for({"messages": ["Task 3:"]}))
    broken = by_task(Reply("no drawing here"), failing(503, "down"), Reply(delay_s=3), good)
    quick = {"attempts": 2, "timeout_s": 0.4, "backoff_s": 0.01}
    with FakeOpenAI(broken) as server:
        first = run(config(corpus, server, retry=quick), tmp_path / "run")
    assert first.stop_reason == "owed"
    assert first.owed == 2
    assert first.failures == {"server": 1, "timeout": 1}
    owed = {record.task_id: record for record in rows(tmp_path / "run").values() if record.owed}
    assert owed["t1"].score is None
    assert owed["t1"].error.kind == "server"
    assert owed["t1"].stop_reason == "infrastructure"
    assert len(owed["t1"].calls[0].attempts) == 2

    with FakeOpenAI(right) as server:
        second = run(config(corpus, server, retry=quick), tmp_path / "run", resume=True)
        assert {task_of(arrived.body) for arrived in server.arrived} == {1, 2}
    assert second.complete
    found = {record.task_id: record for record in rows(tmp_path / "run").values()}
    assert [found[f"t{n}"].score.passed for n in range(4)] == [False, True, True, True]
    assert len(found["t1"].calls[0].attempts) == 3
    with FakeOpenAI(right) as server:
        third = run(config(corpus, server, retry=quick), tmp_path / "run", resume=True)
        assert (len(server), third.played, third.complete) == (0, 0, True)


def test_limits_of_the_model_are_results(corpus, tmp_path):
    too_long = failing(400, "maximum context length is 8192 tokens", code="context_length_exceeded")
    with FakeOpenAI(too_long) as server:
        summary = run(config(corpus, server, tasks=["t0"]), tmp_path / "run")
    (record,) = rows(tmp_path / "run").values()
    assert summary.complete
    assert record.stop_reason == "context_length"
    assert record.score.status == "ERR"
    assert record.error.kind == "context_length"


def test_a_fatal_failure_closes_its_model_and_no_other(corpus, tmp_path):
    def script(body: dict[str, Any], seen: int) -> Reply:
        return (
            failing(401, f"Incorrect API key provided: {KEY}")
            if body["model"] == "bad"
            else right(body, seen)
        )

    with FakeOpenAI(script) as server:
        wanted = config(corpus, server, models=["openai/bad", "openai/good"], concurrency=1)
        summary = run(wanted, tmp_path / "run")
        asked = Counter(arrived.body["model"] for arrived in server.arrived)
    assert asked == {"bad": 1, "good": 4}
    assert summary.given_up["openai/bad"].kind == "auth"
    assert summary.stop_reason == "owed"
    assert_no_secret(tmp_path / "run")


def test_when_every_model_is_closed_the_provider_is_the_reason(corpus, tmp_path):
    with FakeOpenAI(failing(401, "no")) as server:
        summary = run(config(corpus, server, concurrency=1), tmp_path / "run")
    assert summary.stop_reason == "provider"
    assert summary.owed == 4
    assert json.loads((tmp_path / "run" / "status.json").read_text())["stop_reason"] == "provider"


def test_a_second_run_into_the_folder_is_refused_with_advice(corpus, tmp_path):
    run(config(corpus), tmp_path / "run")
    before = (tmp_path / "run" / "episodes.jsonl").read_bytes()
    with pytest.raises(ConfigError, match="already holds a run; resume it"):
        run(config(corpus), tmp_path / "run")
    assert (tmp_path / "run" / "episodes.jsonl").read_bytes() == before


def test_a_folder_with_other_files_is_refused(corpus, tmp_path):
    with pytest.raises(ConfigError, match=r"other files \(t0.json\)"):
        run(config(corpus), corpus)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"temperature": 0.5}, "settings.temperature: null -> 0.5"),
        ({"protocols": ["single-shot-paper"]}, "protocols"),
        ({"rules": "published"}, "settings.rules"),
        ({"models": ["oracle"]}, "settings.models"),
        ({"seed": 1}, "settings.seed: 0 -> 1"),
    ],
)
def test_resume_refuses_other_settings_and_names_them(corpus, tmp_path, change, named):
    run(config(corpus), tmp_path / "run")
    with pytest.raises(ConfigError) as caught:
        run(config(corpus, **change), tmp_path / "run", resume=True)
    assert named in str(caught.value)
    assert "start a new run in another folder" in str(caught.value)


def test_resume_refuses_a_changed_corpus_and_a_changed_prompt(corpus, tmp_path):
    own = tmp_path / "mine.yaml"
    own.write_text("extends: single-shot\n")
    run(config(corpus, protocols=[str(own)]), tmp_path / "run")
    own.write_text("extends: single-shot\nprompts:\n  system: Be brief.\n")
    with pytest.raises(ConfigError, match=r"protocols\.mine"):
        run(config(corpus, protocols=[str(own)]), tmp_path / "run", resume=True)
    own.write_text("extends: single-shot\n")
    changed = json.loads((corpus / "t0.json").read_text()) | {"instruction": "Something else"}
    (corpus / "t0.json").write_text(json.dumps(changed))
    with pytest.raises(ConfigError, match=r"corpus\.tasks\.t0"):
        run(config(corpus, protocols=[str(own)]), tmp_path / "run", resume=True)


def test_resume_may_change_speed_and_budget(corpus, tmp_path):
    run(config(corpus), tmp_path / "run")
    summary = run(config(corpus, concurrency=1, budget={"usd": 1}), tmp_path / "run", resume=True)
    assert summary.complete


def test_resume_by_folder_alone(corpus, tmp_path):
    run(config(corpus), tmp_path / "run")
    path = tmp_path / "run" / "episodes.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]))
    with pytest.raises(ConfigError, match=r"settings\.temperature"):
        resume(tmp_path / "run", {"temperature": 1.0})
    assert resume(tmp_path / "run", {"concurrency": 1}).played == 2
    assert len(rows(tmp_path / "run")) == 4


@pytest.mark.parametrize("torn", [1, 200, -3], ids=["first byte", "middle", "nearly whole"])
def test_a_torn_last_line_is_played_again(corpus, tmp_path, torn):
    run(config(corpus), tmp_path / "run")
    path = tmp_path / "run" / "episodes.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:torn])
    assert len(rows(tmp_path / "run")) == 3
    assert resume(tmp_path / "run").played == 1
    assert len(rows(tmp_path / "run")) == 4
    assert all(json.loads(line)["reward_valid"] for line in path.read_text().splitlines())


def test_two_processes_cannot_write_to_one_folder(corpus, tmp_path):
    run(config(corpus), tmp_path / "run")
    folder = RunFolder(tmp_path / "run")
    writer = RunWriter(tmp_path / "run", folder.manifest, resume=True)
    with pytest.raises(ConfigError, match="another process is writing"):
        resume(tmp_path / "run")
    writer.close()


def test_rows_written_twice_count_once_and_a_result_is_never_superseded_by_a_failure(corpus, tmp_path):
    run(config(corpus), tmp_path / "run")
    path = tmp_path / "run" / "episodes.jsonl"
    first = json.loads(path.read_text().splitlines()[0])
    failed = first | {"reward_valid": False, "score": None, "other_scores": []}
    with path.open("a") as file:
        file.write(json.dumps(first) + "\n" + json.dumps(failed) + "\n")
    found = list(RunFolder(tmp_path / "run").episodes())
    assert len(found) == 4
    assert all(record.reward_valid for record in found)


def test_controls_are_marked_and_both_ends_of_the_scale_hold(corpus, tmp_path):
    protocols = ["single-shot", "single-shot-patch"]
    run(config(corpus, models=["noop", "oracle"], protocols=protocols), tmp_path / "run")
    for (_, model, _, _), record in rows(tmp_path / "run").items():
        assert record.control
        assert record.score.passed == (model == "oracle")


def test_seeds_are_the_same_for_every_model_and_protocol_and_differ_by_sample(corpus, tmp_path):
    run(config(corpus, models=["noop", "random"], samples=2), tmp_path / "run")
    seeds = {(task, sample): set() for task in ("t0", "t1", "t2", "t3") for sample in (0, 1)}
    for (task, _, _, sample), record in rows(tmp_path / "run").items():
        seeds[task, sample].add(record.seed)
    assert all(len(found) == 1 for found in seeds.values())
    assert len({seed for found in seeds.values() for seed in found}) == 8


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"models": ["orcale"]}, UnknownName, "did you mean 'oracle'"),
        ({"models": ["single-shot"]}, ConfigError, "needs a model"),
        ({"models": ["openai/m"], "api_key_env": "NOT_THERE_AT_ALL"}, ConfigError, "NOT_THERE_AT_ALL"),
        ({"models": ["local/nope"]}, UnknownName, "local/smollm2"),
        ({"models": [{"name": "openai/m", "agent": "tool-agent"}]}, ConfigError, "native tool calls"),
        ({"protocols": ["single-short"]}, UnknownName, "single-shot"),
        ({"tasks": ["t9"]}, UnknownName, "t9"),
        ({"models": [{"name": "openai/m", "vision": False}], "protocols": ["single-shot-raster"],
          "api_base": "http://127.0.0.1:9"}, ConfigError, "takes none"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_refused_before_anything_is_written(corpus, tmp_path, change, error, words):
    with pytest.raises(error, match=words):
        run(config(corpus, **change), tmp_path / "run")
    assert not (tmp_path / "run" / "manifest.json").exists()


def test_a_picture_travels_once_and_is_kept_by_content(corpus, tmp_path):
    with FakeOpenAI(right) as server:
        run(
            config(corpus, server, protocols=["single-shot-raster"], tasks=["t0"], samples=2),
            tmp_path / "run",
        )
        assert all("data:image/png;base64," in json.dumps(arrived.body) for arrived in server.arrived)
    records = rows(tmp_path / "run")
    pictures = list((tmp_path / "run" / "pictures").glob("*.png"))
    assert len(records) == 2
    assert len(pictures) == 1
    for record in records.values():
        kept = json.dumps([record.messages, record.calls[0].request])
        assert kept.count(f"pictures/{pictures[0].name}") == 2
        assert "base64" not in kept


def test_surrogates_in_an_answer_do_not_stop_a_run(corpus, tmp_path):
    with FakeOpenAI(Reply("\ud800 <svg/>")) as server:
        summary = run(config(corpus, server, tasks=["t0"]), tmp_path / "run")
    assert summary.complete
    assert not rows(tmp_path / "run").popitem()[1].score.passed


RUNNER = """
import sys, json
from vbench_env.experiments.config import make_config
from vbench_env.experiments.runner import run
settings, folder = json.loads(sys.argv[1]), sys.argv[2]
summary = run(make_config(settings), folder, resume=True)
print(summary.stop_reason)
"""


def start(wanted: dict[str, Any], folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), KEY_NAME: KEY}
    return subprocess.Popen(
        [sys.executable, "-c", RUNNER, json.dumps(wanted), str(folder)], env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def wait_until(condition: Any, seconds: float = 150.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def stable(folder: Path) -> list[str]:
    """Records without times and without failed attempts, in order of their keys."""
    out = []
    for record in RunFolder(folder).episodes():
        plain = json.loads(record.line())
        del plain["started_at"], plain["wall_s"]
        for call in plain["calls"]:
            for attempt in call["attempts"]:
                del attempt["started_at"], attempt["latency_s"], attempt["number"]
            call["attempts"] = [attempt for attempt in call["attempts"] if "error" not in attempt]
            del call["request"]["api_base"]
        out.append(json.dumps(plain, sort_keys=True))
    return sorted(out)


def faulty(body: dict[str, Any], seen: int) -> Reply:
    """Every second task fails the first time it is asked."""
    if task_of(body) % 2 and not seen:
        return failing(500, "boom")
    return Reply(target_for(body), delay_s=0.02)


def test_killed_again_and_again_a_run_loses_nothing_pays_nothing_twice_and_ends_the_same(corpus, tmp_path):
    wanted = {"samples": 3, "concurrency": 2}
    with FakeOpenAI(faulty) as server:
        assert run(config(corpus, server, **wanted), tmp_path / "calm").complete
    with FakeOpenAI(faulty) as server:
        plain = settings(corpus, server, **wanted)
        for kills in (2, 7):
            child = start(plain, tmp_path / "run")
            wait_until(lambda kills=kills, child=child: len(server) >= kills or child.poll() is not None)
            child.send_signal(signal.SIGKILL)
            child.wait()
        child = start(plain, tmp_path / "run")
        out, err = child.communicate(timeout=60)
        assert out.strip() == "complete", err
        requests = Counter(json.dumps(arrived.body) for arrived in server.arrived)
    assert len(rows(tmp_path / "run")) == 12
    assert sum(requests.values()) <= 18 + 2 * 2
    assert len((tmp_path / "run" / "episodes.jsonl").read_text().splitlines()) == 12
    assert stable(tmp_path / "run") == stable(tmp_path / "calm")
    assert_no_secret(tmp_path / "run")
    assert not list((tmp_path / "run" / "calls").glob("*"))


def call(tool: str, **args: str) -> Reply:
    return Reply(json.dumps({"tool": tool, "args": args}))


def colour_then_submit(body: dict[str, Any], seen: int) -> Reply:
    if any(message["role"] == "assistant" for message in body["messages"]):
        return call("submit")
    number = task_of(body)
    return call("set_attribute", object=f"sun-{number}", name="fill", value=COLOURS[number])


def test_an_answer_that_was_written_down_is_not_paid_for_again(corpus, tmp_path):
    def breaks_after_the_first_turn(body: dict[str, Any], seen: int) -> Reply:
        reply = colour_then_submit(body, seen)
        return failing(500, "gone") if "submit" in str(reply.content) else reply

    wanted = {"protocols": ["interactive-text-json"]}
    with FakeOpenAI(breaks_after_the_first_turn) as server:
        first = run(config(corpus, server, **wanted), tmp_path / "run")
    assert first.owed == 4
    assert len(list((tmp_path / "run" / "calls").glob("*.jsonl"))) == 4
    with FakeOpenAI(colour_then_submit) as server:
        second = run(config(corpus, server, **wanted), tmp_path / "run", resume=True)
        assert len(server) == 4
        assert all(len(arrived.body["messages"]) > 2 for arrived in server.arrived)
    assert second.complete
    for record in rows(tmp_path / "run").values():
        assert record.score.passed
        assert len(record.calls) == 2
        assert record.usage == {"prompt_tokens": 22, "completion_tokens": 14}
    assert_no_secret(tmp_path / "run")


def test_ctrl_c_lets_calls_come_home_and_leaves_the_rest_owed(corpus, tmp_path):
    with FakeOpenAI(lambda body, seen: Reply(target_for(body), delay_s=0.5)) as server:
        child = start(settings(corpus, server, concurrency=1), tmp_path / "run")
        wait_until(lambda: len(server) >= 1)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=150)
    assert out.strip() == "interrupted", err
    assert "Traceback" not in err
    assert len(rows(tmp_path / "run")) == len(server) < 4
    assert json.loads((tmp_path / "run" / "status.json").read_text())["stop_reason"] == "interrupted"


def test_a_budget_in_dollars_stops_the_run_before_it_is_passed(corpus, tmp_path):
    price = {"input_usd_per_million": 0.0, "output_usd_per_million": 1000.0}
    model = {"name": "openai/m", "max_output_tokens": 10, **price}
    with FakeOpenAI(lambda body, seen: Reply(target_for(body), usage=usage(10, 7))) as server:
        wanted = {"models": [model], "concurrency": 1}
        summary = run(config(corpus, server, budget={"usd": 0.018}, **wanted), tmp_path / "run")
        assert len(server) == 2
        assert server.arrived[0].body["max_tokens"] == 10
        assert summary.stop_reason == "budget_usd"
        assert summary.spent_usd == pytest.approx(0.014)
        more = run(config(corpus, server, budget={"usd": 0.025}, **wanted), tmp_path / "run", resume=True)
        assert (len(server), more.stop_reason) == (3, "budget_usd")
        last = run(config(corpus, server, budget={"usd": 1}, **wanted), tmp_path / "run", resume=True)
    assert last.complete


def test_an_unknown_price_is_no_zero_for_the_budget_and_no_number_in_the_record(corpus, tmp_path):
    with FakeOpenAI(lambda body, seen: Reply(target_for(body), usage=None)) as server:
        model = {"name": "openai/m", "max_output_tokens": 1000}
        wanted = {"models": [model], "concurrency": 1, "assumed_usd_per_million": 100}
        summary = run(config(corpus, server, budget={"usd": 0.3}, **wanted), tmp_path / "run")
    assert summary.stop_reason == "budget_usd"
    assert summary.unknown_calls == len(server) == 2
    assert summary.spent_usd == 0
    assert 0.2 < summary.assumed_usd <= 0.3
    for record in rows(tmp_path / "run").values():
        assert record.cost_usd is None
        assert record.usage is None


def test_token_and_wall_budgets_stop_a_run(corpus, tmp_path):
    with FakeOpenAI(right) as server:
        tokens = run(config(corpus, server, budget={"tokens": 30}, concurrency=1), tmp_path / "tokens")
        wall = run(config(corpus, server, budget={"wall_s": 0.0001}, concurrency=1), tmp_path / "wall")
    assert (tokens.stop_reason, tokens.scored) == ("budget_tokens", 2)
    assert (wall.stop_reason, wall.scored) == ("budget_wall", 0)


def test_an_episode_whose_own_budget_is_spent_is_scored_as_it_stands(corpus, tmp_path):
    with FakeOpenAI(colour_then_submit) as server:
        wanted = {"protocols": ["interactive-text-json"], "episode_budget": {"tokens": 15}}
        summary = run(config(corpus, server, **wanted), tmp_path / "run")
    assert summary.complete
    for record in rows(tmp_path / "run").values():
        assert record.stop_reason == "budget_tokens"
        assert record.score.passed
        assert len(record.calls) == 1


def test_turns_can_be_limited_for_a_run(corpus, tmp_path):
    with FakeOpenAI(call("set_attribute", object="frame", name="data-x", value="1")) as server:
        wanted = {"protocols": ["interactive-text-json"], "episode_budget": {"turns": 2}, "tasks": ["t0"]}
        run(config(corpus, server, **wanted), tmp_path / "run")
    (record,) = rows(tmp_path / "run").values()
    assert (record.stop_reason, len(record.calls)) == ("turns", 2)


def test_a_model_that_fails_again_and_again_is_left_alone(corpus, tmp_path):
    with FakeOpenAI(failing(400, "bad field")) as server:
        summary = run(config(corpus, server, samples=5, concurrency=1, give_up_after=3), tmp_path / "run")
        assert len(server) == 3
    assert summary.given_up["openai/m"].kind == "bad_request"


def test_many_calls_at_once(corpus, tmp_path):
    together = threading.Barrier(40)

    def script(body: dict[str, Any], seen: int) -> Reply:
        together.wait(120)  # nobody is answered before all have asked
        return Reply(target_for(body))

    with FakeOpenAI(script) as server:
        run(config(corpus, server, samples=10, concurrency=40), tmp_path / "run")
    assert len(rows(tmp_path / "run")) == 40


def test_progress_tells_rate_of_failures_and_cost_as_they_come(corpus, tmp_path):
    def script(body: dict[str, Any], seen: int) -> Reply:
        return failing(400, "bad field") if task_of(body) == 2 else right(body, seen)

    told = []
    model = {"name": "openai/m", "input_usd_per_million": 1e5, "output_usd_per_million": 1e5}
    with FakeOpenAI(script) as server:
        run(config(corpus, server, models=[model]), tmp_path / "run", progress=told.append)
    assert (told[0].total, told[0].scored, told[0].last) == (4, 0, None)
    assert len(told) == 5
    assert [state.scored + state.failed for state in told] == [0, 1, 2, 3, 4]
    assert told[-1].failures == {"bad_request": 1}
    assert told[-1].spent_usd == pytest.approx(3 * 1.8)
    assert told[-1].assumed_usd == 0
    assert told[-1].tokens == 3 * 18


def test_progress_tells_known_dollars_from_assumed_ones(corpus, tmp_path):
    told = []
    models = [
        {"name": "openai/m", "input_usd_per_million": 1e5, "output_usd_per_million": 1e5},
        "openai/unpriced",
    ]
    with FakeOpenAI(right) as server:
        wanted = {"models": models, "assumed_usd_per_million": 2e5}
        run(config(corpus, server, **wanted), tmp_path / "run", progress=told.append)
    assert told[-1].spent_usd == pytest.approx(4 * 1.8)
    assert told[-1].assumed_usd == pytest.approx(4 * 3.6)


def test_ctrl_c_begins_no_call_that_waited_for_its_share_of_the_budget(corpus, tmp_path):
    price = {"input_usd_per_million": 0.0, "output_usd_per_million": 1000.0}
    model = {"name": "openai/m", "max_output_tokens": 10, **price}
    with FakeOpenAI(lambda body, seen: Reply(target_for(body), usage=usage(10, 1), delay_s=1.5)) as server:
        wanted = {"models": [model], "concurrency": 4, "budget": {"usd": 0.015}}
        child = start(settings(corpus, server, **wanted), tmp_path / "run")
        wait_until(lambda: len(server) >= 1)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=150)
        assert out.strip() == "interrupted", err
        assert len(server) == 1
