"""Named entries: tools, renderers, observations, protocols, agents.

A registry maps a name to an object. Third parties add entries through Python entry points of the group that
the registry names; these load on first use, so importing `vbench_env` stays cheap. A module that registers its
entry by itself when it is loaded keeps that one. What cannot be loaded is missing, and says why when asked for by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from vbench_env.errors import ConfigError, UnknownName

T = TypeVar("T")


class Registry(Generic[T]):
    """A name-to-object table with an optional entry-point group for plug-ins."""

    def __init__(self, kind: str, group: str | None = None) -> None:
        self.kind, self.group = kind, group
        self._entries: dict[str, T] = {}
        self._broken: dict[str, str] = {}
        self._loaded = group is None

    def add(self, name: str, entry: T) -> T:
        """Register `entry`; a name that is taken raises `ConfigError`."""
        if name in self._entries and self._entries[name] is not entry:
            raise ConfigError(f"{self.kind} {name!r} is registered twice; choose another name")
        self._entries[name] = entry
        return entry

    def register(self, name: str) -> Callable[[T], T]:
        """Decorator form of `add`."""
        return lambda entry: self.add(name, entry)

    def get(self, name: str) -> T:
        """The entry called `name`; `UnknownName` suggests the nearest one.

        One that an installed package names and cannot load raises `ConfigError`.
        """
        if name not in self._entries:
            self._load()
        if name not in self._entries and name in self._broken:
            raise ConfigError(f"{self.kind} {name!r} cannot be loaded: {self._broken[name]}")
        if name not in self._entries:
            raise UnknownName(self.kind, name, self._entries)
        return self._entries[name]

    def names(self) -> list[str]:
        self._load()
        return sorted(self._entries)

    def __contains__(self, name: object) -> bool:
        self._load()
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        for point in entry_points(group=self.group or ""):
            if point.name in self._entries:
                continue
            try:
                entry = point.load()
            except Exception as error:  # a broken package takes its own entries away, not those of others
                package = point.dist.name if point.dist else point.value
                advice = "mend the package or uninstall it"
                self._broken[point.name] = f"{package}: {type(error).__name__}: {error}; {advice}"
            else:
                self._entries.setdefault(point.name, entry)
