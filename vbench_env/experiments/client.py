"""The model client: one request to one endpoint, tried again only where that makes sense.

This is the only module that imports litellm, and it does so when it first needs it (three seconds, 200 MB).
litellm's own retries are off; `retry` decides, the endpoint never changes, and what is kept as the request is
what a callback saw leave. Every attempt is handed to `on_attempt` before anything reads its response.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any

from vbench_env.agent import CallRecord
from vbench_env.errors import ConfigError
from vbench_env.experiments.endpoint import PICTURE_PREFIX, ChatRequest, Endpoint, Price, RetryPolicy
from vbench_env.experiments.failures import CallFailed, CallFailure, describe
from vbench_env.experiments.redaction import Redactor, public_url
from vbench_env.experiments.reply import call_record, provider_usage
from vbench_env.experiments.retry import Insistence, within

_HARD_TIMEOUT_GRACE_S = 2.0
_RETRY_COUNT = "x-stainless-retry-count"
_THREAD = threading.local()
_IMPORT = threading.Lock()


@dataclass(frozen=True, slots=True)
class Attempt:
    """One exchange with an endpoint."""

    request: dict[str, Any]
    """As sent, less secrets."""
    entry: dict[str, Any]
    """What the record keeps: number, times, and `response` or `error`."""
    failure: CallFailure | None = None


@dataclass
class _Wire:
    """What litellm's callback saw of the call that runs in this thread."""

    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def body(self) -> Mapping[str, Any] | None:
        """The request body that litellm made; None where it made none. Read it after the call."""
        body = (self.details.get("additional_args") or {}).get("complete_input_dict")
        return body if isinstance(body, Mapping) else None

    @property
    def native(self) -> dict[str, Any]:
        """The response as the provider sent it, where litellm kept it as JSON."""
        try:
            parsed = json.loads(self.details.get("original_response") or "")
        except (TypeError, ValueError):
            return {}
        return parsed if isinstance(parsed, dict) else {}


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for garbage: an import makes half a million objects and drops next to none."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@cache
def _litellm() -> Any:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    with _uncollected():
        import litellm
        from litellm.integrations.custom_logger import CustomLogger

    class WireLog(CustomLogger):
        """Remembers what leaves, for the thread that sends it."""

        def log_pre_api_call(self, model: str, messages: Any, kwargs: Mapping[str, Any]) -> None:
            wire = getattr(_THREAD, "wire", None)
            if wire is not None:
                wire.details = kwargs

    atexit.register(gc.freeze)  # nor does the end of the process search them, which takes most of a second
    litellm.suppress_debug_info = True
    litellm.input_callback.append(WireLog())
    return litellm


def load_litellm() -> Any:
    """litellm, imported once however many threads ask, without a look at the network or at `.env`."""
    with _IMPORT:
        return _litellm()


