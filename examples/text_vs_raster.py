"""Does a picture help? The same tasks with the same model, with and without pictures, compared in pairs.

    python examples/text_vs_raster.py                                       # against a scripted server, no key
    python examples/text_vs_raster.py --model openai/gpt-5 --tasks 40       # against a model
    python examples/text_vs_raster.py --model openai/NAME --api-base http://127.0.0.1:8000/v1

Without `--model` a local server speaks the OpenAI protocol and plays a model by a script: it knows the targets, and
in every second task it overlooks one defect unless it is shown the drawing. It decodes every picture that arrives
and holds its hash against the preview of that turn, so this also shows that pictures reach a model unharmed.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from rich.box import HORIZONTALS
from rich.console import Console
from rich.table import Table
from vbench_agents.edit_plan import Call, edit_calls

from vbench_env import Episode, Task, load_corpus
from vbench_env.experiments.config import make_config
from vbench_env.experiments.runner import run
from vbench_env.experiments.store import EpisodeRecord, RunFolder
from vbench_env.report import run_table
from vbench_env.report.aggregate import GroupKey, aggregate, compare
from vbench_env.tools import ToolContext, call_tool

CORPUS = "vbench-40"
PAIRS = [
    ("single-shot", "single-shot-raster"),
    ("interactive-text", "interactive-raster"),
    ("single-shot", "interactive-text"),
    ("single-shot-raster", "interactive-raster"),
]
PROTOCOLS = ["single-shot", "single-shot-raster", "interactive-text", "interactive-raster"]
SCRIPTED = "openai/scripted"


class Sight(NamedTuple):
    """What one request showed: its task, its turn, and the SHA-256 of each picture in it."""

    task_id: str
    interactive: bool
    turn: int
    pictures: tuple[str, ...]


class ScriptedModel:
    """Answers chat requests from the targets, and keeps what it was shown."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tasks
        self.seen: list[Sight] = []

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        """The assistant message for one request."""
        text = json.dumps(body["messages"], ensure_ascii=False)
        number, task = next(
            (n, t) for n, t in enumerate(self.tasks) if json.dumps(t.instruction)[1:-1] in text
        )
        turn = 1 + sum(message["role"] == "assistant" for message in body["messages"])
        pictures = tuple(arrived_pictures(body["messages"]))
        self.seen.append(Sight(task.task_id, "tools" in body, turn, pictures))
        edits = solution(task)
        if number % 2 and not pictures:
            edits = edits[:-1]
        if "tools" not in body:
            return {"role": "assistant", "content": edited(task.corrupted_svg, edits)}
        name, args = [*edits, ("submit", {})][turn - 1]
        function = {"name": name, "arguments": json.dumps(args)}
        call = {"id": f"call_{turn}", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}


def arrived_pictures(messages: Iterable[dict[str, Any]]) -> Iterator[str]:
    """SHA-256 of every picture in a request, decoded from its data URL."""
    for message in messages:
        for part in message["content"] if isinstance(message.get("content"), list) else ():
            if part["type"] == "image_url":
                kind, _, data = part["image_url"]["url"].partition(",")
                assert kind == "data:image/png;base64", kind
                png = base64.b64decode(data, validate=True)
                assert png.startswith(b"\x89PNG\r\n\x1a\n"), "no PNG"
                yield hashlib.sha256(png).hexdigest()


def solution(task: Task) -> list[Call]:
    moved = [repair.object for repair in task.repairs if repair.operation == "reorder"]
    return edit_calls(task.corrupted_svg, task.target_svg, moved)


def edited(svg: str, edits: Iterable[Call]) -> str:
    context = ToolContext.begin(svg)
    for call in edits:
        context = context.after(call_tool(context, *call))
    return context.document.text


