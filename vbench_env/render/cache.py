"""Pictures by content, the least recently used forgotten first."""

from __future__ import annotations

import threading
from collections import OrderedDict

from vbench_env.render.base import Picture, RenderFailure

ENTRY_BYTES = 500
"""What an entry takes beside its PNG."""


class PictureCache:
    """Results of renders, at most `max_bytes` of them; safe to use from several threads."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.bytes = 0
        self._entries: OrderedDict[str, Picture | RenderFailure] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str) -> Picture | RenderFailure | None:
        """The result under `key`, from now on the most recently used."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: str, result: Picture | RenderFailure) -> None:
        """Keep a result; one larger than the whole cache is not kept."""
        size = _size(result)
        if size > self.max_bytes:
            return
        with self._lock:
            if key in self._entries:
                self.bytes -= _size(self._entries.pop(key))
            self._entries[key] = result
            self.bytes += size
            while self.bytes > self.max_bytes:
                self.bytes -= _size(self._entries.popitem(last=False)[1])


def _size(result: Picture | RenderFailure) -> int:
    return ENTRY_BYTES + (len(result.png) if isinstance(result, Picture) else 0)
