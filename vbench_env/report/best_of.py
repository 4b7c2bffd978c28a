"""Best of N: what a model is worth when one of several samples is chosen by a criterion.

For every task the samples are put in the order of the criterion. Of k samples drawn at random the first in that order
is chosen, so the chance that the choice passes is a sum over the order, with no draw by lot (`random` is k = 1).
`consensus` counts all samples of a task, also for a smaller k.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from pathlib import Path

from vbench_env.experiments.record import EpisodeRecord
from vbench_env.experiments.store import RunFolder
from vbench_env.report.aggregate import GroupKey, Results, card_of
from vbench_env.report.choosing import CRITERIA, Answer, answer_of
from vbench_env.report.gather import marked, run_marks
from vbench_env.report.played import load_tasks
from vbench_env.report.statistics import Interval, bootstrap_share
from vbench_env.scoring.grammar import Key
from vbench_env.scoring.rules import get_rules
from vbench_env.scoring.validity import fault_keys
from vbench_env.svg.parse import parse
from vbench_env.task import Task

MOST_ON_PAGES = 2_000
"""Episodes of runs on whose pages choices are shown: every answer is read and held against its start."""
Place = tuple[str, str]
"""Task and wording."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a criterion makes of `k` samples: share of tasks passed with a bootstrap interval, and mean progress.

    `tasks` (in each wording) have at least `k` scored samples.
    """

    criterion: str
    k: int
    passed: Interval
    progress: float
    tasks: int


@dataclass(frozen=True, slots=True)
class BestOf:
    """A model under a protocol: every criterion at every k."""

    key: GroupKey
    control: bool
    chosen: tuple[Chosen, ...]
    left_out: int
    """Episodes without a verdict, or whose task is no more what was played."""

    def at(self, criterion: str, k: int) -> Chosen | None:
        return next((found for found in self.chosen if (found.criterion, found.k) == (criterion, k)), None)


class _Group:
    def __init__(self) -> None:
        self.answers: dict[Place, dict[int, Answer]] = defaultdict(dict)
        self.control, self.left_out = False, 0


def best_of(
    folders: Sequence[str | Path], rules: str | None = None, criteria: Sequence[str] = (),
    ks: Sequence[int] = (), progress: Callable[[int], None] | None = None,
) -> list[BestOf]:  # fmt: skip
    """Choose among the samples of runs.

    Args:
        folders: run folders; models of runs that played the same episodes are told apart by run.
        rules: rule set of the verdicts; None takes the headline of each record.
        criteria: names of criteria; all when empty. `oracle` always comes last.
        ks: numbers of samples to choose from; when empty, 1, 2, 4, ... and all that most tasks have.
        progress: told after each episode.

    Raises:
        ConfigError: no run folder, or no verdicts under these rules.
        UnknownName: no such criterion.
    """
    names = [*(name for name in criteria or CRITERIA.names() if name != "oracle"), "oracle"]
    for name in names:
        CRITERIA.get(name)
    groups: dict[GroupKey, _Group] = defaultdict(_Group)
    for count, (record, task) in enumerate(_records(folders), start=1):
        _add(groups[GroupKey(record.model, record.protocol)], record, task, rules)
        if progress is not None:
            progress(count)
    found = [_summary(key, group, names, ks) for key, group in groups.items()]
    return sorted(found, key=lambda item: (item.control, -_best(item), item.key))


def choices(results: Results, folders: Sequence[str | Path], rules: str | None = None) -> list[BestOf]:
    """`best_of` for a page: of what there is a choice in, and nothing of more than `MOST_ON_PAGES` episodes."""
    several = any(group.repeats for group in results.groups)
    if not several or sum(group.total.scored for group in results.groups) > MOST_ON_PAGES:
        return []
    return [found for found in best_of(folders, rules) if any(one.k > 1 for one in found.chosen)]


def _records(folders: Sequence[str | Path]) -> Iterator[tuple[EpisodeRecord, Task | None]]:
    runs = [RunFolder(folder) for folder in folders]
    for run, mark in zip(runs, run_marks(runs), strict=True):
        tasks = load_tasks(run.manifest)[0]
        for record in run.episodes():
            yield marked(record, mark), tasks.get(record.task_id)


def _add(group: _Group, record: EpisodeRecord, task: Task | None, rules: str | None) -> None:
    card = card_of(record, rules)
    group.control = record.control
    if card is None or task is None:
        group.left_out += 1
        return
    start = task.corrupted_svg
    verdict = card.passed, card.repair_progress
    made = answer_of(record.sample, record.final_svg, verdict, start, get_rules("surgical"), _faults(start))
    group.answers[record.task_id, record.wording][record.sample] = made


@lru_cache(maxsize=64)
def _faults(start: str) -> Counter[Key]:
    """The faults of a start, which are forgiven; none of one that is not well-formed."""
    document = parse(start)
    return fault_keys(document, get_rules("surgical")) if document.root is not None else Counter()


def _summary(key: GroupKey, group: _Group, names: Sequence[str], ks: Sequence[int]) -> BestOf:
    sets = [list(answers.values()) for answers in group.answers.values()]
    chosen = [
        found
        for k in sorted(set(ks or _powers(sets)))
        for name in names
        if (found := _chosen(name, k, [answers for answers in sets if len(answers) >= k])) is not None
    ]
    return BestOf(key, group.control, tuple(chosen), group.left_out)


def _powers(sets: Sequence[Sequence[Answer]]) -> list[int]:
    """1, 2, 4, ... up to the number of samples that most tasks have, which is there too."""
    sizes = Counter(len(answers) for answers in sets)
    if not sizes:
        return []
    most = max(sizes, key=lambda size: (sizes[size], size))
    return [*(2**n for n in range(most.bit_length()) if 2**n < most), most]


def _chosen(name: str, k: int, sets: Sequence[Sequence[Answer]]) -> Chosen | None:
    pairs = [expected(name, answers, k) for answers in sets]
    passed = bootstrap_share([pair[0] for pair in pairs])
    if passed is None:
        return None
    return Chosen(name, k, passed, sum(pair[1] for pair in pairs) / len(pairs), len(pairs))


def expected(name: str, answers: Sequence[Answer], k: int) -> tuple[float, float]:
    """Chance that the choice among k of these answers passes, and its mean progress.

    The answer at place i of n (from 0) is chosen when it is drawn and none before it is: in C(n-1-i, k-1) of C(n, k)
    draws.
    """
    keys = CRITERIA.get(name)(answers)
    order = [answers[place] for place in sorted(range(len(answers)), key=lambda place: keys[place])]
    ways = [comb(len(order) - 1 - place, k - 1) for place in range(len(order))]
    draws = comb(len(order), k)
    passed = sum(way for way, answer in zip(ways, order, strict=True) if answer.passed)
    return passed / draws, sum(way * answer.progress for way, answer in zip(ways, order, strict=True)) / draws


def _best(item: BestOf) -> float:
    return max((found.passed.value for found in item.chosen), default=0.0)


def plain(found: Sequence[BestOf]) -> list[Mapping[str, object]]:
    """Plain JSON types."""
    return [
        {
            **item.key._asdict(), "control": item.control, "left_out": item.left_out,
            "chosen": [
                {
                    "criterion": one.criterion, "k": one.k, "tasks": one.tasks, "progress": one.progress,
                    "passed": {"value": one.passed.value, "low": one.passed.low, "high": one.passed.high},
                }
                for one in item.chosen
            ],
        }
        for item in found
    ]  # fmt: skip
