"""Where episodes are played: the threads of a run talk to models, workers do what needs a processor."""

from __future__ import annotations

import pickle
import threading
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from vbench_env.experiments.budget import EpisodeMeter
from vbench_env.experiments.config import RunConfig
from vbench_env.experiments.distant import DistantEpisode, Played, begin
from vbench_env.experiments.executors import Executor, JobFailure
from vbench_env.experiments.plan import Unit
from vbench_env.experiments.play import Play, Seat
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.observations import OBSERVATIONS
from vbench_env.protocol import Protocol
from vbench_env.registry import Registry
from vbench_env.tools import TOOLS


@dataclass(frozen=True, slots=True)
class EpisodeJob:
    """A whole episode of an agent that waits for nobody."""

    unit: Unit
    seat: Seat
    config: RunConfig

    def __call__(self) -> EpisodeRecord:
        return _play(self.unit, self.seat, self.config).record()


def _play(unit: Unit, seat: Seat, config: RunConfig) -> Play:
    return Play(unit, seat, config, EpisodeMeter(config.episode_budget), threading.Event())


@dataclass(frozen=True, slots=True)
class Workshop:
    """Hands episodes to an executor, as far as its workers can know what is in them."""

    executor: Executor

    def episode(self, unit: Unit, config: RunConfig) -> Played:
        """A fresh episode whose turns a worker plays, or one in this process."""
        if self.executor.workers and _known_everywhere(unit.protocol):
            return DistantEpisode(self.executor, unit, config)
        return begin(unit, config)

    def whole(self, unit: Unit, seat: Seat, config: RunConfig) -> EpisodeRecord | None:
        """The record of an offline agent's episode, played by a worker; None where this process must play it."""
        if not self.executor.workers or not seat.casting.offline:
            return None
        if not _importable(seat.casting.factory) or not _known_everywhere(unit.protocol):
            return None
        found = self.executor.run(EpisodeJob(unit, replace(seat, client=None), config))
        if isinstance(found, JobFailure):
            return _play(unit, seat, config).failed("worker", found.message)
        return found


def _importable(factory: object) -> bool:
    """Whether another process finds an agent by its name."""
    if getattr(factory, "__module__", "__main__") == "__main__":
        return False
    try:
        pickle.dumps(factory)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def _known_everywhere(protocol: Protocol) -> bool:
    """Whether another process knows all names in a protocol: ours, and those of installed plug-ins."""
    return all(_known(TOOLS, name) for name in protocol.tools) and all(
        _known(OBSERVATIONS, name) for name in protocol.feedback
    )


def _known(registry: Registry[Any], name: str) -> bool:
    entry = registry.get(name)
    home = getattr(getattr(entry, "run", entry), "__module__", "")
    return home.startswith("vbench_env.") or name in _plugged_in(registry.group or "")


@cache
def _plugged_in(group: str) -> frozenset[str]:
    return frozenset(point.name for point in entry_points(group=group))
