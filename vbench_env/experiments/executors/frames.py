"""Messages between a run and its workers: a length, then a pickle. Both ends are processes of one program."""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

_LENGTH = struct.Struct("!Q")


def packed(value: Any) -> bytes:
    """A value as a message; raises whatever `pickle` raises for what it cannot take."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


def send(stream: IO[bytes], message: bytes) -> None:
    """Send what `packed` made."""
    stream.write(message)
    stream.flush()


def message_from(stream: IO[bytes]) -> bytes:
    """The next message, still to be `unpacked`; `EOFError` when the other end is gone."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    return _exactly(stream, length)


def unpacked(message: bytes) -> Any:
    """The value of a message; raises whatever `pickle` raises for a class that is unknown here."""
    return pickle.loads(message)


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError("the other process has ended")
    return data
