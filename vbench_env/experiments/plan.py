"""The plan of a run: every episode to play, in one fixed order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vbench_env.errors import ConfigError
from vbench_env.experiments.config import ModelConfig, RunConfig
from vbench_env.experiments.record import PLAIN, UnitKey
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
    """The same for every model, protocol and wording, so that they can be compared in pairs."""
    key: UnitKey
    wording: str = PLAIN

    @property
    def worded(self) -> Task:
        """The task with its instruction in the wording of this unit."""
        if self.wording == PLAIN:
            return self.task
        return replace(self.task, instruction=self.task.paraphrases[self.wording])


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
        ConfigError: two protocols of one name, or a task that lacks a wording.
    """
    corpus = _chosen(load_corpus(config.corpus), config.tasks)
    for task in corpus:
        _require_wordings(task, config.wordings)
    protocols = tuple(load_protocol(name) for name in config.protocols)
    for tool in (tool for protocol in protocols for tool in protocol.tools):
        TOOLS.get(tool)
    names = [protocol.name for protocol in protocols]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigError(f"two protocols are called {twice[0]!r}; give each a name of its own")
    units = [
        make_unit(config, task, protocol, model, sample, wording)
        for sample in range(config.samples)
        for task in corpus
        for wording in config.wordings
        for protocol in protocols
        for model in config.models
    ]
    return Plan(config, corpus, protocols, tuple(units))


def make_unit(
    config: RunConfig, task: Task, protocol: Protocol, model: ModelConfig, sample: int, wording: str = PLAIN
) -> Unit:
    """One episode with the seed that its task and sample give it."""
    task_hash = task.hash
    seed = derive_seed(config.seed, task_hash, sample)
    key = UnitKey(task_hash, protocol.name, model.name, sample, seed, wording)
    return Unit(task, protocol, model, sample, seed, key, wording)


def _require_wordings(task: Task, wordings: Sequence[str]) -> None:
    known = (PLAIN, *task.paraphrases)
    if lacking := [wording for wording in wordings if wording not in known]:
        raise ConfigError(
            f"task {task.task_id} has no wording {lacking[0]!r} (it has {', '.join(known)}); write one, or leave "
            "it out of wordings"
        )


def _chosen(corpus: Corpus, ids: Sequence[str]) -> Corpus:
    if not len(corpus):
        raise ConfigError(f"corpus {corpus.name!r} holds no tasks")
    return Corpus(corpus.name, tuple(corpus.task(name) for name in ids)) if ids else corpus
