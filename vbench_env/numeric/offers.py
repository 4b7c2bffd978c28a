"""What could be done to one object: for each operation a function that proposes values found in the drawing.

An offer is one call of an edit tool, with what can be seen of its value: how it fits the words, how many objects
of the same kind have it, how unusual the present value is among them, and how large the change is. No offer
knows a target: the functions get a view of the drawing and the words of a clause.
"""

from __future__ import annotations

import difflib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from vbench_env.numeric.inferred import listed, scaled
from vbench_env.numeric.lexicon import Clause
from vbench_env.numeric.match import likeness
from vbench_env.numeric.view import Item, View
from vbench_env.repair import Operation
from vbench_env.svg.colors import Color, lab, parse_color
from vbench_env.svg.number_edit import number_text
from vbench_env.svg.values import parse_points
from vbench_env.taskkit.color_words import hex_of, spoken_colors

SOURCES = ("words", "reference", "kin", "usual", "row", "all")
"""Where a value comes from: the words, the object compared with, objects of the same kind, what is usual, even
steps in a row, or nothing (a removal)."""
_USUAL = 8
"""Values of a drawing, most frequent first, that are offered when nothing else speaks for one."""


@dataclass(frozen=True, slots=True)
class Case:
    """An object to change, what is said, and the objects it may be compared with, the likeliest first."""

    view: View
    item: Item
    clause: Clause
    others: tuple[Item, ...]

    @property
    def kin(self) -> tuple[Item, ...]:
        return self.view.kin[self.item.place]


@dataclass(frozen=True, slots=True)
class Offer:
    """One edit; `fit`, `agree`, `odd` and `change` are in [0, 1]."""

    operation: Operation
    call: dict[str, Any]
    source: str
    prop: str
    fit: float = 0.0
    """How well the value fits the words."""
    agree: float = 0.0
    """Share of the objects of its kind that have the value."""
    odd: float = 0.0
    """Share of them that do not have the present value."""
    change: float = 0.0
    """How far the value is from the present one."""
    other: int = -1
    """Place of the object that it is taken from."""


def call(tool: str, **args: Any) -> dict[str, Any]:
    return {"tool": tool, "args": args}


def put(item: Item, name: str, value: str) -> dict[str, Any]:
    """Set a property where it is written."""
    if name in item.declared:
        return call("set_style", object=item.label, property=name, value=value)
    written = "xlink:href" if name == "href" and "href" not in item.written else name
    return call("set_attribute", object=item.label, name=written, value=value)


def _valued(
    case: Case, operation: Operation, prop: str, usual: Sequence[str] = (), most: int = 2
) -> Iterator[Offer]:
    """Values of a property that the objects compared with and those of the same kind have, and usual ones."""
    now, kin = case.item.value(prop), [other.value(prop) for other in case.kin]
    counts, seen = Counter(kin), {now, ""}
    odd = 1 - counts[now] / len(kin) if kin else 0.0
    found = [(value, "reference", place) for value, place in _lent(case, operation, prop)]
    found += [(value, "kin", -1) for value, _ in counts.most_common(most)]
    found += [(value, "usual", -1) for value in usual]
    for value, source, other in found:
        if value in seen:
            continue
        seen.add(value)
        yield Offer(
            operation, put(case.item, prop, value), source, prop, agree=counts[value] / len(kin) if kin else 0.0,
            odd=odd, change=_far(now, value), other=other,
        )  # fmt: skip


def _lent(case: Case, operation: Operation, prop: str) -> Iterator[tuple[str, int]]:
    """Values of the objects compared with; a colour may be that of a swatch, whichever way it is painted."""
    for other in case.others:
        if operation != "recolor":
            yield other.value(prop), other.place
        elif not other.text and (paint := other.paint()) is not None:
            yield other.value(paint[0]), other.place


def _far(now: str, value: str) -> float:
    one, other = parse_color(now), parse_color(value)
    if isinstance(one, Color) and isinstance(other, Color):
        return 1 - likeness(lab(one.rgb), lab(other.rgb))
    try:
        before, after = float(now), float(value)
    except ValueError:
        return 1.0
    return min(1.0, abs(after - before) / max(abs(before), abs(after), 1e-9))


