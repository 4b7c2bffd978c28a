"""What is found about runs as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import HORIZONTALS
from rich.table import Table
from rich.text import Text

from vbench_env.report import words
from vbench_env.report.aggregate import Group, GroupKey
from vbench_env.report.findings import BY, Findings, Pair
from vbench_env.report.ranking import RankStability
from vbench_env.report.repeated import AtK
from vbench_env.report.statistics import Interval
from vbench_env.report.tally import Tally
from vbench_env.report.traits import in_order
from vbench_env.report.wordings import Robustness

_TITLES = {
    "models": "Models, under the same protocol",
    "protocols": "Protocols, of the same model",
    "wordings": "Wordings of the instruction",
}
_NOTE = (
    "Differences are means over tasks, first less second, with 95 % bootstrap intervals over tasks. p flips signs by "
    "task and is corrected for all pairs at once (false discovery rate). Alone: episodes that only the one, or only "
    "the other, passed. d: difference of progress over its standard deviation between tasks."
)


def tables_of(found: Findings) -> Iterator[Table | Text]:
    """Everything that is found, best first; what there is nothing to say of is left out."""
    for kind in BY:
        if pairs := [pair for pair in found.pairs if pair.by == kind]:
            yield _pairs(_TITLES[kind], pairs)
    if found.pairs:
        yield Text(_NOTE, style="dim")
    for protocol, ranks in found.ranks.items():
        yield _ranks(protocol, ranks)
    groups = [group for group in found.results.models if group.total.scored]
    if any(len(found.repeated[group.key].any) > 1 for group in groups):
        yield _repeated(found, groups)
    if found.wordings:
        yield _wordings(found)
    if any(group.total.calls for group in groups):
        yield _effort(found, groups)
    if found.traits:
        yield _traits(found)


def _table(title: str, *columns: str) -> Table:
    """A table whose first column holds names; the others are figures."""
    table = Table(
        title=Text(title, style="bold"), title_justify="left", box=HORIZONTALS, padding=(0, 1, 0, 0)
    )
    table.add_column(columns[0], overflow="fold", min_width=18)
    for name in columns[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _name(*lines: str) -> Text:
    """Lines, all but the first dimmed."""
    return Text(lines[0]).append("".join(f"\n{line}" for line in lines[1:]), style="dim")


def _pairs(title: str, pairs: Sequence[Pair]) -> Table:
    table = _table(title, "first / second", "pairs", "alone", "passed", "p", "progress", "d")
    for pair in pairs:
        one = pair.comparison
        table.add_row(
            _name(*_sides(one.first, one.second)), str(one.passes.pairs),
            f"{one.passes.only_first} : {one.passes.only_second}", points(one.passed), p_value(pair.p_adjusted),
            points(one.progress), words.DASH if one.effect is None else f"{one.effect:+.2f}",
        )  # fmt: skip
    return table


def _sides(first: GroupKey, second: GroupKey) -> tuple[str, str, str]:
    """What differs, and what is the same."""
    if first.model == second.model:
        return first.protocol, second.protocol, first.model
    return first.model, second.model, first.protocol


def points(found: Interval | None) -> str:
    """A difference of shares in percentage points, and its interval on a line of its own."""
    if found is None:
        return words.DASH
    return f"{100 * found.value:+.1f}\n[{100 * found.low:.1f}, {100 * found.high:.1f}]"


def p_value(value: float) -> str:
    """`0.034`, or `< 0.001`."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _ranks(protocol: str, found: RankStability[str]) -> Table:
    tau = "" if found.tau is None else f"; Kendall's tau with resampled tasks {found.tau:.2f}"
    table = _table(
        f"Order of models, {protocol}, {found.tasks} tasks{tau}", "model", "passed", "rank", "95 %", "first"
    )
    for one in found.ranks:
        places = str(one.low) if one.low == one.high else f"{one.low}–{one.high}"
        table.add_row(
            _name(one.key), words.percent(one.value), str(one.rank), places, words.percent(one.first)
        )
    return table


def _repeated(found: Findings, groups: Sequence[Group]) -> Table:
    most = max(one.k for group in groups for one in found.repeated[group.key].any)
    columns = ("pass@1", f"pass@{most}", f"pass^{most}", "decoding")
    table = _table(
        "Several samples of a task; decoding: its share of the variance of passes",
        "model / protocol",
        *columns,
    )
    for group in groups:
        one = found.repeated[group.key]
        share = None if one.passed is None else one.passed.decoding_share
        cells = [_at(one.any, 1), _at(one.any, most), _at(one.all, most)]
        table.add_row(_name(*group.key), *cells, words.percent(share))
    return table


def _at(found: Sequence[AtK], k: int) -> str:
    for one in found:
        if one.k == k:
            rate = one.rate
            return f"{100 * rate.value:.0f} %\n[{100 * rate.low:.0f}, {100 * rate.high:.0f}]"
    return words.DASH


def _effort(found: Findings, groups: Sequence[Group]) -> Table:
    columns = ("passed", "tokens", "cost", "cut off", "finished", "front")
    table = _table(
        "Effort an episode; finished: passed, of those not cut off; front: no other passes more for less",
        "model / protocol",
        *columns,
    )
    for group in groups:
        tally = group.total
        fronts = [name for name, keys in found.fronts.items() if group.key in keys]
        cost = None if tally.unpriced else tally.cost.value
        table.add_row(
            _name(*group.key), words.percent(tally.full_rate.value), f"{tally.tokens / tally.episodes:,.0f}",
            words.DASH if cost is None else f"${cost:.4f}", words.percent(tally.cut_off_rate.value),
            words.percent(tally.finished_rate.value), ", ".join(fronts) or words.DASH,
        )  # fmt: skip
    return table


def _wordings(found: Findings) -> Table:
    names = list(dict.fromkeys(name for one in found.wordings.values() for name in one.rates))
    title = (
        "Passed, and progress, by wording, over tasks that have all; spread: best less worst wording of a task; "
        "fickle: passed less often in one wording than in another"
    )
    table = _table(title, "model / protocol", *names, "spread", "of progress", "fickle")
    for key, one in found.wordings.items():
        rates = (_worded(one, name) for name in names)
        spreads = points(one.spread), points(one.progress_spread)
        table.add_row(_name(*key), *rates, *spreads, f"{one.fickle}/{one.tasks}")
    return table


def _worded(one: Robustness, name: str) -> str:
    if name not in one.rates:
        return words.DASH
    return f"{words.percent(one.rates[name].value)}, {words.percent(one.progress[name])}"


def _traits(found: Findings) -> Table:
    names = sorted({name for tallies in found.traits.values() for name in tallies}, key=in_order)
    table = _table("Passed, and progress, by groups of tasks", "model / protocol", *names)
    for group in found.results.groups:
        tallies = found.traits[group.key]
        table.add_row(_name(*group.key), *(_trait(tallies.get(name)) for name in names))
    return table


def _trait(tally: Tally | None) -> str:
    if tally is None or not tally.scored:
        return words.DASH
    return f"{tally.full}/{tally.scored}, {words.percent(tally.progress.value)}"
