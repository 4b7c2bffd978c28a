"""An agent of your own, played by the runner like any other: same budgets, same records, same report.

    python examples/own_agent.py [--task ID ...] [--out RUN_FOLDER]

The agent knows one trade. Where the request speaks of something too faint or too strong, it looks for two siblings
of one kind of which one is far more transparent, and makes the pair equal. In a package of yours the entry point
group `vbench_env.agents` makes it known to `vbench-env run --agent` without an import:

    [project.entry-points."vbench_env.agents"]
    pair-fader = "my_package.agents:PairFader"
"""

from __future__ import annotations

import argparse
import json
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from rich.console import Console

from vbench_env import AgentReply, AgentTurn, Protocol, PublicTask
from vbench_env.errors import ConfigError
from vbench_env.experiments.agents import AGENTS
from vbench_env.experiments.config import make_config
from vbench_env.experiments.runner import run
from vbench_env.experiments.store import RunFolder
from vbench_env.report import run_table
from vbench_env.svg.parse import Node, parse

FAINT = ("faint", "faded", "pale", "transparent", "strong")


class PairFader:
    """Makes a faded object as opaque as its neighbour of the same kind, then submits."""

    name = "pair-fader"
    control = False

    @classmethod
    def require(cls, protocol: Protocol) -> None:
        """Refuse protocols that it cannot play, before anything is run."""
        if protocol.single_shot or protocol.calls != "native":
            raise ConfigError(f"agent pair-fader needs native tool calls, and {protocol.name} has none")

    def reset(self, public: PublicTask, protocol: Protocol, seed: int) -> None:
        """Only the public part of a task comes here: its id, the request and the corrupted drawing."""
        self._wanted = any(word in public.instruction.lower() for word in FAINT)
        self._done = False

    def act(self, turn: AgentTurn) -> AgentReply:
        pair = None if self._done or not self._wanted else faded_pair(turn.observation.svg)
        self._done = True
        if pair is None:
            return reply(turn.turn, "submit", {})
        faded, opacity = pair
        return reply(turn.turn, "set_attribute", {"object": faded, "name": "opacity", "value": opacity})


def faded_pair(svg: str) -> tuple[str, str] | None:
    """The more transparent of two unlike neighbours of one kind, and the opacity of the other."""
    for parent in parse(svg).nodes:
        for one, two in pairwise(parent.children):
            levels = sorted((float(node.attrs.get("opacity", 1)), node.label) for node in (one, two))
            if one.tag == two.tag and alike(one, two) and levels[0][0] * 3 < levels[1][0]:
                return levels[0][1], f"{levels[1][0]:g}"
    return None


def alike(one: Node, two: Node) -> bool:
    """Whether two elements draw the same thing: one reference, or the same attributes but for place and opacity."""
    free = {"id", "opacity", "transform", "x", "y", "cx", "cy"}
    return {k: v for k, v in one.attrs.items() if k not in free} == {
        k: v for k, v in two.attrs.items() if k not in free
    } and "opacity" in {**one.attrs, **two.attrs}


def reply(turn: int, tool: str, args: dict[str, Any]) -> AgentReply:
    """One native tool call."""
    function = {"name": tool, "arguments": json.dumps(args)}
    return AgentReply(None, ({"id": f"call_{turn}", "type": "function", "function": function},))


AGENTS.add("pair-fader", PairFader)


def main() -> None:
    parser = argparse.ArgumentParser(description="An agent of your own, played by the runner.")
    parser.add_argument("--task", action="append", help="Task id; may be repeated.")
    parser.add_argument("--out", type=Path, help="Run folder; a temporary one by default.")
    options = parser.parse_args()
    config = make_config(
        {
            "corpus": "vbench-40",
            "tasks": options.task or ["harbor-dawn", "order-pipeline", "week-calendar"],
            "models": ["pair-fader", "noop"],
            "protocols": ["interactive-text"],
        }
    )
    with tempfile.TemporaryDirectory() as folder:
        path = options.out or Path(folder) / "run"
        run(config, path)
        Console().print(run_table(path))
        for record in RunFolder(path).episodes():
            assert record.score is not None
            repaired = [repair.object for repair in record.score.repairs if repair.passed]
            print(f"{record.task_id} {record.model}: {record.score.status}, repaired {repaired or 'nothing'}")


if __name__ == "__main__":
    main()
