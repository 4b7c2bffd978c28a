"""verifiers' own runner, offline: its eval command against a local server that says the script."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers.v1", reason="verifiers is not installed; pip install 'vbench-env[verifiers]'")

from adapter_players import digests, variables
from episode_scripts import CORPUS, MARKET, Ending, Script, config

from vbench_env import ConfigError, load_task
from vbench_env.integrations.session import content_of
from vbench_env.integrations.verifiers import VBenchConfig, VBenchTaskset, source_of

MODULE = """
from vbench_env.integrations.verifiers import VBenchEnv, VBenchTaskset

__all__ = ["VBenchEnv", "VBenchTaskset"]
"""


class Server(ThreadingHTTPServer):
    """Says one text a request, by the number of assistant messages in it; streams when asked."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.texts, self.bodies = texts, list[dict[str, Any]]()
        self.breaks_after: int | None = None
        """Messages after which every request is refused."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.bodies.append(body)
        spoken = sum(message["role"] == "assistant" for message in body["messages"])
        if self.server.breaks_after is not None and spoken >= self.server.breaks_after:
            self.send_response(400)
            self.send_header("content-length", "0")
            self.end_headers()
            return
        text = self.server.texts[min(spoken, len(self.server.texts) - 1)]
        usage = {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}
        base = {"id": "x", "created": 0, "model": "m"}
        self.send_response(200)
        if body.get("stream"):
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            for delta, reason in (({"role": "assistant", "content": text}, None), ({}, "stop")):
                choice = {"index": 0, "delta": delta, "finish_reason": reason}
                event = {**base, "object": "chat.completion.chunk", "choices": [choice], "usage": None}
                self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            last = {**base, "object": "chat.completion.chunk", "choices": [], "usage": usage}
            self.wfile.write(f"data: {json.dumps(last)}\n\ndata: [DONE]\n\n".encode())
            return
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        data = json.dumps({**base, "object": "chat.completion", "choices": [choice], "usage": usage}).encode()
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        """Silence."""


@contextmanager
def serving(texts: list[str]) -> Iterator[Server]:
    with Server(texts) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@lru_cache
def home() -> str:
    """A home folder for all evaluations: the environment of the player is kept there, which takes long to make."""
    folder = tempfile.mkdtemp(prefix="vbench-env-home-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def evaluated(folder: Path, server: Server, task: str, **settings: Any) -> dict[str, Any]:
    """The record of the one episode of `vf-eval`; nothing is uploaded."""
    (folder / "vbench_taskset.py").write_text(MODULE, encoding="utf-8")
    flags = [
        f"--env.taskset.{name.replace('_', '-')}={value}"
        for name, value in settings.items()
        if value is not None
    ]
    command = [
        str(Path(sys.executable).parent / "vf-eval"), "vbench-taskset", "--no-push", "--no-rich", "-m", "m",
        "--client.base-url", f"http://127.0.0.1:{server.server_address[1]}/v1", "--client.api-key-var", "FAKE_KEY",
        "--select.include.names", task, "-o", str(folder / "out"), *flags,
    ]  # fmt: skip
    path = os.pathsep.join([str(folder), variables()["PYTHONPATH"]])
    bins = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {**variables(), "PYTHONPATH": path, "PATH": bins, "FAKE_KEY": "k", "HOME": home()}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    (traces,) = (folder / "out").rglob("traces.jsonl")
    (line,) = traces.read_text(encoding="utf-8").splitlines()
    return json.loads(line)


def holding(record: Any, key: str) -> dict[str, Any]:
    """The mapping in a trace record that has a key; empty where none has."""
    if isinstance(record, dict):
        if key in record:
            return record
        record = list(record.values())
    inner = (holding(item, key) for item in record) if isinstance(record, list) else ()
    return next((found for found in inner if found), {})


def reward_of(trace: dict[str, Any]) -> float:
    reward: float = holding(trace, "rewards")["rewards"]["vbench"]["score"]
    return reward


def texts_of(calls) -> list[str]:
    return [json.dumps({"tool": tool, "args": args}) for tool, args in calls]


def play(script: Script) -> Ending:
    """Its eval command, under the script's protocol with calls written as text."""
    settings = script.config.model_dump(exclude={"corpus", "protocol"})
    with (
        tempfile.TemporaryDirectory(prefix="vbench-env-verifiers-") as name,
        serving(texts_of(script.calls())) as server,
    ):
        protocol = Path(name) / "as-text.yaml"
        protocol.write_text(f"extends: {script.config.protocol}\ncalls: text\n", encoding="utf-8")
        trace = evaluated(
            Path(name),
            server,
            script.task,
            corpus=CORPUS,
            protocol=str(protocol),
            seed=script.seed,
            **settings,
        )
        sent = server.bodies[-1]["messages"]
    outcome = holding(trace, "final_svg")
    assert (outcome["reward"], outcome["seed"]) == (reward_of(trace), script.seed)
    pictures = [png for message in sent for png in content_of(message)[1]]
    return Ending(reward_of(trace), outcome["final_svg"], digests(pictures))


def test_single_shot_protocols_are_played(tmp_path):
    with serving([load_task("harbor-dawn").target_svg]) as server:
        trace = evaluated(tmp_path, server, "harbor-dawn", corpus=CORPUS, protocol="single-shot")
    assert reward_of(trace) == 1


def test_an_endpoint_that_fails_is_an_error_without_a_reward(tmp_path):
    with serving(texts_of([MARKET])) as server:
        server.breaks_after = 1
        trace = evaluated(tmp_path, server, "harbor-dawn", corpus=CORPUS, reward="progress")
    (played,) = trace["traces"]
    assert played["errors"][0]["status_code"] == 400
    assert played["rewards"] == played["metrics"] == {} and not holding(trace, "final_svg")


def test_the_taskset_holds_public_parts_only():
    tasks = list(VBenchTaskset(VBenchConfig(corpus=CORPUS)))
    assert [task.data.name for task in tasks] == ["city-climate", "harbor-dawn"]
    told = tasks[1].data.model_dump_json()
    assert load_task("harbor-dawn").instruction[:40] in told
    assert (
        load_task("harbor-dawn").target_svg[:200] not in told
        or load_task("harbor-dawn").corrupted_svg[:200] in told
    )


def test_a_protocol_with_native_calls_is_refused():
    with pytest.raises(ConfigError, match="verifiers plays text"):
        source_of(config(protocol="interactive-text"))
