"""Verdicts as a published row records them, whatever the spelling and nesting of its names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError


class RecordedCheck(BaseModel):
    """One requested repair as the published evaluator judged it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    part: str
    attribute: str
    passed: bool | None = None
    comparison: str | None = None
    distance: float | None = None
    tolerance: float | None = None
    baseline_distance: float | None = None
    progress: float | None = None


class Recorded(BaseModel):
    """What a row says beside its text. `has` tells a recorded null from what the row lacks."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: str | None = None
    reward: int | None = None
    validity_pass: bool | None = None
    repair_pass: bool | None = None
    preservation_pass: bool | None = None
    near_pass: bool | None = None
    source_preservation_pass: bool | None = None
    target_match: bool | None = None
    edit_completion: float | None = None
    repair_progress: float | None = None
    unintended_change_rate: float | None = None
    finish_reason: str | None = None
    cost_usd: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    checks: tuple[RecordedCheck, ...] | None = None

    def has(self, name: str) -> bool:
        """Whether the row records a value of this field."""
        return name in self.model_fields_set and getattr(self, name) is not None


def recorded_of(values: Mapping[str, Any]) -> Recorded:
    """The verdict of a flat row, in part from objects inside it whatever their names.

    A field whose value has another type counts as not recorded.
    """
    kept: dict[str, Any] = {}
    for source in (values, *(flat(inner) for inner in values.values() if isinstance(inner, Mapping))):
        for name in Recorded.model_fields.keys() & source.keys() - kept.keys():
            kept[name] = source[name]
    if isinstance(kept.get("checks"), list):
        kept["checks"] = [flat(check) if isinstance(check, Mapping) else check for check in kept["checks"]]
    while True:
        try:
            return Recorded.model_validate(kept)
        except ValidationError as error:
            for name in {str(item["loc"][0]) for item in error.errors()}:
                del kept[name]


_NESTED = frozenset("evaluation score scores scoring verdict verdicts gates metrics result response".split())


def flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with snake-case names, nested verdicts lifted to the top; what stands at the top wins."""
    found: dict[str, Any] = {}
    inner: list[Mapping[str, Any]] = []
    for key, value in row.items():
        name = _CAMEL.sub("_", str(key)).replace("-", "_").lower()
        if name in _NESTED and isinstance(value, Mapping):
            inner.append(value)
        else:
            found[name] = value
    for mapping in inner:
        found = {**flat(mapping), **found}
    return found


_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
