"""Scoring an episode: both rule sets, and the three kinds of reward.

The judge is the only part of an episode that knows the hidden target. It answers with numbers and scorecards
after the end; before it, only the potential of the shaped reward is asked for, which is meant for training.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from vbench_env.errors import ConfigError
from vbench_env.scoring.rules import RULE_SETS, Rules, get_rules
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.svg.document import SourceDocument
from vbench_env.task import Task

RewardKind = Literal["gates", "progress", "shaped"]
REWARD_KINDS: tuple[RewardKind, ...] = ("gates", "progress", "shaped")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What scoring says of a final text; `failure` is the reason why it could say nothing."""

    scorecards: dict[str, Scorecard] = field(default_factory=dict)
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Potential:
    """Where the shaped reward stands: the document measured last (None after the end) and its potential."""

    document: SourceDocument | None = None
    value: float = 0.0
    failure: str | None = None
    """Why the document could not be measured; `value` is then the one before."""


@dataclass(frozen=True, slots=True, repr=False)
class Judge:
    """The scorer of one task under one headline rule set."""

    task: Task
    rules: Rules
    reward: RewardKind = "gates"
    gamma: float = 1.0

    @classmethod
    def of(cls, task: Task, rules: str | Rules, reward: str, gamma: float) -> Judge:
        """Checked settings; `ConfigError` says what is wrong with them."""
        for kind in REWARD_KINDS:
            if kind == reward:
                break
        else:
            raise ConfigError(f"reward must be one of {', '.join(REWARD_KINDS)}, not {reward!r}")
        if not 0 <= gamma <= 1:
            raise ConfigError(f"gamma must be between 0 and 1, not {gamma}")
        return cls(task, get_rules(rules), kind, gamma)

    def __repr__(self) -> str:
        return f"Judge({self.task.task_id!r}, rules={self.rules.name!r}, reward={self.reward!r})"

    def verdict(self, svg: str | None) -> Verdict:
        """Scorecards of a final text under the headline rules and both named rule sets, never raising."""
        from vbench_env.scoring import score

        chosen = {self.rules.name: self.rules, **RULE_SETS}
        try:
            return Verdict({name: score(self.task, svg, rules) for name, rules in chosen.items()})
        except Exception as error:  # whatever it is, the episode is unscored, not worth 0
            return Verdict(failure=f"scorer: {type(error).__name__}: {error}")

    def final_reward(self, verdict: Verdict) -> float:
        """The reward of the last step, without shaping; 0.0 when there is no verdict."""
        card = verdict.scorecards.get(self.rules.name)
        if card is None:
            return 0.0
        return progress(card) if self.reward == "progress" else float(card.reward)

    def potential(self, document: SourceDocument | None, before: Potential) -> Potential:
        """Potential of a document in [0, 1]: its progress under the headline rules; 0 after the end."""
        from vbench_env.scoring import score

        if document is None:
            return Potential()
        if document is before.document:
            return replace(before, failure=None)
        try:
            return Potential(document, progress(score(self.task, document.text, self.rules)))
        except Exception as error:  # an unscored step must not look like a bad one
            return Potential(document, before.value, f"scorer: {type(error).__name__}: {error}")


def progress(card: Scorecard) -> float:
    """Mean progress of the repairs, times the share of protected objects kept; 0 for an invalid document.

    At most 0.99 unless all three gates pass. A kind of task with a finer reward of its own has that instead.
    """
    if card.graded is not None:
        return card.graded
    if card.passed:
        return 1.0
    if not card.valid:
        return 0.0
    kept = 1.0 if card.preservation is None else card.preservation
    return min(0.99, card.repair_progress * kept)
