"""Protocols against each other, model by model: does seeing help, does working in turns help?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from vbench_env.protocol import Protocol
from vbench_env.report.aggregate import Group, Results
from vbench_env.report.statistics import Interval, Mean, mcnemar, paired_bootstrap

MOST_CONTRASTS = 60

Question = Literal["raster", "turns"]
TITLES = {"raster": "With pictures, against text alone", "turns": "In turns, against a single shot"}
SIDES = {"raster": ("text better", "pictures better"), "turns": ("single shot better", "turns better")}


@dataclass(frozen=True, slots=True)
class Contrast:
    """One model under two protocols, on the episodes that both have a verdict of.

    Attributes:
        first: name of the protocol with pictures, or with turns.
        second: name of the one without.
        passed: difference of the share passed, first less second, mean over tasks.
        progress: the same of repair progress.
        pairs: shared episodes.
        p_value: exact McNemar over episodes.
    """

    question: Question
    model: str
    first: str
    second: str
    passed: Interval
    progress: Interval
    pairs: int
    tasks: int
    p_value: float


def contrasts(results: Results, protocols: Mapping[str, Protocol]) -> list[Contrast]:
    """Every pair of protocols of a model that differ in pictures or in turns, not in both; largest gain first."""
    found = [
        contrast
        for one, other in combinations(results.models, 2)
        if one.key.model == other.key.model
        for contrast in _contrast(one, other, protocols)
    ]
    ordered = sorted(found, key=lambda item: (item.question, -item.passed.value, item.model, item.first))
    return ordered[:MOST_CONTRASTS]


def _contrast(one: Group, other: Group, protocols: Mapping[str, Protocol]) -> Iterator[Contrast]:
    kinds = [protocols.get(group.key.protocol) for group in (one, other)]
    if kinds[0] is None or kinds[1] is None:
        return
    sees = kinds[0].needs_vision, kinds[1].needs_vision
    turns = not kinds[0].single_shot, not kinds[1].single_shot
    if (sees[0] == sees[1]) == (turns[0] == turns[1]):
        return
    question: Question = "turns" if sees[0] == sees[1] else "raster"
    forward = turns[0] if question == "turns" else sees[0]
    first, second = (one, other) if forward else (other, one)
    made = _paired(first, second, question)
    if made is not None:
        yield made


def _paired(first: Group, second: Group, question: Question) -> Contrast | None:
    shared = sorted(set(first.outcomes) & set(second.outcomes))
    sides = [[group.outcomes[place] for place in shared] for group in (first, second)]
    tasks = [place[0] for place in shared]
    passed = paired_bootstrap(*(_by_task(tasks, [float(o.passed) for o in side]) for side in sides))
    progress = paired_bootstrap(*(_by_task(tasks, [o.progress for o in side]) for side in sides))
    if passed is None or progress is None:
        return None
    p_value = mcnemar([o.passed for o in sides[0]], [o.passed for o in sides[1]]).p_value
    return Contrast(
        question, first.key.model, first.key.protocol, second.key.protocol, passed, progress, len(shared),
        len(set(tasks)), p_value,
    )  # fmt: skip


def _by_task(tasks: list[str], values: list[float]) -> list[float]:
    """Mean value of each task, in order of first appearance."""
    means: dict[str, Mean] = {}
    for task_id, value in zip(tasks, values, strict=True):
        means.setdefault(task_id, Mean()).add(value)
    return [mean.value or 0.0 for mean in means.values()]
