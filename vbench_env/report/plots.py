"""Figures of a run as plain numbers: positions in percent of an axis, ready for a template.

The page and the standalone SVG draw the same numbers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from vbench_env.report import words
from vbench_env.report.aggregate import Group, GroupKey, Results
from vbench_env.report.contrasts import SIDES, TITLES, Contrast, Question
from vbench_env.report.findings import breakdown
from vbench_env.report.statistics import Rate
from vbench_env.report.tally import Tally
from vbench_env.report.traits import in_order

TONES = 8
MOST_HEAT_COLUMNS = 16
"""Groups that stand side by side as columns; more of them become rows."""
_PAD = 4.0
"""Percent of a scatter's width and height that stay free at each side."""
_WIDE, _HIGH = 7.0, 6.5
"""Percent that a number takes of the width of a narrow scatter, and of its height."""
_NEARBY = sorted(
    ((right * _WIDE, down * _HIGH) for right in range(-8, 9) for down in range(-8, 9)),
    key=lambda step: (math.hypot(*step), -step[0], step[1]),
)
"""Steps aside, the nearest first."""
_MOST_ASIDE = 60
"""Points beyond which a scatter has no room for numbers aside."""
_TRAIT_TITLES = {
    "tier": "By complexity of the code", "third": "By complexity of the code, in thirds of the tasks",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Point:
    """A numbered point; `x` and `y` in percent from the left and from the top.

    Its number stands at `number_x` and `number_y`, aside where other numbers would cover it.
    """

    number: int
    name: str
    x: float
    y: float
    tone: int
    control: bool
    text: str
    number_x: float
    number_y: float

    @property
    def aside(self) -> bool:
        """Whether its number stands elsewhere."""
        return (self.number_x, self.number_y) != (self.x, self.y)


@dataclass(frozen=True, slots=True)
class Scatter:
    """Groups by two numbers. `frontier` holds the ends of the lines of a Pareto frontier."""

    name: str
    title: str
    about: str
    x_label: str
    y_label: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    points: tuple[Point, ...]
    frontier: tuple[tuple[float, float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """An estimate with its interval; positions in percent of the axis."""

    label: str
    note: str
    low: float
    value: float
    high: float
    text: str
    control: bool = False
    sure: bool = False
    """Whether the interval leaves out zero; for differences."""


@dataclass(frozen=True, slots=True)
class Intervals:
    """A forest plot. `middle` is where zero stands."""

    name: str
    title: str
    about: str
    ticks: tuple[Tick, ...]
    marks: tuple[Mark, ...]
    middle: float | None = None
    sides: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    share: float | None
    text: str


@dataclass(frozen=True, slots=True)
class Heat:
    """Shares by row and column."""

    name: str
    title: str
    about: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True, slots=True)
class Part:
    status: str
    at: float
    width: float
    count: int


@dataclass(frozen=True, slots=True)
class Stacks:
    """How the episodes of groups ended, one bar each."""

    name: str
    title: str
    about: str
    rows: tuple[tuple[str, tuple[Part, ...], int], ...]


Plot = Scatter | Intervals | Heat | Stacks


def group_name(group: Group, several: bool) -> str:
    """Model, and protocol where there are several."""
    return f"{group.key.model} · {group.key.protocol}" if several else group.key.model


def several_protocols(results: Results) -> bool:
    return len({group.key.protocol for group in results.groups}) > 1


def leaderboard(results: Results) -> Intervals:
    """The share passed of every group with its Wilson interval."""
    several = several_protocols(results)
    marks = []
    for group in results.groups:
        rate = group.total.full_rate
        if rate.value is None or rate.low is None or rate.high is None:
            continue
        text = f"{words.percent(rate.value)}, {rate.successes} of {rate.total}"
        note = group.key.protocol if several else ""
        marks.append(
            Mark(
                group.key.model, note, 100 * rate.low, 100 * rate.value, 100 * rate.high, text, group.control
            )
        )
    ticks = tuple(Tick(at, f"{at} %") for at in (0, 25, 50, 75, 100))
    about = "Share of drawings that passed all three gates, with 95 % Wilson intervals."
    return Intervals("leaderboard", "Repaired without a flaw", about, ticks, tuple(marks))


def outcomes(results: Results, statuses: Sequence[str]) -> Stacks:
    """How scored episodes ended."""
    several = several_protocols(results)
    rows = []
    for group in results.groups:
        ends = list(group.total.statuses.elements())
        rows.append((group_name(group, several), parts_of(ends, statuses), group.total.scored))
    return Stacks("outcomes", "How it ended", "Scored episodes by outcome.", tuple(rows))


def parts_of(ends: Sequence[str], statuses: Sequence[str]) -> tuple[Part, ...]:
    """One bar: how many ended in each way, in the order of `statuses`."""
    counts, at = Counter(ends), 0.0
    parts = []
    for status in statuses:
        if counts[status]:
            width = 100 * counts[status] / len(ends)
            parts.append(Part(status, at, width, counts[status]))
            at += width
    return tuple(parts)


def rates(name: str, title: str, about: str, found: Sequence[tuple[str, str, Rate, str]]) -> Intervals:
    """Shares with their intervals on an axis as long as they need; label, note, rate and text of each."""
    known = [(label, note, rate, text) for label, note, rate, text in found if rate.value is not None]
    end, steps = _axis(max((rate.high or 0.0 for _, _, rate, _ in known), default=1.0), 0.02)

    def at(value: float | None) -> float:
        return round(100 * (value or 0.0) / end, 2)

    marks = tuple(
        Mark(label, note, at(rate.low), at(rate.value), at(rate.high), text)
        for label, note, rate, text in known
    )
    ticks = tuple(Tick(at(step), words.percent(step, _digits(end))) for step in steps)
    return Intervals(name, title, about, ticks, marks)


def operations(results: Results) -> Heat:
    """Requested repairs made, by operation and group."""
    rows = []
    for operation in results.operations:
        tallies = [group.total.operations.get(operation) for group in results.groups]
        cells = [
            Cell(None, "") if t is None else Cell(t.passed / t.total, f"{t.passed}/{t.total}")
            for t in tallies
        ]
        rows.append((words.OPERATION.get(operation, operation), cells))
    return _heat(results, "operations", "By kind of repair", "Requested repairs made within tolerance.", rows)


def by_trait(results: Results, trait: str, values: Mapping[str, str]) -> Heat | None:
    """Mean progress by a trait of tasks and group; None where tasks do not differ in it.

    Args:
        results: what is shown.
        trait: name of a trait, such as `genre`.
        values: the trait of every task by its id.
    """
    found = [breakdown(group, values) for group in results.groups]
    names = sorted({name for tallies in found for name in tallies}, key=in_order)
    if len(names) < 2:
        return None
    rows = [
        (words.plain(name).replace("-", " "), [_progress_cell(tallies.get(name)) for tallies in found])
        for name in names
    ]
    about = "Mean repair progress over scored episodes; an invalid drawing counts 0."
    return _heat(results, trait, _TRAIT_TITLES.get(trait, f"By {trait}"), about, rows)


def _progress_cell(tally: Tally | None) -> Cell:
    share = tally.progress.value if tally is not None else None
    return Cell(None, "") if share is None else Cell(share, words.percent(share))


def _heat(
    results: Results, name: str, title: str, about: str, rows: Sequence[tuple[str, list[Cell]]]
) -> Heat:
    """Rows as they are given, groups as columns; the other way round where there are many groups."""
    several = several_protocols(results)
    names = [group_name(group, several) for group in results.groups]
    if len(names) <= MOST_HEAT_COLUMNS:
        return Heat(name, title, about, tuple(names), tuple((label, tuple(cells)) for label, cells in rows))
    turned = ((group, tuple(cells[n] for _, cells in rows)) for n, group in enumerate(names))
    return Heat(name, title, about, tuple(label for label, _ in rows), tuple(turned))


def progress_against_ucr(results: Results) -> Scatter:
    """Repair progress against the unintended change rate, both over valid drawings; upper left is best."""
    found = [
        (number, group, group.total.ucr.value, group.total.progress_valid.value)
        for number, group in enumerate(results.groups, start=1)
    ]
    known = [(number, group, x, y) for number, group, x, y in found if x is not None and y is not None]
    end, ticks = _axis(max((x for *_, x, _ in known), default=0.0), 0.02)
    points = tuple(
        _point(number, group, results, x / end, y, f"progress {words.percent(y)}, UCR {words.percent(x, 1)}")
        for number, group, x, y in known
    )
    return Scatter(
        "progress-ucr", "Progress against damage",
        "How far repairs went, against the share of protected objects that changed (UCR, macro), over valid drawings. "
        "Upper left is best.",
        "protected objects changed (UCR)", "progress", tuple(Tick(_inside(t / end), words.percent(t, _digits(end)))
                                                             for t in ticks),
        _shares(), _apart(points),
    )  # fmt: skip


def cost(results: Results) -> Scatter | None:
    """Share passed against dollars an episode with its Pareto frontier; None where no cost is known."""
    known = {
        group.key: group.total.cost.total / group.total.cost.count
        for group in results.models
        if group.total.calls and group.total.cost.count
    }
    about = (
        "Share passed against dollars an episode, over episodes whose price is known. The line joins what nothing else "
        "beats in both."
    )
    return _effort(
        results, known, words.dollars, "cost", "What a pass costs", about, "dollars an episode", 1e-6
    )


def tokens(results: Results) -> Scatter | None:
    """Share passed against tokens an episode with its Pareto frontier; None where none were counted."""
    known = {
        group.key: group.total.tokens / group.total.episodes for group in results.models if group.total.tokens
    }
    about = (
        "Share passed against tokens an episode, in and out. The line joins what nothing else beats in both."
    )
    return _effort(
        results, known, words.large, "tokens", "What a pass takes", about, "tokens an episode", 1.0
    )


def _effort(
    results: Results, known: Mapping[GroupKey, float], said: Callable[[float], str], name: str, title: str,
    about: str, label: str, least: float,
) -> Scatter | None:  # fmt: skip
    priced = [
        (number, group, known[group.key], group.total.full_rate.value)
        for number, group in enumerate(results.groups, start=1)
        if group.key in known and not group.control
    ]
    shown = [(number, group, x, y) for number, group, x, y in priced if y is not None]
    if not shown or not any(x for *_, x, _ in shown):
        return None
    end, ticks = _axis(max(x for *_, x, _ in shown), least)
    top, shares = _axis(max(y for *_, y in shown), 0.02)
    points = tuple(
        _point(number, group, results, x / end, y / top, f"{said(x)} an episode, {words.percent(y)} passed")
        for number, group, x, y in shown
    )
    return Scatter(
        name, title, about, label, "passed", tuple(Tick(_inside(t / end), said(t)) for t in ticks),
        tuple(Tick(_inside(1 - t / top), words.percent(t, _digits(top))) for t in shares), _apart(points),
        _frontier(points),
    )  # fmt: skip


def differences(question: Question, found: Sequence[Contrast]) -> Intervals | None:
    """Paired differences of the share passed for one question; None without any."""
    chosen = [item for item in found if item.question == question]
    if not chosen:
        return None
    reach = max(max(abs(item.passed.low), abs(item.passed.high)) for item in chosen)
    limit = next(step for step in (0.1, 0.25, 0.5, 1.0, 2.0) if step >= min(reach, 1.0))

    def at(value: float) -> float:
        return round(50 + 50 * value / limit, 2)

    marks = tuple(
        Mark(
            item.model, f"{item.first} − {item.second}", at(item.passed.low), at(item.passed.value),
            at(item.passed.high), f"{words.points(item.passed.value)} points, {words.points(item.passed.low)} to "
            f"{words.points(item.passed.high)}", sure=item.passed.low > 0 or item.passed.high < 0,
        )
        for item in chosen
    )  # fmt: skip
    ticks = tuple(Tick(at(t * limit), words.points(t * limit)) for t in (-1, -0.5, 0, 0.5, 1))
    about = "Difference of the share passed on the same tasks, in points, with 95 % bootstrap intervals over tasks."
    return Intervals(f"protocols-{question}", TITLES[question], about, ticks, marks, 50.0, SIDES[question])


def all_plots(
    results: Results, statuses: Sequence[str], found: Sequence[Contrast],
    traits: Mapping[str, Mapping[str, str]] | None = None,
) -> list[Plot]:  # fmt: skip
    """Every figure there is something to show in. `traits` holds values of traits by task id, by trait."""
    made: list[Plot | None] = [
        leaderboard(results), outcomes(results, statuses), operations(results),
        *(by_trait(results, trait, values) for trait, values in (traits or {}).items()),
        progress_against_ucr(results), cost(results), tokens(results), differences("raster", found),
        differences("turns", found),
    ]  # fmt: skip
    return [plot for plot in made if plot is not None]


def _point(number: int, group: Group, results: Results, x: float, y: float, text: str) -> Point:
    models = list(dict.fromkeys(other.key.model for other in results.models))
    tone = models.index(group.key.model) % TONES if group.key.model in models else TONES
    name = group_name(group, several_protocols(results))
    at = _inside(x), _inside(1 - y)
    return Point(number, name, *at, tone, group.control, text, *at)


def _apart(points: Sequence[Point]) -> tuple[Point, ...]:
    """The same with numbers in the nearest places where they cover no other one, as far as there is room for them."""
    if len(points) > _MOST_ASIDE:
        return tuple(points)
    placed: list[Point] = []
    for point in points:
        places = (
            replace(point, number_x=round(point.x + dx, 2), number_y=round(point.y + dy, 2))
            for dx, dy in _NEARBY
        )
        inside = (one for one in places if _on_paper(one.number_x) and _on_paper(one.number_y))
        placed.append(
            next((one for one in inside if not any(_covers(one, other) for other in placed)), point)
        )
    return tuple(placed)


def _on_paper(at: float) -> bool:
    return _PAD / 2 <= at <= 100 - _PAD / 2


def _covers(one: Point, other: Point) -> bool:
    apart = abs(one.number_x - other.number_x), abs(one.number_y - other.number_y)
    return apart[0] < _WIDE - 0.1 and apart[1] < _HIGH - 0.1


def _inside(share: float) -> float:
    return round(_PAD + (100 - 2 * _PAD) * share, 2)


def _shares() -> tuple[Tick, ...]:
    return tuple(Tick(_inside(1 - at / 4), f"{25 * at} %") for at in range(5))


def _axis(largest: float, least: float) -> tuple[float, list[float]]:
    """End of an axis from 0 and its ticks: 1, 2 or 5 times a power of ten apart, three to six of them."""
    largest = max(largest, least)
    power = 10.0 ** math.floor(math.log10(largest))
    step = next(factor * power for factor in (0.2, 0.5, 1, 2, 5) if largest / (factor * power) <= 5)
    count = math.ceil(largest / step - 1e-9)
    return count * step, [number * step for number in range(count + 1)]


def _digits(end: float) -> int:
    return 0 if end >= 0.1 else 1 if end >= 0.01 else 2


def _frontier(points: Sequence[Point]) -> tuple[tuple[float, float, float, float], ...]:
    """Steps from the cheapest point up to the best: each next one costs more and passes more."""
    best: list[Point] = []
    for point in sorted(points, key=lambda item: (item.x, item.y)):
        if not best or point.y < best[-1].y:
            best.append(point)
    steps: list[tuple[float, float, float, float]] = []
    for one, other in pairwise(best):
        steps += [(one.x, one.y, other.x, one.y), (other.x, one.y, other.x, other.y)]
    return tuple(steps)
