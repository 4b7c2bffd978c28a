"""Plain data about a model: how to reach it, what it costs, what is asked of it, how long to insist."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

PICTURE_PREFIX = "data:image/png;base64,"


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens."""

    input_usd: float
    output_usd: float

    def cost_usd(self, input_tokens: float, output_tokens: float) -> float:
        return (input_tokens * self.input_usd + output_tokens * self.output_usd) / 1e6


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model and how to reach it."""

    name: str
    """Name in records, as the user wrote it."""
    model: str
    """litellm's name, such as `openai/gpt-5`."""
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    """None leaves the search for a key to litellm, which looks in the environment."""
    temperature: float | None = None
    """Left out of the request when None."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Further request parameters, such as `reasoning_effort`."""
    max_output_tokens: int | None = None
    """Bound of one answer, below what the protocol grants."""
    price: Price | None = None
    """Overrides the built-in price list."""
    vision: bool | None = None
    """Whether it takes pictures; None asks the built-in model list."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How long to insist."""

    attempts: int = 6
    timeout_s: float = 600.0
    """One attempt, from the request to the last byte of the answer."""
    wall_s: float = 1800.0
    """All attempts and waits together; the last attempt may end somewhat later."""
    backoff_s: float = 1.0
    """First wait; doubles with every attempt, with jitter."""
    longest_wait_s: float = 60.0
    """Bound of one wait, one that the provider asks for included."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What an agent asks of a model. Pictures are `data:image/png;base64,` parts of user messages."""

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]] = ()
    max_tokens: int | None = None

    def bounded(self, limit: int | None) -> ChatRequest:
        """The same with at most `limit` output tokens."""
        if limit is None or (self.max_tokens is not None and self.max_tokens <= limit):
            return self
        return replace(self, max_tokens=limit)

    def pictures(self) -> Iterator[str]:
        """Base64 of every picture, in order."""
        for message in self.messages:
            content = message.get("content")
            for part in content if isinstance(content, list) else ():
                url = (part.get("image_url") or {}).get("url", "") if part.get("type") == "image_url" else ""
                if url.startswith(PICTURE_PREFIX):
                    yield url.removeprefix(PICTURE_PREFIX)

    def digest(self, endpoint: Endpoint) -> str:
        """SHA-256 of what decides the answer; equal requests may share one."""
        parameters = [endpoint.model, endpoint.temperature, dict(endpoint.params), self.max_tokens]
        asked = [*parameters, self.without_pictures(), list(self.tools)]
        digest = hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode())
        for picture in self.pictures():
            digest.update(picture.encode("ascii", "replace"))
        return digest.hexdigest()

    def without_pictures(self) -> list[Mapping[str, Any]]:
        """The messages with empty addresses of pictures: to write those out takes longer than all the rest."""
        return [_without_pictures(message) for message in self.messages]


def _without_pictures(message: Mapping[str, Any]) -> Mapping[str, Any]:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    return {**message, "content": [_without_picture(part) for part in content]}


def _without_picture(part: Mapping[str, Any]) -> Mapping[str, Any]:
    if part.get("type") != "image_url" or not isinstance(part.get("image_url"), Mapping):
        return part
    url = str(part["image_url"].get("url", ""))
    return {**part, "image_url": {**part["image_url"], "url": "" if url.startswith(PICTURE_PREFIX) else url}}


def picture_url(png: bytes) -> str:
    """The `data:` address of a PNG."""
    return PICTURE_PREFIX + base64.b64encode(png).decode("ascii")
