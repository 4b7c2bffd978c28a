"""OpenEnv's own client against `vbench-env serve openenv`, over HTTP and websockets."""

from __future__ import annotations

import base64
import contextlib
import json
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import pytest

pytest.importorskip("openenv", reason="openenv is not installed; pip install 'vbench-env[openenv]'")

from adapter_players import digests, served
from episode_scripts import TASKS, Ending, Script, config, oracle_calls
from openenv import GenericEnvClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from vbench_env.integrations.openenv import SvgAction, SvgEnvironment, make_app
from vbench_env.integrations.session import Source

MARKET = {"tool": "set_text", "args": {"object": "sign-bottom", "text": "MARKET"}}
SUBMIT = {"tool": "submit", "args": {}}


def play(script: Script) -> Ending:
    """OpenEnv's server in this process, spoken to in the messages of its client."""
    from fastapi.testclient import TestClient

    with TestClient(make_app(Source(script.config))).websocket_connect("/ws") as socket:

        def said(kind: str, data: dict[str, Any]) -> dict[str, Any]:
            socket.send_text(json.dumps({"type": kind, "data": data}))
            return json.loads(socket.receive_text())["data"]

        seen = [said("reset", {"task": script.task, "seed": script.seed})]
        seen += [said("step", {"tool": tool, "args": args}) for tool, args in script.calls()]
    assert seen[-1]["done"]
    images = [image for data in seen for image in data["observation"]["images"]]
    pngs = [base64.b64decode(image.partition(",")[2]) for image in images]
    reward = sum(data["reward"] or 0.0 for data in seen)
    assert seen[-1]["observation"]["score"]["reward"] == reward
    return Ending(reward, seen[-1]["observation"]["svg"], digests(pngs))


@pytest.fixture(scope="module")
def address():
    with served("openenv", "--reward", "progress") as found:
        yield found


def client(address: str):
    return GenericEnvClient(base_url=address).sync()


def test_a_client_plays_an_episode_to_its_score(address):
    with client(address) as env:
        first = env.reset(task="harbor-dawn", seed=4)
        assert first.observation["text"].startswith("Request:") and not first.done
        assert {tool["function"]["name"] for tool in first.metadata["tools"]} >= {"submit", "set_text"}
        for tool, args in oracle_calls("harbor-dawn"):
            result = env.step({"tool": tool, "args": args})
        assert result.done and result.reward == 1
        assert result.observation["score"]["status"] == "PASS" and result.observation["score"]["seed"] == 4
        assert env.state()["done"]


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ({}, "bad_call"),
        ({"tool": None, "args": 5}, "bad_call"),
        ({"tool": "nope"}, "unknown_tool"),
        ({"tool": "set_text", "args": {"objekt": 1}}, "bad_arguments"),
        ({"tool": "set_text", "args": "{not json"}, "bad_arguments"),
        ({"tool": "diff", "args": {}, "surplus": [1]}, "bad_call"),
        ({"text": 7}, "bad_call"),
        ({"text": "no call at all"}, "no_action"),
        ({"tool": "undo", "metadata": "not an object"}, "not_applicable"),
        ({"type": "call_tool", "tool_name": "undo", "arguments": {}}, "not_applicable"),
    ],
)
def test_bad_input_is_an_observation_and_the_session_lives(address, action, kind):
    with client(address) as env:
        env.reset(task="harbor-dawn")
        assert env.step(action).observation["error"] == kind
        assert env.step(MARKET).observation["error"] is None
        assert env.step(SUBMIT).reward > 0


def test_text_and_whole_messages_are_actions_too(address):
    with client(address) as env:
        env.reset(task="harbor-dawn")
        assert env.step({"text": f"I change the sign.\n{json.dumps(MARKET)}"}).observation["error"] is None
        calls = [{"id": "c1", "type": "function", "function": {"name": "submit", "arguments": "{}"}}]
        assert env.step({"role": "assistant", "content": None, "tool_calls": calls}).done


def test_single_shot_protocols_are_played_with_text():
    environment = SvgEnvironment(Source(config(protocol="single-shot")))
    first = environment.reset(task="harbor-dawn", seed=0)
    assert first.metadata["tools"] == []
    last = environment.step(SvgAction(text=environment.session.document))
    assert last.done and last.score["status"] == "FAIL"


def test_messages_that_are_none_are_refused_and_the_session_lives(address):
    with connect(address.replace("http", "ws") + "/ws") as socket:

        def said(text: str | bytes) -> dict[str, Any]:
            socket.send(text)
            return json.loads(socket.recv())

        said(json.dumps({"type": "reset", "data": {"task": "harbor-dawn"}}))
        assert said("no json")["type"] == "error"
        assert said(b"\xff\xfe")["type"] == "error"
        assert said('{"type": "step", "data": {"text": %s}}' % ("9" * 5000))["type"] == "error"
        assert said('{"type": "step", "data": {"text": %s}}' % ("[" * 5000 + "]" * 5000))["type"] == "error"
        assert said(json.dumps({"type": "step", "data": 5}))["type"] == "error"
        assert said(json.dumps({"type": "dance"}))["type"] == "error"
        assert said(json.dumps({"type": "step", "data": SUBMIT}))["data"]["done"] is True


