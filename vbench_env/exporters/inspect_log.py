"""Inspect: a run as `.eval` logs, which its viewer shows with pictures and scores. One log a model and protocol."""

from __future__ import annotations

import base64
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vbench_env.errors import ConfigError, MissingExtra
from vbench_env.experiments.manifest import Manifest
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.experiments.store import RunFolder
from vbench_env.exporters.rows import scored
from vbench_env.integrations.inspect import SHARES, messages_of, score_of

try:
    from inspect_ai.log import (
        EvalConfig,
        EvalDataset,
        EvalLog,
        EvalMetric,
        EvalResults,
        EvalSample,
        EvalScore,
        EvalSpec,
        EvalStats,
        write_eval_log,
    )
    from inspect_ai.model import ModelOutput, ModelUsage
except ImportError as error:
    raise MissingExtra("inspect", error) from error

_STORED = re.compile(r"pictures/[0-9a-f]{64}\.png")


def write_logs(run: RunFolder, folder: Path) -> list[Path]:
    """Write `folder/<model>_<protocol>.eval` for every model and protocol of a run."""
    groups: dict[tuple[str, str], list[EpisodeRecord]] = defaultdict(list)
    for record in scored(run):
        groups[record.model, record.protocol].append(record)
    if not groups:
        raise ConfigError(f"{run.path} holds no scored episode")
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for (model, protocol), records in groups.items():
        path = folder / f"{re.sub(r'[^A-Za-z0-9.-]+', '-', model)}_{protocol}.eval"
        write_eval_log(_log(run.manifest, model, protocol, records, run.path), str(path))
        written.append(path)
    return written


def _log(manifest: Manifest, model: str, protocol: str, records: list[EpisodeRecord], root: Path) -> EvalLog:
    samples = [_sample(record, root) for record in records]
    names = list(dict.fromkeys(str(sample.id) for sample in samples))
    started = min(record.started_at for record in records)
    spec = EvalSpec(
        run_id=manifest.run_id, eval_id=f"{manifest.run_id}-{model}-{protocol}", task_id=f"vbench-{protocol}",
        created=started, task="vbench", task_args={"corpus": records[0].corpus, "protocol": protocol},
        dataset=EvalDataset(name=records[0].corpus, samples=len(names), sample_ids=names),
        model=model if "/" in model else f"agent/{model}", packages=dict(records[0].versions),
        config=EvalConfig(epochs=max(sample.epoch for sample in samples)),
        metadata={"control": records[0].control, "rules": records[0].rules},
    )  # fmt: skip
    return EvalLog(
        status="success", eval=spec, samples=samples, results=_results(samples),
        stats=EvalStats(started_at=started, completed_at=max(record.started_at for record in records)),
    )  # fmt: skip


def _results(samples: list[EvalSample]) -> EvalResults:
    scores = []
    for name in SHARES:
        values = [float(sample.scores["gates"].value[name]) for sample in samples if sample.scores]
        metric = EvalMetric(name="mean", value=sum(values) / len(values))
        scores.append(
            EvalScore(name=name, scorer="gates", scored_samples=len(values), metrics={"mean": metric})
        )
    return EvalResults(total_samples=len(samples), completed_samples=len(samples), scores=scores)


def _sample(record: EpisodeRecord, root: Path) -> EvalSample:
    messages = messages_of(_with_pictures(record.messages, root))
    first = next(number for number, message in enumerate(messages) if message.role == "assistant")
    last = next(message for message in reversed(messages) if message.role == "assistant")
    card, usage = record.score, record.usage or {}
    assert card is not None
    output = ModelOutput.from_message(last)
    output.model = record.model
    prompt, completion = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
    counted = ModelUsage(input_tokens=prompt, output_tokens=completion, total_tokens=prompt + completion)
    suffix = "" if record.wording == "plain" else f":{record.wording}"
    return EvalSample(
        id=record.task_id + suffix, epoch=record.sample + 1, input=messages[:first], target="",
        messages=messages, output=output, scores={"gates": score_of(card, record.final_svg)},
        model_usage={record.model: counted} if record.usage else {}, total_time=record.wall_s,
        metadata={
            "episode_id": record.episode_id, "task_hash": record.task_hash, "seed": record.seed,
            "agent": record.agent, "stop_reason": record.stop_reason, "cost_usd": record.cost_usd,
        },
    )  # fmt: skip


def _with_pictures(messages: Iterable[dict[str, Any]], root: Path) -> list[dict[str, Any]]:
    """Messages of a record with pictures in them again."""

    def restored(part: dict[str, Any]) -> dict[str, Any]:
        if part["type"] != "image_url" or not _STORED.fullmatch(part["image_url"]["url"]):
            return part
        data = base64.b64encode((root / part["image_url"]["url"]).read_bytes()).decode("ascii")
        return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}

    return [
        {**message, "content": [restored(part) for part in message["content"]]}
        if isinstance(message.get("content"), list) else message
        for message in messages
    ]  # fmt: skip
