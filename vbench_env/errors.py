"""Errors of vbench-env.

Three kinds of trouble stay apart. An agent's mistake is never one of these: it is an observation. A mistake
of a caller or task author raises `VBenchError` or a subclass, with a message that says what to do. A failure
of infrastructure (a renderer, a provider) is `InfrastructureError`: the work is unscored and owed.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class VBenchError(Exception):
    """Base of every error that vbench-env raises on purpose."""


class UnknownName(VBenchError, KeyError):
    """A name that no registry entry, task or corpus has; the message suggests the nearest."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(sorted(known))
        near = difflib.get_close_matches(name, self.known, n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        shown = ", ".join(self.known[:20]) + (", ..." if len(self.known) > 20 else "")
        super().__init__(f"unknown {kind} {name!r}{hint} Known: {shown or 'none'}")

    def __str__(self) -> str:
        return str(self.args[0])


class TaskError(VBenchError):
    """A task folder or published task that cannot be used as it is."""


class ConfigError(VBenchError):
    """A configuration that contradicts itself, or a run that would mix two settings."""


class MissingExtra(ConfigError, ImportError):
    """A package of an extra that is not installed, or too old; the message says how to install it."""

    def __init__(self, extra: str, error: ImportError) -> None:
        super().__init__(f"{error}; it comes with an extra: pip install 'vbench-env[{extra}]'")


class InfrastructureError(VBenchError):
    """A renderer, provider or worker failed; what depended on it is unscored."""
