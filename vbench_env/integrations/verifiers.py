"""verifiers: a taskset and an environment for `vf-eval` and the trainers that take it (`verifiers.v1`).

verifiers finds a taskset by the name of a top-level module; two lines make one:

    from vbench_env.integrations.verifiers import VBenchEnv, VBenchTaskset
    __all__ = ["VBenchEnv", "VBenchTaskset"]

The environment answers each message of the model with the episode's own, pictures included. It plays protocols in
which calls are text (`interactive-text-json`, or one of your own that extends it) and single-shot ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from vbench_env.errors import ConfigError, InfrastructureError, MissingExtra
from vbench_env.integrations.session import Session, Source, SourceConfig

try:
    import verifiers.v1 as vf
except ImportError as error:
    raise MissingExtra("verifiers", error) from error

__all__ = ["VBenchEnv", "VBenchTaskset"]

METRICS = ("valid", "repaired", "preserved", "edit_completion", "repair_progress", "turns")


class VBenchConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which episodes, under `--env.taskset.*`."""

    corpus: str = "vbench-40"
    """Name or folder of the corpus."""
    split: str | None = None
    """`train` or `test` part of it."""
    protocol: str = "interactive-text-json"
    """A protocol whose calls are text, or a single-shot one."""
    rules: str | None = None
    """Headline rule set; the protocol's when None."""
    reward: str = "gates"
    """`gates`, `progress` or `shaped`."""
    max_turns: int | None = None
    """Turn budget; the protocol's when None."""
    preview_size: int | None = None
    """Side of pictures in pixels."""
    seed: int = 0
    """Names the episodes; nothing in them is random."""


class VBenchData(vf.TaskData):  # type: ignore[misc]
    """A task's public part, and what its episode is made of."""

    source: dict[str, Any]
    """Fields of `SourceConfig`."""
    seed: int = 0


class VBenchTask(vf.Task[VBenchData, vf.State, vf.TaskConfig]):  # type: ignore[misc]
    """One drawing to repair."""


class VBenchEnvConfig(vf.EnvConfig):  # type: ignore[misc]
    """Who plays, under `--env.player.*`: by default a model without tools of its own, in a plain process."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class VBenchTaskset(vf.Taskset[VBenchTask, VBenchConfig]):  # type: ignore[misc]
    """The tasks of a corpus under a protocol."""

    def load(self) -> Iterable[VBenchTask]:
        settings = self.config.model_dump(include=set(SourceConfig.model_fields))
        source, seed = source_of(SourceConfig(**settings)), self.config.seed
        for task in source.tasks:
            session = Session(source)
            session.begin(task=task.task_id, seed=seed)
            assert session.episode is not None
            first = session.episode.messages[-1]
            prompt = [vf.UserMessage.model_validate({"role": "user", "content": first["content"]})]
            data = VBenchData(
                name=task.task_id, id=task.task_id, prompt=prompt, system_prompt=session.system, source=settings,
                seed=seed,
            )  # fmt: skip
            yield VBenchTask(data, self.config.task)


class VBenchEnv(vf.Env[VBenchEnvConfig]):  # type: ignore[misc]
    """Plays one episode against the player; the verdict goes on the player's trace."""

    async def run(self, task: Any, agents: Any) -> None:
        session = Session(source_of(SourceConfig(**task.data.source)))
        await asyncio.to_thread(session.begin, task=task.data.id, seed=task.data.seed)
        episode = session.episode
        assert episode is not None
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                message = {
                    "role": "assistant",
                    "content": segment.last_reply,
                    "finish_reason": _reason(interaction),
                }
                await asyncio.to_thread(session.play, message)
                if episode.done:
                    break
                answers = [said for said in episode.info()["messages"] if said["role"] == "user"]
                segment = await interaction.turn(answers)
        if interaction.trace.has_error and not episode.done:
            return  # the endpoint failed, and the trace says so: that is worth no reward, not 0
        outcome = await asyncio.to_thread(session.outcome, "no_more_messages")
        if not outcome.reward_valid:
            raise InfrastructureError(f"the episode has no verdict: {outcome.failure}")
        trace, summary = interaction.trace, outcome.summary()
        trace.record_reward("vbench", outcome.reward, 1.0)
        trace.record_metrics({name: float(summary[name]) for name in METRICS if name in summary})
        trace.info["vbench"] = {**summary, "final_svg": outcome.final_svg}


def _reason(interaction: Any) -> str | None:
    """Why the model's last message ended."""
    calls = [call for call in interaction.trace.calls if call.error is None]
    return str(calls[-1].finish_reason) if calls and calls[-1].finish_reason else None


@lru_cache(maxsize=8)
def source_of(config: SourceConfig) -> Source:
    """The tasks of a configuration, loaded once a process.

    Raises:
        ConfigError: its protocol has native tool calls.
    """
    source = Source(config)
    if source.protocol.calls == "native" and not source.protocol.single_shot:
        advice = "choose interactive-text-json, one of your own that extends it, or a single-shot one"
        raise ConfigError(
            f"verifiers plays text, and protocol {source.protocol.name} calls tools natively; {advice}"
        )
    return source
