"""A site about a run while it goes on: pages made when they are asked for, on the loopback interface only.

Every address begins with a random token; a request that names another host, as a page of someone else's that
resolves to this machine would, is refused. The content policy lets a page load its own script, style and
pictures and nothing else.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import tempfile
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from vbench_env.errors import ConfigError
from vbench_env.report.book import Book, group_file, pages_of
from vbench_env.report.gather import file_name
from vbench_env.report.pages import POLICY
from vbench_env.report.shelf import FOLDER
from vbench_env.report.site import ASSETS, asset

LEAST_WAIT_S = 1.0
"""Seconds between two looks at the run."""
REST = 9
"""After the first page was made, the run is left alone for so many times as long: it needs the processor too."""
_HTML = "text/html; charset=utf-8"
_KINDS = {"site.css": "text/css; charset=utf-8", "site.js": "text/javascript; charset=utf-8"}
_PICTURE = re.compile(r"[0-9a-f]{32}\.png")


class Answer(NamedTuple):
    status: int
    kind: str
    body: bytes


NOT_HERE = Answer(404, "text/plain", b"not here")


class Viewer:
    """Serves a run, or several.

    Args:
        runs: run folders.
        rules: rule set of the verdicts; None takes the headline.
        port: 0 takes a free one.

    Raises:
        ConfigError: no run folder, or the port is taken.
    """

    def __init__(self, runs: Sequence[str | Path], rules: str | None = None, port: int = 0) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="vbench-view-", ignore_cleanup_errors=True)
        self._root = Path(self._folder.name)
        self._book = Book(runs, rules, self._root, live=True)
        self._lock = threading.Lock()
        self._looked = self._rest_s = 0.0
        self._token = secrets.token_urlsafe(16)
        self._look()
        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        except OSError as error:
            raise ConfigError(f"port {port} cannot be used ({error}); choose another with --port") from error
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/{self._token}/"

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._folder.cleanup()

    def answer(self, path: str) -> Answer:
        """What an address gives."""
        if path == "/favicon.ico":
            return Answer(204, "image/x-icon", b"")
        prefix = f"/{self._token}/"
        if not secrets.compare_digest(path[: len(prefix)].encode(), prefix.encode()):
            return NOT_HERE
        folder, _, name = path[len(prefix) :].rpartition("/")
        if folder == "assets":
            return Answer(200, _KINDS[name], asset(name).encode()) if name in ASSETS else NOT_HERE
        if folder == FOLDER:
            return self._picture(name)
        with self._lock:
            self._look()
            if (folder, name) == ("", "state"):
                return Answer(200, "application/json", json.dumps({"version": self._book.version}).encode())
            page = self._page(folder, name.removesuffix(".html"))
        return NOT_HERE if page is None else Answer(200, _HTML, page.encode("utf-8", "backslashreplace"))

    def _look(self) -> None:
        if time.monotonic() - self._looked >= max(LEAST_WAIT_S, self._rest_s):
            self._book.update()
            self._looked = time.monotonic()

    def _page(self, folder: str, name: str) -> str | None:
        book = self._book
        if folder == "":
            return self._index() if name in {"", "index"} else None
        if folder == "episodes":
            return book.episode(name) if name in book.rows else None
        if folder == "tasks":
            task_id = next((task for task in book.results.tasks if file_name(task) == name), None)
            return None if task_id is None else book.task(task_id)
        return self._listing(name) if folder == "lists" else None

    def _index(self) -> str:
        clock = time.monotonic()
        page = self._book.index()
        self._rest_s = REST * (time.monotonic() - clock)
        return page

    def _listing(self, name: str) -> str | None:
        head, _, number = name.rpartition("-")
        group = next((g for g in self._book.results.groups if group_file(g.key) == head), None)
        if group is None or not re.fullmatch("[1-9][0-9]{0,6}", number):
            return None
        there = int(number) <= pages_of(group.total.episodes)
        return self._book.listing(group.key, int(number)) if there else None

    def _picture(self, name: str) -> Answer:
        path = self._root / FOLDER / name
        if not _PICTURE.fullmatch(name) or not path.is_file():
            return NOT_HERE
        return Answer(200, "image/png", path.read_bytes())


def _handler(viewer: Viewer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.headers.get("Host") != viewer.host:
                answer = Answer(403, "text/plain", b"not from here")
            else:
                try:
                    answer = viewer.answer(unquote(urlsplit(self.path).path))
                except ConfigError as error:
                    answer = Answer(500, "text/plain; charset=utf-8", str(error).encode("utf-8", "replace"))
            with contextlib.suppress(ConnectionError):  # the page was closed or loaded anew
                self._write(answer)

        def _write(self, answer: Answer) -> None:
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(answer.body)))
            self.send_header(
                "Content-Security-Policy", f"{POLICY}; connect-src 'self'; frame-ancestors 'none'"
            )
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Cache-Control", "no-store")
            self.send_header("Referrer-Policy", "no-referrer")
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler
