"""Offers that put an object somewhere: into line, into the middle, into even steps; and copies that fill a gap."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from vbench_env.numeric.offers import Case, Offer, call
from vbench_env.numeric.view import Item

_NEAR = 0.05
"""User units up to which two edges count as one line."""
_AXES = (("left", "center", "right"), ("top", "center", "bottom"))


def edge(item: Item, axis: int, name: str) -> float:
    """Where an edge or the centre of an object is along an axis (0 across, 1 down)."""
    return item.center[axis] if name == "center" else float(getattr(item.box, name))


def move(case: Case) -> Iterator[Offer]:
    """Moves along one axis, and into the middle of something along both."""
    seen: set[tuple[float, float]] = set()
    for offer in (*_aligned(case), *_stepped(case), *_centred(case)):
        at = (offer.call["args"]["dx"], offer.call["args"]["dy"])
        if at not in seen and max(map(abs, at)) > _NEAR:
            seen.add(at)
            yield offer


def _aligned(case: Case) -> Iterator[Offer]:
    """Level or in line with what it is compared with, or with a line that several of its kind share."""
    item = case.item
    for axis in (0, 1):
        for name in _AXES[axis]:
            lines = Counter(round(edge(other, axis, name), 2) for other in case.kin)
            own = lines[round(edge(item, axis, name), 2)]
            for other in case.others[:2]:
                yield _moved(case, axis, edge(other, axis, name), name, "reference", lines, other.place)
            for line, count in lines.most_common(1):
                if count > max(1, own):
                    yield _moved(case, axis, line, name, "kin", lines)


def _moved(
    case: Case, axis: int, line: float, name: str, source: str, lines: Counter[float], other: int = -1
) -> Offer:
    by = line - edge(case.item, axis, name)
    count = len(case.kin)
    odd = 1 - lines[round(edge(case.item, axis, name), 2)] / count if count else 0.0
    return _offer(case, (by, 0.0) if axis == 0 else (0.0, by), source, f"{'xy'[axis]}-{name}",
                  agree=lines[round(line, 2)] / count if count else 0.0, odd=odd, other=other)  # fmt: skip


def _offer(
    case: Case,
    by: tuple[float, float],
    source: str,
    prop: str,
    *,
    agree: float = 0.0,
    odd: float = 0.0,
    other: int = -1,
) -> Offer:
    dx, dy = round(by[0], 3), round(by[1], 3)
    away = math.hypot(dx, dy) / case.view.diagonal
    return Offer(
        "move", call("move", object=case.item.label, dx=dx, dy=dy), source, prop, fit=_against(case, dx, dy),
        agree=agree, odd=odd, change=min(1.0, 4 * away), other=other,
    )  # fmt: skip


def _against(case: Case, dx: float, dy: float) -> float:
    """1 when it goes back against the direction in which the words say it went, 0 when it goes on."""
    x, y = case.clause.said.side
    words = case.clause.said.words
    y += float("up" in words) * -1 + float(bool({"down", "low"} & set(words)))
    length = math.hypot(dx, dy)
    if length == 0 or (x == 0 and y == 0):
        return 0.5
    return max(0.0, min(1.0, 0.5 - 0.5 * (dx * x + dy * y) / length))


def _centred(case: Case) -> Iterator[Offer]:
    """Into the middle of what it is compared with, or of the smallest thing around it."""
    item = case.item
    around = sorted((o for o in case.view.items if _holds(o, item)), key=lambda o: o.width * o.height)
    for other in (*case.others[:1], *around[:1]):
        by = (other.center[0] - item.center[0], other.center[1] - item.center[1])
        yield _offer(case, by, "reference", "middle", other=other.place)
        yield _offer(case, (by[0], 0.0), "reference", "x-center", other=other.place)
        yield _offer(case, (0.0, by[1]), "reference", "y-center", other=other.place)


def _holds(outer: Item, inner: Item) -> bool:
    x, y = inner.center
    inside = outer.box.left <= x <= outer.box.right and outer.box.top <= y <= outer.box.bottom
    return (
        inside
        and outer is not inner
        and outer.width * outer.height > inner.width * inner.height
        and outer.leaf
    )


def _stepped(case: Case) -> Iterator[Offer]:
    """Into even steps with the others of its kind."""
    for axis in (0, 1):
        row = _row(case, axis)
        places = [edge(other, axis, "center") for other in row]
        for spot in spots(places) if len(row) >= 3 else ():
            by = spot - case.item.center[axis]
            yield _offer(
                case, (by, 0.0) if axis == 0 else (0.0, by), "row", f"{'xy'[axis]}-step", agree=1.0, odd=1.0
            )


def _row(case: Case, axis: int) -> list[Item]:
    """The others of its kind that stand in one line with it or with each other, in order along the axis."""
    across = 1 - axis
    lines = Counter(round(other.center[across], 1) for other in case.kin)
    line, count = lines.most_common(1)[0] if lines else (0.0, 0)
    row = [other for other in case.kin if round(other.center[across], 1) == line] if count > 1 else []
    return sorted(row, key=lambda other: other.center[axis])


def gap_in(places: Sequence[float]) -> float | None:
    """Where one is missing in even steps: in the one double step, or None when there is no such step."""
    steps = [b - a for a, b in pairwise(places)]
    usual = statistics.median_low(steps)
    wide = [n for n, step in enumerate(steps) if abs(step - 2 * usual) < 0.02 * abs(usual) + _NEAR]
    even = sum(abs(step - usual) < 0.02 * abs(usual) + _NEAR for step in steps)
    if len(wide) != 1 or even != len(steps) - 1:
        return None
    return places[wide[0]] + steps[wide[0]] / 2


def spots(places: Sequence[float]) -> list[float]:
    """Where one more goes on in even steps: in the gap, or else at either end."""
    within = gap_in(places)
    if within is not None:
        return [within]
    steps = [b - a for a, b in pairwise(places)]
    if max(steps) - min(steps) > 0.02 * abs(steps[0]) + _NEAR:
        return []
    return [places[0] - steps[0], places[-1] + steps[0]]


def insert(case: Case) -> Iterator[Offer]:
    """A copy of it that fills the gap in its row, or goes on at an end."""
    item = case.item
    for axis in (0, 1):
        row = sorted([*_row(case, axis), item], key=lambda other: other.center[axis])
        places = [edge(other, axis, "center") for other in row]
        spot = gap_in(places) if len(places) >= 3 else None
        if spot is not None:
            by = spot - item.center[axis]
            dx, dy = (by, 0.0) if axis == 0 else (0.0, by)
            yield _copied(case, round(dx, 3), round(dy, 3))


def _copied(case: Case, dx: float, dy: float) -> Offer:
    name = f"{case.item.label.rpartition('/')[2]}-copy".replace("[", "-").replace("]", "")
    calls = [
        call("duplicate_element", object=case.item.label, new_id=name),
        call("move", object=name, dx=dx, dy=dy),
    ]
    step = math.hypot(dx, dy) / case.view.diagonal
    return Offer(
        "insert", call("batch", calls=calls), "row", "exists", agree=1.0, odd=1.0, change=min(1.0, 4 * step)
    )
