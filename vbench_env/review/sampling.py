"""Choosing what to judge: equal parts of each verdict, and within it of each stratum, as far as they go.

Equal parts take more of what is rare and decisive (repairs near their threshold, outcomes on which rule sets
disagree) than its share; weights make up for that, so that shares of all outcomes can still be estimated. Within
a stratum the choice is random: outputs in the order of a hash of seed and item, so that the same outcomes and
seed give the same sample whatever the order of reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from vbench_env.errors import ConfigError
from vbench_env.experiments.manifest import software_versions
from vbench_env.report.repair_view import repair_title
from vbench_env.review.folder import ReviewFolder
from vbench_env.review.plan import (
    VERDICTS,
    Plan,
    PlanItem,
    Shown,
    Stratum,
    StratumCount,
    Verdict,
    weights,
)
from vbench_env.review.sources import Outcome, Sources
from vbench_env.review.verdicts import judged_of, nearness_of
from vbench_env.scoring.rules import get_rules
from vbench_env.seeding import derive_seed

DEFAULT_N = 60
Progress = Callable[[int], None]
"""Told how many outcomes have been looked at."""
K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """How to choose.

    Attributes:
        n: outputs to judge; all of them where there are fewer.
        seed: of the choice and of every reviewer's order.
        rules: rule set of the verdicts that make the strata.
        quotas: outputs of some verdicts; the others share what is left.
        target: whether a reviewer may reveal the target.
    """

    n: int = DEFAULT_N
    seed: int = 0
    rules: str = "surgical"
    quotas: Mapping[Verdict, int] = field(default_factory=dict)
    target: bool = True

    def __post_init__(self) -> None:
        get_rules(self.rules)
        unknown = [name for name in self.quotas if name not in VERDICTS]
        if unknown:
            raise ConfigError(f"no quota for {unknown[0]!r}: choose from {', '.join(VERDICTS)}")
        if self.n < 1 or any(quota < 0 for quota in self.quotas.values()):
            raise ConfigError("the number of outputs and each quota must not be negative, nor the number 0")
        if sum(self.quotas.values()) > self.n:
            total = sum(self.quotas.values())
            raise ConfigError(f"quotas of {total} in all do not fit into {self.n} outputs; raise --n")


@dataclass(slots=True)
class _Found:
    """An output and the number of outcomes that have its text."""

    stratum: Stratum
    copies: int = 0


def make_review(
    sources: Sources, folder: str | Path, settings: PlanSettings, *, progress: Progress | None = None
) -> ReviewFolder:
    """Choose outputs and lay the review out in a new folder.

    Raises:
        ConfigError: the folder holds a review already; there is nothing to judge; or an outcome has no verdict
            under the rules.
    """
    review = ReviewFolder(folder)
    review.refuse_existing()
    found = _population(sources, settings.rules, progress or (lambda done: None))
    if not found:
        notes = f" ({'; '.join(sources.notes)})" if sources.notes else ""
        advice = "a run with answers whose tasks are still the same is needed"
        raise ConfigError(f"{', '.join(sources.paths)}: nothing to judge{notes}; {advice}")
    taken = choose({item: output.stratum for item, output in found.items()}, settings)
    items, shown = _details(sources, found, taken)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    plan = Plan(
        created_at=now, seed=settings.seed, n=settings.n, rules=settings.rules, quotas=dict(settings.quotas),
        target=settings.target, sources=sources.paths, notes=sources.notes, strata=_counts(found, taken),
        items=tuple(items), canaries=tuple(sorted({line.canary for line in shown} - {""})),
        versions=software_versions(),
    )  # fmt: skip
    review.write(plan, shown)
    return review


def stratum_of(outcome: Outcome, rules: str) -> Stratum:
    """The stratum of an outcome that has a text."""
    card = outcome.cards.get(rules)
    if card is None:
        known = ", ".join(sorted(outcome.cards))
        raise ConfigError(f"{outcome.origin.source} holds no verdicts under the rules {rules!r}, but {known}")
    verdict: Verdict = next((name for name in VERDICTS if name == card.status), "INVALID")
    kept = {other.preserved for other in outcome.cards.values()}
    return Stratum(verdict, nearness_of(card), len(kept) > 1)


def _population(sources: Sources, rules: str, progress: Progress) -> dict[str, _Found]:
    found: dict[str, _Found] = {}
    for done, outcome in enumerate(sources, 1):
        if outcome.item not in found:
            found[outcome.item] = _Found(stratum_of(outcome, rules))
        found[outcome.item].copies += 1
        progress(done)
    return found


def choose(strata: Mapping[str, Stratum], settings: PlanSettings) -> list[str]:
    """Items to judge, from the stratum of each; sorted."""
    cells: dict[Stratum, list[str]] = {}
    for item in sorted(strata, key=lambda item: derive_seed("review", settings.seed, item)):
        cells.setdefault(strata[item], []).append(item)
    sizes: dict[Verdict, int] = {}
    for stratum, items in cells.items():
        sizes[stratum.verdict] = sizes.get(stratum.verdict, 0) + len(items)
    fixed = {name: min(settings.quotas[name], sizes.get(name, 0)) for name in settings.quotas}
    others = {name: size for name, size in sizes.items() if name not in fixed}
    rest = equal_parts(others, settings.n - sum(fixed.values()), settings.seed)
    chosen: list[str] = []
    for verdict, count in {**fixed, **rest}.items():
        own = {stratum: items for stratum, items in cells.items() if stratum.verdict == verdict}
        parts = equal_parts({stratum: len(items) for stratum, items in own.items()}, count, settings.seed)
        chosen += [item for stratum in sorted(own) for item in own[stratum][: parts[stratum]]]
    return sorted(chosen)


def equal_parts(sizes: Mapping[K, int], total: int, seed: int) -> dict[K, int]:
    """`total` handed out in equal parts, none over its size; what small ones cannot take goes to the others.

    Which of equally large ones gets one more, where parts do not come out even, is decided by the seed.
    """
    left = total
    parts: dict[K, int] = {}
    waiting = sorted(sizes, key=lambda key: (sizes[key], derive_seed("review parts", seed, key)))
    for place, key in enumerate(waiting):
        parts[key] = min(sizes[key], left // (len(waiting) - place))
        left -= parts[key]
    return parts


def _counts(found: Mapping[str, _Found], taken: Sequence[str]) -> tuple[StratumCount, ...]:
    rows: dict[Stratum, list[int]] = {}
    chosen = set(taken)
    for item, output in found.items():
        row = rows.setdefault(output.stratum, [0, 0, 0])
        row[0] += output.copies
        row[1] += 1
        row[2] += item in chosen
    ordered = sorted(rows, key=lambda s: (VERDICTS.index(s.verdict), s.nearness, s.flips))
    return tuple(
        StratumCount(**stratum._asdict(), outcomes=rows[stratum][0], outputs=rows[stratum][1], taken=rows[stratum][2])
        for stratum in ordered
    )  # fmt: skip


def _details(
    sources: Sources, found: Mapping[str, _Found], taken: Sequence[str]
) -> tuple[list[PlanItem], list[Shown]]:
    """The second reading: everything about the items that were chosen."""
    outcomes: dict[str, list[Outcome]] = {item: [] for item in taken}
    for outcome in sources:
        if outcome.item in outcomes:
            outcomes[outcome.item].append(outcome)
    present = {item: same for item, same in outcomes.items() if same}
    strata = {item: found[item].stratum for item in present}
    totals = {row.stratum: row.outcomes for row in _counts(found, taken)}
    shares = weights(strata, {item: len(same) for item, same in present.items()}, totals)
    items = [_plan_item(item, same, strata[item], shares[item]) for item, same in present.items()]
    return items, [_shown(item, same[0]) for item, same in present.items()]


def _plan_item(item: str, same: list[Outcome], stratum: Stratum, weight: float) -> PlanItem:
    return PlanItem(
        item=item, task_id=same[0].task.task_id, **stratum._asdict(), weight=weight,
        origins=tuple(outcome.origin for outcome in same),
        judged={name: judged_of(card) for name, card in same[0].cards.items()},
    )  # fmt: skip


def _shown(item: str, outcome: Outcome) -> Shown:
    task = outcome.task
    return Shown(
        item=item, title=task.title, instruction=task.instruction, start=task.corrupted_svg,
        output=_whole(outcome.text), target=task.target_svg, canary=task.canary,
        repairs=tuple(repair_title(r.operation, r.object, r.named) for r in task.repairs),
    )  # fmt: skip


def _whole(text: str) -> str:
    """Text that UTF-8 can hold: a lone half of a letter becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
