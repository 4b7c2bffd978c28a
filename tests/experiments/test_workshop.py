"""Episodes played by workers are the episodes that this process would have played, byte by byte."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from vbench_agents.noop import NoopAgent

from tests.experiments.conftest import COLOURS, config, rows, target_for, task_of
from tests.fake_openai import FakeOpenAI, Reply, failing
from vbench_env.experiments.agents import AGENTS
from vbench_env.experiments.distant import Action, DistantEpisode, TurnJob, begin
from vbench_env.experiments.executors.inline import InlineExecutor
from vbench_env.experiments.executors.processes import ProcessExecutor
from vbench_env.experiments.plan import make_plan
from vbench_env.experiments.runner import run
from vbench_env.experiments.store import RunFolder
from vbench_env.experiments.workshop import Workshop
from vbench_env.tools import TOOLS, ToolResult
from vbench_env.tools.base import Arguments, tool

POOL: dict[str, Any] = {"executor": "processes", "workers": 2}
INLINE: dict[str, Any] = {"executor": "inline"}
TIMES = {"started_at", "wall_s", "latency_s"}


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if key not in TIMES}
    return [timeless(item) for item in value] if isinstance(value, list) else value


def lines(folder: Path) -> list[str]:
    """Rows without times, in the order of their ids."""
    return sorted(json.dumps(timeless(json.loads(r.line()))) for r in RunFolder(folder).episodes())


def calls(*wanted: tuple[str, dict[str, Any]]) -> Reply:
    named = [{"name": name, "arguments": json.dumps(args)} for name, args in wanted]
    told = [{"id": f"c{n}", "type": "function", "function": one} for n, one in enumerate(named)]
    return Reply(None, tool_calls=told, finish_reason="tool_calls")


def model(body: dict[str, Any], seen: int) -> Reply:
    """Answers at once where there are no tools; else looks, paints, makes a mistake, submits."""
    number = task_of(body)
    if not body.get("tools"):
        return Reply(target_for(body)) if number else Reply("no drawing \ud800 here")
    paint = {"object": f"sun-{number}", "name": "fill", "value": COLOURS[number]}
    turns = [
        calls(("list_objects", {}), ("set_attribute", paint)),
        Reply("I forgot to call a tool."),
        calls(("set_attribute", {**paint, "object": "moon"})),
        calls(("submit", {})),
    ]
    return turns[sum(message["role"] == "assistant" for message in body["messages"])]


def test_workers_change_no_byte(corpus, tmp_path):
    protocols = ["single-shot", "interactive-text", "interactive-raster", "interactive-feedback"]
    with FakeOpenAI(model) as server:
        wanted = {
            "protocols": protocols,
            "models": [{"name": "openai/m", "vision": True}],
            "tasks": ["t0", "t1"],
        }
        assert run(config(corpus, server, **wanted, **INLINE), tmp_path / "near").complete
        assert run(config(corpus, server, **wanted, **POOL), tmp_path / "far").complete
    assert lines(tmp_path / "near") == lines(tmp_path / "far")
    assert len(lines(tmp_path / "far")) == 8
    near, far = ({path.name for path in (tmp_path / side / "pictures").iterdir()} for side in ("near", "far"))
    assert near == far


def test_an_owed_episode_says_as_much_of_what_was_done(corpus, tmp_path):
    def breaks(body: dict[str, Any], seen: int) -> Reply:
        return failing(500) if len(body["messages"]) > 3 else model(body, seen)

    with FakeOpenAI(breaks) as server:
        wanted = {"protocols": ["interactive-text"], "tasks": ["t1"]}
        assert run(config(corpus, server, **wanted, **INLINE), tmp_path / "near").owed == 1
        assert run(config(corpus, server, **wanted, **POOL), tmp_path / "far").owed == 1
    assert lines(tmp_path / "near") == lines(tmp_path / "far")
    (record,) = rows(tmp_path / "far").values()
    assert "green" in record.final_svg
    assert len(record.events) == 2


def test_an_episode_that_a_spent_budget_ends_is_scored_by_a_worker(corpus, tmp_path):
    with FakeOpenAI(model) as server:
        wanted = {"protocols": ["interactive-text"], "tasks": ["t1"], "episode_budget": {"tokens": 15}}
        run(config(corpus, server, **wanted, **POOL), tmp_path / "run")
    (record,) = rows(tmp_path / "run").values()
    assert (record.stop_reason, record.score.passed) == ("budget_tokens", True)


def test_offline_agents_are_played_whole_by_workers_with_the_same_rows(corpus, tmp_path):
    wanted = {"models": ["noop", "oracle", "heuristic"], "protocols": ["single-shot", "interactive-text"]}
    run(config(corpus, **wanted, **INLINE), tmp_path / "near")
    assert run(config(corpus, **wanted, **POOL), tmp_path / "far").complete
    assert lines(tmp_path / "near") == lines(tmp_path / "far")
    assert len(lines(tmp_path / "far")) == 24


def test_workers_that_are_killed_again_and_again_cost_no_episode(corpus, tmp_path):
    killed: list[int] = []
    lock = threading.Lock()

    def murderous(body: dict[str, Any], seen: int) -> Reply:
        with lock:
            if len(server) in due and (found := workers()):
                os.kill(found[0], signal.SIGKILL)
                killed.append(found[0])
        return model(body, seen)

    wanted = {"protocols": ["interactive-text"], "samples": 3}
    with FakeOpenAI(murderous) as server:
        due: set[int] = set()
        run(config(corpus, server, **wanted, **INLINE), tmp_path / "near")
        due |= {len(server) + count for count in (6, 13, 20)}
        summary = run(config(corpus, server, **wanted, **POOL), tmp_path / "far")
    assert len(killed) >= 2
    assert summary.complete
    assert lines(tmp_path / "near") == lines(tmp_path / "far")


def workers() -> list[int]:
    """Worker processes that this one started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes()
        except (OSError, ValueError):
            continue
        if parent == os.getpid() and b"executors.worker" in command:
            found.append(int(folder.name))
    return found


