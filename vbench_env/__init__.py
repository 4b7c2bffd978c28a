"""Surgical SVG editing as an environment: episodes, edit tools and a deterministic three-gate reward.

Importing this package registers the Gymnasium environments and does nothing else. Public names load on first
use, so that neither a model client nor a renderer comes with the import.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gymnasium.envs.registration import register, registry

if TYPE_CHECKING:
    from vbench_env.action import ToolCall
    from vbench_env.agent import Agent, AgentReply, AgentTurn
    from vbench_env.env import SvgRepairEnv
    from vbench_env.episode import Episode, Step
    from vbench_env.errors import ConfigError, InfrastructureError, TaskError, UnknownName, VBenchError
    from vbench_env.observations import Observation
    from vbench_env.protocol import Protocol, load_protocol, protocol_names
    from vbench_env.scoring import judge, score
    from vbench_env.scoring.rules import PUBLISHED, SURGICAL, Rules
    from vbench_env.scoring.scorecard import Scorecard
    from vbench_env.svg.extract import extract_svg
    from vbench_env.task import (
        Corpus,
        PublicTask,
        Repair,
        Task,
        load_corpus,
        load_task,
        task_from_published,
    )

__version__: str

_HOMES = {
    "vbench_env.action": ("ToolCall",),
    "vbench_env.agent": ("Agent", "AgentReply", "AgentTurn"),
    "vbench_env.env": ("SvgRepairEnv",),
    "vbench_env.episode": ("Episode", "Step"),
    "vbench_env.errors": ("ConfigError", "InfrastructureError", "TaskError", "UnknownName", "VBenchError"),
    "vbench_env.observations": ("Observation",),
    "vbench_env.protocol": ("Protocol", "load_protocol", "protocol_names"),
    "vbench_env.scoring": ("judge", "score"),
    "vbench_env.scoring.rules": ("PUBLISHED", "SURGICAL", "Rules"),
    "vbench_env.scoring.scorecard": ("Scorecard",),
    "vbench_env.svg.extract": ("extract_svg",),
    "vbench_env.task": (
        "Corpus", "PublicTask", "Repair", "Task", "load_corpus", "load_task", "task_from_published",
    ),
}  # fmt: skip
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "PUBLISHED", "SURGICAL", "Agent", "AgentReply", "AgentTurn", "ConfigError", "Corpus", "Episode",
    "InfrastructureError", "Observation", "Protocol", "PublicTask", "Repair", "Rules", "Scorecard", "Step",
    "SvgRepairEnv", "Task", "TaskError", "ToolCall", "UnknownName", "VBenchError", "__version__",
    "extract_svg", "judge", "load_corpus", "load_protocol", "load_task", "protocol_names", "score",
    "task_from_published",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("vbench-env")
        except PackageNotFoundError:  # a checkout on the path, not installed
            return "0+checkout"
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if "VBench/SvgRepair-v0" not in registry:
    register(
        id="VBench/SvgRepair-v0",
        entry_point="vbench_env.env:SvgRepairEnv",
        vector_entry_point="vbench_env.env:make_vector",
    )
if "VBench/SvgRepairNumeric-v0" not in registry:
    register(
        id="VBench/SvgRepairNumeric-v0",
        entry_point="vbench_env.numeric.face:NumericFace",
        vector_entry_point="vbench_env.numeric.face:make_vector",
    )
if "VBench/SvgRepairGenerated-v0" not in registry:
    register(
        id="VBench/SvgRepairGenerated-v0",
        entry_point="vbench_env.generated_env:GeneratedSvgRepairEnv",
        vector_entry_point="vbench_env.generated_env:make_vector",
    )
