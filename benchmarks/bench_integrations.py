"""What each integration costs per step over `Episode`, all in one run.

    python benchmarks/bench_integrations.py [--steps 200] [--venvs .venvs]

Packages of several integrations cannot be installed together, so each is measured by the interpreter of its own
environment (`make test-integrations` makes them), which also measures `Episode` itself, before and after, so
that both see the same machine. A step is one `set_attribute` call on `harbor-dawn` under `interactive-text`; the
median of the steps is printed, in milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TASK = "harbor-dawn"
TOOL = "set_attribute"
PROCESSES = 20
"""Steps of an integration that starts a process for each."""
ADAPTERS = {
    "session": "", "gymnasium": "", "trl": "", "mcp": "mcp", "openenv": "openenv", "inspect": "inspect",
    "verifiers": "verifiers", "ray": "ray",
}  # fmt: skip
"""The environment of each; the present interpreter where it is empty."""


def arguments(number: int) -> dict[str, Any]:
    return {"object": "sign-bottom", "name": "fill", "value": f"#{number % 4096:03x}"}


def timed(steps: int, step: Callable[[int], object]) -> list[float]:
    """Milliseconds of each step, the first few left out."""
    times = []
    for number in range(steps + 5):
        started = time.perf_counter()
        step(number)
        times.append((time.perf_counter() - started) * 1000)
    return times[5:]


def config(steps: int) -> Any:
    from vbench_env.integrations.session import SourceConfig

    return SourceConfig(max_turns=4 * steps + 100)


def by_episode(steps: int) -> list[float]:
    from vbench_env import Episode, load_task

    episode = Episode(load_task(TASK), max_turns=4 * steps + 100)
    return timed(steps, lambda number: episode.step({"tool": TOOL, "args": arguments(number)}))


def by_session(steps: int) -> list[float]:
    from vbench_env.integrations.session import Session, Source

    session = Session(Source(config(steps)))
    session.begin(task=TASK)
    return timed(steps, lambda number: session.call(TOOL, arguments(number)))


def by_gymnasium(steps: int) -> list[float]:
    import gymnasium as gym

    env = gym.make("vbench_env:VBench/SvgRepair-v0", task=TASK, max_turns=4 * steps + 100)
    env.reset(seed=0)
    return timed(steps, lambda number: env.step(json.dumps({"tool": TOOL, "args": arguments(number)})))


def by_trl(steps: int) -> list[float]:
    from vbench_env.integrations.trl import environment_class

    environment: Any = environment_class(config(steps))()
    environment.reset(task=TASK)
    return timed(steps, lambda number: environment.set_attribute(**arguments(number)))


def by_mcp(steps: int) -> list[float]:
    """Over standard input and output of a process, as most clients do."""
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    code = "from vbench_env.cli import main; main()"
    options = ["-c", code, "serve", "mcp", TASK, "--max-turns", str(4 * steps + 100)]

    async def played() -> list[float]:
        times = []
        async with Client(
            stdio_client(StdioServerParameters(command=sys.executable, args=options))
        ) as client:
            for number in range(steps + 5):
                started = time.perf_counter()
                await client.call_tool(TOOL, arguments(number))
                times.append((time.perf_counter() - started) * 1000)
        return times[5:]

    return asyncio.run(played())


def by_openenv(steps: int) -> list[float]:
    """Over a websocket to a server process."""
    from openenv import GenericEnvClient

    code = "from vbench_env.cli import main; main()"
    options = [
        sys.executable,
        "-c",
        code,
        "serve",
        "openenv",
        "--port",
        "0",
        "--max-turns",
        str(4 * steps + 100),
    ]
    server = subprocess.Popen(options, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        address = server.stderr.readline().split()[1]
        with GenericEnvClient(base_url=address).sync() as env:
            env.reset(task=TASK)
            return timed(steps, lambda number: env.step({"tool": TOOL, "args": arguments(number)}))
    finally:
        server.terminate()
        server.wait(20)


def by_inspect(steps: int) -> list[float]:
    """One evaluation of so many turns with a model that answers at once; every step is the mean."""
    import tempfile

    from inspect_ai import eval as evaluate
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from vbench_env.integrations.inspect import vbench

    said = [ModelOutput.for_tool_call("mockllm/model", TOOL, arguments(number)) for number in range(steps)]
    for output in said:
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        (log,) = evaluate(
            vbench(max_turns=steps), model=get_model("mockllm/model", custom_outputs=said), sample_id=TASK,
            log_dir=folder, display="none",
        )  # fmt: skip
        spent = time.perf_counter() - started
    assert log.status == "success", log.error
    return [spent * 1000 / steps]


def by_verifiers(steps: int) -> list[float]:
    """One evaluation of at most `PROCESSES` steps, by an endpoint that answers at once; the times between requests."""
    import os
    import tempfile
    import threading
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    asked: list[float] = []

    class Endpoint(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(time.perf_counter())
            self.rfile.read(int(self.headers["content-length"]))
            call = json.dumps({"tool": TOOL, "args": arguments(len(asked))})
            base = {"id": "x", "created": 0, "model": "m", "object": "chat.completion.chunk"}
            said = {"index": 0, "delta": {"role": "assistant", "content": call}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            for event in ({**base, "choices": [said]}, {**base, "choices": [], "usage": usage}):
                self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")

        def log_message(self, *args: Any) -> None:
            """Silence."""

    bins = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder, ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        names = "VBenchEnv, VBenchTaskset"
        code = f"from vbench_env.integrations.verifiers import {names}\n__all__ = {names.split(', ')}\n"
        (Path(folder) / "vbench_taskset.py").write_text(code, encoding="utf-8")
        address = f"http://127.0.0.1:{server.server_port}/v1"
        command = [str(bins / "vf-eval"), "vbench-taskset", "--no-push", "--no-rich", "-m", "m"]
        command += ["--client.base-url", address, "--client.api-key-var", "NO_KEY", "-o", f"{folder}/out"]
        command += ["--select.include.names", TASK, f"--env.taskset.max-turns={min(steps, PROCESSES) + 1}"]
        variables = {**os.environ, "NO_KEY": "none", "PYTHONPATH": os.pathsep.join([folder, *sys.path])}
        variables["PATH"] = f"{bins}{os.pathsep}{os.environ.get('PATH', '')}"
        subprocess.run(command, cwd=folder, env=variables, check=True, capture_output=True)
        server.shutdown()
    return [(later - earlier) * 1000 for earlier, later in itertools.pairwise(asked)]


def by_ray(steps: int) -> list[float]:
    """One job that does nothing: what comes on top of a turn that a worker plays."""
    from vbench_env.experiments.executors import make_executor

    with make_executor("ray", 1) as executor:
        return timed(steps, lambda number: executor.run(_Nothing()))


class _Nothing:
    def __call__(self) -> None:
        return None


def measured(adapter: str, steps: int) -> dict[str, float]:
    """Medians of this interpreter: `Episode` before and after, and the adapter between."""
    first = by_episode(steps)
    found = globals()[f"by_{adapter}"](steps)
    own = statistics.median([*first, *by_episode(steps)])
    median = statistics.median(found)
    return {"episode_ms": own, "step_ms": median, "over_ms": median if adapter == "ray" else median - own}


def main() -> int:
    parser = argparse.ArgumentParser(description="Overhead per step of each integration over Episode.")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--venvs", type=Path, default=ROOT / ".venvs")
    parser.add_argument(
        "--adapter", choices=ADAPTERS, help="measure one, in this interpreter, and print JSON"
    )
    options = parser.parse_args()
    if options.adapter:
        print(json.dumps(measured(options.adapter, options.steps)))
        return 0
    print(
        f"{'integration':12} {'Episode':>9} {'step':>9} {'over it':>9}   ms, median of {options.steps} steps"
    )
    for adapter, environment in ADAPTERS.items():
        python = options.venvs / environment / "bin" / "python" if environment else Path(sys.executable)
        if not python.is_file():
            print(f"{adapter:12} not measured: {python} is not there; make test-integrations makes it")
            continue
        command = [str(python), __file__, "--adapter", adapter, "--steps", str(options.steps)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(f"{adapter:12} failed: {done.stderr.strip().splitlines()[-1:]}")
            continue
        row = json.loads(done.stdout.strip().splitlines()[-1])
        print(
            f"{adapter:12} {row['episode_ms']:9.2f} {row['step_ms']:9.2f} {row['over_ms']:9.2f}", flush=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