def test_a_step_before_the_start_and_after_the_end_is_answered(address):
    with client(address) as env:
        assert env.step(SUBMIT).observation["error"] == "no_episode"
        env.reset(task="harbor-dawn")
        env.step(SUBMIT)
        late = env.step(MARKET)
        assert late.observation["error"] == "episode_over" and late.done and late.reward == 0


def test_a_task_that_is_not_there_is_an_observation(address):
    with client(address) as env:
        unknown: list[dict[str, Any]] = [{"task": "harbor-down"}, {"index": 99}, {"split": "validation"}]
        of_another_kind: list[dict[str, Any]] = [
            {"seed": "x"},
            {"task": ["harbor-dawn"]},
            {"split": ["all"]},
            {"split": {}, "index": 0},
            {"index": True},
        ]
        for wrong in unknown + of_another_kind:
            result = env.reset(**wrong)
            assert result.done and result.observation["error"] == "bad_request", wrong
        assert "harbor-dawn" in env.reset(task="harbor-down").observation["text"]
        assert not env.reset(task="harbor-dawn").done


def test_a_seed_gives_the_same_task_on_every_connection_and_none_gives_any(address):
    def started(seed: int | None) -> tuple[str, str]:
        with client(address) as env:
            found = env.reset(seed=seed).observation["task_id"], env.state()["episode_id"]
            return found

    assert started(11) == started(11)
    assert started(11)[1] != started(12)[1]
    assert started(None)[0] in TASKS and started(None)[1] != started(None)[1]


def test_splits_and_tasks_are_listed_and_played_by_number(address):
    @cache
    def got(path: str) -> Any:
        return json.load(urllib.request.urlopen(address + path))

    assert [split["name"] for split in got("/vbench/splits")] == ["all", "train", "test"]
    environment = SvgEnvironment(Source(config()))
    assert (
        sum(environment.num_tasks(split) for split in ("train", "test")) == environment.num_tasks("all") == 2
    )
    assert environment.get_task_range("all", 1) == environment.list_tasks("all")[1:]
    with client(address) as env:
        for number, task in enumerate(environment.list_tasks("all")):
            assert env.reset(split="all", index=number).observation["task_id"] == task["id"]


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("task", {"split": "all", "index": 2}, "from 0 to 1"),
        ("task", {"split": "all", "index": -1}, "from 0 to 1"),
        ("task", {"split": "dev", "index": 0}, "train, test or None"),
        ("tasks", {"split": "dev"}, "train, test or None"),
        ("num_tasks", {"split": "dev"}, "train, test or None"),
    ],
)
def test_tasks_that_are_not_there_are_refused_with_the_reason(path, body, told):
    from fastapi.testclient import TestClient

    answer = TestClient(make_app(Source(config()))).post(f"/vbench/{path}", json=body)
    assert answer.status_code == 400 and told in answer.json()["detail"]


def test_thirty_two_sessions_at_once_keep_apart(address):
    def session(number: int) -> tuple[str, float, int]:
        with client(address) as env:
            env.reset(task=TASKS[number % 2], seed=number)
            env.step(
                {
                    "tool": "rewrite",
                    "args": {"svg": f"<svg xmlns='http://www.w3.org/2000/svg' id='n{number}'/>"},
                }
            )
            time.sleep(0.5)  # all of them are open now
            result = env.step(SUBMIT)
            return result.observation["svg"], result.reward, result.observation["score"]["seed"]

    with ThreadPoolExecutor(32) as pool:
        ended = list(pool.map(session, range(32)))
    assert [f"id='n{number}'" in svg for number, (svg, _, _) in enumerate(ended)] == [True] * 32
    assert [seed for _, _, seed in ended] == list(range(32))


def test_clients_that_vanish_free_their_places():
    with served("openenv", "--sessions", "2") as address:
        for _ in range(3):
            with contextlib.suppress(OSError, ConnectionClosed), contextlib.ExitStack() as stack:
                for _ in range(2):
                    socket = stack.enter_context(connect(address.replace("http", "ws") + "/ws"))
                    socket.send(json.dumps({"type": "reset", "data": {"task": "harbor-dawn"}}))
                    socket.recv()
                    socket.socket.close()  # no goodbye
            deadline = time.monotonic() + 20
            while not free(address):
                assert time.monotonic() < deadline


def free(address: str) -> bool:
    try:
        with client(address) as env:
            return not env.reset(task="harbor-dawn").done
    except Exception:  # whatever the client makes of a full server
        time.sleep(0.2)
        return False


def test_an_idle_session_is_ended_and_frees_its_place():
    with served("openenv", "--sessions", "1", "--idle-s", "1") as address, client(address) as idle:
        idle.reset(task="harbor-dawn")
        assert not free(address)
        deadline = time.monotonic() + 30
        while not free(address):
            assert time.monotonic() < deadline
        assert idle.step(SUBMIT).observation["error"] == "no_episode"
