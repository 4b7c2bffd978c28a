"""Pictures of a run: stored once by content, and named instead of carried along in every record."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json

from vbench_env.experiments.endpoint import PICTURE_PREFIX

_BARE = "iVBORw0KGgo"
"""Base64 of the PNG signature: some providers take a picture without a `data:` address."""
_BEFORE, _AFTER = (b"[", b":", b","), (b"]", b"}", b",")
"""What stands before and after a string value in compact JSON."""


class PictureStore:
    """PNG files under `pictures/`, each named by the SHA-256 of its bytes. Safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: set[str] = set()
        self._names: dict[bytes, str] = {}
        """Names of pictures by a digest of their text: a conversation repeats its pictures in every request."""
        self._lock = threading.Lock()

    def put(self, png: bytes) -> str:
        """Store a picture; its name relative to the run folder, such as `pictures/<sha256>.png`."""
        digest = hashlib.sha256(png).hexdigest()
        with self._lock:
            if digest not in self._known:
                self._write(self.folder / f"{digest}.png", png)
                self._known.add(digest)
        return f"pictures/{digest}.png"

    def _write(self, path: Path, png: bytes) -> None:
        if path.is_file() and path.stat().st_size == len(png):
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_bytes(png)
        os.replace(part, path)

    def json(self, data: Any) -> bytes:
        """Data, or a pydantic model by its aliases, as JSON, every embedded PNG replaced by the name of its file.

        Lone surrogates, which no file can hold, become escapes on the way.
        """
        try:
            text = to_json(data, by_alias=True, inf_nan_mode="null")
        except (UnicodeError, PydanticSerializationError):
            plain = data.model_dump(mode="json", by_alias=True) if isinstance(data, BaseModel) else data
            return to_json(self.named(plain), inf_nan_mode="null")
        return self._without(text)

    def _without(self, text: bytes) -> bytes:
        """Compact JSON with names in place of the strings that are pictures."""
        parts, done = list[bytes](), 0
        for start, end in _picture_strings(text):
            name = self._name(text[start:end])
            if name is not None:
                parts += [text[done:start], name.encode("ascii")]
                done = end
        return b"".join([*parts, text[done:]]) if parts else text

    def _name(self, text: bytes) -> str | None:
        """What stands for a string, where it is a picture."""
        digest = hashlib.blake2b(text, digest_size=20).digest()
        if (name := self._names.get(digest)) is None:
            png = _embedded(text.decode("ascii", "replace"))
            if png is None:
                return None
            name = self._names[digest] = self.put(png)
        return name

    def named(self, data: Any) -> Any:
        """JSON-like `data` in the same way, for what is not written at once; what JSON does not know becomes text."""
        if isinstance(data, str):
            name = self._name(data.encode("ascii", "replace")) if _begins_as_picture(data) else None
            return name or _storable(data)
        if isinstance(data, Mapping):
            return {str(key): self.named(value) for key, value in data.items()}
        if isinstance(data, list | tuple):
            return [self.named(value) for value in data]
        return data if data is None or isinstance(data, bool | int | float) else str(data)


def _picture_strings(text: bytes) -> Iterator[tuple[int, int]]:
    """Where whole strings of compact JSON that begin like a picture start and end.

    A quote that opens a string stands after one of `[:,`; one inside a string has a backslash before it. Searched by
    hand, since a pattern takes fifty times as long over base64.
    """
    bare, prefix, at = _BARE.encode(), PICTURE_PREFIX.encode(), -1
    while (at := text.find(bare, at + 1)) >= 0:
        start = at - len(prefix) if text.endswith(prefix, 0, at) else at
        end = text.find(b'"', at)
        opens = text[start - 1 : start] == b'"' and text[start - 2 : start - 1] in _BEFORE
        if opens and end >= 0 and text[end + 1 : end + 2] in _AFTER:
            yield start, end
            at = end


def _storable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _begins_as_picture(text: str) -> bool:
    return text.startswith(PICTURE_PREFIX + _BARE) or (text.startswith(_BARE) and len(text) >= 64)


def _embedded(text: str) -> bytes | None:
    if not _begins_as_picture(text):
        return None
    try:
        return base64.b64decode(text.removeprefix(PICTURE_PREFIX), validate=True)
    except binascii.Error:
        return None
