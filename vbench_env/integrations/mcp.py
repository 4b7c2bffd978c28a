"""MCP: the tools of an episode for any client of the Model Context Protocol (`vbench-env serve mcp`).

One client, one episode: the tools of the protocol, and `get_task`, which shows the request and the drawing and costs
no turn. `submit` answers with the score; calls after it say that the episode is over, and what it was worth. A client
is a process (stdio) or a session (HTTP). Newer HTTP clients have no session: they name themselves in the address.

    http://127.0.0.1:8321/mcp?task=harbor-dawn&seed=3&client=alice
"""

from __future__ import annotations

import base64
import json
import os
import signal
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vbench_env.errors import ConfigError
from vbench_env.integrations.session import Reply, Session, Source

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

GET_TASK = "get_task"
DOCUMENT, START = "vbench://document", "vbench://start"
IDLE_S = 1800.0
"""Seconds without a request after which a client's episode ends as it stands."""


class Desk:
    """The episodes of a server's clients.

    Args:
        source: tasks and protocol.
        wanted: `task`, `index` or `seed` of clients that ask for none of them.
        ledger: file that gets a line of JSON for every episode that ended; none when None.
        idle_s: see `IDLE_S`.

    Raises:
        ConfigError: a protocol without native tool calls, or a ledger that cannot be written.
    """

    def __init__(
        self,
        source: Source,
        wanted: Mapping[str, Any] | None = None,
        ledger: Path | None = None,
        idle_s: float = IDLE_S,
    ) -> None:
        source.require_tools("MCP")
        if ledger is not None:
            _require_writable(ledger)
        self.source, self.idle_s = source, idle_s
        self._wanted, self._ledger = dict(wanted or {}), ledger
        self._seats: dict[str, _Seat] = {}
        self._lock = threading.Lock()

    def call(
        self, key: str, asked: Mapping[str, Any], tool: str, args: object
    ) -> tuple[Reply, dict[str, Any] | None]:
        """The reply to a client's call, and the score once its episode is over."""
        seat = self.seat(key, asked)
        if tool == GET_TASK or seat.first.error:
            return seat.first, None
        reply = seat.session.call(tool, args)
        return reply, self._settle(seat) if seat.session.done else None

    def seat(self, key: str, asked: Mapping[str, Any]) -> _Seat:
        """The client's episode, begun if this is its first request."""
        with self._lock:
            self._dismiss(time.monotonic() - self.idle_s, "idle")
            seat = self._seats.get(key)
            if seat is None:
                session = Session(self.source)
                chosen = {name: value for name, value in asked.items() if value is not None} or self._wanted
                seat = self._seats[key] = _Seat(session, session.try_begin(**(chosen or {"seed": 0})))
            seat.used = time.monotonic()
            return seat

    def close(self) -> None:
        """End every episode as it stands."""
        with self._lock:
            self._dismiss(time.monotonic() + 1, "disconnect")

    def _dismiss(self, before: float, reason: str) -> None:
        for key in [key for key, seat in self._seats.items() if seat.used < before]:
            seat = self._seats.pop(key)
            if seat.session.episode is not None:
                self._settle(seat, reason)

    def _settle(self, seat: _Seat, reason: str = "stopped") -> dict[str, Any]:
        with seat.turn:
            outcome = seat.session.outcome(reason)
            if self._ledger is not None and not seat.settled:
                line = {**outcome.summary(), "final_svg": outcome.final_svg, "score": outcome.score}
                with self._ledger.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line, ensure_ascii=True) + "\n")
            seat.settled = True
            return outcome.summary()


def _require_writable(ledger: Path) -> None:
    """Refuse a file that scores could not be written to when an episode ends."""
    try:
        ledger.parent.mkdir(parents=True, exist_ok=True)
        ledger.open("a").close()
    except OSError as error:
        raise ConfigError(f"{ledger} cannot be written ({error.strerror}); choose another file") from error


class _Seat:
    def __init__(self, session: Session, first: Reply) -> None:
        self.session, self.first = session, first
        self.used = time.monotonic()
        self.settled = False
        self.turn = threading.Lock()