def recolor(case: Case) -> Iterator[Offer]:
    """Colours of the things compared with and of its kind, and those that the words name."""
    for prop in ("fill", "stroke"):
        now = parse_color(case.item.value(prop))
        if not isinstance(now, Color) or case.item.value(prop) in {"none", "transparent"}:
            continue
        for offer in _valued(case, "recolor", prop, _said_colors(case, prop), most=3):
            color = parse_color(_value(offer))
            if isinstance(color, Color):
                fit = max((likeness(lab(color.rgb), said) for said in case.clause.colors), default=0.0)
                yield _with(offer, fit=fit, source="words" if offer.source == "usual" else offer.source)


def _said_colors(case: Case, prop: str) -> list[str]:
    """For each colour word the drawing's nearest colour, if any is near, else the colour itself."""
    used = {value for item in case.view.items if isinstance(parse_color(value := item.value(prop)), Color)}
    palette = [
        (value, lab(color.rgb)) for value in sorted(used) if isinstance(color := parse_color(value), Color)
    ]
    said = spoken_colors(case.clause.text)
    found = []
    for word in said:
        near = max(palette, key=lambda entry: likeness(entry[1], lab(word.rgb)), default=None)
        found.append(near[0] if near and likeness(near[1], lab(word.rgb)) > 0.5 else hex_of(word.rgb))
    return found


def restroke(case: Case) -> Iterator[Offer]:
    """Widths and dashes of other lines."""
    if case.item.value("stroke") == "none":
        return
    yield from _valued(case, "restroke", "stroke-width", _frequent(case, "stroke-width"))
    yield from _valued(case, "restroke", "stroke-dasharray", ("none",))


def _frequent(case: Case, prop: str) -> list[str]:
    counts = Counter(value for item in case.view.items if (value := item.written.get(prop)))
    return [value for value, _ in counts.most_common(2)]


def opacity(case: Case) -> Iterator[Offer]:
    """As solid as others, or fully."""
    for prop in ("opacity", "fill-opacity", "stroke-opacity"):
        if case.item.value(prop) not in {"", "1"} or prop == "opacity":
            yield from _valued(case, "opacity", prop, ("1",))


_SIZES = {"rect": ("width", "height"), "circle": ("r",), "ellipse": ("rx", "ry"), "text": ("font-size",),
          "image": ("width", "height"), "use": ("width", "height")}  # fmt: skip


def resize(case: Case) -> Iterator[Offer]:
    """As large as others."""
    for prop in _SIZES.get(case.item.tag, ()):
        if case.item.value(prop):
            yield from _valued(case, "resize", prop)
            size = scaled(case.view, case.item, prop)
            if size and _far(case.item.value(prop), str(size)) > 0.02:
                change = _far(case.item.value(prop), str(size))
                call_ = put(case.item, prop, number_text(size))
                yield Offer("resize", call_, "row", prop, agree=1.0, odd=1.0, change=change)


def rotate(case: Case) -> Iterator[Offer]:
    """Turned like others, or not at all."""
    item, turns = case.item, [round(other.turn, 3) for other in case.kin]
    counts = Counter(turns)
    found = [(round(other.turn, 3), "reference", other.place) for other in case.others[:2]]
    found += [(turn, "kin", -1) for turn, _ in counts.most_common(2)] + [(0.0, "usual", -1)]
    seen = [item.turn]
    for turn, source, other in found:
        if any(abs(turn - known) < 0.05 for known in seen):
            continue
        seen.append(turn)
        degrees = (turn - item.turn + 180) % 360 - 180
        share = counts[turn] / len(turns) if turns else 0.0
        odd = 1 - counts[round(item.turn, 3)] / len(turns) if turns else 0.0
        yield Offer(
            "rotate", call("rotate", object=item.label, degrees=round(degrees, 3)), source, "transform",
            agree=share, odd=odd, change=abs(degrees) / 180, other=other,
        )  # fmt: skip


def reshape(case: Case) -> Iterator[Offer]:
    """The outline of others, at its own place; or a corner on the centre of a thing that it misses."""
    item = case.item
    if item.tag == "path":
        yield from _valued(case, "reshape", "d")
    pairs = parse_points(item.written.get("points", "")) or ()
    for other in case.kin[:2] if pairs else ():
        theirs = parse_points(other.written.get("points", "")) or ()
        if len(theirs) == len(pairs):
            dx, dy = item.box.left - other.box.left, item.box.top - other.box.top
            yield Offer(
                "reshape",
                _points(item, [(x + dx, y + dy) for x, y in theirs]),
                "kin",
                "points",
                other=other.place,
            )
    if item.tag in {"polyline", "polygon"}:
        yield from _through(case, pairs)


