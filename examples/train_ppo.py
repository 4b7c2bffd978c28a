"""Train a policy to repair drawings: MaskablePPO on generated tasks, on one CPU core in minutes.

    pip install "vbench-env[rl]"
    python examples/train_ppo.py --seeds 0 1 2 --out ppo

The policy sees the numeric face of the environment: one row of numbers for each candidate edit. One small network
scores every row, so the number of candidates does not matter to it. It trains on generated tasks of one level and is
judged on tasks of the test split, which share no seed with them, beside a random policy, the first candidate of the
list, and the heuristic agent. `ppo/curve.svg` shows all of it, `ppo/curve.json` has the numbers.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn
from vbench_agents.heuristic import apply, repairs

from vbench_env import Task, score
from vbench_env.generate import generate_task
from vbench_env.numeric import NumericFace

SLOTS, TURNS, GAMMA = 48, 3, 0.99
Policy = Callable[[dict[str, Any], np.ndarray], int]


class TaskPool(gym.Wrapper):
    """Plays a task of a list each episode, chosen by the environment's generator.

    A list that is played again and again costs no generating; a run without end would use
    `VBench/SvgRepairGenerated-v0` and pay for each new task.
    """

    def __init__(self, tasks: Sequence[Task], reward: str = "shaped") -> None:
        super().__init__(
            NumericFace("VBench/SvgRepair-v0", slots=SLOTS, max_turns=TURNS, reward=reward, gamma=GAMMA)
        )
        self.tasks, self.choose = tasks, np.random.default_rng()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:
            self.choose = np.random.default_rng(seed)
        chosen = options or {"task": self.tasks[self.choose.integers(len(self.tasks))]}
        return self.env.reset(seed=int(self.choose.integers(2**31)), options=chosen)

    def action_masks(self) -> np.ndarray:
        return self.env.action_masks()


class Rows(BaseFeaturesExtractor):
    """The candidate table, row after row."""

    def __init__(self, space: gym.spaces.Dict) -> None:
        super().__init__(space, int(np.prod(space["candidates"].shape)))
        self.flatten = nn.Flatten()

    def forward(self, observation: dict[str, torch.Tensor]) -> torch.Tensor:
        return self.flatten(observation["candidates"])


class Scorer(nn.Module):
    """One network for all candidates: a score each, and a value from what the best of them look like."""

    def __init__(self, rows: int, columns: int, width: int = 48) -> None:
        super().__init__()
        self.shape, self.latent_dim_pi, self.latent_dim_vf = (rows, columns), rows, width
        self.body = nn.Sequential(nn.Linear(columns, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.score = nn.Linear(width, 1)
        self.value = nn.Sequential(nn.Linear(2 * width, width), nn.Tanh())

    def forward(self, flat: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.body(flat.view(-1, *self.shape))
        scores = self.score(hidden).squeeze(-1)
        weights = scores.softmax(-1).unsqueeze(-1).detach()
        pooled = torch.cat([(weights * hidden).sum(1), hidden.amax(1)], dim=1)
        return scores, self.value(pooled)

    def forward_actor(self, flat: torch.Tensor) -> torch.Tensor:
        return self(flat)[0]

    def forward_critic(self, flat: torch.Tensor) -> torch.Tensor:
        return self(flat)[1]


class ScorerPolicy(MaskableMultiInputActorCriticPolicy):
    """MaskablePPO's policy with the scorer in the place of its two networks."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "features_extractor_class": Rows, "net_arch": []})

    def _build_mlp_extractor(self) -> None:
        rows, columns = self.observation_space["candidates"].shape
        self.mlp_extractor = Scorer(rows, columns)

    def _build(self, schedule: Any) -> None:
        super()._build(schedule)
        self.action_net = nn.Identity()
        self.optimizer = self.optimizer_class(self.parameters(), lr=schedule(1), **self.optimizer_kwargs)


def success(tasks: Sequence[Task], policy: Policy) -> float:
    """Share of tasks that a policy solves: all three gates."""
    env = TaskPool(tasks, "gates")
    solved = 0.0
    for number, task in enumerate(tasks):
        seen, _ = env.reset(seed=number, options={"task": task})
        over = False
        while not over:
            seen, reward, over, _, _ = env.step(policy(seen, env.action_masks()))
        solved += reward
    return solved / len(tasks)


def random_policy(generator: np.random.Generator) -> Policy:
    return lambda _, masks: int(generator.choice(np.flatnonzero(masks)))


def first_candidate(seen: dict[str, Any], masks: np.ndarray) -> int:
    """The first of the list, then submit: what the order of the candidates is worth without any learning."""
    edited = not masks[1]
    return 0 if edited or masks.sum() == 1 else 1


