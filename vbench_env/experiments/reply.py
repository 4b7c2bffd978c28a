"""What a model answered, read from the response as it was kept, and whether it was probably cut off."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any

from vbench_env.agent import CallRecord
from vbench_env.experiments.record import CutOff

Usage = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """The message of a response. A reply without any choice has None for everything."""

    content: str | None
    tool_calls: tuple[dict[str, Any], ...]
    finish_reason: str | None
    """As the client library names it."""


def read_answer(response: Mapping[str, Any]) -> ModelAnswer:
    """The first choice of a chat completion."""
    choices = response.get("choices") or [{}]
    choice = choices[0]
    message = choice.get("message") or {}
    content = message.get("content")
    calls = tuple(_tool_call(call) for call in message.get("tool_calls") or ())
    return ModelAnswer(content if isinstance(content, str) else None, calls, choice.get("finish_reason"))


def _tool_call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call.get("function") or {}
    arguments = function.get("arguments")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    named = {"name": str(function.get("name") or ""), "arguments": text}
    return {"id": str(call.get("id") or ""), "type": "function", "function": named}


def cut_off(answer: ModelAnswer, native_reason: str | None, usage: Usage | None,
            max_tokens: int | None) -> tuple[CutOff, ...]:  # fmt: skip
    """Every sign that the answer is incomplete. Providers hide truncation behind `stop` and `tool_calls`.

    Args:
        native_reason: finish reason as the provider spelt it, where it is known.
        max_tokens: output tokens that were asked for.
    """
    reasons: list[CutOff] = []
    if {answer.finish_reason, native_reason} & {"length", "max_tokens", "MAX_TOKENS"}:
        reasons.append("length")
    if max_tokens is not None and usage is not None and (usage.get("completion_tokens") or 0) >= max_tokens:
        reasons.append("token_limit")
    if any(not _is_object(call["function"]["arguments"]) for call in answer.tool_calls):
        reasons.append("arguments")
    if _unfinished_document(answer.content or ""):
        reasons.append("document")
    return tuple(reasons)


def _is_object(arguments: str) -> bool:
    try:
        return isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False


def _unfinished_document(text: str) -> bool:
    """Whether an `<svg` starts after which no `</svg>` comes and which does not close itself."""
    start = text.rfind("<svg")
    if start < 0 or "</svg" in text[start:]:
        return False
    tag_end = text.find(">", start)
    return tag_end < 0 or text[tag_end - 1] != "/"


def provider_usage(usage: Mapping[str, Any] | None) -> Usage | None:
    """Token counts as sent; None where the client library filled in zeros for a provider that sent none."""
    if not usage:
        return None
    counts = {key: value for key, value in usage.items() if value is not None}
    if not counts.get("prompt_tokens") and not counts.get("completion_tokens"):
        return None
    return counts


def call_record(request: Mapping[str, Any], attempts: Sequence[Mapping[str, Any]]) -> CallRecord:
    """The record of a call: its request, all attempts, and what the last one brought."""
    last = attempts[-1] if attempts else {}
    response = last.get("response") or {}
    named = {"model": response.get("model"), "system_fingerprint": response.get("system_fingerprint")}
    return CallRecord(
        request=dict(request), attempts=[dict(entry) for entry in attempts], usage=last.get("usage"),
        cost_usd=last.get("cost_usd"), finish_reason=read_answer(response).finish_reason,
        versions={"litellm": _litellm_version()} | {key: str(value) for key, value in named.items() if value},
    )  # fmt: skip


@cache
def _litellm_version() -> str:
    return version("litellm")
