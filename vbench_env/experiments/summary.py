"""Where a run stands: after each episode, and at its end (`status.json`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from vbench_env.experiments.record import EpisodeRecord, FailureRecord

StopReason = Literal[
    "complete", "owed", "provider", "interrupted", "budget_usd", "budget_tokens", "budget_wall"
]  # fmt: skip
"""`complete`: every episode has a result. `owed`: some failed for infrastructure. `provider`: every model was
given up. The others: the run was stopped before its end."""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Where a run stands."""

    total: int
    """Episodes of the plan."""
    scored: int
    """Episodes with a result, those of earlier parts of the run included."""
    failures: Mapping[str, int]
    """Failures of infrastructure in this part of the run, by kind."""
    spent_usd: float
    """Dollars known to have been spent; earlier parts count where the run has a budget."""
    assumed_usd: float
    """Dollars counted for calls whose price nobody knows."""
    tokens: int
    """Input and output tokens of this part of the run."""
    last: EpisodeRecord | None
    """The episode that has just ended; None at the start and when the run begins to stop."""
    stopping: StopReason | None = None
    """Why no further episode is begun."""

    @property
    def failed(self) -> int:
        """How many failures there were."""
        return sum(self.failures.values())


Progress = Callable[[RunProgress], None]


class RunSummary(BaseModel):
    """How a run, or this part of it, ended."""

    model_config = ConfigDict(extra="forbid")

    folder: str
    stop_reason: StopReason
    total: int
    """Episodes of the plan."""
    scored: int
    """Episodes with a result."""
    owed: int
    """Episodes without one; resuming plays them."""
    played: int
    """Episodes that ended in this part of the run."""
    failures: dict[str, int] = Field(default_factory=dict)
    """Failures of infrastructure in this part, by kind."""
    given_up: dict[str, FailureRecord] = Field(default_factory=dict)
    """Models that were left alone, with the failure that decided it."""
    spent_usd: float = 0.0
    """Dollars known to have been spent in this part (earlier parts too where the run has a budget)."""
    assumed_usd: float = 0.0
    """Dollars counted for calls whose price nobody knows."""
    unknown_calls: int = 0
    """Number of those calls."""
    tokens: int = 0
    wall_s: float = 0.0

    @property
    def complete(self) -> bool:
        return self.stop_reason == "complete"

    def write(self, folder: Path) -> None:
        """Keep it as `status.json`."""
        part = folder / "status.part"
        part.write_text(self.model_dump_json(indent=2), encoding="utf-8")
        os.replace(part, folder / "status.json")