def test_a_turn_is_played_again_where_it_is_not_remembered(corpus):
    wanted = config(corpus, protocols=["interactive-text"])
    (unit, *_) = make_plan(wanted).units
    near, far = begin(unit, wanted), DistantEpisode(InlineExecutor(), unit, wanted)
    messages: list[Any] = ['{"tool": "validate", "args": {}}', "no call", {"tool": "submit", "args": {}}]
    for count, message in enumerate(messages, start=1):
        assert far.messages == near.messages
        assert far.observe() == near.observe()
        assert far.step(message).info["messages"] == near.step(message).info["messages"]
        alone = TurnJob(unit, wanted, tuple(Action(message) for message in messages[:count]))()
        assert (alone.messages, alone.observation, alone.done) == (near.messages, near.observe(), near.done)
    assert far.events == near.events
    assert (far.stop_reason, far.final_svg, far.rules) == (near.stop_reason, near.final_svg, near.rules)
    assert far.scorecards == near.scorecards != {}


class Nothing(Arguments):
    """No arguments."""


def test_what_only_this_process_knows_is_played_by_it(corpus, tmp_path):
    @tool("blink", "look", Nothing)
    def blink(context: Any, arguments: Nothing) -> ToolResult:
        """Look again."""
        return ToolResult("blinked", context.document)

    class Local(NoopAgent):
        """Cannot be imported by its name."""

    AGENTS.add("local-noop", Local)
    protocol = tmp_path / "blinking.yaml"
    protocol.write_text("extends: interactive-text\ntools+: [blink]\n")
    try:
        wanted = config(
            corpus, models=["local-noop", "noop"], protocols=[str(protocol), "single-shot"], **POOL
        )
        assert run(wanted, tmp_path / "run").complete
        plan = make_plan(wanted)
        with ProcessExecutor(1) as pool:
            shop = Workshop(pool)
            kinds = {u.protocol.name: type(shop.episode(u, wanted)).__name__ for u in plan.units}
        assert kinds == {"blinking": "Episode", "single-shot": "DistantEpisode"}
    finally:
        del TOOLS._entries["blink"], AGENTS._entries["local-noop"]


def test_an_agent_that_breaks_leaves_its_episode_owed_with_the_reason(corpus, tmp_path, monkeypatch):
    class Broken(NoopAgent):
        offline = False

        def act(self, turn: Any) -> Any:
            raise RuntimeError("out of ideas")

    monkeypatch.setitem(AGENTS._entries, "broken", Broken)
    summary = run(config(corpus, models=["broken"], tasks=["t0"], **POOL), tmp_path / "run")
    (record,) = rows(tmp_path / "run").values()
    assert summary.owed == 1
    assert record.error.kind == "crash"
    assert "out of ideas" in record.error.message


@pytest.mark.parametrize(("workers", "episodes", "kind"), [(0, 4, "inline"), (1, 48, "inline"), (4, 4, "inline"),
                                                           (2, 48, "processes")])  # fmt: skip
def test_workers_are_started_where_there_is_enough_to_do(corpus, workers, episodes, kind):
    from vbench_env.experiments import runner

    wanted = config(corpus, samples=episodes // 4, workers=workers)
    with runner._executor(wanted, make_plan(wanted).units) as executor:
        assert executor.name == kind
        assert executor.workers in (0, 2)
