"""Values that a task accepts beside its target: a range, an interval, one of several choices."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from vbench_env.accept import Accept, parse_accept
from vbench_env.errors import TaskError
from vbench_env.scoring.outcome import Outcome
from vbench_env.svg.colors import Color, delta_e76
from vbench_env.svg.resolve import ResolveOptions, Value, attribute_value, property_value
from vbench_env.svg.schema import PRESENTATION
from vbench_env.task import Repair

_OPTIONS = ResolveOptions()


def accepted(repair: Repair, tag: str, outcome: Outcome, found: Value, target: Value) -> Outcome:
    """The outcome of a missed check, passed where the task accepts what was found.

    Args:
        repair: says what it accepts.
        tag: of the target's object.
        outcome: of the check against the target.
        found: the candidate's value in normal form.
        target: the target's, the middle of an interval that names none.
    """
    accept = accept_of(repair)
    if found is None or not any(
        (
            accept.range is not None and _between(found, *accept.range),
            accept.radius is not None and _near(found, _middle(accept, tag, repair, target), accept.radius),
            accept.choice is not None
            and any(_same(found, tag, repair.property, value) for value in accept.choice),
        )
    ):
        return outcome
    return replace(outcome, passed=True, progress=1.0, comparison="accepted")


def accept_of(repair: Repair) -> Accept:
    """What a repair accepts; `TaskError` when it says so in no known way."""
    try:
        return parse_accept(repair.accept)
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise TaskError(f"accept of {repair.property} of {repair.object!r}: {reason}") from error


def given_value(tag: str, name: str, value: Any) -> Value:
    """A value told by a repair (number, text, list) in normal form; None where there is none."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, list | tuple):
        flat = [part for pair in value for part in (pair if isinstance(pair, list | tuple) else [pair])]
        value = " ".join(map(str, flat))
    text = str(value)
    if name in PRESENTATION:
        return property_value(name, text, False, "css")
    return attribute_value(tag, name, text, _OPTIONS)


def _middle(accept: Accept, tag: str, repair: Repair, target: Value) -> Value:
    return target if accept.middle is None else given_value(tag, repair.property, accept.middle)


def _between(found: Value, low: float, high: float) -> bool:
    number = _number(found)
    return number is not None and low <= number <= high


def _near(found: Value, middle: Value, radius: float) -> bool:
    if type(found) is Color and type(middle) is Color:
        return found.alpha == middle.alpha and delta_e76(found.rgb, middle.rgb) <= radius
    if type(found) is tuple and type(middle) is tuple and len(found) == len(middle) and found[0] == "list":
        pairs = list(zip(found[1:], middle[1:], strict=True))
        return all(type(a) is type(b) is float and abs(a - b) <= radius for a, b in pairs)
    one, other = _number(found), _number(middle)
    return one is not None and other is not None and abs(one - other) <= radius


def _same(found: Value, tag: str, name: str, value: Any) -> bool:
    wanted = given_value(tag, name, value)
    return (wanted is not None and found == wanted) or str(found) == str(value)


def _number(value: Value) -> float | None:
    """A number, also one that is stored as text."""
    try:
        number = float(value) if isinstance(value, int | float | str) else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None
