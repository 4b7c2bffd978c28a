"""Runs for the tests of the report: small tasks in a folder, answers scored for real, written by the real writer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vbench_env.experiments.config import make_config
from vbench_env.experiments.manifest import make_manifest
from vbench_env.experiments.plan import make_plan
from vbench_env.experiments.record import EpisodeRecord, FailureRecord, UnitKey
from vbench_env.experiments.store import RunWriter
from vbench_env.scoring import score
from vbench_env.task import Task, load_corpus

TARGET = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80" viewBox="0 0 120 80">'
    '<rect id="sky" width="120" height="80" fill="#cfe8ff"/>'
    '<circle id="sun" cx="90" cy="20" r="12" fill="#ffcc00"/>'
    '<rect id="house" x="20" y="40" width="40" height="40" fill="#884422"/></svg>'
)
CORRUPTED = TARGET.replace('cx="90"', 'cx="30"').replace("#884422", "#22aa44")
HALF = CORRUPTED.replace('cx="30"', 'cx="90"')
SIDE_EFFECT = TARGET.replace("#cfe8ff", "#000000").replace("</svg>", '<circle id="moon" r="9"/></svg>')
TASK: dict[str, Any] = {
    "task_id": "meadow",
    "title": "A house & a sun <b>",
    "instruction": "Put the sun back to the right and paint the house brown; keep <everything> else.",
    "initial_svg": CORRUPTED,
    "target_svg": TARGET,
    "expected_diff": [
        {"part": "sun", "attribute": "cx", "before": "30", "after": "90"},
        {"part": "house", "attribute": "fill", "before": "#22aa44", "after": "#884422"},
    ],
    "should_preserve": ["sky"],
}


def corpus_folder(folder: Path, tasks: Sequence[Mapping[str, Any]] = (TASK,)) -> Path:
    """A folder of published tasks."""
    path = folder / "meadows"
    path.mkdir(parents=True, exist_ok=True)
    for task in tasks:
        (path / f"{task['task_id']}.json").write_text(json.dumps(task), encoding="utf-8")
    return path


def record_of(task: Task, model: str, svg: str | None, *, sample: int = 0, **fields: Any) -> EpisodeRecord:
    """A finished episode with its verdicts; `fields` replace those of the record."""
    key = UnitKey(task.hash, "single-shot", model, sample, 7)
    data: dict[str, Any] = {
        "episode_id": key.episode_id, "reward_valid": True, "stop_reason": "answer", "task_id": task.task_id,
        "task_hash": task.hash, "corpus": task.corpus, "protocol": "single-shot", "rules": "surgical",
        "model": model, "sample": sample, "seed": 7, "started_at": "2026-01-02T03:04:05+00:00", "wall_s": 1.5,
        "final_svg": svg, "score": score(task, svg, "surgical"), "other_scores": [score(task, svg, "published")],
        "cost_usd": 0.0, "messages": [{"role": "assistant", "content": svg}],
    }  # fmt: skip
    return EpisodeRecord(**{**data, **fields})


def owed_record(task: Task, model: str, *, sample: int = 0, kind: str = "auth") -> EpisodeRecord:
    """An episode that infrastructure left without a verdict."""
    error = FailureRecord(kind=kind, message="no such key <script>")
    return record_of(
        task, model, None, sample=sample, reward_valid=False, stop_reason="infrastructure", score=None,
        other_scores=[], error=error, cost_usd=None,
    )  # fmt: skip


def write_run(folder: Path, corpus: Path, records: Sequence[EpisodeRecord]) -> Path:
    """A run folder that holds these episodes."""
    names = list(dict.fromkeys(record.model for record in records)) or ["noop"]
    models = [{"name": name, "agent": "noop"} for name in names]
    manifest = make_manifest(make_plan(make_config({"corpus": str(corpus), "models": models})))
    path = folder / "run"
    with RunWriter(path, manifest, resume=False) as writer:
        writer.begin(manifest)
        for record in records:
            writer.append(record)
    return path


def first_task(corpus: Path) -> Task:
    return load_corpus(corpus)[0]