class ModelClient:
    """Calls one endpoint. Safe to share between threads.

    Args:
        endpoint: the model and how to reach it.
        retry: how long to insist.
        stop: set when no further attempt is to be made.
        kept: what is kept of a request body, as JSON-like data; it may hold names of pictures in their place.
    """

    def __init__(
        self, endpoint: Endpoint, retry: RetryPolicy | None = None, stop: threading.Event | None = None,
        kept: Callable[[Any], Any] | None = None,
    ) -> None:  # fmt: skip
        self.endpoint = endpoint
        self._kept_body = kept or (lambda body: json.loads(_json(body)))
        self.retry = retry or RetryPolicy()
        self.redactor = Redactor([endpoint.api_key])
        self._stop = stop or threading.Event()
        self._pictures_seen_through = False
        self._seeing = threading.Lock()

    def check(self) -> None:
        """Raise `ConfigError` when litellm knows no provider for the model, or the provider's key is missing."""
        try:
            self._provider()
        except Exception as error:  # litellm's own BadRequestError; anything else means the same here
            advice = "write it as PROVIDER/MODEL, such as openai/gpt-5"
            raise ConfigError(
                f"no provider is known for the model {self.endpoint.model!r}; {advice}"
            ) from error
        missing = self._missing_keys()
        if missing:
            advice = f"set {' or '.join(missing)}, or name another variable with --api-key-env (api_key_env in a study)"
            raise ConfigError(f"{self.endpoint.model} needs a key: {advice}")

    def _missing_keys(self) -> list[str]:
        """Environment variables that would hold the provider's key, none of which is set."""
        if self.endpoint.api_key is not None:
            return []
        try:
            found = load_litellm().validate_environment(model=self.endpoint.model)
        except Exception:  # a provider that litellm cannot ask about shows what it lacks at the first call
            return []
        return sorted(name for name in found.get("missing_keys", ()) if name.endswith("_API_KEY"))

    def price(self) -> Price | None:
        """Dollars per million tokens; None when nobody knows."""
        if self.endpoint.price is not None:
            return self.endpoint.price
        listed = self._listed()
        prices = [listed.get(f"{side}_cost_per_token") for side in ("input", "output")]
        return None if None in prices else Price(prices[0] * 1e6, prices[1] * 1e6)  # type: ignore[operator]

    def takes_pictures(self) -> bool | None:
        """Whether the model takes pictures; None when nobody knows."""
        if self.endpoint.vision is not None:
            return self.endpoint.vision
        listed = self._listed()
        return bool(listed.get("supports_vision")) if listed else None

    def _listed(self) -> Mapping[str, Any]:
        try:
            found: Mapping[str, Any] = load_litellm().get_model_info(self.endpoint.model)
        except Exception:  # a bare Exception is what litellm raises for a model that it does not list
            return {}
        return found

    def complete(self, request: ChatRequest, on_attempt: Callable[[Attempt], None],
                 earlier: Sequence[Mapping[str, Any]] = (), seed: str = "") -> CallRecord:  # fmt: skip
        """Ask until there is an answer.

        Args:
            request: messages, tools and the limit of output tokens.
            on_attempt: called with every attempt before anything reads its response.
            earlier: attempts at the same request by a process that was killed; they stay in the record.
            seed: decides how far waits stray from their length.

        Raises:
            CallFailed: no answer, and asking again would not help or has been tried enough.
        """
        self._refuse_lost_pictures(request)
        attempts, sent = [dict(entry) for entry in earlier], dict[str, Any]()
        insistence = Insistence(self.retry, self._stop, seed)

        def once() -> Attempt:
            if self._stop.is_set():  # while it waited for its share of the budget, or was about to try again
                raise CallFailed(CallFailure("interrupted", "the run was stopped before this attempt"))
            attempt = self._attempt(request, len(attempts) + 1, insistence.attempt_timeout_s)
            attempts.append(attempt.entry)
            sent.update(attempt.request)
            on_attempt(attempt)
            if attempt.failure is not None:
                raise CallFailed(attempt.failure)
            return attempt

        try:
            answered = insistence.run(once)
        except CallFailed as failed:
            failed.attempts, failed.request = attempts, sent
            raise
        return call_record(answered.request, attempts)

    def _attempt(self, request: ChatRequest, number: int, timeout_s: float) -> Attempt:
        """One exchange; whatever the endpoint does ends up in what is returned."""
        wire, failure = _Wire(), None
        entry: dict[str, Any] = {"number": number, "started_at": datetime.now(UTC).isoformat()}
        clock = time.monotonic()
        try:
            send = partial(self._send, request, number, timeout_s, wire)
            work = within(timeout_s + _HARD_TIMEOUT_GRACE_S, send)
            entry |= self._kept(work, wire.native)
            failure = self._fault_of(work, request, wire)
        except Exception as error:  # a provider library can raise anything, and all of it must be kept
            failure = describe(error, self.redactor)
        if failure is not None:
            entry["error"] = failure.as_dict()
        entry["latency_s"] = round(time.monotonic() - clock, 3)
        return Attempt(self._sent(request, wire), self.redactor.data(entry), failure)

    def _send(self, request: ChatRequest, number: int, timeout_s: float, wire: _Wire) -> Any:
        litellm = load_litellm()
        _THREAD.wire = wire
        return litellm.completion(
            **self._arguments(request), **self._retry_count(number), api_base=self.endpoint.api_base,
            api_key=self.endpoint.api_key, timeout=timeout_s, num_retries=0, max_retries=0,
        )  # fmt: skip

    def _retry_count(self, number: int) -> dict[str, Any]:
        """What OpenAI's client tells an endpoint when it tries again; our retries stand in for its own."""
        if number == 1 or self._provider() != "openai":
            return {}
        return {"extra_headers": {_RETRY_COUNT: str(number - 1)}}

    def _provider(self) -> str:
        found: tuple[str, str, Any, Any] = load_litellm().get_llm_provider(
            self.endpoint.model, api_base=self.endpoint.api_base
        )
        return found[1]

    def _arguments(self, request: ChatRequest) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": [dict(message) for message in request.messages],
            "tools": [dict(tool) for tool in request.tools] or None,
            "max_tokens": request.max_tokens,
            "temperature": self.endpoint.temperature,
        }
        return {name: value for name, value in fields.items() if value is not None} | dict(
            self.endpoint.params
        )

    def _sent(self, request: ChatRequest, wire: _Wire) -> dict[str, Any]:
        plain = self.redactor.data(self._kept_body(wire.body or self._arguments(request)))
        plain.pop("extra_headers", None)
        if not plain.get("extra_body", True):
            del plain["extra_body"]
        asked = {"model": self.endpoint.model, "max_tokens": request.max_tokens}
        base = {"api_base": public_url(self.endpoint.api_base)}
        return {**self.redactor.data(asked), **plain, **self.redactor.data(base)}

    def _kept(self, response: Any, native: Mapping[str, Any]) -> dict[str, Any]:
        """Response, usage and cost for the record. Fields that litellm made up are left out."""
        plain = response.model_dump(mode="json", exclude_none=True)
        usage = provider_usage(plain.pop("usage", None))
        for made_up in ("id", "created"):
            if native and made_up not in native:
                plain.pop(made_up, None)
        reason = ((native.get("choices") or [{}])[0] or {}).get("finish_reason")
        kept = {"response": plain, "usage": usage, "cost_usd": self._cost_usd(response, usage)}
        return kept | ({"native_finish_reason": reason} if reason else {})

    def _cost_usd(self, response: Any, usage: Mapping[str, Any] | None) -> float | None:
        if usage is None:
            return 0.0 if self.endpoint.price == Price(0, 0) else None
        if self.endpoint.price is not None:
            return self.endpoint.price.cost_usd(
                usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0
            )
        cost = response._hidden_params.get("response_cost")
        return float(cost) if isinstance(cost, int | float) else None

    def _fault_of(self, response: Any, request: ChatRequest, wire: _Wire) -> CallFailure | None:
        if not response.choices:
            return CallFailure("malformed_response", "the response holds no answer (no choices)", 200)
        if lost := _lost_pictures(request, wire.body):
            return CallFailure("picture_missing", f"{lost} of the pictures did not leave with the request")
        return None

    def _refuse_lost_pictures(self, request: ChatRequest) -> None:
        """Before the first picture costs money: would litellm's form of the request still hold it?"""
        if self._pictures_seen_through or not any(request.pictures()):
            return
        with self._seeing:
            if not self._pictures_seen_through:
                self._see_through(request)

    def _see_through(self, request: ChatRequest) -> None:
        if self.takes_pictures() is False:
            raise CallFailed(CallFailure("picture_missing", f"{self.endpoint.name} takes no pictures"))
        litellm = load_litellm()
        arguments = self._arguments(request) | {"api_base": self.endpoint.api_base}
        dry = litellm.utils.return_raw_request(litellm.types.utils.CallTypes.completion, arguments)
        if not dry.get("error") and _lost_pictures(request, dry.get("raw_request_body")):
            advice = "the client library drops pictures for this provider; use another route to the model"
            raise CallFailed(CallFailure("picture_missing", f"{self.endpoint.name}: {advice}"))
        self._pictures_seen_through = True


def _json(value: Any) -> str:
    return json.dumps(value, default=str)


def _lost_pictures(request: ChatRequest, body: Any) -> int:
    """Pictures of the request that its wire form does not hold."""
    pictures = list(request.pictures())
    if not pictures:
        return 0
    whole = {text.removeprefix(PICTURE_PREFIX) for text in _strings(body)}
    lost = [picture for picture in pictures if picture not in whole]
    text = _json(body) if lost else ""  # a provider may want it inside another string
    return sum(picture not in text for picture in lost)


def _strings(data: Any) -> Iterator[str]:
    """Every string among the values of JSON-like data."""
    left = [data]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            left.extend(value.values())
        elif isinstance(value, list | tuple):
            left.extend(value)
