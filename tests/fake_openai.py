"""A local server that speaks the OpenAI chat protocol and misbehaves on request.

`FakeOpenAI(script)` asks `script(body, seen)` for a `Reply` to each request, `seen` counting how often that
very request came before. It keeps every request, so a test can look at what really arrived.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What the server does with one request."""

    content: str | None = "ok"
    tool_calls: list[dict[str, Any]] | None = None
    finish_reason: str = "stop"
    usage: dict[str, int] | None = field(default_factory=lambda: usage(11, 7))
    status: int = 200
    error: dict[str, Any] | None = None
    """Body of an error answer."""
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    """Sent instead of JSON."""
    delay_s: float = 0.0
    cut: bool = False
    """Close the connection in the middle of the body."""
    drip_s: float | None = None
    """Send white space for so long before the body."""
    no_choices: bool = False


@dataclass(frozen=True)
class Arrived:
    """One request as the server got it."""

    body: dict[str, Any]
    headers: dict[str, str]
    """Names in lower case."""


Script = Callable[[dict[str, Any], int], Reply]


def usage(prompt: int, completion: int) -> dict[str, int]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def failing(
    status: int, message: str = "no", headers: Mapping[str, str] | None = None, **extra: str
) -> Reply:
    """An error answer in OpenAI form."""
    return Reply(status=status, error={"message": message, **extra}, headers=headers or {})


def in_order(*replies: Reply) -> Script:
    """These replies one after the other, then the last for ever."""
    left = list(replies)
    lock = threading.Lock()

    def script(body: dict[str, Any], seen: int) -> Reply:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return script


def last_text(body: Mapping[str, Any]) -> str:
    """Text of the last message."""
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part.get("type") == "text")


class FakeOpenAI:
    """The server; a context manager."""

    def __init__(self, script: Script | Reply | None = None) -> None:
        reply = script if isinstance(script, Reply) else Reply()
        self.script: Script = script if callable(script) else lambda body, seen: reply
        self.arrived: list[Arrived] = []
        self._seen: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def __enter__(self) -> FakeOpenAI:
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def take(self, body: dict[str, Any], headers: dict[str, str]) -> Reply:
        with self._lock:
            self.arrived.append(Arrived(body, headers))
            key = json.dumps(body, sort_keys=True)
            seen = self._seen[key]
            self._seen[key] += 1
        return self.script(body, seen)

    def __len__(self) -> int:
        return len(self.arrived)


def _handler(fake: FakeOpenAI) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(size))
            reply = fake.take(body, {name.lower(): value for name, value in self.headers.items()})
            try:
                self._answer(reply, body)
            except OSError:
                self.close_connection = True

        def _answer(self, reply: Reply, body: dict[str, Any]) -> None:
            time.sleep(reply.delay_s)
            data = _body_of(reply, str(body.get("model")))
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            padding = int((reply.drip_s or 0) / 0.05)
            self.send_header("Content-Length", str(len(data) + padding))
            self.end_headers()
            for _ in range(padding):
                self.wfile.write(b" ")
                time.sleep(0.05)
            self.wfile.write(data[: len(data) // 2] if reply.cut else data)
            self.close_connection = reply.cut

    return Handler


def _body_of(reply: Reply, model: str) -> bytes:
    if reply.raw is not None:
        return reply.raw
    if reply.error is not None:
        return json.dumps({"error": reply.error}).encode()
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    if reply.tool_calls is not None:
        message["tool_calls"] = reply.tool_calls
    choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason}
    body: dict[str, Any] = {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": f"{model}-2026-11",
        "choices": [] if reply.no_choices else [choice],
    }  # fmt: skip
    if reply.usage is not None:
        body["usage"] = reply.usage
    return json.dumps(body).encode()
