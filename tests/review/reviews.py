"""Reviews for the tests: a run of a small task with an answer of every kind, and labels said by rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.report.runs import (
    CORRUPTED,
    HALF,
    SIDE_EFFECT,
    TARGET,
    corpus_folder,
    first_task,
    owed_record,
    record_of,
    write_run,
)
from vbench_env.review import PlanSettings, ReviewFolder, make_review
from vbench_env.review.desk import ReviewDesk
from vbench_env.review.plan import PlanItem
from vbench_env.review.sources import Sources

HOSTILE = TARGET.replace(
    "</svg>",
    '<script>document.title="taken"; console.error("ran")</script><style>*{display:none!important}</style>'
    '<rect id="questions" onload="alert(1)" width="9" height="9"/><image href="https://example.org/spy.png"/>'
    '<image href="file:///etc/passwd" width="9" height="9"/>'
    "<text>&lt;/script&gt;<![CDATA[</script></style></main><h1 id=title>taken</h1><img src=x onerror=alert(4)>]]>"
    "</text></svg>",
)
MALFORMED = TARGET[:200]
MODELS = ("able-model-7b", "odd<img src=x>")


def moved(cx: float) -> str:
    """The target with the sun at `cx`; it belongs at 90, the tolerance is 3, the corruption stands at 30."""
    return TARGET.replace('cx="90"', f'cx="{cx}"')


ANSWERS = {
    "pass": TARGET, "just within": moved(92), "just beyond": moved(95), "half": HALF, "untouched": CORRUPTED,
    "side effect": SIDE_EFFECT, "hostile": HOSTILE, "malformed": MALFORMED,
}  # fmt: skip
"""Texts by what they are."""


def run_folder(folder: Path) -> Path:
    """A run of two models and a control: every answer once, the target three times, nothing, and a failure."""
    task = first_task(corpus_folder(folder))
    records = [record_of(task, MODELS[n % 2], svg, sample=n) for n, svg in enumerate(ANSWERS.values())]
    records += [record_of(task, MODELS[0], TARGET, sample=20), record_of(task, MODELS[1], TARGET, sample=21)]
    records += [record_of(task, MODELS[0], None, sample=22), owed_record(task, MODELS[1], sample=23)]
    records.append(record_of(task, "noop", CORRUPTED, control=True))
    return write_run(folder, folder / "meadows", records)


def review_folder(folder: Path, **settings: Any) -> ReviewFolder:
    """A review of the run above."""
    return make_review(Sources([run_folder(folder)]), folder / "review", PlanSettings(**settings))


def answer(item: str, **fields: Any) -> bytes:
    """What the page sends: yes to everything, but for `fields`."""
    return json.dumps(
        {"item": item, "repaired": "yes", "preserved": "yes", "valid": "yes", **fields}
    ).encode()


def judge_all(folder: ReviewFolder, reviewer: str, say: Callable[[PlanItem], Mapping[str, Any]]) -> None:
    """Let a reviewer judge every item by a rule."""
    items = {item.item: item for item in folder.plan.items}
    with folder.labels(reviewer) as labels:
        desk = ReviewDesk(folder, labels, reviewer)
        for name in desk.order:
            desk.judge(answer(name, **say(items[name])))
