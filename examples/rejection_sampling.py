"""Rejection sampling: many attempts at each task, the best one kept, as chats to fine-tune a model on.

    python examples/rejection_sampling.py --tasks 12 --samples 8 --out sft.jsonl
    python examples/rejection_sampling.py --model openai/gpt-5-mini --samples 4 --out sft.jsonl

Without `--model` an offline agent tries: it draws from the candidate edits of the numeric face, the likelier the more
often. Any agent of `vbench-env run` or any model that litellm knows may take its place. The tasks are generated ones
of the train split. Of the attempts at a task the best is kept if it passes all three gates; of equally good ones the
shortest. Each line of the result is one conversation (`messages`, `tools`) in the form that trainers take.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from vbench_env import AgentReply, AgentTurn, Protocol, PublicTask
from vbench_env.experiments.agents import AGENTS
from vbench_env.experiments.config import make_config
from vbench_env.experiments.runner import run
from vbench_env.experiments.store import RunFolder
from vbench_env.exporters.rows import Row, trajectories
from vbench_env.generate.corpus import Order, Tally, generate_many, write_folder
from vbench_env.numeric import propose


class Sampler:
    """Draws one of the candidate edits, applies it and submits; its seed decides which."""

    name = "sampler"
    control = False
    offline = True

    def reset(self, public: PublicTask, protocol: Protocol, seed: int) -> None:
        candidates = propose(public.instruction, public.corrupted_svg).candidates
        weights = np.exp([2 * candidate.prior for candidate in candidates])
        random = np.random.default_rng(seed)
        self._call = (
            candidates[random.choice(len(candidates), p=weights / weights.sum())].call if candidates else None
        )

    def act(self, turn: AgentTurn) -> AgentReply:
        call, self._call = self._call or {"tool": "submit", "args": {}}, None
        function = {"name": call["tool"], "arguments": json.dumps(call["args"])}
        return AgentReply(None, ({"id": f"call_{turn.turn}", "type": "function", "function": function},))


AGENTS.add("sampler", Sampler)


def best(rows: Iterable[Row], least: float) -> list[dict[str, Any]]:
    """For each task its best attempt, the shortest of equals, if it is worth at least `least`."""
    chosen: dict[str, dict[str, Any]] = {}
    for row in rows:
        known = chosen.get(row.data["task"])
        if known is None or _worth(row.data) > _worth(known):
            chosen[row.data["task"]] = row.data
    return [chosen[task] for task in sorted(chosen) if chosen[task]["progress"] >= least]


def _worth(row: dict[str, Any]) -> tuple[float, int]:
    return row["progress"], -row["turns"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", default="sampler", help="an agent, or any model name of litellm")
    parser.add_argument("--level", type=int, default=1)
    parser.add_argument("--tasks", type=int, default=6)
    parser.add_argument("--samples", type=int, default=6, help="attempts at each task")
    parser.add_argument(
        "--least", type=float, default=1.0, help="least progress that is kept; 1 is all gates"
    )
    parser.add_argument("--out", type=Path, help="JSON lines; only counted when left out")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpus, path = Path(folder) / "tasks", Path(folder) / "run"
        write_folder(
            generate_many(Order(args.tasks, seed=1, level=args.level, split="train"), Tally()), corpus
        )
        settings = {"corpus": str(corpus), "models": [args.model], "samples": args.samples}
        run(make_config({**settings, "protocols": ["interactive-text"], "executor": "inline"}), path)
        rows = list(trajectories(RunFolder(path)))
    kept = best(rows, args.least)
    print(
        f"{sum(row.data['reward'] for row in rows):.0f} of {len(rows)} attempts pass, {len(kept)} of {args.tasks} tasks"
    )
    if args.out:
        columns = ("messages", "tools", "task", "model", "sample", "turns", "progress")
        lines = [json.dumps({name: row[name] for name in columns}, ensure_ascii=False) for row in kept]
        args.out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
