"""The web desk: a local page that shows drawing, instruction, tools and, at the end, the score.

The page is served on the loopback interface only, under a random token, so that no other page can act in it.
The drawing is shown as a PNG; the document's own markup never becomes part of the page.
"""

from __future__ import annotations

import base64
import json
import queue
import secrets
import threading
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from vbench_env.agent import AgentTurn
from vbench_env.episode import Step
from vbench_env.observations.preview import draw
from vbench_env.protocol import Protocol
from vbench_env.render import get_renderer
from vbench_env.task import PublicTask

PICTURE_PX = 1100
LARGEST_REQUEST = 8_000_000
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"


class WebDesk:
    """Serves one person one episode after another.

    Args:
        port: 0 takes a free one.
        open_browser: whether to open the page.
    """

    def __init__(self, port: int = 0, open_browser: bool = True) -> None:
        self._token = secrets.token_urlsafe(16)
        self._actions: queue.Queue[str] = queue.Queue()
        self._state: dict[str, Any] = {"version": 0}
        self._changed = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._open_browser = open_browser
        self._public: PublicTask | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/{self._token}/"

    def open(self, public: PublicTask, protocol: Protocol) -> None:
        self._public = public
        print(f"play at {self.url}", flush=True)
        if self._open_browser:
            webbrowser.open(self.url)

    def ask(self, turn: AgentTurn) -> str:
        seen = turn.observation
        assert self._public is not None
        error = seen.last_error
        self._publish(
            {
                "task": self._public.task_id, "instruction": self._public.instruction, "svg": seen.svg,
                "turn": turn.turn, "turns_left": seen.turns_left, "tools": turn.tools, "result": seen.last_result,
                "error": None if error is None else f"{error.kind}: {error.message}",
                "picture": _picture(seen.svg), "start": _picture(self._public.corrupted_svg), "score": None,
            }
        )  # fmt: skip
        return self._actions.get()

    def close(self, step: Step) -> None:
        self._publish({**self._state, "score": step.info["score"], "svg": step.observation.svg,
                       "picture": _picture(step.observation.svg)})  # fmt: skip

    def shut(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def _publish(self, state: dict[str, Any]) -> None:
        with self._changed:
            self._state = {**state, "version": self._state["version"] + 1}
            self._changed.notify_all()

    def state_after(self, version: int, wait_s: float = 25.0) -> dict[str, Any]:
        """The state, once it is newer than `version`, or as it is after `wait_s` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._state["version"] > version, wait_s)
            return self._state

    def act(self, action: str) -> None:
        """Take a person's action."""
        self._actions.put(action)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        desk = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self._own_path()
                if path == "":
                    page = files("vbench_agents").joinpath("human_page.html").read_bytes()
                    self._send(200, "text/html; charset=utf-8", page)
                elif path == "state":
                    query = urlsplit(self.path).query
                    version = (
                        int(query.removeprefix("after=")) if query.removeprefix("after=").isdigit() else 0
                    )
                    body = json.dumps(desk.state_after(version)).encode()
                    self._send(200, "application/json", body)
                else:
                    self._send(404, "text/plain", b"not here")

            def do_POST(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                if self._own_path() != "act" or size > LARGEST_REQUEST:
                    self._send(404, "text/plain", b"not here")
                    return
                desk.act(self.rfile.read(size).decode("utf-8", "replace"))
                self._send(204, "text/plain", b"")

            def _own_path(self) -> str | None:
                path = urlsplit(self.path).path
                prefix = f"/{desk._token}/"
                return path.removeprefix(prefix) if path.startswith(prefix) else None

            def _send(self, status: int, kind: str, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Content-Security-Policy", _POLICY)
                self.send_header("Cache-Control", "no-store")
                self.send_header("Referrer-Policy", "no-referrer")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler


def _picture(svg: str) -> str | dict[str, str]:
    preview = draw(get_renderer(), svg, (PICTURE_PX, PICTURE_PX))
    if preview.picture is None:
        return {"reason": preview.reason or "no picture"}
    return "data:image/png;base64," + base64.b64encode(preview.picture.png).decode()
