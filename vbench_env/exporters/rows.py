"""Rows of data sets out of corpora and runs, in the conversational form of Hugging Face data sets.

Messages are OpenAI's, with two changes that chat templates want: arguments of tool calls are objects, and a picture
is a part `{"type": "image"}`, the n-th of which is the n-th of the row's `images`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from vbench_env.episode import Episode
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.experiments.store import RunFolder
from vbench_env.integrations.session import arguments_of, png_of
from vbench_env.protocol import Protocol
from vbench_env.task import Task
from vbench_env.tools import openai_tools
from vbench_env.tools.base import TOOLS
from vbench_env.verdict import progress

Messages = list[dict[str, Any]]
_STORED = re.compile(r"pictures/[0-9a-f]{64}\.png")

COLUMNS = {
    "prompt": "messages", "messages": "messages", "chosen": "messages", "rejected": "messages", "tools": "messages",
    "images": "images", "chosen_images": "images", "rejected_images": "images",
    "episode_id": "string", "task": "string", "task_hash": "string", "corpus": "string", "protocol": "string",
    "model": "string", "agent": "string", "control": "bool", "wording": "string", "rules": "string",
    "sample": "int64", "seed": "int64", "turns": "int64", "reward": "float64", "progress": "float64",
    "status": "string", "valid": "bool", "repaired": "bool", "preserved": "bool", "edit_completion": "float64",
    "stop_reason": "string", "final_svg": "string", "instruction": "string", "svg": "string", "cost_usd": "float64",
    "prompt_tokens": "int64", "completion_tokens": "int64", "chosen_progress": "float64",
    "rejected_progress": "float64", "chosen_model": "string", "rejected_model": "string",
}  # fmt: skip
"""Every column with its type; `messages` are lists of objects, `images` lists of PNGs."""


@dataclass(slots=True)
class Row:
    """A row: plain JSON types, and pictures by column."""

    data: dict[str, Any]
    images: dict[str, list[bytes]] = field(default_factory=dict)


def prompts(tasks: Iterable[Task], protocol: Protocol, samples: int = 1) -> Iterator[Row]:
    """The first messages of every task, `samples` times with seeds from 0."""
    for task in tasks:
        for seed in range(samples):
            episode = Episode(task, protocol, seed=seed)
            messages, images = conversation(episode.messages, None)
            yield Row(
                {
                    "prompt": messages, "tools": episode.tools, "task": task.task_id, "task_hash": task.hash,
                    "corpus": task.corpus, "protocol": protocol.name, "seed": seed,
                    "instruction": task.instruction, "svg": task.corrupted_svg,
                },
                {"images": images},
            )  # fmt: skip


def trajectories(run: RunFolder) -> Iterator[Row]:
    """Every scored episode of a run, with its verdict."""
    protocols = protocols_of(run)
    for record in scored(run):
        card, usage = record.score, record.usage or {}
        assert card is not None
        messages, images = conversation(record.messages, run.path)
        verdict = {
            name: getattr(card, name)
            for name in ("status", "valid", "repaired", "preserved", "edit_completion")
        }
        yield Row(
            {
                **_about(record), "messages": messages, "tools": tools_of(protocols[record.protocol]),
                "reward": float(card.reward), "progress": progress(card), **verdict, "rules": record.rules,
                "stop_reason": record.stop_reason, "turns": turns_of(record), "final_svg": record.final_svg,
                "cost_usd": record.cost_usd, "prompt_tokens": usage.get("prompt_tokens"),
                "completion_tokens": usage.get("completion_tokens"),
            },
            {"images": images},
        )  # fmt: skip


def chats(run: RunFolder) -> Iterator[Row]:
    """Conversations to imitate: those of episodes that passed all gates."""
    protocols = protocols_of(run)
    for record in scored(run):
        if record.score is not None and record.score.passed:
            messages, images = conversation(record.messages, run.path)
            tools = tools_of(protocols[record.protocol])
            yield Row({**_about(record), "messages": messages, "tools": tools}, {"images": images})


class _Place(NamedTuple):
    value: float
    episode_id: str


def preferences(run: RunFolder) -> Iterator[Row]:
    """Pairs of episodes of one task, protocol and wording, the first of which went further.

    The best goes with the worst, the second best with the second worst, and so on; equals make no pair.
    """
    groups: dict[tuple[str, str, str], list[_Place]] = defaultdict(list)
    for record in scored(run):
        assert record.score is not None
        key = (record.task_hash, record.protocol, record.wording)
        groups[key].append(_Place(progress(record.score), record.episode_id))
    partner = {}
    for places in groups.values():
        ranked = sorted(places)
        for worse, better in zip(ranked[: len(ranked) // 2], reversed(ranked), strict=False):
            if better.value > worse.value:
                partner[better.episode_id], partner[worse.episode_id] = worse.episode_id, better.episode_id
    waiting: dict[str, EpisodeRecord] = {}
    protocols = protocols_of(run)
    for record in scored(run):
        other = waiting.pop(partner.get(record.episode_id, ""), None)
        if other is not None:
            yield _pair(run, protocols[record.protocol], record, other)
        elif record.episode_id in partner:
            waiting[record.episode_id] = record


def _pair(run: RunFolder, protocol: Protocol, one: EpisodeRecord, other: EpisodeRecord) -> Row:
    assert one.score is not None and other.score is not None
    chosen, rejected = (one, other) if progress(one.score) > progress(other.score) else (other, one)
    assert chosen.score is not None and rejected.score is not None
    start = next(n for n, message in enumerate(chosen.messages) if message["role"] == "assistant")
    prompt, images = conversation(chosen.messages[:start], run.path)
    good, good_images = conversation(chosen.messages[start:], run.path)
    bad, bad_images = conversation(rejected.messages[start:], run.path)
    data = {
        "prompt": prompt, "chosen": good, "rejected": bad, "tools": tools_of(protocol), "task": chosen.task_id,
        "task_hash": chosen.task_hash, "corpus": chosen.corpus, "protocol": chosen.protocol,
        "wording": chosen.wording, "chosen_progress": progress(chosen.score),
        "rejected_progress": progress(rejected.score), "chosen_model": chosen.model,
        "rejected_model": rejected.model,
    }  # fmt: skip
    return Row(data, {"images": images, "chosen_images": good_images, "rejected_images": bad_images})


def scored(run: RunFolder) -> Iterator[EpisodeRecord]:
    """The episodes that have a verdict and something said."""
    return (
        record for record in run.episodes()
        if not record.owed and record.score is not None and any(m["role"] == "assistant" for m in record.messages)
    )  # fmt: skip


def protocols_of(run: RunFolder) -> dict[str, Protocol]:
    """The protocols of a run as they were when it was made."""
    return {
        name: Protocol.model_validate({key: value for key, value in kept.items() if key != "digest"})
        for name, kept in run.manifest.protocols.items()
    }


def tools_of(protocol: Protocol) -> list[dict[str, Any]]:
    """Granted tools in OpenAI form, as far as they are installed here; empty where calls are text."""
    return (
        openai_tools(name for name in protocol.tools if name in TOOLS) if protocol.calls == "native" else []
    )


def turns_of(record: EpisodeRecord) -> int:
    return sum(message["role"] == "assistant" for message in record.messages)


def _about(record: EpisodeRecord) -> dict[str, Any]:
    names = (
        "episode_id", "task_hash", "corpus", "protocol", "model", "agent", "control", "wording", "sample", "seed",
    )  # fmt: skip
    return {"task": record.task_id, **{name: getattr(record, name) for name in names}}


def conversation(messages: Messages, folder: Path | None) -> tuple[Messages, list[bytes]]:
    """Messages in the form of this module, and their pictures in order.

    Args:
        messages: OpenAI's, with pictures as data addresses or, in a record, as names of files.
        folder: the run folder, in which those files are.
    """
    images: list[bytes] = []
    return [_message(message, images, folder) for message in messages], images


def _message(message: dict[str, Any], images: list[bytes], folder: Path | None) -> dict[str, Any]:
    out: dict[str, Any] = {"role": message["role"]}
    content = message.get("content")
    if isinstance(content, list):
        content = [_part(part, images, folder) for part in content]
    out["content"] = "" if content is None else content
    if message.get("tool_calls"):
        out["tool_calls"] = [_call(call) for call in message["tool_calls"]]
    if "tool_call_id" in message:
        out["tool_call_id"] = message["tool_call_id"]
    return out


def _part(part: dict[str, Any], images: list[bytes], folder: Path | None) -> dict[str, Any]:
    if part["type"] != "image_url":
        return part
    url = part["image_url"]["url"]
    named = folder is not None and _STORED.fullmatch(url)
    images.append((folder / url).read_bytes() if folder is not None and named else png_of(url))
    return {"type": "image"}


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = call["function"]
    return {
        "id": call.get("id"),
        "type": "function",
        "function": {"name": function["name"], "arguments": arguments_of(function["arguments"])},
    }
