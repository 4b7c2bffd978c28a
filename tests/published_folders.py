"""A small set of published outcomes with verdicts worked out by hand, in both layouts that `reproduce` reads.

The scene is 200 x 100. The sun's cx is 120 instead of 100, so its tolerance is min(2.5 % of 200, 0.5 * 20) = 5; the
wall is red instead of blue, 176.3 apart in CIE76, so its tolerance is the cap of 18.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

TARGET = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">\n'
    '<rect id="ground" x="0" y="80" width="200" height="20" fill="#00ff00"/>\n'
    '<rect id="wall" x="60" y="40" width="80" height="40" fill="#0000ff"/>\n'
    '<circle id="sun" cx="100" cy="20" r="10" fill="#ffff00"/>\n'
    '<path id="hill" d="M 0 80 Q 30 60 60 80" fill="#008000"/>\n'
    "</svg>"
)
CORRUPTED = TARGET.replace('cx="100"', 'cx="120"').replace("#0000ff", "#ff0000")
RED_TO_BLUE = 176.3
"""CIE76 distance of #ff0000 and #0000ff."""

TASK = {
    "task_id": "sv_001",
    "category": "scene",
    "difficulty": "easy",
    "instruction": "Put the sun above the middle of the wall and paint the wall blue.",
    "initial_svg": CORRUPTED,
    "target_svg": TARGET,
    "expected_diff": [
        {"part": "sun", "attribute": "cx", "before": 120, "after": 100},
        {"part": "wall", "attribute": "fill", "before": "#ff0000", "after": "#0000ff"},
    ],
    "should_preserve": ["ground", "hill"],
}
OTHER_TASK = {**TASK, "task_id": "sv_002"}

NEAR = TARGET.replace('cx="100"', 'cx="106"')
SIDE_EFFECT = TARGET.replace('height="20" fill="#00ff00"', 'height="21" fill="#00ff00"')
CUT_OFF = TARGET[:300]


def check(part: str, attribute: str, *, passed: bool, distance: float | None, tolerance: float | None,
          baseline: float | None, progress: float) -> dict[str, Any]:  # fmt: skip
    return {
        "part": part, "attribute": attribute, "passed": passed, "distance": distance, "tolerance": tolerance,
        "baseline_distance": baseline, "progress": progress,
    }  # fmt: skip


def checks(sun: float | None, wall: float | None, *, valid: bool = True) -> list[dict[str, Any]]:
    """Both checks of a row by their distances; without any for an unreadable document."""
    found = []
    for part, attribute, distance, tolerance, delta in (
        ("sun", "cx", sun, 5.0, 20.0),
        ("wall", "fill", wall, 18.0, RED_TO_BLUE),
    ):
        known = distance is not None
        passed = valid and distance is not None and distance <= tolerance
        progress = 0.0 if distance is None or not valid else max(0.0, 1 - distance / delta)
        found.append(
            check(part, attribute, passed=passed, distance=distance, tolerance=tolerance if known else None,
                  baseline=delta if known else None, progress=progress)
        )  # fmt: skip
    return found


def verdict(status: str, *, valid: bool = True, repaired: bool = False, preserved: bool = False,
            near: bool = False, source: bool | None = None, match: bool = False, completion: float = 0.0,
            progress: float = 0.0, rate: float = 0.0) -> dict[str, Any]:  # fmt: skip
    return {
        "status": status, "reward": int(valid and repaired and preserved), "validity_pass": valid,
        "repair_pass": repaired, "preservation_pass": preserved, "near_pass": near,
        "source_preservation_pass": preserved if source is None else source, "target_match": match,
        "edit_completion": completion, "repair_progress": progress, "unintended_change_rate": rate,
    }  # fmt: skip


ROWS: list[dict[str, Any]] = [
    {
        "model": "exact", "produced": TARGET, "finish_reason": "stop", "checks": checks(0.0, 0.0),
        **verdict("PASS", repaired=True, preserved=True, match=True, completion=1.0, progress=1.0),
    },
    {
        "model": "lazy", "produced": CORRUPTED, "finish_reason": "stop", "checks": checks(20.0, RED_TO_BLUE),
        **verdict("FAIL", preserved=True),
    },
    {
        "model": "near", "produced": NEAR, "finish_reason": "stop", "checks": checks(6.0, 0.0),
        **verdict("NEAR", preserved=True, near=True, completion=0.5, progress=0.85),
    },
    {
        "model": "clumsy", "produced": SIDE_EFFECT, "finish_reason": "stop", "checks": checks(0.0, 0.0),
        **verdict("SIDE_EFFECTS", repaired=True, completion=1.0, progress=1.0, rate=0.5),
    },
    {
        "model": "wordy", "produced": CUT_OFF, "finish_reason": "length", "checks": checks(None, None),
        **verdict("INVALID", valid=False, rate=1.0),
    },
    {
        "model": "absent", "produced": None, "finish_reason": None, "checks": checks(None, None),
        **verdict("ERR", valid=False, rate=1.0),
    },
]  # fmt: skip
"""One row per model, on task sv_001."""


def plain_folder(
    root: Path, rows: list[dict[str, Any]] = ROWS, tasks: tuple[dict[str, Any], ...] = (TASK,)
) -> Path:
    """The layout with `tasks/` and one file of lines."""
    (root / "tasks").mkdir(parents=True)
    for task in tasks:
        (root / "tasks" / f"{task['task_id']}.json").write_text(json.dumps(task), encoding="utf-8")
    lines = "".join(json.dumps({"task_id": "sv_001", **row}) + "\n" for row in rows)
    (root / "published_outcomes.jsonl").write_text(lines, encoding="utf-8")
    return root


def repository(root: Path, content: Any, task: dict[str, Any] = TASK) -> Path:
    """The layout of the public repository, with `content` as the results of one task."""
    for name, value in (("tasks", task), ("model-results", content)):
        folder = root / "data" / name
        folder.mkdir(parents=True)
        (folder / f"{task['task_id']}.json").write_text(json.dumps(value), encoding="utf-8")
    return root


def repository_row(row: dict[str, Any], *, raw: bool = False) -> dict[str, Any]:
    """A row as the repository names it: `produced_svg`, or (`raw`) the text in `raw_response` alone."""
    rest = {name: value for name, value in row.items() if name != "produced"}
    text = row["produced"]
    return {**rest, "produced_svg": None if raw else text, "raw_response": text}


def published_data() -> Path:
    """The published outcomes at `$VBENCH_PUBLISHED` or beside the checkout; skips the test without them."""
    beside = Path(__file__).parents[2] / "shared" / "vector-bench"
    folder = Path(os.environ.get("VBENCH_PUBLISHED", beside))
    if not folder.is_dir():
        pytest.skip(f"no published outcomes at {folder}; set VBENCH_PUBLISHED to a folder with them")
    return folder
