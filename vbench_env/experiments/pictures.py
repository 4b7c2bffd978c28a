"""Pictures of a run: stored once by content, and named instead of carried along in every record."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
import threading
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json

from vbench_env.experiments.endpoint import PICTURE_PREFIX

_BARE = "iVBORw0KGgo"
"""Base64 of the PNG signature: some providers take a picture without a `data:` address."""


_PICTURE = re.compile(
    rb'(?<=[\[:,])"(?:'
    + PICTURE_PREFIX.encode()
    + rb")?"
    + _BARE.encode()
    + rb'[A-Za-z0-9+/]*={0,2}"(?=[,\]}])'
)
"""A whole JSON string that is a picture. A quote inside a string has a backslash before it, never one of `[:,`."""


class PictureStore:
    """PNG files under `pictures/`, each named by the SHA-256 of its bytes. Safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: set[str] = set()
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

    def text(self, text: str) -> str:
        """Compact ASCII JSON in the same way."""
        return self._without(text.encode("ascii")).decode("ascii") if _BARE in text else text

    def _without(self, text: bytes) -> bytes:
        return _PICTURE.sub(self._name, text) if _BARE.encode() in text else text

    def _name(self, found: re.Match[bytes]) -> bytes:
        png = _embedded(found[0][1:-1].decode("ascii"))
        return found[0] if png is None else b'"' + self.put(png).encode("ascii") + b'"'

    def named(self, data: Any) -> Any:
        """JSON-like `data` in the same way, for what is not written at once."""
        if isinstance(data, str):
            png = _embedded(data)
            return _storable(data) if png is None else self.put(png)
        if isinstance(data, dict):
            return {key: self.named(value) for key, value in data.items()}
        if isinstance(data, list | tuple):
            return [self.named(value) for value in data]
        return data


def _storable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _embedded(text: str) -> bytes | None:
    if text.startswith(PICTURE_PREFIX):
        text = text.removeprefix(PICTURE_PREFIX)
    elif not text.startswith(_BARE) or len(text) < 64:
        return None
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return None