def heuristic_success(tasks: Sequence[Task]) -> float:
    """Share of tasks that the heuristic agent solves with as many edits as it likes."""
    finals = [apply(repairs(task.instruction, task.corrupted_svg), task.corrupted_svg) for task in tasks]
    return sum(score(task, final).reward for task, final in zip(tasks, finals, strict=True)) / len(tasks)


class Curve(BaseCallback):
    """Success on held-out tasks every `every` steps."""

    def __init__(self, tasks: Sequence[Task], every: int) -> None:
        super().__init__()
        self.tasks, self.every, self.points = tasks, every, list[tuple[int, float]]()

    def measure(self) -> None:
        def best(seen: dict[str, Any], masks: np.ndarray) -> int:
            return int(self.model.predict(seen, action_masks=masks, deterministic=True)[0])

        self.points.append((self.num_timesteps, success(self.tasks, best)))
        print(f"  {self.num_timesteps:6d} steps: {self.points[-1][1]:.1%} of held-out tasks", flush=True)

    def _on_training_start(self) -> None:
        self.measure()

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self.points[-1][0] + self.every:
            self.measure()

    def _on_step(self) -> bool:
        return True

    def _on_training_end(self) -> None:
        self.measure()


def train(
    tasks: Sequence[Task], held_out: Sequence[Task], seed: int, steps: int, every: int
) -> tuple[MaskablePPO, Curve]:
    """A policy trained for a number of steps, and its learning curve."""
    torch.set_num_threads(1)
    envs = make_vec_env(partial(TaskPool, tasks), n_envs=8, seed=seed)
    model = MaskablePPO(
        ScorerPolicy, envs, n_steps=128, batch_size=256, n_epochs=10, gamma=GAMMA, gae_lambda=0.95,
        learning_rate=lambda left: 3e-3 * max(left, 0.1), ent_coef=0.003, seed=seed, device="cpu",
    )  # fmt: skip
    curve = Curve(held_out, every)
    model.learn(steps, callback=curve)
    return model, curve


def draw(report: dict[str, Any], path: Path) -> None:
    """The learning curves and what they are compared with, as a figure."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "vbench-env"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7.2, 4.2), layout="constrained")
    for seed, points in report["curves"].items():
        axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=f"MaskablePPO, seed {seed}")
    styles = {"heuristic": "--", "first candidate": "-.", "random": ":"}
    for name, style in styles.items():
        axes.axhline(report[name], linestyle=style, color="0.35")
        axes.annotate(
            f"{name}\n{report[name]:.1%}", (1.015, report[name]), xycoords=("axes fraction", "data"), va="center",
            color="0.35", annotation_clip=False,
        )  # fmt: skip
    axes.set(xlabel="environment steps", ylabel="held-out tasks solved", ylim=(0, 1))
    axes.set_title(f"Level {report['level']}: {report['held_out']} tasks of the test split", loc="left")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.legend(loc="upper left", frameon=False)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--level", type=int, default=1)
    parser.add_argument("--tasks", type=int, default=400, help="training tasks")
    parser.add_argument("--held-out", type=int, default=200, help="test tasks")
    parser.add_argument("--steps", type=int, default=12_288, help="environment steps of each seed")
    parser.add_argument("--every", type=int, default=2_048, help="steps between two points of the curve")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--out", type=Path, default=Path("ppo"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)

    pool = [generate_task(seed, level=args.level, split="train") for seed in range(args.tasks)]
    held_out = [generate_task(seed, level=args.level, split="test") for seed in range(args.held_out)]
    report: dict[str, Any] = {
        "level": args.level, "held_out": len(held_out), "training_tasks": len(pool), "steps": args.steps,
        "random": float(np.mean([success(held_out, random_policy(np.random.default_rng(n))) for n in range(3)])),
        "first candidate": success(held_out, first_candidate), "heuristic": heuristic_success(held_out),
        "curves": {}, "seconds": {},
    }  # fmt: skip
    print({name: round(report[name], 4) for name in ("random", "first candidate", "heuristic")}, flush=True)
    for seed in args.seeds:
        print(f"seed {seed}", flush=True)
        started = time.perf_counter()
        model, curve = train(pool, held_out, seed, args.steps, args.every)
        report["curves"][str(seed)] = curve.points
        report["seconds"][str(seed)] = round(time.perf_counter() - started, 1)
        model.save(args.out / f"policy-{seed}")
        (args.out / "curve.json").write_text(json.dumps(report, indent=1) + "\n")
    draw(report, args.out / "curve.svg")
    print(json.dumps({seed: points[-1][1] for seed, points in report["curves"].items()}))


if __name__ == "__main__":
    main()