@contextmanager
def serving(model: ScriptedModel) -> Iterator[str]:
    """The address of an OpenAI-style endpoint as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message = model.answer(body)
            reason = "tool_calls" if message.get("tool_calls") else "stop"
            choice = {"index": 0, "message": message, "finish_reason": reason}
            reply = {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": "scripted",
                "choices": [choice],
            }
            data = json.dumps(reply).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def expected(record: EpisodeRecord, task: Task) -> list[Sight]:
    """What the requests of an episode must have shown: the preview that the agent had before each turn."""
    preview = Episode(task, record.protocol).observe().preview
    shown = [preview.picture.digest] if preview is not None and preview.picture is not None else []
    sights = []
    for turn in range(1, len(record.calls) + 1):
        sights.append(Sight(record.task_id, record.protocol.startswith("interactive"), turn, tuple(shown)))
        fresh = [
            event["preview_hash"]
            for event in record.events
            if event["turn"] == turn and event["preview_hash"]
        ]
        shown = fresh[-1:] or shown
    return sights


def missing_pictures(
    records: Iterable[EpisodeRecord], tasks: Sequence[Task], seen: Iterable[Sight]
) -> list[str]:
    """What differs between the previews of all turns and the pictures that arrived; empty when nothing does."""
    by_id = {task.task_id: task for task in tasks}
    wanted = Counter(sight for record in records for sight in expected(record, by_id[record.task_id]))
    arrived = Counter(seen)
    lost = [f"not arrived: {sight}" for sight in wanted - arrived]
    return lost + [f"not expected: {sight}" for sight in arrived - wanted]


def comparison(records: Iterable[EpisodeRecord], model: str) -> Table:
    """Protocols in pairs, on the episodes that both have: full successes and mean progress."""
    groups = {group.key: group for group in aggregate(records).models}
    title = "Paired comparison: full successes (p: exact McNemar) and difference of mean progress"
    table = Table(
        title=title, title_justify="left", title_style="bold", box=HORIZONTALS, padding=(0, 1, 0, 0)
    )
    for name in ("first / second", "pairs", "both", "only 1st", "only 2nd", "p", "progress, 1st - 2nd"):
        table.add_column(name, justify="left" if "/" in name else "right", no_wrap=True)
    for first, second in PAIRS:
        found = compare(groups[GroupKey(model, first)], groups[GroupKey(model, second)])
        passes, gap = found.passes, found.progress
        counts = (passes.pairs, passes.both, passes.only_first, passes.only_second)
        difference = f"{gap.value:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]" if gap else ""
        table.add_row(f"{first} / {second}", *map(str, counts), f"{passes.p_value:.3f}", difference)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", help="litellm name of a model; the scripted server without it.")
    parser.add_argument("--api-base", help="Endpoint of the model.")
    parser.add_argument("--tasks", type=int, default=6, help="How many tasks of the corpus.")
    parser.add_argument("--samples", type=int, default=1, help="Episodes per task and protocol.")
    parser.add_argument("--out", type=Path, help="Run folder; a temporary one by default.")
    options = parser.parse_args()
    tasks = load_corpus(CORPUS)[: options.tasks]
    script = ScriptedModel(tasks)
    model = options.model or SCRIPTED
    with serving(script) as address, tempfile.TemporaryDirectory() as scratch:
        config = make_config(
            {
                "corpus": CORPUS,
                "tasks": [task.task_id for task in tasks],
                "models": [model],
                "protocols": PROTOCOLS,
                "samples": options.samples,
                "api_base": options.api_base if options.model else address,
            }
        )
        folder = options.out or Path(scratch) / "run"
        summary = run(config, folder)
        records = list(RunFolder(folder).episodes())
        console = Console(width=120)
        console.print(run_table(folder), comparison(records, model))
        if not summary.complete:
            sys.exit(f"stopped: {summary.stop_reason}; {summary.owed} episodes are owed: {summary.failures}")
    if not options.model:
        report_pictures(missing_pictures(records, tasks, script.seen), script.seen)


def report_pictures(wrong: list[str], seen: list[Sight]) -> None:
    """Say what became of the pictures; exit with 1 when one was lost."""
    if wrong:
        sys.exit("\n".join(wrong))
    with_picture = [sight for sight in seen if sight.pictures]
    distinct = len({digest for sight in with_picture for digest in sight.pictures})
    print(
        f"{len(with_picture)} of {len(seen)} requests had a picture: each is the preview of its turn, byte for byte "
        f"({distinct} distinct pictures); the others had none, as their protocols say"
    )


if __name__ == "__main__":
    main()
