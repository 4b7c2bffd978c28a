"""The web desk: a local page that shows drawing, objects, instruction, tools and, at the end, the score.

The page is served on the loopback interface only, under a random token, so that no other page can act in it.
The drawing is shown as PNGs; the document's own markup never becomes part of the page.
"""

from __future__ import annotations

import contextlib
import json
import queue
import secrets
import threading
import webbrowser
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

from vbench_agents.human_drawing import Box, Drawing
from vbench_env.agent import AgentTurn
from vbench_env.episode import Step
from vbench_env.observations import Observation
from vbench_env.protocol import Protocol
from vbench_env.render import Picture, RenderFailure
from vbench_env.task import PublicTask
from vbench_env.tools import TOOLS, json_schemas

LARGEST_REQUEST = 8_000_000
WAIT_S = 25.0
LAST_WAIT_S = 5.0
_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE = {
    "": ("index.html", "text/html; charset=utf-8"),
    "page.css": ("page.css", "text/css; charset=utf-8"),
    "page.js": ("page.js", "text/javascript; charset=utf-8"),
}


class WebDesk:
    """Serves one person one episode after another.

    Args:
        port: 0 takes a free one.
        open_browser: whether to open the page.
    """

    def __init__(self, port: int = 0, open_browser: bool = True) -> None:
        self._token = secrets.token_urlsafe(16)
        self._actions: queue.Queue[str] = queue.Queue()
        self._waiting = False
        self._state: dict[str, Any] = {"version": 0}
        self._drawings: dict[str, Drawing] = {}
        self._log: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self._told = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._open_browser = open_browser

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/{self._token}/"

    def open(self, public: PublicTask, protocol: Protocol) -> None:
        """Show a new episode."""
        self._log = []
        self._told.clear()
        self._drawings = {"start": Drawing(public.corrupted_svg)}
        self._publish(
            {
                "task": public.task_id,
                "protocol": protocol.name,
                "instruction": public.instruction,
                "tools": _tools(protocol),
                "over": False,
                "score": None,
            }
        )
        print(f"play at {self.url}", flush=True)
        if self._open_browser:
            webbrowser.open(self.url)

    def ask(self, turn: AgentTurn) -> str:
        """Show where things stand and wait for an action."""
        self._note(turn.observation)
        self._publish({**self._seen(turn.observation), "turn": turn.turn, "over": False}, waiting=True)
        return self._actions.get()

    def close(self, step: Step) -> None:
        """Show the verdict; comes back once a page has it."""
        self._note(step.observation)
        info = step.info
        verdict = {"score": info["score"], "stop_reason": info["stop_reason"], "failure": info["failure"]}
        self._publish({**self._seen(step.observation), "over": True, **verdict})
        self._told.wait(LAST_WAIT_S)

    def shut(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def state_after(self, version: int, wait_s: float = WAIT_S) -> dict[str, Any]:
        """The state, once it is newer than `version`, or as it is after `wait_s` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._state["version"] > version, wait_s)
            return self._state

    def told(self, state: dict[str, Any]) -> None:
        """A page has got this state."""
        if state.get("over"):
            self._told.set()

    def act(self, action: str) -> bool:
        """Take a person's action; False while the last one is under way, or when the episode is over."""
        with self._changed:
            taken, self._waiting = self._waiting, False
        if taken:
            self._actions.put(action)
        return taken

    def picture(self, which: str, part: Box | None) -> Picture | RenderFailure | None:
        """The drawing `now` or at the `start`, or a part of it; None for anything else."""
        drawing = self._drawings.get(which)
        return None if drawing is None else drawing.picture(part)

    def _seen(self, seen: Observation) -> dict[str, Any]:
        drawing = self._drawings["now"] = Drawing(seen.svg)
        return {
            "svg": seen.svg,
            "objects": drawing.objects(),
            "size": drawing.size_px(),
            "start_size": self._drawings["start"].size_px(),
            "turns_left": seen.turns_left,
            "log": list(self._log),
        }

    def _note(self, seen: Observation) -> None:
        """Remember what the last action did."""
        if seen.turn > 0:
            error = None if seen.last_error is None else str(seen.last_error)
            entry = {
                "turn": seen.turn,
                "action": seen.last_action,
                "result": seen.last_result,
                "error": error,
            }
            self._log.append(entry)

    def _publish(self, state: dict[str, Any], waiting: bool = False) -> None:
        with self._changed:
            self._waiting = waiting
            self._state = {**self._state, **state, "version": self._state["version"] + 1}
            self._changed.notify_all()


def _tools(protocol: Protocol) -> list[dict[str, Any]]:
    """The granted tools with group, description and schema of arguments, for the form."""
    schemas = json_schemas(protocol.tools)
    chosen = [TOOLS.get(name) for name in protocol.tools]
    return [
        {"name": tool.name, "group": tool.group, "about": tool.description, "schema": schemas[tool.name]}
        for tool in chosen
    ]


@lru_cache(maxsize=len(_PAGE))
def _file(name: str) -> bytes:
    return files("vbench_agents").joinpath("human_page", name).read_bytes()


def _part(query: dict[str, list[str]]) -> Box | None:
    """The part of the picture that a request asks for; ValueError for anything but four sensible numbers."""
    if "part" not in query:
        return None
    x, y, width, height = (float(number) for number in query["part"][0].split(","))
    if not (-1 <= x <= 1 and -1 <= y <= 1 and 0.005 <= width <= 2 and 0.005 <= height <= 2):
        raise ValueError("no part of the picture")
    return x, y, width, height


def _handler(desk: WebDesk) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, query = self._own_path(), parse_qs(urlsplit(self.path).query)
            try:
                if path in _PAGE:
                    name, kind = _PAGE[path]
                    self._send(200, kind, _file(name))
                elif path == "state":
                    state = desk.state_after(int(query.get("after", ["0"])[0]))
                    self._send(200, "application/json", json.dumps(state).encode())
                    desk.told(state)
                elif path is not None and path.endswith(".png"):
                    self._picture(desk.picture(path.removesuffix(".png"), _part(query)))
                else:
                    self._send(404, "text/plain", b"not here")
            except ValueError:
                self._send(400, "text/plain", b"not understood")

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            if self._own_path() != "act":
                self._send(404, "text/plain", b"not here")
            elif size > LARGEST_REQUEST:
                self._send(413, "text/plain", b"too large")
            else:
                taken = desk.act(self.rfile.read(size).decode("utf-8", "replace"))
                self._send(204 if taken else 409, "text/plain", b"")

        def _picture(self, found: Picture | RenderFailure | None) -> None:
            if isinstance(found, Picture):
                self._send(200, "image/png", found.png)
            elif found is None:
                self._send(404, "text/plain", b"not here")
            else:
                self._send(409, "text/plain; charset=utf-8", str(found).encode())

        def _own_path(self) -> str | None:
            path, prefix = urlsplit(self.path).path, f"/{desk._token}/"
            return path.removeprefix(prefix) if path.startswith(prefix) else None

        def _send(self, status: int, kind: str, body: bytes) -> None:
            with contextlib.suppress(ConnectionError):  # the page was closed or loaded anew
                self._write(status, kind, body)

        def _write(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Security-Policy", _POLICY)
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Cache-Control", "no-store")
            self.send_header("Referrer-Policy", "no-referrer")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
