"""An MCP client of the real package plays episodes: in this process, over stdio and over HTTP."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
from typing import Any

import pytest

pytest.importorskip("mcp.server.lowlevel", reason="mcp is not installed; pip install 'vbench-env[mcp]'")
pytest.importorskip("mcp_types", reason="this mcp is older than 2; pip install 'vbench-env[mcp]'")

import anyio
from adapter_players import COMMAND, digests, served, variables
from episode_scripts import CORPUS, Ending, Script, config, oracle_calls
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from page_blocks import block

from vbench_env import ConfigError
from vbench_env.integrations.mcp import Desk, _client, http_app, make_server
from vbench_env.integrations.session import Source
from vbench_env.tools import openai_tools


def play(script: Script) -> Ending:
    """As a client in the same process does."""

    async def played() -> Ending:
        desk = Desk(Source(script.config), {"task": script.task, "seed": script.seed})
        async with Client(make_server(desk)) as client:
            results = [await client.call_tool("get_task", {})]
            for tool, args in script.calls():
                results.append(await client.call_tool(tool, args))
            document = (await client.read_resource("vbench://document")).contents[0].text
        pictures = [
            base64.b64decode(part.data) for r in results for part in r.content if part.type == "image"
        ]
        return Ending(results[-1].structured_content["reward"], document, digests(pictures))

    return anyio.run(played)


def run(function, *args: Any) -> Any:
    return anyio.run(function, *args)


def text_of(result) -> str:
    return "\n".join(part.text for part in result.content if part.type == "text")


def desk(**wanted: Any) -> Desk:
    return Desk(Source(config()), wanted or {"task": "harbor-dawn"})


def test_the_tools_are_those_of_the_protocol_with_their_schemas():
    async def listed():
        async with Client(make_server(desk())) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in run(listed)}
    for tool in openai_tools(Source(config()).protocol.tools):
        function = tool["function"]
        assert tools[function["name"]].input_schema == function["parameters"]
        assert tools.pop(function["name"]).description == function["description"]
    assert list(tools) == ["get_task"]


def test_submit_answers_with_the_score_and_later_calls_repeat_it():
    async def played():
        async with Client(make_server(desk())) as client:
            assert "get_task" in (client.instructions or "")
            return [await client.call_tool(name, {}) for name in ("get_task", "diff", "submit", "diff")]

    task, diff, submit, late = run(played)
    assert task.content[0].text.startswith("Request:") and not task.is_error
    assert diff.structured_content is None
    assert submit.structured_content["status"] == "FAIL" and submit.structured_content["reward"] == 0
    assert '"reward": 0' in text_of(submit)
    assert late.is_error and "over" in text_of(late)
    assert late.structured_content == submit.structured_content
    assert not {"repairs", "changes", "score", "final_svg"} & set(submit.structured_content)


def test_a_mistake_is_an_answer_and_the_episode_goes_on():
    async def played():
        async with Client(make_server(desk())) as client:
            calls = [
                ("nope", {}),
                ("set_text", {"object": 1, "x": []}),
                ("undo", {"steps": -1}),
                ("diff", {}),
            ]
            return [await client.call_tool(name, args) for name, args in calls]

    nope, text, undo, diff = run(played)
    assert nope.is_error and "unknown_tool" in text_of(nope)
    assert text.is_error and undo.is_error and "bad_arguments" in text_of(undo)
    assert not diff.is_error


def test_two_clients_of_one_desk_have_episodes_of_their_own(tmp_path):
    ledger = tmp_path / "ended.jsonl"
    shared = Desk(Source(config()), {"task": "harbor-dawn"}, ledger)
    shared.call("a", {}, "set_text", {"object": "sign-bottom", "text": "MARKET"})
    _, score = shared.call("a", {}, "submit", {})
    reply, _ = shared.call("b", {"task": "city-climate"}, "get_task", {})
    assert score["edit_completion"] > 0 and "climate figure" in reply.text
    shared.close()
    lines = [json.loads(line) for line in ledger.read_text(encoding="utf-8").splitlines()]
    assert [(line["task_id"], line["stop_reason"]) for line in lines] == [
        ("harbor-dawn", "submit"),
        ("city-climate", "disconnect"),
    ]
    assert "MARKET" in lines[0]["final_svg"] and lines[0]["score"]["repairs"]


def test_an_idle_episode_ends_as_it_stands(tmp_path):
    ledger = tmp_path / "ended.jsonl"
    shared = Desk(Source(config()), {"task": "harbor-dawn"}, ledger, idle_s=0.0)
    shared.call("a", {}, "diff", {})
    reply, _ = shared.call("b", {}, "diff", {})
    assert "Turn 1 of 24" in reply.text
    assert json.loads(ledger.read_text(encoding="utf-8"))["stop_reason"] == "idle"


def test_a_task_that_is_not_there_is_the_answer_to_every_call():
    shared = desk()
    for tool in ("get_task", "submit"):
        reply, score = shared.call("a", {"task": "harbor-down"}, tool, {})
        assert "did you mean 'harbor-dawn'" in reply.text and score is None
    assert "whole number" in shared.call("b", {"seed": "x"}, "get_task", {})[0].text
    shared.close()


def test_a_protocol_without_tool_calls_is_refused():
    with pytest.raises(ConfigError, match="MCP plays tool calls"):
        Desk(Source(config(protocol="single-shot")))


def test_a_client_starts_the_server_and_talks_to_it_over_stdio(tmp_path):
    ledger = tmp_path / "ended.jsonl"
    command = [*COMMAND, "serve", "mcp", "harbor-dawn", "--corpus", CORPUS, "--out", str(ledger)]
    server = StdioServerParameters(command=command[0], args=command[1:], env=variables())

    async def played():
        async with Client(stdio_client(server)) as client:
            for tool, arguments in oracle_calls("harbor-dawn"):
                result = await client.call_tool(tool, arguments)
            return result

    assert run(played).structured_content["reward"] == 1
    assert json.loads(ledger.read_text(encoding="utf-8"))["status"] == "PASS"


def test_the_settings_of_the_page_start_a_server(tmp_path):
    """As a client starts it that reads them, in an empty folder."""
    settings = json.loads(block("MCP", "json"))["mcpServers"]["vbench"]
    assert settings.pop("command") == "vbench-env"
    server = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], *settings.pop("args")], env=variables(), cwd=str(tmp_path)
    )
    assert not settings

    async def played():
        async with Client(stdio_client(server)) as client:
            await client.call_tool("get_task", {})
            return await client.call_tool("submit", {})

    assert run(played).structured_content["task_id"] == "harbor-dawn"
    assert json.loads((tmp_path / "scores.jsonl").read_text(encoding="utf-8"))["status"] == "FAIL"


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_server_that_is_stopped_keeps_what_its_clients_had(transport, sent, tmp_path):
    ledger = tmp_path / "new" / "ended.jsonl"
    command = [*COMMAND, "serve", "mcp", "harbor-dawn", "--corpus", CORPUS, "--out", str(ledger)]
    command += ["--http", "--port", "0"] if transport == "http" else []
    server = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=variables()
    )  # fmt: skip
    assert server.stdin and server.stdout and server.stderr
    if transport == "http":
        address = server.stderr.readline().split()[1]

        async def played():
            async with Client(address) as client:
                await client.call_tool("set_text", {"object": "sign-bottom", "text": "MARKET"})

        run(played)
    else:
        about = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        }
        call = {"name": "set_text", "arguments": {"object": "sign-bottom", "text": "MARKET"}}
        for message in (
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
        ):
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            if "id" in message:
                assert "result" in json.loads(server.stdout.readline())
    server.send_signal(sent)
    try:
        assert server.wait(120) == 0
    finally:
        server.kill()
    line = json.loads(ledger.read_text(encoding="utf-8"))
    assert line["stop_reason"] == "disconnect" and "MARKET" in line["final_svg"]


def test_a_file_that_cannot_be_written_is_refused_before_the_first_episode(tmp_path):
    with pytest.raises(ConfigError, match="choose another file"):
        Desk(Source(config()), {}, tmp_path)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_clients_over_http_each_play_the_episode_that_their_address_asks_for(mode, tmp_path):
    async def played(address: str, client_name: str, *calls: tuple[str, dict[str, Any]]):
        async with Client(f"{address}&client={client_name}", mode=mode) as client:
            return [await client.call_tool(name, args) for name, args in calls]

    async def both(address: str):
        market = ("set_text", {"object": "sign-bottom", "text": "MARKET"})
        first = await played(
            f"{address}?task=harbor-dawn&seed=3", "a", ("get_task", {}), market, ("submit", {})
        )
        second = await played(f"{address}?task=city-climate", "b", ("get_task", {}), market, ("submit", {}))
        third = await played(f"{address}?task=nowhere", "c", ("get_task", {}))
        return first, second, third

    ledger = tmp_path / "ended.jsonl"
    with served("mcp", "--http", "--reward", "progress", "--out", str(ledger)) as address:
        first, second, third = run(both, address)
    assert first[-1].structured_content["reward"] > 0 and first[-1].structured_content["seed"] == 3
    assert second[1].is_error and second[-1].structured_content["task_id"] == "city-climate"
    assert third[0].is_error and "unknown task" in text_of(third[0])
    assert len(ledger.read_text(encoding="utf-8").splitlines()) == 2


def test_the_application_refuses_other_hosts():
    """A page in a browser on this machine must not reach it under another name."""
    from starlette.testclient import TestClient

    with TestClient(http_app(desk()), base_url="http://evil.example") as client:
        answer = client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert answer.status_code == 421


def test_clients_without_a_name_that_ask_for_different_episodes_get_them():
    from starlette.requests import Request

    def asking(query: str) -> tuple[str, dict[str, Any]]:
        return _client(Request({"type": "http", "query_string": query.encode(), "headers": []}))

    shared = desk()
    first, second = asking("task=harbor-dawn"), asking("task=city-climate")
    assert "harbour" in shared.call(*first, "get_task", {})[0].text
    assert "climate" in shared.call(*second, "get_task", {})[0].text
    assert asking("task=harbor-dawn")[0] == first[0] != asking("task=harbor-dawn&client=b")[0]