def make_server(desk: Desk) -> Server[Any]:
    """An MCP server of the desk's episodes, for any transport."""
    import anyio.to_thread
    from mcp import types
    from mcp.server.lowlevel import Server

    async def list_tools(ctx: Any, params: Any) -> Any:
        return types.ListToolsResult(tools=[types.Tool(**tool) for tool in _tools(desk.source)])

    async def call_tool(ctx: Any, params: Any) -> Any:
        key, asked = _client(ctx.request)
        call = (key, asked, params.name, params.arguments)
        reply, score = await anyio.to_thread.run_sync(desk.call, *call)
        text = reply.text if score is None else f"{reply.text}\n\nscore: {json.dumps(score)}"
        pictures = [
            types.ImageContent(data=base64.b64encode(png).decode(), mime_type="image/png")
            for png in reply.pictures
        ]
        return types.CallToolResult(
            content=[types.TextContent(text=text), *pictures],
            structured_content=score,
            is_error=reply.error is not None,
        )

    async def list_resources(ctx: Any, params: Any) -> Any:
        kinds = {DOCUMENT: "the drawing as it is now", START: "the drawing that the episode started with"}
        return types.ListResourcesResult(resources=[
            types.Resource(uri=uri, name=uri.rpartition("/")[2], description=text, mime_type="image/svg+xml")
            for uri, text in kinds.items()
        ])  # fmt: skip

    async def read_resource(ctx: Any, params: Any) -> Any:
        from mcp.shared.exceptions import MCPError

        session = desk.seat(*_client(ctx.request)).session
        episode = session.episode
        if str(params.uri) not in {DOCUMENT, START} or episode is None:
            raise MCPError(-32602, f"no such resource; there are {DOCUMENT} and {START}")
        text = episode.document if str(params.uri) == DOCUMENT else episode.task.corrupted_svg
        item = types.TextResourceContents(uri=params.uri, mime_type="image/svg+xml", text=text)
        return types.ReadResourceResult(contents=[item])

    return Server(
        "vbench-env", instructions=_instructions(desk.source), on_list_tools=list_tools, on_call_tool=call_tool,
        on_list_resources=list_resources, on_read_resource=read_resource,
    )  # fmt: skip


def _tools(source: Source) -> list[dict[str, Any]]:
    about = "Show the request and the drawing of this episode, from its beginning. Costs no turn."
    tools = [{"name": GET_TASK, "description": about, "input_schema": {"type": "object", "properties": {}}}]
    for tool in source.tools:
        function = tool["function"]
        tools.append({
            "name": function["name"],
            "description": function["description"],
            "input_schema": function["parameters"],
        })  # fmt: skip
    return tools


def _instructions(source: Source) -> str:
    session = Session(source)
    session.begin(index=0)
    return f"{session.system}\n\nCall {GET_TASK} first: it shows the request and the drawing."


def _client(request: Any) -> tuple[str, dict[str, Any]]:
    """Who asks, and for which episode; a process on stdio is one client and asks for nothing.

    A client without a session is its name and what it asks for: who asks for another episode does not get this one.
    """
    if request is None:
        return "", {}
    query = request.query_params
    asked = {"task": query.get("task"), **{name: _number(query.get(name)) for name in ("index", "seed")}}
    unnamed = f"?{json.dumps([query.get('client'), asked])}"
    return request.headers.get("mcp-session-id") or unnamed, asked


def _number(text: str | None) -> Any:
    """A whole number; another text stays what it is, and is refused with the reason."""
    try:
        return None if text is None else int(text)
    except ValueError:
        return text


def serve_stdio(desk: Desk) -> None:
    """Serve the process at the other end of standard input and output, until it leaves or this one is stopped."""
    import anyio
    from mcp.server.stdio import stdio_server

    server = make_server(desk)

    async def serve() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(_stopped, desk)
            async with stdio_server() as (source, sink):
                await server.run(source, sink, server.create_initialization_options())
            group.cancel_scope.cancel()

    try:
        anyio.run(serve)
    finally:
        desk.close()


async def _stopped(desk: Desk) -> None:
    """Wait for a signal; then end the episode, and the process: a thread that reads standard input would keep it."""
    import anyio

    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            await anyio.to_thread.run_sync(desk.close)
            os._exit(0)


def http_app(desk: Desk, host: str = "127.0.0.1") -> Any:
    """The ASGI application that serves `/mcp`."""
    return make_server(desk).streamable_http_app(host=host, session_idle_timeout=desk.idle_s)
