"""A cache for functions of text that never keeps long text.

Attribute values repeat, and most are short; what a stranger hands in may be megabytes. Long arguments are
computed each time, so that the memory of a cache is bounded by its number of entries.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LONGEST = 4096
"""Characters (or items) of an argument beyond which nothing is kept."""


def cached(maxsize: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """`functools.lru_cache` for pure functions whose sized positional arguments are mostly short."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        remembered = lru_cache(maxsize=maxsize)(function)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            for argument in args:
                if isinstance(argument, str | tuple) and len(argument) > LONGEST:
                    return function(*args, **kwargs)
            return remembered(*args, **kwargs)  # type: ignore[arg-type]

        return call

    return decorate
