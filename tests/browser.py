"""A headless Chromium for tests, steered over its own debugging protocol.

    with Browser() as browser:
        browser.open(url, width=400, dark=True)
        browser.evaluate("document.title")
        png = browser.screenshot()
        assert browser.complaints == []

`missing()` says why there is none, for a skip.
"""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--hide-scrollbars", "--remote-debugging-port=0", "about:blank",
)  # fmt: skip
START_S = 30.0


def missing() -> str | None:
    """Why no browser can be steered here; None when one can."""
    if not any(shutil.which(name) for name in NAMES):
        return "there is no Chromium on this machine"
    try:
        import aiohttp  # noqa: F401
    except ImportError:
        return "aiohttp, which speaks to the browser, is not installed"
    return None


class Browser:
    """One browser with one page. `complaints` holds errors and warnings of its console."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self._loop = asyncio.new_event_loop()
        self._number = 0

    def __enter__(self) -> Browser:
        self._profile = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        program = next(filter(None, map(shutil.which, NAMES)))
        command = [program, f"--user-data-dir={self._profile.name}", *FLAGS]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._loop.run_until_complete(self._connect())
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.run_until_complete(self._session.close())
        self._loop.close()
        self._process.terminate()
        self._process.wait(20)
        self._profile.cleanup()

    async def _connect(self) -> None:
        import aiohttp

        until, place = time.monotonic() + START_S, Path(self._profile.name) / "DevToolsActivePort"
        while not place.is_file() or not place.read_text().strip():
            assert time.monotonic() < until, "the browser did not start"
            await asyncio.sleep(0.05)
        port = place.read_text().splitlines()[0]
        self._session = aiohttp.ClientSession()
        async with self._session.get(f"http://127.0.0.1:{port}/json/list") as answer:
            page = next(target for target in await answer.json() if target["type"] == "page")
        self._socket = await self._session.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=0)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """One command and its result; events that come meanwhile are looked through for complaints."""
        return self._loop.run_until_complete(asyncio.wait_for(self._send(method, params), 60))

    async def _send(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": params})
        while True:
            message = json.loads((await self._socket.receive()).data)
            self._note(message)
            if message.get("id") == self._number:
                assert "error" not in message, message
                result: dict[str, Any] = message["result"]
                return result

    def _note(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(params["exceptionDetails"])[:2000])
        elif message.get("method") == "Log.entryAdded" and params["entry"]["level"] in {"error", "warning"}:
            self.complaints.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif message.get("method") == "Runtime.consoleAPICalled" and params["type"] in {"error", "warning"}:
            self.complaints.append(json.dumps(params["args"])[:2000])

    def open(self, url: str, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Load a page in a window of that size, in light or dark colours."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.send("Emulation.setEmulatedMedia", features=scheme)
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )  # fmt: skip
        self.send("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def evaluate(self, expression: str) -> Any:
        """Value of a JavaScript expression in the page; promises are awaited."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait(self, expression: str, wait_s: float = 20.0) -> None:
        """Wait until an expression is true."""
        until = time.monotonic() + wait_s
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < until, f"never true: {expression}"
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        """Click the middle of the element as a person does."""
        script = """(element => {
            element.scrollIntoView({block: "center"});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        })"""
        place = self.evaluate(f"{script}(document.querySelector({json.dumps(selector)}))")
        self.click_at(*place)

    def click_at(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def write(self, text: str) -> None:
        """Type into what has the focus."""
        self.send("Input.insertText", text=text)

    def screenshot(self, whole: bool = False) -> bytes:
        """A PNG of the window, or of the whole page."""
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        return base64.b64decode(data)
