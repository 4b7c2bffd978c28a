"""Tables of what a run allows to say beyond its counts: pairs, ranks, repeated samples, breakdowns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vbench_env.report.aggregate import Results
from vbench_env.report.best_of import BestOf
from vbench_env.report.findings import Findings, breakdown
from vbench_env.report.statistics import Interval
from vbench_env.report.tables import Table, Value


def finding_tables(found: Findings, traits: Mapping[str, Mapping[str, str]]) -> list[Table]:
    """Every table there is something to put into. `traits` holds values of traits by task id, by trait."""
    made = [pairs(found), ranks(found), repeated(found), variance(found), fronts(found), wordings(found)]
    made += [by_trait(found.results, trait, values) for trait, values in traits.items()]
    return [table for table in made if table.rows]


def pairs(found: Findings) -> Table:
    """Models, protocols and wordings against each other, with p-values corrected for all pairs."""
    columns = (
        "what", "model", "protocol", "other_model", "other_protocol", "episodes", "tasks", "only_first", "only_second",
        "passed_difference", "passed_low", "passed_high", "progress_difference", "progress_low", "progress_high",
        "mcnemar_p", "task_p", "task_p_adjusted", "odds_ratio", "cohen_d",
    )  # fmt: skip
    rows = tuple(
        (
            pair.by, *one.first, *one.second, one.passes.pairs, one.tasks, one.passes.only_first,
            one.passes.only_second, *_interval(one.passed), *_interval(one.progress), one.passes.p_value, one.p_value,
            pair.p_adjusted, one.odds.value if one.odds is not None else None, one.effect,
        )
        for pair in found.pairs
        for one in [pair.comparison]
    )  # fmt: skip
    return Table("pairs", "Pairs", columns, rows)


def _interval(found: Interval | None) -> tuple[Value, Value, Value]:
    return (None, None, None) if found is None else (found.value, found.low, found.high)


def ranks(found: Findings) -> Table:
    """Order of models under each protocol, with the interval of each rank over resampled tasks."""
    rows = tuple(
        (protocol, one.rank, one.key, one.value, one.low, one.high, one.first, stability.tau, stability.tasks)
        for protocol, stability in found.ranks.items()
        for one in stability.ranks
    )
    columns = (
        "protocol",
        "rank",
        "model",
        "passed",
        "rank_low",
        "rank_high",
        "first_share",
        "kendall_tau",
        "tasks",
    )
    return Table("ranks", "Order of models", columns, rows)


def repeated(found: Findings) -> Table:
    """pass@k and pass^k with bootstrap intervals over tasks."""
    rows = tuple(
        (*key, name, one.k, *_interval(one.rate), one.tasks, one.left_out)
        for key, group in found.repeated.items()
        for name, series in (("pass@k", group.any), ("pass^k", group.all))
        for one in series
    )
    columns = ("model", "protocol", "measure", "k", "value", "low", "high", "tasks", "tasks_left_out")
    return Table("repeated", "Repeated samples", columns, rows)


def variance(found: Findings) -> Table:
    """Variance of passes and of progress, split into task and decoding."""
    rows = tuple(
        (*key, name, split.task, split.decoding, split.decoding_share, split.tasks, split.samples)
        for key, group in found.repeated.items()
        for name, split in (("passed", group.passed), ("progress", group.progress))
        if split is not None
    )
    columns = ("model", "protocol", "of", "task", "decoding", "decoding_share", "tasks", "samples")
    return Table("variance", "Variance of tasks and of decoding", columns, rows)


def fronts(found: Findings) -> Table:
    """Groups that no other beats at a lower price, the cheapest first."""
    rows = tuple(
        (effort, place, *key)
        for effort, keys in found.fronts.items()
        for place, key in enumerate(keys, start=1)
    )
    return Table("fronts", "What nothing beats for less", ("effort", "place", "model", "protocol"), rows)


def wordings(found: Findings) -> Table:
    """Passes and progress by wording, over the tasks that have all, and how far the wordings of a task are apart."""
    columns = (
        "model", "protocol", "wording", "passed", "scored", "share", "low", "high", "progress", "tasks", "solid",
        "fickle", "worst", "best", "spread", "spread_low", "spread_high", "progress_spread",
    )  # fmt: skip
    rows = tuple(
        (
            *key, name, rate.successes, rate.total, rate.value, rate.low, rate.high, one.progress[name], one.tasks,
            one.solid, one.fickle, _interval(one.worst)[0], _interval(one.best)[0], *_interval(one.spread),
            _interval(one.progress_spread)[0],
        )
        for key, one in found.wordings.items()
        for name, rate in one.rates.items()
    )  # fmt: skip
    return Table("wordings", "By wording of the instruction", columns, rows)


def best_of(found: Sequence[BestOf]) -> Table:
    """What is passed when one of k samples is chosen by a criterion."""
    rows = tuple(
        (*item.key, one.k, one.criterion, *_interval(one.passed), one.progress, one.tasks)
        for item in found
        for one in item.chosen
    )
    columns = (
        "model",
        "protocol",
        "k",
        "criterion",
        "passed",
        "passed_low",
        "passed_high",
        "progress",
        "tasks",
    )
    return Table("best-of", "Best of k samples", columns, rows)


def by_trait(results: Results, trait: str, values: Mapping[str, str]) -> Table:
    """Passes and progress by a trait of tasks."""
    rows = tuple(
        (*group.key, name, tally.full, tally.scored, tally.full_rate.value, tally.progress.value)
        for group in results.groups
        for name, tally in breakdown(group, values).items()
    )
    columns = ("model", "protocol", trait, "passed", "scored", "share", "progress")
    return Table(trait, f"By {trait}", columns, rows)
