"""An endpoint that speaks the OpenAI chat protocol, some milliseconds away, and fails by plan.

    python benchmarks/faulty_endpoint.py --corpus vbench-40 --latency 0.05 --faults 0.05

It prints its address, then a line of JSON with its counts for every line that it reads. Three made-up models
answer: `careful` makes every repair, `hasty` leaves out the last one, `careless` makes all and adds a smudge.

Everything is a pure function of the request: its bytes decide the answer, its bytes and the number of the attempt
(`x-stainless-retry-count`) decide whether and how it fails. So the same request meets the same faults in the same
order, whoever asks, whenever, and however often the asking process was killed in between.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vbench_agents.edit_plan import Call, Unplanned, edit_calls

from vbench_env.seeding import derive_random
from vbench_env.task import Task, load_corpus
from vbench_env.tools import ToolContext, call_tool

MODELS = ("careful", "hasty", "careless")
FAULTS = ("rate_limit", "server", "hang", "cut", "garbage")
SMUDGE = '<circle id="smudge" cx="7" cy="7" r="5" fill="#123456"/>'
HANG_S = 600.0


def fault_of(body: bytes, attempt: int, share: float) -> str | None:
    """How attempt number `attempt` (from 0) at the request fails; None when it does not."""
    draw = derive_random("fault", hashlib.sha256(body).hexdigest(), attempt)
    return draw.choice(FAULTS) if draw.random() < share else None


def plan_of(task: Task) -> list[Call]:
    """Edits that repair a task."""
    moved = {repair.object for repair in task.repairs if repair.operation == "reorder"}
    try:
        return edit_calls(task.corrupted_svg, task.target_svg, moved)
    except Unplanned:
        return [("rewrite", {"svg": task.target_svg})]


def edited(svg: str, calls: Sequence[Call]) -> str:
    """The drawing after the calls."""
    context = ToolContext.begin(svg)
    for call in calls:
        context = context.after(call_tool(context, *call))
    return context.document.text


@dataclass(slots=True)
class Script:
    """What the models say about one task."""

    task: Task
    calls: list[Call]
    documents: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, task: Task) -> Script:
        return cls(task, plan_of(task))

    def document(self, model: str) -> str:
        """A single answer."""
        if model not in self.documents:
            whole = self.task.target_svg
            self.documents[model] = {
                "careful": lambda: whole,
                "hasty": lambda: edited(self.task.corrupted_svg, self.calls[:-1]),
                "careless": lambda: whole.replace("</svg>", f"{SMUDGE}</svg>"),
            }[model]()
        return self.documents[model]

    def turn(self, model: str, number: int) -> list[Call]:
        """Calls of turn `number`, from 0: half of the edits, the rest, the end."""
        calls = self.calls[:-1] if model == "hasty" else self.calls
        if model == "careless":
            calls = [*calls, ("insert_element", {"object": "svg", "markup": SMUDGE})]
        half = len(calls) // 2
        return [calls[:half] or calls, calls[half:] if half else [], []][min(number, 2)] or [("submit", {})]


@dataclass(slots=True)
class Model:
    """Answers requests about the tasks of a corpus."""

    scripts: dict[str, Script]

    @classmethod
    def of(cls, tasks: Sequence[Task]) -> Model:
        return cls({task.instruction: Script.of(task) for task in tasks})

    def message(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The assistant message for a request."""
        model, messages = str(body["model"]), body["messages"]
        script = next(found for said, found in self.scripts.items() if said in _text(messages[1]))
        if not body.get("tools"):
            return {"role": "assistant", "content": script.document(model)}
        number = sum(message["role"] == "assistant" for message in messages)
        calls = [_native(number, place, *call) for place, call in enumerate(script.turn(model, number))]
        return {"role": "assistant", "content": None, "tool_calls": calls}

    def answer(self, raw: bytes) -> bytes:
        """The body of a good answer."""
        body = json.loads(raw)
        message = self.message(body)
        said = len(json.dumps(message))
        usage = {
            "prompt_tokens": len(raw) // 4,
            "completion_tokens": said // 4,
            "total_tokens": (len(raw) + said) // 4,
        }
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        digest = hashlib.sha256(raw).hexdigest()[:12]
        return json.dumps({
            "id": f"chatcmpl-{digest}", "object": "chat.completion", "created": 1, "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage,
        }).encode()  # fmt: skip


def _text(message: Mapping[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _native(turn: int, place: int, name: str, args: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(args)}
    return {"id": f"call_{turn}_{place}", "type": "function", "function": function}


@dataclass(slots=True)
class Endpoint:
    """The server. `counts` holds requests and faults by kind."""

    model: Model
    latency_s: float
    share: float
    counts: Counter[str] = field(default_factory=Counter)
    cache: dict[bytes, bytes] = field(default_factory=dict)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, kept open from request to request."""
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while await self._exchange(reader, writer):
                pass
        writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        due = time.monotonic() + self.latency_s
        fault = fault_of(body, int(headers.get("x-stainless-retry-count", 0)), self.share)
        self.counts["requests"] += 1
        if fault is not None:
            self.counts[fault] += 1
        return await self._respond(writer, body, fault, due)

    async def _respond(
        self, writer: asyncio.StreamWriter, body: bytes, fault: str | None, due: float
    ) -> bool:
        """Answer or fail; whether the connection stays open."""
        status, data = 200, b""
        if fault == "hang":
            await asyncio.sleep(HANG_S)
            return False
        if fault == "rate_limit":
            status, data = 429, b'{"error": {"message": "slow down"}}'
        elif fault == "server":
            status, data = 500, b'{"error": {"message": "out of order"}}'
        elif fault == "garbage":
            data = b"<html>not what you asked for</html>"
        else:
            data = self._answer(body)
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        writer.write(head.encode() + (data[: len(data) // 2] if fault == "cut" else data))
        await writer.drain()
        return fault != "cut"

    def _answer(self, body: bytes) -> bytes:
        key = hashlib.sha256(body).digest()
        if key not in self.cache:
            self.cache[key] = self.model.answer(body)
        return self.cache[key]

    def report(self) -> dict[str, Any]:
        """Counts so far, and the processor seconds of this process."""
        return {"counts": dict(self.counts), "cpu_s": time.process_time()}


async def main_loop(endpoint: Endpoint) -> None:
    """Serve until standard input ends."""
    server = await asyncio.start_server(endpoint.serve, "127.0.0.1", 0, limit=1 << 26)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps(endpoint.report()), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", default="vbench-40")
    parser.add_argument("--latency", type=float, default=0.05, help="seconds from a request to its answer")
    parser.add_argument("--faults", type=float, default=0.05, help="share of attempts that fail")
    options = parser.parse_args()
    asyncio.run(
        main_loop(Endpoint(Model.of(list(load_corpus(options.corpus))), options.latency, options.faults))
    )


if __name__ == "__main__":
    main()
