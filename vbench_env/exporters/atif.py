"""ATIF: episodes of a run as trajectories in the Agent Trajectory Interchange Format, version 1.7.

One JSON file an episode; pictures are files beside it. A step is a message: what tools answered stands with the step
that called them, and what the environment said in between is a step of the user.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from vbench_env.experiments.record import EpisodeRecord
from vbench_env.experiments.store import RunFolder
from vbench_env.exporters.rows import conversation, protocols_of, scored, tools_of

VERSION = "ATIF-v1.7"
_SOURCES = {"system": "system", "user": "user", "assistant": "agent"}


def write_trajectories(run: RunFolder, folder: Path) -> int:
    """Write `folder/<episode id>.json` for every scored episode, and pictures to `folder/images`; their number."""
    protocols = protocols_of(run)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    written = 0
    for record in scored(run):
        made = trajectory(record, run.path, folder, tools_of(protocols[record.protocol]))
        text = json.dumps(made, ensure_ascii=False, allow_nan=False, indent=1)
        (folder / f"{record.episode_id}.json").write_text(text, encoding="utf-8")
        written += 1
    return written


def trajectory(record: EpisodeRecord, run: Path, folder: Path, tools: list[dict[str, Any]]) -> dict[str, Any]:
    """One episode; its pictures are written to `folder/images`."""
    messages, images = conversation(record.messages, run)
    names = iter([_written(png, folder) for png in images])
    card = record.score
    assert card is not None
    usage = record.usage or {}
    steps = _steps(messages, names, record)
    return {
        "schema_version": VERSION,
        "session_id": record.episode_id,
        "trajectory_id": record.episode_id,
        "agent": _some({
            "name": record.agent or record.model,
            "version": record.versions.get("vbench-env", "unknown"),
            "model_name": record.model,
            "tool_definitions": tools or None,
        }),
        "steps": steps,
        "final_metrics": _some({
            "total_prompt_tokens": usage.get("prompt_tokens"),
            "total_completion_tokens": usage.get("completion_tokens"),
            "total_cost_usd": record.cost_usd if record.calls else None,
            "total_steps": len(steps),
            "extra": {"reward": card.reward, "stop_reason": record.stop_reason},
        }),
        "extra": {
            "task_id": record.task_id, "task_hash": record.task_hash, "corpus": record.corpus,
            "protocol": record.protocol, "sample": record.sample, "seed": record.seed, "wording": record.wording,
            "score": card.model_dump(mode="json"), "final_svg": record.final_svg,
        },
    }  # fmt: skip


def _steps(messages: list[dict[str, Any]], names: Any, record: EpisodeRecord) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    calls = iter(record.calls)
    for message in messages:
        content = _content(message["content"], names)
        if message["role"] == "tool":
            answer = {"source_call_id": message["tool_call_id"], "content": content}
            steps[-1].setdefault("observation", {"results": []})["results"].append(answer)
            continue
        step = {"step_id": len(steps) + 1, "source": _SOURCES[message["role"]], "message": content}
        if message["role"] == "assistant":
            call = next(calls, None)
            step |= {"llm_call_count": 1, "metrics": _metrics(call)} if call else {"llm_call_count": 0}
            if "tool_calls" in message:
                step["tool_calls"] = [_tool_call(call) for call in message["tool_calls"]]
        steps.append(_some(step))
    return steps


def _metrics(call: Any) -> dict[str, Any] | None:
    usage = call.usage or {}
    return _some({
        "prompt_tokens": usage.get("prompt_tokens"), "completion_tokens": usage.get("completion_tokens"),
        "cost_usd": call.cost_usd,
    }) or None  # fmt: skip


def _tool_call(call: dict[str, Any]) -> dict[str, Any]:
    function = call["function"]
    return {"tool_call_id": call["id"], "function_name": function["name"], "arguments": function["arguments"]}


def _content(content: Any, names: Any) -> Any:
    if isinstance(content, str):
        return content
    return [part if part["type"] == "text" else _image(next(names)) for part in content]


def _image(name: str) -> dict[str, Any]:
    return {"type": "image", "source": {"media_type": "image/png", "path": name}}


def _written(png: bytes, folder: Path) -> str:
    name = f"images/{hashlib.sha256(png).hexdigest()}.png"
    if not (folder / name).is_file():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(png)
    return name


def _some(values: dict[str, Any]) -> dict[str, Any]:
    """Without what is None: the format has no nulls."""
    return {key: value for key, value in values.items() if value is not None}