def _through(case: Case, pairs: Sequence[tuple[float, float]]) -> Iterator[Offer]:
    """Put a corner on the nearest centre right above, below or beside it."""
    spots = [other for other in case.view.items if other.tag in {"circle", "ellipse", "rect", "use"}]
    met = sum(any(math.dist(pair, spot.center) < 0.5 for spot in spots) for pair in pairs)
    for n, (x, y) in enumerate(pairs):
        near = [s for s in spots if min(abs(s.center[0] - x), abs(s.center[1] - y)) < 0.5]
        spot = min(near, key=lambda s: math.dist(s.center, (x, y)), default=None)
        if spot is None or math.dist(spot.center, (x, y)) < 0.5:
            continue
        moved = [*pairs[:n], spot.center, *pairs[n + 1 :]]
        yield Offer(
            "reshape", _points(case.item, moved), "reference", "points", agree=met / len(pairs), odd=met / len(pairs),
            change=min(1.0, 4 * math.dist(spot.center, (x, y)) / case.view.diagonal), other=spot.place,
        )  # fmt: skip


def _points(item: Item, pairs: Sequence[tuple[float, float]]) -> dict[str, Any]:
    text = " ".join(f"{number_text(round(x, 3))},{number_text(round(y, 3))}" for x, y in pairs)
    return call("set_points", object=item.label, points=text)


def text(case: Case) -> Iterator[Offer]:
    """What stands in quotes, or what a row of texts asks for."""
    now = case.item.text
    if not now or not case.item.leaf:
        return
    for wanted in case.clause.quotes:
        if wanted != now:
            like = difflib.SequenceMatcher(None, now.lower(), wanted.lower()).ratio()
            said = float(case.clause.original.find(now) >= 0)
            yield Offer(
                "text", call("set_text", object=case.item.label, text=wanted), "words", "text",
                fit=like, agree=said, change=1 - like,
            )  # fmt: skip
    for wanted in dict.fromkeys(listed(case.item, case.kin)):
        if wanted != now and not case.clause.quotes:
            yield Offer(
                "text", call("set_text", object=case.item.label, text=wanted), "row", "text",
                agree=1.0, odd=1.0, change=1.0,
            )  # fmt: skip


def delete(case: Case) -> Iterator[Offer]:
    """Take it away."""
    twins = sum(_alike(case.item, other) for other in case.kin)
    yield Offer(
        "delete", call("delete_element", object=case.item.label), "all", "exists",
        agree=min(1.0, twins / 3), odd=float(twins > 0),
    )  # fmt: skip


def _alike(one: Item, other: Item) -> bool:
    return (
        abs(one.width - other.width) < 0.01
        and abs(one.height - other.height) < 0.01
        and one.paint() == other.paint()
    )


def reorder(case: Case) -> Iterator[Offer]:
    """Right behind or in front of what it is compared with; or at either end."""
    said_front = "in front" in case.clause.text or "on top" in case.clause.text
    for other in case.others[:2]:
        for to in ("before", "after") if other.parent == case.item.parent else ():
            if other.order == case.item.order + (1 if to == "before" else -1):
                continue
            yield Offer(
                "reorder", call("reorder_element", object=case.item.label, to=to, reference=other.label), "reference",
                "order", fit=float((to == "after") == said_front), odd=_overlap(case.item, other), other=other.place,
            )  # fmt: skip
    for to in ("front", "back"):
        yield Offer(
            "reorder", call("reorder_element", object=case.item.label, to=to), "usual", "order",
            fit=float((to == "front") == said_front),
        )  # fmt: skip


def _overlap(one: Item, other: Item) -> float:
    a, b = one.box, other.box
    across = max(0.0, min(a.right, b.right) - max(a.left, b.left))
    down = max(0.0, min(a.bottom, b.bottom) - max(a.top, b.top))
    return across * down / max(1e-9, min(one.width * one.height, other.width * other.height))


def relink(case: Case) -> Iterator[Offer]:
    """What others refer to."""
    if case.item.value("href"):
        yield from _valued(case, "relink", "href", most=3)
    for prop in ("fill", "stroke"):
        if case.item.value(prop).startswith("url("):
            yield from (o for o in _valued(case, "relink", prop, most=3) if "url(" in _value(o))


def _value(offer: Offer) -> str:
    return str(offer.call["args"]["value"])


def _with(offer: Offer, **changes: Any) -> Offer:
    from dataclasses import replace

    return replace(offer, **changes)


Proposer = Callable[[Case], Iterator[Offer]]
