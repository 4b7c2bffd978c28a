"""A review as it is analysed: a plan and what its reviewers said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from vbench_env.errors import ConfigError
from vbench_env.review.folder import ReviewFolder, labels_of
from vbench_env.review.labels import Judgement, Labels
from vbench_env.review.plan import Plan, PlanItem, weights


@dataclass(frozen=True, slots=True)
class Study:
    """A plan and the labels of its reviewers."""

    plan: Plan
    labels: dict[str, Labels]

    def judgements(self, item: str) -> dict[str, Judgement]:
        """What counts of each reviewer, by name."""
        return {name: labels.latest[item] for name, labels in self.labels.items() if item in labels.latest}

    @property
    def items(self) -> list[PlanItem]:
        """Items that somebody judged."""
        return [item for item in self.plan.items if self.judgements(item.item)]

    @property
    def weights(self) -> list[float]:
        """Outcomes that each judged item stands for, in the order of `items`."""
        items = self.items
        strata = {item.item: item.stratum for item in items}
        totals = {row.stratum: row.outcomes for row in self.plan.strata}
        found = weights(strata, {item.item: item.copies for item in items}, totals)
        return [found[item.item] for item in items]

    @property
    def covered(self) -> int:
        """Outcomes in strata of which something is judged."""
        judged = {item.stratum for item in self.items}
        return sum(row.outcomes for row in self.plan.strata if row.stratum in judged)


def load_studies(sources: Sequence[str | Path], label_files: Sequence[Path] = ()) -> list[Study]:
    """Reviews by run folder, review folder, or label files that stand in one.

    Raises:
        ConfigError: a source holds no review, a file cannot be read, or nothing is judged yet.
    """
    studies = []
    for source in sources:
        folder = review_of(source)
        studies.append(Study(folder.plan, folder.all_labels()))
    homes: dict[Path, list[Path]] = {}
    for path in label_files:
        homes.setdefault(path.resolve().parent.parent, []).append(path)
    for home, paths in homes.items():
        plan = ReviewFolder(home).plan
        studies.append(Study(plan, labels_of(paths, plan)))
    if not studies:
        raise ConfigError("name a run or a review folder, or label files with --reviews")
    if not any(study.labels for study in studies):
        raise ConfigError("nothing is judged yet; judge outcomes with: vbench-env review RUN")
    return studies


def review_of(source: str | Path) -> ReviewFolder:
    """The review in a folder, or the one of a run folder."""
    for path in (Path(source), Path(source) / "reviews"):
        if ReviewFolder(path).exists:
            return ReviewFolder(path)
    raise ConfigError(f"{source} holds no review; make one with: vbench-env review {source}")


def majority(judgements: Iterable[Judgement], gate: str) -> bool | None:
    """What most of those who decided say of a gate; None for a tie or nobody."""
    answers = [judgement.gate(gate) for judgement in judgements]
    yes, no = answers.count("yes"), answers.count("no")
    return None if yes == no else yes > no
