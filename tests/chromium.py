"""A page in headless Chromium, driven over the DevTools protocol through a pipe; standard library only."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None
)
NO_BROWSER = "no Chromium or Chrome on this machine"
_KEYS = {
    "Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, ""), "Tab": ("Tab", 9, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowRight": ("ArrowRight", 39, ""),
}  # fmt: skip
_START = (
    "import os, sys; reading, writing = map(int, sys.argv[1:3]); os.dup2(reading, 3); os.dup2(writing, 4); "
    "os.execv(sys.argv[3], sys.argv[3:])"
)


class PageReplaced(Exception):
    """A command met the moment in which one page follows another."""


_REPLACED = (
    "Inspected target navigated or closed", "Execution context was destroyed.",
    "Cannot find default execution context",
)  # fmt: skip


class Page:
    """One tab. `complaints` collects console errors, exceptions and refusals of the content policy.

    Dialogs are accepted, and their kinds kept in `dialogs`.
    """

    def __init__(self, process: subprocess.Popen[bytes], reading: int, writing: int) -> None:
        self._process, self._reading, self._writing = process, reading, writing
        self._numbers = itertools.count(1)
        self._buffer = b""
        self._session: str | None = None
        self.complaints: list[str] = []
        self.dialogs: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and wait for its result."""
        number = self._send(method, params)
        while True:
            answer = self._next()
            if answer.get("id") == number:
                if answer.get("error", {}).get("message") in _REPLACED:
                    raise PageReplaced(method)
                assert "error" not in answer, (method, answer["error"])
                result: dict[str, Any] = answer["result"]
                return result
            self._notice(answer)

    def _send(self, method: str, params: dict[str, Any]) -> int:
        message = {"id": next(self._numbers), "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        return int(message["id"])

    def _next(self, timeout_s: float = 60.0) -> dict[str, Any]:
        end = time.monotonic() + timeout_s
        while b"\0" not in self._buffer:
            assert select.select([self._reading], [], [], max(0.0, end - time.monotonic()))[0], "no answer"
            data = os.read(self._reading, 1 << 20)
            assert data, "the browser has gone"
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def _notice(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(str(params["exceptionDetails"].get("exception", params)))
        elif event.get("method") == "Runtime.consoleAPICalled":
            self.complaints.append(f"console.{params['type']}: {params['args']}")
        elif event.get("method") == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"]["text"])
        elif event.get("method") == "Page.javascriptDialogOpening":
            self.dialogs.append(params["type"])
            self._send("Page.handleJavaScriptDialog", {"accept": True})

    def shape(self, width: int, height: int, *, dark: bool = False, scale: float = 1.0) -> None:
        """Set the size in CSS pixels and the colour scheme."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=width < 600)  # fmt: skip
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def open(self, url: str) -> None:
        """Go to an address and wait until it is loaded."""
        self.call("Page.navigate", url=url)
        self.until(f"location.href.startsWith({json.dumps(url)}) && document.readyState === 'complete'")

    def reload(self) -> None:
        """Load the page anew and wait until it is there."""
        self.value("window.beforeReload = true")
        self.call("Page.reload")
        self.until("!window.beforeReload && document.readyState === 'complete'")

    def value(self, expression: str) -> Any:
        """What a JavaScript expression gives, promises awaited."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, expression: str, timeout_s: float = 30.0) -> None:
        """Wait until an expression holds; while one page follows another, nothing does."""
        end = time.monotonic() + timeout_s
        while not self._holds(expression):
            assert time.monotonic() < end, f"never came true: {expression}; complaints: {self.complaints}"
            time.sleep(0.03)

    def _holds(self, expression: str) -> bool:
        try:
            return bool(self.value(expression))
        except PageReplaced:
            return False

    def press(self, *keys: str) -> None:
        """Press and release keys one after another: letters, digits, `Enter`, `Escape`, `Tab`, arrows."""
        for key in keys:
            name, code, text = _KEYS.get(key, (key, ord(key.upper()) if len(key) == 1 else 0, key))
            common = {"key": name, "windowsVirtualKeyCode": code}
            down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
            self.call("Input.dispatchKeyEvent", **down, **common)
            self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        """Enter text where the focus is."""
        self.call("Input.insertText", text=text)

    def picture(self, path: Path) -> None:
        """Write a PNG of what is to be seen."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self) -> None:
        """End the browser."""
        with contextlib.suppress(OSError, AssertionError):
            self._session = None
            self.call("Browser.close")
        for end in (self._reading, self._writing):
            os.close(end)
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@contextlib.contextmanager
def page(profile: Path) -> Iterator[Page]:
    """A tab of a browser of its own, whose profile is a new folder."""
    assert BROWSER
    to_browser, from_browser = os.pipe(), os.pipe()
    # Numbers over 9, so that the copies to 3 and 4 overwrite neither.
    theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_browser[0], from_browser[1])]
    command = [
        BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--hide-scrollbars", f"--user-data-dir={profile}",
        "--remote-debugging-pipe",
    ]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-c", _START, *map(str, theirs), *command], pass_fds=theirs,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for end in (*theirs, to_browser[0], from_browser[1]):
        os.close(end)
    tab = Page(process, from_browser[0], to_browser[1])
    try:
        yield tab
    finally:
        tab.close()
