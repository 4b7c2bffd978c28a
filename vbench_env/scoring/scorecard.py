"""What a score says: three gates, every requested repair, and everything else that changed."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SCORECARD_VERSION = 1

Status = Literal["PASS", "SIDE_EFFECTS", "NEAR", "PARTIAL", "FAIL", "INVALID", "ERR"]
Subtype = Literal[
    "added_object", "deleted_object", "deleted_definition", "reorder", "nesting", "geometry", "path_rewrite",
    "paint", "text", "reference", "metadata", "root",
]  # fmt: skip
FailureClass = Literal["untouched", "wrong_value", "wrong_object", "overshoot"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ValidityFault(_Record):
    """One reason for an invalid verdict."""

    kind: str
    """Stable name: `malformed`, `limit`, `root`, `id`, `reference`, `number`, `color`, `security`, ..."""
    message: str
    """What is wrong, in words."""
    place: str | None = None
    """Id or structural path of the element."""
    limit: str | None = None
    """Name of the limit that was crossed."""
    line: int | None = None
    """1-based source line."""


class RepairResult(_Record):
    """One requested repair against its tolerance."""

    object: str
    operation: str
    property: str
    passed: bool
    """Within tolerance, in a valid document."""
    distance: float | None = None
    """From the candidate's value to the target's; None where it cannot be measured."""
    tolerance: float | None = None
    baseline: float | None = None
    """From the corrupted value to the target's (delta)."""
    unit: str = "user units"
    progress: float | None = 0.0
    """1 - distance / baseline, clipped to [0, 1]; exact checks give 0 or 1."""
    comparison: str = "exact"
    """How it was measured: `number`, `color`, `points`, `path-shape`, `path-numbers`, `exact`, ..."""
    corrupted: Any = None
    target: Any = None
    found: Any = None
    failure: FailureClass | None = None
    """Why it was not reached; None when it was."""


class Change(_Record):
    """One thing outside the requested repairs that differs from the target."""

    object: str
    """Id or structural path, in the target where the object is there, else in the candidate."""
    subtype: Subtype
    detail: str = ""
    """Property or reason, in words."""
    before: str | None = None
    after: str | None = None
    protected: bool = False


class Scorecard(_Record):
    """The verdict on one candidate under one rule set."""

    schema_version: int = SCORECARD_VERSION
    task_id: str | None = None
    kind: str = "repair"
    """Kind of the task; it says what the repair and preservation gates ask."""
    reference: str = "target"
    """What it was held against: the target, or the name of the further solution that it is nearest to."""
    rules: str
    reward: int
    """1 when all three gates pass, else 0."""
    valid: bool
    repaired: bool
    preserved: bool
    status: Status
    near: bool = False
    edit_completion: float = 0.0
    """Share of requested repairs that passed."""
    repair_progress: float = 0.0
    """Mean progress over the requested repairs, in [0, 1]."""
    preservation: float | None = None
    """Share of protected objects unchanged; None where nothing could be read."""
    unintended_change_rate: float | None = None
    """Share of protected objects that differ; None for an unreadable document (1.0 for no text at all)."""
    source_preservation: bool = False
    target_match: bool = False
    faults: tuple[ValidityFault, ...] = ()
    repairs: tuple[RepairResult, ...] = ()
    changes: tuple[Change, ...] = ()
    localisation_precision: float | None = None
    localisation_recall: float | None = None
    edit_cost_start: float | None = Field(default=None)
    """Levenshtein distance to the corrupted text over the longer length, in [0, 1]; None when not asked for."""
    edit_cost_target: float | None = Field(default=None)
    graded: float | None = None
    """A reward from 0 to 1, where the kind of task has one that is finer than all or nothing."""
    measures: dict[str, float] = Field(default_factory=dict)
    """Further measures by name, of the kind of task; none of them decides."""

    @property
    def passed(self) -> bool:
        return self.reward == 1
