"""What a repair accepts beside its target, as data: `range`, `interval`, `choice`."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

Radius = float


class Accept(BaseModel):
    """Further right values of one repair. A value that any of them takes in is right, the tolerance aside."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    range: tuple[float, float] | None = None
    """Least and greatest number."""
    interval: tuple[Any, Radius] | Radius | None = None
    """`radius`, about the target, or `[middle, radius]`; of a list of numbers each counts, of colours the CIE76
    distance."""
    choice: tuple[Any, ...] | None = Field(default=None, min_length=1)
    """Values, each as it is."""

    @property
    def radius(self) -> float | None:
        """How far from the middle of the interval a value may be."""
        return self.interval[1] if isinstance(self.interval, tuple) else self.interval

    @property
    def middle(self) -> Any:
        """The middle of the interval; None stands for the target."""
        return self.interval[0] if isinstance(self.interval, tuple) else None

    @model_validator(mode="after")
    def _sound(self) -> Accept:
        if self.range is None and self.interval is None and self.choice is None:
            raise ValueError("give range, interval or choice")
        if self.range is not None and not self.range[0] <= self.range[1]:
            raise ValueError(f"range is [least, greatest], not {list(self.range)}")
        if self.radius is not None and not self.radius > 0:
            raise ValueError("the radius of an interval is greater than 0")
        return self


def parse_accept(value: Any) -> Accept:
    """Accepted values as data; a `pydantic.ValidationError` says what is wrong."""
    return Accept.model_validate(value)
