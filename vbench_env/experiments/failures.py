"""What can go wrong with a call to a model, as plain data, and whether trying again makes sense.

Exceptions of the client library do not survive pickling and carry the request with its key, so each becomes a
`CallFailure` at once. Three classes matter: *passing* failures are tried again, *fatal* ones would hit every
call to that model, and *limits* are the model's own (its context is too short, it refuses): a result.
"""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vbench_env.errors import InfrastructureError
from vbench_env.experiments.record import FailureRecord
from vbench_env.experiments.redaction import Redactor

PASSING = frozenset({"rate_limit", "server", "connection", "timeout", "malformed_response"})
FATAL = frozenset({"auth", "quota", "not_found", "picture_missing"})
LIMITS = frozenset({"context_length", "content_policy"})
MAYBE_PAID = frozenset({"timeout", "malformed_response"})
"""Failures after which the provider may have charged for an answer that never came."""

_QUOTA_WORDS = (
    "insufficient_quota",
    "exceeded your current quota",
    "billing",
    "credit balance",
    "insufficient credits",
)
_BY_CLASS = (
    ("ContextWindowExceededError", "context_length"),
    ("ContentPolicyViolationError", "content_policy"),
    ("AuthenticationError", "auth"),
    ("PermissionDeniedError", "auth"),
    ("NotFoundError", "not_found"),
    ("RateLimitError", "rate_limit"),
    ("Timeout", "timeout"),
    ("TimeoutError", "timeout"),
)  # fmt: skip
_BY_STATUS = {
    401: "auth",
    402: "quota",
    403: "auth",
    404: "not_found",
    408: "timeout",
    429: "rate_limit",
    504: "timeout",
}
_CONTEXT_WORDS = (
    "context length",
    "context size",
    "context window",
    "context_length_exceeded",
    "exceed_context_size",
)


@dataclass(frozen=True, slots=True)
class CallFailure:
    """One failed attempt."""

    kind: str
    message: str
    status: int | None = None
    """HTTP status; None when there was no answer."""
    retry_after_s: float | None = None
    """Seconds that the provider asks to wait."""

    @property
    def passing(self) -> bool:
        return self.kind in PASSING

    def as_record(self) -> FailureRecord:
        return FailureRecord(kind=self.kind, message=self.message, fatal=self.kind in FATAL)

    def as_dict(self) -> dict[str, Any]:
        """For the list of attempts."""
        fields = {"kind": self.kind, "message": self.message, "status": self.status,
                  "retry_after_s": self.retry_after_s}  # fmt: skip
        return {name: value for name, value in fields.items() if value is not None}


class CallFailed(InfrastructureError):
    """A call to a model that came to nothing."""

    def __init__(self, failure: CallFailure) -> None:
        super().__init__(f"{failure.kind}: {failure.message}")
        self.failure = failure
        self.attempts: list[dict[str, Any]] = []
        """What was tried, for the record."""
        self.request: dict[str, Any] = {}
        """The request as sent, less secrets."""


def describe(error: BaseException, redactor: Redactor) -> CallFailure:
    """The failure behind an exception of the client library."""
    if isinstance(error, CallFailed):
        return error.failure
    message = redactor.error(str(error) or type(error).__name__)[:2000]
    status = getattr(error, "status_code", None)
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    kind = _kind(error, status if isinstance(status, int) else None, bool(headers))
    answered = status if isinstance(status, int) and headers else None
    return CallFailure(kind, message, answered, retry_after_s(headers))


def _kind(error: BaseException, status: int | None, answered: bool) -> str:
    text = f"{error} {getattr(error, 'body', '')}".lower()
    if status in {402, 403, 429} and any(word in text for word in _QUOTA_WORDS):
        return "quota"
    if status == 400 and any(word in text for word in _CONTEXT_WORDS):
        return "context_length"
    names = {cls.__name__ for cls in type(error).__mro__}
    for name, kind in _BY_CLASS:
        if name in names:
            return kind
    if status is None or (status >= 500 and not answered):
        return "malformed_response" if "received response" in text else "connection"
    return _BY_STATUS.get(status, "server" if status >= 500 else "bad_request")


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that `Retry-After` asks to wait, given as a number or as an HTTP date; None without one."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = (headers.get(name) or "").strip()
        if not value:
            continue
        try:
            return max(0.0, float(value) * scale)
        except ValueError:
            return _seconds_until(value)
    return None


def _seconds_until(date: str) -> float | None:
    try:
        return max(0.0, email.utils.parsedate_to_datetime(date).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None
