"""verifiers' own runner, offline: its eval command against a local server that says the script."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers.v1", reason="verifiers is not installed; pip install 'vbench-env[verifiers]'")

from adapter_players import variables
from episode_scripts import CORPUS, SCRIPTS, config, oracle_calls

from vbench_env import ConfigError, Episode, load_task
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


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.bodies.append(body)
        spoken = sum(message["role"] == "assistant" for message in body["messages"])
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


def evaluated(folder: Path, server: Server, task: str, **settings: Any) -> dict[str, Any]:
    """The one trace of `vf-eval`; nothing is uploaded."""
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
    environment = {**variables(), "PYTHONPATH": path, "PATH": bins, "FAKE_KEY": "k", "HOME": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    (traces,) = (folder / "out").rglob("traces.jsonl")
    (line,) = traces.read_text(encoding="utf-8").splitlines()
    return json.loads(line)


def found(record: Any, key: str) -> Any:
    """The value of a key anywhere in a trace record."""
    if isinstance(record, dict):
        if key in record:
            return record[key]
        record = list(record.values())
    if isinstance(record, list):
        return next((value for value in (found(item, key) for item in record) if value is not None), None)
    return None


def texts_of(calls) -> list[str]:
    return [json.dumps({"tool": tool, "args": args}) for tool, args in calls]


@pytest.mark.parametrize("name", ["solved", "partial", "mistakes", "any-text", "turns"])
def test_an_evaluation_gives_the_reward_and_bytes_of_the_episode(name, tmp_path):
    script = next(script for script in SCRIPTS if script.name == name)
    settings = {**script.config.model_dump(), "protocol": "interactive-text-json", "seed": script.seed}
    episode = Episode(
        load_task(script.task), "interactive-text-json", rules=script.config.rules, reward=script.config.reward,
        max_turns=script.config.max_turns, seed=script.seed,
    )  # fmt: skip
    reward = sum(episode.step(text).reward for text in texts_of(script.calls()))
    with serving(texts_of(script.calls())) as server:
        trace = evaluated(tmp_path, server, script.task, **settings)
    outcome = found(trace, "vbench")
    told = found(trace, "final_svg")
    assert told == episode.final_svg
    assert outcome is not None and found(trace, "rewards")["vbench"]["score"] == pytest.approx(reward)


def test_pictures_reach_the_model(tmp_path):
    protocol = tmp_path / "raster-json.yaml"
    protocol.write_text(
        "extends: interactive-text-json\npreview: {policy: each-change, width_px: 96, height_px: 96}\n"
    )
    with serving(texts_of(oracle_calls("harbor-dawn"))) as server:
        trace = evaluated(tmp_path, server, "harbor-dawn", corpus=CORPUS, protocol=str(protocol))
        bodies = server.bodies
    assert found(trace, "rewards")["vbench"]["score"] == 1
    parts = [p for m in bodies[-1]["messages"] if isinstance(m["content"], list) for p in m["content"]]
    pictures = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    assert len(pictures) >= 2
    assert all(base64.b64decode(url.partition(",")[2]).startswith(b"\x89PNG") for url in pictures)


def test_single_shot_protocols_are_played(tmp_path):
    with serving([load_task("harbor-dawn").target_svg]) as server:
        trace = evaluated(tmp_path, server, "harbor-dawn", corpus=CORPUS, protocol="single-shot")
    assert found(trace, "rewards")["vbench"]["score"] == 1


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
