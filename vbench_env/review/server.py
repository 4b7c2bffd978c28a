"""The local page of a reviewer, on the loopback interface only, under a random token.

Every address but those below the token is refused, and so is a request that names another host (a page of
someone else's that resolves to this machine) or that another page sends. The content policy lets the page load
its own script, style and pictures and nothing else.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from vbench_env.errors import ConfigError
from vbench_env.review.desk import NotShown, ReviewDesk

LARGEST_REQUEST = 100_000
_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE = {
    "": ("review.html", "text/html; charset=utf-8"),
    "review.css": ("review.css", "text/css; charset=utf-8"),
    "review.js": ("review.js", "text/javascript; charset=utf-8"),
}
_CACHE = {"image/png": "private, max-age=3600"}
_ITEM = r"([0-9a-f]{16})"


class ReviewServer:
    """Serves one desk until `close`."""

    def __init__(self, desk: ReviewDesk, port: int = 0) -> None:
        """Start serving; port 0 takes a free one.

        Raises:
            ConfigError: the port is taken.
        """
        self.desk = desk
        self.token = secrets.token_urlsafe(16)
        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        except OSError as error:
            raise ConfigError(f"port {port} cannot be used: {error.strerror}; leave --port out") from error
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/{self.token}/"

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def get(self, path: str) -> tuple[str, bytes] | None:
        """Type and body of what is at an address below the token; None where nothing is."""
        if path in _PAGE:
            name, kind = _PAGE[path]
            return kind, files("vbench_env.review").joinpath("page", name).read_bytes()
        if path == "session":
            return _json(self.desk.session())
        if found := re.fullmatch(rf"picture/{_ITEM}/([a-z]+)/(\d{{1,5}})\.png", path):
            return "image/png", self.desk.picture(found[1], found[2], int(found[3]))
        if found := re.fullmatch(rf"(item|difference)/{_ITEM}", path):
            ask = self.desk.item if found[1] == "item" else self.desk.difference
            return _json(ask(found[2]))
        return None

    def post(self, path: str, body: bytes) -> tuple[str, bytes] | None:
        """The same for what changes something."""
        if path == "judge":
            return _json(self.desk.judge(body))
        if found := re.fullmatch(rf"reveal/{_ITEM}", path):
            return _json(self.desk.reveal(found[1]))
        return None


def _json(value: Any) -> tuple[str, bytes]:
    return "application/json", json.dumps(value).encode()


def _handler(server: ReviewServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 60

        def do_GET(self) -> None:
            self._answer(server.get)

        def do_POST(self) -> None:
            size = self.headers.get("Content-Length", "")
            kind = self.headers.get("Content-Type", "").partition(";")[0]
            if not size.isdigit() or int(size) > LARGEST_REQUEST or kind != "application/json":
                self._send(400, *_json({"error": "a short JSON body with its length is needed"}))
                return
            body = self.rfile.read(int(size))
            self._answer(lambda path: server.post(path, body))

        def _answer(self, ask: Callable[[str], tuple[str, bytes] | None]) -> None:
            path = self._own_path()
            if path is None:
                self._send(404, "text/plain", b"not here")
                return
            try:
                found = ask(path)
            except NotShown as error:
                self._send(400, *_json({"error": str(error)}))
                return
            except OSError as error:
                self._send(500, *_json({"error": f"not saved: {error.strerror}"}))
                return
            self._send(*((200, *found) if found else (404, "text/plain", b"not here")))

        def _own_path(self) -> str | None:
            """The path below the token; None for what is none of ours."""
            own = {f"{host}:{server.port}" for host in ("127.0.0.1", "localhost")}
            origin = self.headers.get("Origin")
            if self.headers.get("Host") not in own:
                return None
            if origin is not None and origin not in {f"http://{host}" for host in own}:
                return None
            root, _, path = urlsplit(self.path).path.removeprefix("/").partition("/")
            known = secrets.compare_digest(root.encode(), server.token.encode())
            return path if known else None

        def _send(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            for name, value in {
                "Content-Type": kind, "Content-Length": str(len(body)), "Content-Security-Policy": _POLICY,
                "Cache-Control": _CACHE.get(kind, "no-store"), "Referrer-Policy": "no-referrer",
                "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
            }.items():  # fmt: skip
                self.send_header(name, value)
            with contextlib.suppress(ConnectionError):  # the page was closed or loaded anew
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
