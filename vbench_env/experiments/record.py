"""One line of `episodes.jsonl`: an episode with everything that was said, done, paid and decided.

A record is either a result (`reward_valid` is true and `score` is there, a model's failure included) or owed
(`reward_valid` is false and `error` says which infrastructure failed); an owed one is played again on resume.
The fields that say which come first, so that an index of a long file need not read whole lines.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from vbench_env.agent import CallRecord
from vbench_env.scoring.scorecard import Scorecard

RECORD_SCHEMA = 1

CutOff = Literal["length", "token_limit", "arguments", "document"]
"""Why an answer counts as cut off: the provider said so; it spent every token it had; tool arguments are no
JSON; a document began and did not end."""


PLAIN = "plain"
"""The wording of an instruction that every task has."""


class UnitKey(NamedTuple):
    """What makes two episodes the same piece of work."""

    task_hash: str
    protocol: str
    model: str
    sample: int
    seed: int
    wording: str = PLAIN

    @property
    def episode_id(self) -> str:
        """Sixteen hexadecimal digits; the same key has the same id in every run."""
        parts = list(self) if self.wording != PLAIN else list(self)[:-1]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


class FailureRecord(BaseModel):
    """What went wrong outside the model: nothing of it says anything about the model."""

    model_config = ConfigDict(extra="forbid")

    kind: str
    """Stable name: `rate_limit`, `server`, `connection`, `timeout`, `auth`, `quota`, `crash`, ..."""
    message: str
    """In words, less secrets."""
    fatal: bool = False
    """Whether every other call to this model would fail too."""


class EpisodeRecord(BaseModel):
    """One episode. Serialise with `line()`, read back with `EpisodeRecord.model_validate_json`."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    schema_version: Literal[1] = Field(default=1, alias="schema")
    """Version of this layout."""
    episode_id: str
    """Hash of the key: task, protocol, model, sample, seed and wording."""
    reward_valid: bool
    """Whether there is a verdict; false means unscored and owed."""
    stop_reason: str
    """Why it ended: `submit`, `answer`, `turns`, `format_errors`, `budget_usd`, ..., or `infrastructure`."""
    task_id: str
    task_hash: str
    corpus: str
    protocol: str
    rules: str
    """Rule set of `score`, the headline."""
    model: str
    """Name of the model or agent as asked for."""
    agent: str = ""
    """Agent that played."""
    control: bool = False
    """Whether the agent is a control (noop, oracle) and no model."""
    sample: int
    """Number of the sample, from 0."""
    seed: int
    """Child seed of this task and sample, the same for every model, protocol and wording."""
    wording: str = PLAIN
    """Which wording of the instruction the agent got: `plain`, or the name of a paraphrase."""
    started_at: str
    """UTC, ISO 8601."""
    wall_s: float
    """Seconds from reset to verdict, waits included."""
    messages: list[dict[str, Any]] = Field(default_factory=list)
    """The whole conversation in OpenAI form; pictures as `pictures/<sha256>.png`."""
    calls: list[CallRecord] = Field(default_factory=list)
    """Every request to a model, in order."""
    events: list[dict[str, Any]] = Field(default_factory=list)
    """One entry a turn or tool call: turn, action, result, error, document and preview hash."""
    final_svg: str | None = None
    """The text that was scored; None when the model gave none."""
    score: Scorecard | None = None
    """Verdict under `rules`; None when owed."""
    other_scores: list[Scorecard] = Field(default_factory=list)
    """Verdicts under the other rule sets."""
    cut_off: list[CutOff] = Field(default_factory=list)
    """Why an answer was probably cut off; empty when none was."""
    usage: dict[str, int] | None = None
    """Tokens over all calls (`prompt_tokens`, `completion_tokens`); None when no provider sent any."""
    cost_usd: float | None = None
    """Dollars over all calls; None when one of them is unknown."""
    error: FailureRecord | None = None
    """The failure that left it unscored, or that ended it early."""
    versions: dict[str, str] = Field(default_factory=dict)

    @property
    def key(self) -> UnitKey:
        return UnitKey(self.task_hash, self.protocol, self.model, self.sample, self.seed, self.wording)

    @property
    def owed(self) -> bool:
        """Whether a resumed run must play it again."""
        return not self.reward_valid

    @property
    def scorecards(self) -> dict[str, Scorecard]:
        """Verdicts by rule set."""
        cards = [] if self.score is None else [self.score]
        return {card.rules: card for card in [*cards, *self.other_scores]}

    def line(self) -> str:
        """The record as one line of JSON, without the line end."""
        return self.model_dump_json(by_alias=True)
