"""The plan of a run: every episode to play, in one fixed order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vbench_env.errors import ConfigError
from vbench_env.experiments.config import ModelConfig, RunConfig
from vbench_env.experiments.record import UnitKey
from vbench_env.protocol import Protocol, load_protocol
from vbench_env.seeding import derive_seed
from vbench_env.task import Corpus, Task, load_corpus
from vbench_env.tools import TOOLS


@dataclass(frozen=True, slots=True)
class Unit:
    """One episode to play."""

    task: Task
    protocol: Protocol
    model: ModelConfig
    sample: int
    seed: int
    """The same for every model and protocol, so that they can be compared in pairs."""
    key: UnitKey


@dataclass(frozen=True, slots=True)
class Plan:
    """All episodes of a run and what they were made of."""

    config: RunConfig
    corpus: Corpus
    """The tasks that are played, under the name of their corpus."""
    protocols: tuple[Protocol, ...]
    units: tuple[Unit, ...]


def make_plan(config: RunConfig) -> Plan:
    """Expand a configuration.

    Samples vary slowest, then tasks, so that a run cut short has played every task and model as evenly as it
    can.

    Raises:
        UnknownName: a corpus, task, protocol or tool that is not there.
        ConfigError: two protocols of one name.
    """
    corpus = _chosen(load_corpus(config.corpus), config.tasks)
    protocols = tuple(load_protocol(name) for name in config.protocols)
    for tool in (tool for protocol in protocols for tool in protocol.tools):
        TOOLS.get(tool)
    names = [protocol.name for protocol in protocols]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigError(f"two protocols are called {twice[0]!r}; give each a name of its own")
    units = [
        make_unit(config, task, protocol, model, sample)
        for sample in range(config.samples)
        for task in corpus
        for protocol in protocols
        for model in config.models
    ]
    return Plan(config, corpus, protocols, tuple(units))


def make_unit(config: RunConfig, task: Task, protocol: Protocol, model: ModelConfig, sample: int) -> Unit:
    """One episode with the seed that its task and sample give it."""
    task_hash = task.hash
    seed = derive_seed(config.seed, task_hash, sample)
    return Unit(
        task, protocol, model, sample, seed, UnitKey(task_hash, protocol.name, model.name, sample, seed)
    )


def _chosen(corpus: Corpus, ids: Sequence[str]) -> Corpus:
    if not len(corpus):
        raise ConfigError(f"corpus {corpus.name!r} holds no tasks")
    return Corpus(corpus.name, tuple(corpus.task(name) for name in ids)) if ids else corpus
