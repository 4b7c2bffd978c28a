"""Secrets never reach a file: known values and whatever looks like a credential are blanked out.

Known values (the key of the endpoint, environment variables named like credentials) disappear from all that
is kept. Patterns (`Bearer ...`, `sk-...`) apply to error texts only, since a drawing may hold such words.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

BLANK = "[redacted]"

_CREDENTIAL_NAME = re.compile(r"(API_?KEY|ACCESS_?KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
_HEADER_NAME = re.compile(
    r"^(authorization|.*api[-_]?key|cookie|set-cookie|.*token|.*secret|password)$", re.IGNORECASE
)
_LOOKS_SECRET = re.compile(
    r"(?i)(?<=bearer )\S+|\b(?:sk|pk|rk|gsk|xai|hf|AIza)[-_][A-Za-z0-9_\-*.]{6,}|\bAIza[\w\-]{20,}"
)
_SHORTEST = 6


class Redactor:
    """Blanks secrets out of text and JSON-like data."""

    def __init__(
        self, secrets: Iterable[str | None] = (), environment: Mapping[str, str] | None = None
    ) -> None:
        environment = os.environ if environment is None else environment
        named = [
            value for name, value in environment.items() if _CREDENTIAL_NAME.search(name) and len(value) >= 8
        ]
        values = {value for value in [*secrets, *named] if value and len(value) >= _SHORTEST}
        values |= {quote(value, safe="") for value in values}
        longest_first = sorted(values, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if values else None

    def text(self, text: str) -> str:
        """`text` without known secrets."""
        return self._known.sub(BLANK, text) if self._known else text

    def error(self, text: str) -> str:
        """An error text without known secrets and without anything that looks like one."""
        return _LOOKS_SECRET.sub(BLANK, self.text(text))

    def data(self, value: Any) -> Any:
        """JSON-like data without known secrets; the values of credential headers are blanked whole."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {key: BLANK if _is_header(key, item) else self.data(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.data(item) for item in value]
        return value


def _is_header(name: object, value: object) -> bool:
    return isinstance(name, str) and isinstance(value, str) and _names_header(name)


@lru_cache(4096)
def _names_header(name: str) -> bool:
    return bool(_HEADER_NAME.match(name))


def looks_secret(name: str) -> bool:
    """Whether a field of that name holds a credential."""
    return bool(_HEADER_NAME.match(name) or _CREDENTIAL_NAME.search(name))


def may_hold_secret(name: str) -> bool:
    """Whether a variable is kept from workers: keys of any kind too, since a configuration may name any variable."""
    return looks_secret(name) or name.upper().endswith(("KEY", "KEYS"))


def public_url(url: str | None) -> str | None:
    """`url` without user, password and query."""
    if url is None:
        return None
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))
