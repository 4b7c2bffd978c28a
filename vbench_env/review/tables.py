"""A plan and an agreement as tables for the terminal. They fit 100 columns."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import HORIZONTALS
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from vbench_env.report import words
from vbench_env.report.statistics import Rate
from vbench_env.review.findings import Agreement, Look
from vbench_env.review.plan import Plan
from vbench_env.review.statistics import FEW, ROUGH, Estimate, Kappa
from vbench_env.review.thresholds import Suggestion

GATE = {
    "repaired": "repair",
    "preserved": "preservation",
    "valid": "validity",
    "all": "all three",
    "score": "score",
}
NEARNESS = {"inside": "just within", "beyond": "just beyond", "clear": "clear of it"}


def plan_table(plan: Plan) -> RenderableType:
    """What a plan takes from which stratum."""
    table = _table("verdict", "closest repair", "rule sets on preservation", title=_plan_title(plan))
    for name in ("outcomes", "outputs", "taken", "stands for"):
        table.add_column(name, justify="right")
    for row in plan.strata:
        each = words.number(row.outcomes / row.taken) if row.taken else words.DASH
        table.add_row(
            row.verdict, f"{NEARNESS[row.nearness]}", "disagree" if row.flips else "agree",
            str(row.outcomes), str(row.outputs), str(row.taken), each,
        )  # fmt: skip
    notes = [Text(f"{note}.", style="dim") for note in plan.notes]
    return Group(table, *notes)


def _plan_title(plan: Plan) -> str:
    total = sum(row.outcomes for row in plan.strata)
    return (
        f"{len(plan.items)} outputs for {words.count(total)} outcomes, {plan.rules} rules, seed {plan.seed}"
    )


def agreement_tables(found: Agreement, most: int = 20) -> RenderableType:
    """Everything, the longest list cut.

    Args:
        found: what the labels say.
        most: outcomes to look at.
    """
    return Group(*_spaced(found, most))


def _spaced(found: Agreement, most: int) -> Iterator[RenderableType]:
    rule_sets = list(dict.fromkeys(row.rules for row in found.confusions))
    against = [_against(found, rules) for rules in rule_sets]
    tables = (
        _reviewers(found),
        *against,
        _each(found),
        _among(found),
        _tolerances(found),
        _looks(found, most),
    )
    for table in tables:
        if table is not None:
            yield table
            yield ""
    groups = (found.confusions, found.pairs, found.among)
    if any(row.kappa.note == ROUGH for rows in groups for row in rows):
        yield Text(f"Where fewer than {FEW} outcomes have labels, intervals are rough.", style="dim")
    covered = f"{words.percent(found.covered)} of {words.plural(found.population, 'outcome')}"
    yield Text(f"Estimates speak of the strata with judged outcomes: {covered}.", style="dim")
    for note in found.notes:
        yield Text(f"{note}.", style="dim")


def _reviewers(found: Agreement) -> Table:
    table = _table("reviewer", title=f"{words.plural(found.outcomes, 'output')} judged")
    for name in ("judged", "median time", "unsure", "saw target", "difference", "source"):
        table.add_column(name, justify="right")
    for row in found.reviewers:
        table.add_row(
            row.reviewer, str(row.judged), words.seconds(row.seconds), str(sum(row.unsure.values())),
            str(row.target), str(row.difference), str(row.source),
        )  # fmt: skip
    return table


def _against(found: Agreement, rules: str) -> Table:
    title = f"People (majority) against the scorer, {rules} rules; yes/no is people yes, scorer no"
    table = _table("gate", title=title)
    for name in ("yes/yes", "yes/no", "no/yes", "no/no", "open", "agree", "of all outcomes", "kappa"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in found.confusions:
        if row.rules == rules:
            table.add_row(
                GATE[row.gate], str(row.both_yes), str(row.only_people), str(row.only_scorer), str(row.both_no),
                str(row.undecided), words.percent(row.share.value), _estimate(row.estimate), _kappa(row.kappa),
            )  # fmt: skip
    return table


def _each(found: Agreement) -> Table | None:
    if len(found.reviewers) < 2:
        return None
    table = _table("reviewer", title=f"Each reviewer against the scorer, {found.rules} rules: kappa")
    for gate in ("repaired", "preserved", "valid", "all"):
        table.add_column(GATE[gate], justify="right")
    rows = {(row.reviewer, row.gate): row.kappa for row in found.against if row.rules == found.rules}
    for reviewer in found.reviewers:
        name = reviewer.reviewer
        cells = [_kappa(rows[name, gate]) for gate in ("repaired", "preserved", "valid", "all")]
        table.add_row(name, *cells)
    return table


def _among(found: Agreement) -> Table | None:
    if not found.pairs:
        return None
    table = _table("reviewers", "on", title="Reviewers among themselves")
    for name in ("outcomes", "same answer", "kappa"):
        table.add_column(name, justify="right")
    for row in found.pairs:
        if row.kappa.n:
            who = f"{row.first}, {row.second}" if row.subject == "repaired" else ""
            table.add_row(who, GATE[row.subject], str(row.kappa.n), _rate(row.share), _kappa(row.kappa))
    for group in found.among:
        who = f"all {group.reviewers} (Fleiss)" if group.gate == "repaired" else ""
        table.add_row(who, GATE[group.gate], str(group.kappa.n), "", _kappa(group.kappa))
    return table


def _tolerances(found: Agreement) -> Table | None:
    if not found.suggestions:
        return None
    title = f"Tolerances that the labels suggest, as a factor of the present ones ({found.rules} rules)"
    table = _table("family", title=title)
    for name in ("accepted", "rejected", "near", "wrong", "factor", "as good"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("what it means")
    for row in found.suggestions:
        table.add_row(
            row.family, str(row.accepted), str(row.rejected), str(row.close), str(row.errors_now), _factor(row),
            words.DASH if row.best is None else f"{words.number(row.best[0])}–{_end(row.best[1])}", row.note,
        )  # fmt: skip
    return table


def _factor(row: Suggestion) -> str:
    if row.factor is None or row.low is None or row.high is None:
        return words.DASH
    return f"{words.number(row.factor)} ({words.number(row.low)}–{words.number(row.high)})"


def _end(value: float | None) -> str:
    return "∞" if value is None else words.number(value)


def _looks(found: Agreement, most: int) -> Table | None:
    if not found.look_at:
        return None
    shown = f", the first {most}" if len(found.look_at) > most else ""
    table = _table(
        "output",
        "people against the scorer",
        title=f"{words.plural(len(found.look_at), 'outcome')} to look at{shown}",
    )
    for look in found.look_at[:most]:
        table.add_row(_where(look), _what(look), end_section=True)
    return table


def _where(look: Look) -> Text:
    first, others = look.origins[0], len(look.origins) - 1
    more = f" and {others} more" if others else ""
    place = f"{first.protocol} #{first.sample}\n{first.episode_id}" if first.episode_id else ""
    return Text(f"{look.task_id}\n{first.model}{more}\n{place}".rstrip())


def _what(look: Look) -> Text:
    verdicts = ", ".join(f"{name} {status}" for name, status in look.verdicts.items())
    text = Text(f"scorer: {verdicts}", style="bold")
    lines = [f"{GATE[gate]}: {reason}" for gate, reason in look.reasons.items()]
    lines += [
        f"{name}: {answers}" + (f" ({look.comments[name]})" if name in look.comments else "")
        for name, answers in look.answers.items()
    ]
    if look.split:
        lines.append(f"reviewers differ on {', '.join(GATE[gate] for gate in look.split)}")
    return text.append("\n" + "\n".join(lines), style="not bold")


def _table(*columns: str, title: str) -> Table:
    table = Table(
        title=Text(title, style="bold"), title_justify="left", box=HORIZONTALS, padding=(0, 1, 0, 0)
    )
    for name in columns:
        table.add_column(name, overflow="fold")
    return table


def _rate(rate: Rate) -> str:
    return words.DASH if rate.value is None else f"{words.percent(rate.value)} ({words.interval(rate)})"


def _estimate(found: Estimate | None) -> str:
    if found is None:
        return words.DASH
    return f"{words.percent(found.value)} ({100 * found.low:.0f}–{100 * found.high:.0f} %)"


def _kappa(kappa: Kappa) -> str:
    if kappa.value is None:
        return words.DASH
    ends = "" if kappa.low is None or kappa.high is None else f" ({kappa.low:.2f} to {kappa.high:.2f})"
    return f"{kappa.value:.2f}{ends}"
