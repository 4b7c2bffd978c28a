"""Model-driven agents against a local server: what a model is told, and what becomes of what it says."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fake_openai import FakeOpenAI, Reply
from vbench_env.experiments.config import make_config
from vbench_env.experiments.runner import run
from vbench_env.experiments.store import EpisodeRecord, RunFolder

START = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60"><rect id="sky" width="100" height="60" '
    'fill="#bde0fe"/><circle id="sun" cx="31" cy="18" r="9" fill="#ffb703"/></svg>'
)
TARGET = START.replace('cx="31"', 'cx="70"')
SOLVE = {"object": "sun", "name": "cx", "value": "70"}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    change = {"part": "sun", "attribute": "cx", "before": "31", "after": "70"}
    data = {
        "task_id": "suns", "instruction": "Move the sun.", "initial_svg": START, "target_svg": TARGET,
        "expected_diff": [change], "should_preserve": ["sky"],
    }  # fmt: skip
    folder = tmp_path / "suns"
    folder.mkdir()
    (folder / "suns.json").write_text(json.dumps(data), encoding="utf-8")
    return folder


def native(*calls: tuple[str, dict[str, Any]], **more: Any) -> Reply:
    made = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        for n, (name, args) in enumerate(calls)
    ]
    return Reply(content=None, tool_calls=made, **{"finish_reason": "tool_calls", **more})


def played(corpus: Path, protocol: str, replies: list[Reply]) -> tuple[EpisodeRecord, list[dict[str, Any]]]:
    """The record of an episode in which the model gives these replies, and the requests that arrived."""
    left = iter(replies)
    script: Callable[[dict[str, Any], int], Reply] = lambda body, seen: next(left)  # noqa: E731
    with FakeOpenAI(script) as server:
        settings = {
            "corpus": str(corpus),
            "models": ["openai/m"],
            "protocols": [protocol],
            "api_base": server.base_url,
        }
        run(make_config(settings), corpus.parent / "run")
        bodies = [arrived.body for arrived in server.arrived]
    return next(RunFolder(corpus.parent / "run").episodes()), bodies


def roles(body: dict[str, Any]) -> list[str]:
    return [message["role"] for message in body["messages"]]


def test_native_calls_run_in_order_and_each_is_answered(corpus: Path) -> None:
    look, wrong = ("get_element", {"object": "sun"}), ("move", {"object": "moon", "dx": 1, "dy": 1})
    replies = [native(look, ("set_attribute", SOLVE), wrong), native(("submit", {}))]
    record, bodies = played(corpus, "interactive-text", replies)
    assert (record.agent, record.stop_reason, record.reward_valid) == ("tool-agent", "submit", True)
    assert record.score is not None
    assert record.score.passed
    assert "set_attribute" in {tool["function"]["name"] for tool in bodies[0]["tools"]}
    assert roles(bodies[0]) == ["system", "user"]
    assert roles(bodies[1]) == ["system", "user", "assistant", "tool", "tool", "tool", "user"]
    answers = [message for message in bodies[1]["messages"] if message["role"] == "tool"]
    assert [answer["tool_call_id"] for answer in answers] == ["c0", "c1", "c2"]
    assert 'cx "31" -> "70"' in answers[1]["content"]
    assert answers[2]["content"].startswith("error not_found at object: 'moon' matches no element")
    assert len(record.calls) == 2
    assert [event["turn"] for event in record.events] == [1, 1, 1, 2]


def test_a_cut_off_or_unreadable_call_is_not_run_and_the_model_is_told(corpus: Path) -> None:
    cut = native(("set_attribute", SOLVE), finish_reason="length")
    broken = native(("set_attribute", SOLVE))
    assert broken.tool_calls is not None
    broken.tool_calls[0]["function"]["arguments"] = '{"object": "sun", "na'
    record, bodies = played(
        corpus, "interactive-text", [cut, broken, Reply("I am done."), native(("submit", {}))]
    )
    assert record.final_svg == START
    assert "error cut_off: the message hit the output limit" in bodies[1]["messages"][-1]["content"]
    assert any("not valid JSON" in str(message.get("content")) for message in bodies[2]["messages"])
    assert "error no_action: the message holds no tool call" in bodies[3]["messages"][-1]["content"]
    kinds = [event["error"]["kind"] for event in record.events if event["error"]]
    assert kinds == ["cut_off", "bad_arguments", "no_action"]


def test_a_picture_on_demand_comes_after_the_results_as_it_was_drawn(corpus: Path) -> None:
    replies = [native(("render", {"object": "sun"}), ("diff", {})), native(("submit", {}))]
    record, bodies = played(corpus, "interactive-raster-on-demand", replies)
    assert not any(isinstance(message["content"], list) for message in bodies[0]["messages"])
    assert roles(bodies[1])[-3:] == ["tool", "tool", "user"]
    parts = bodies[1]["messages"][-1]["content"]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    assert len(urls) == 1
    png = base64.b64decode(urls[0].removeprefix("data:image/png;base64,"), validate=True)
    assert hashlib.sha256(png).hexdigest() == record.events[1]["preview_hash"]


def test_calls_in_text_need_no_native_tools(corpus: Path) -> None:
    call = json.dumps({"tool": "set_attribute", "args": SOLVE})
    replies = [
        Reply(f"<think>{{}}</think>I move the sun.\n```json\n{call}\n```"),
        Reply("Done, I think."),
        Reply('{"tool": "submit"}'),
    ]
    record, bodies = played(corpus, "interactive-text-json", replies)
    assert record.agent == "text-agent"
    assert record.score is not None
    assert record.score.passed
    assert all("tools" not in body for body in bodies)
    assert "### `set_attribute`" in bodies[0]["messages"][0]["content"]
    assert all("tool" not in roles(body) for body in bodies)
    assert 'set_attribute: circle sun: cx "31" -> "70"' in bodies[1]["messages"][-1]["content"]
    assert "error no_action" in bodies[2]["messages"][-1]["content"]


def test_one_question_one_answer(corpus: Path) -> None:
    record, bodies = played(corpus, "single-shot", [Reply(f"```svg\n{TARGET}\n```")])
    assert (record.agent, record.stop_reason, len(bodies)) == ("single-shot", "answer", 1)
    assert record.final_svg == TARGET
