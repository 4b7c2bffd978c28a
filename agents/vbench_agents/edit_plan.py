"""Turning one drawing into another with edit tools alone, each difference by the tool made for it.

Elements of the two drawings are paired level by level: by id, else by equal source, else by name and order.
The first difference that is found gives one call; the call is tried on the document, and the search begins
again, so that every address fits the document that its call meets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from vbench_env.svg.document import Element, SourceDocument
from vbench_env.svg.edit import text_of
from vbench_env.svg.restructure import TEXT_CONTENT
from vbench_env.svg.style_edit import places, winning
from vbench_env.tools import ToolContext, call_tool

Call = tuple[str, dict[str, Any]]
_OWN_TOOLS = {"d": ("set_path", "d"), "points": ("set_points", "points")}
_NAMED_WEIGHT = 0.5


class Unplanned(Exception):
    """A difference that no edit tool of an element can take away."""


class _Pair(NamedTuple):
    now: Element
    goal: Element


def edit_calls(now: str, goal: str, moved: Collection[str] = ()) -> list[Call]:
    """Calls that turn the elements of `now` into those of `goal`; comments and white space are left alone.

    Args:
        now: the drawing as it is.
        goal: the drawing as it should be.
        moved: ids of objects to move rather than their siblings, where the order differs.

    Raises:
        Unplanned: the drawings differ in a way that is no edit of an element.
    """
    context, wanted = ToolContext.begin(now), SourceDocument.read(goal)
    calls: list[Call] = []
    while (call := _difference(_Pair(context.document.root, wanted.root), moved)) is not None:
        result = call_tool(context, *call)
        if result.error is not None or result.document is context.document:
            raise Unplanned(f"{call[0]}: {result.error or result.text}")
        context = context.after(result)
        calls.append(call)
    return calls


def _difference(pair: _Pair, moved: Collection[str]) -> Call | None:
    """The call for the first difference in two elements and all that they hold."""
    if pair.now.source == pair.goal.source:
        return None
    pairs, extra, missing = _paired(pair.now.children, pair.goal.children)
    if extra:
        return "delete_element", {"object": extra[0].label}
    call = _attribute(pair) or _text(pair) or _order(pairs, moved)
    if call is None and missing:
        call = _insertion(pair, pairs, missing[0])
    return call or next(filter(None, (_difference(child, moved) for child in pairs)), None)


def _paired(
    olds: Sequence[Element], news: Sequence[Element]
) -> tuple[list[_Pair], list[Element], list[Element]]:
    """Pairs in the order of `news`, and what is left over of `olds` and of `news`."""
    partner: dict[int, Element] = {}
    keys: tuple[Callable[[Element], object], ...] = (_id, _source, _name)
    for key in keys:
        taken = {element.index for element in partner.values()}
        waiting: dict[object, list[Element]] = defaultdict(list)
        for old in olds:
            if old.index not in taken and key(old) is not None:
                waiting[key(old)].append(old)
        for new in news:
            if new.index not in partner and waiting[key(new)]:
                partner[new.index] = waiting[key(new)].pop(0)
    used = {element.index for element in partner.values()}
    pairs = [_Pair(partner[new.index], new) for new in news if new.index in partner]
    return (
        pairs,
        [old for old in olds if old.index not in used],
        [new for new in news if new.index not in partner],
    )


def _id(element: Element) -> object:
    return element.get("id")


def _source(element: Element) -> object:
    return None if element.get("id") else element.source


def _name(element: Element) -> object:
    return None if element.get("id") else element.tag


def _attribute(pair: _Pair) -> Call | None:
    now, goal = ({a.name: element.value(a) for a in element.attributes} for element in pair)
    for name in [*goal, *(name for name in now if name not in goal)]:
        if now.get(name) == goal.get(name):
            continue
        if name not in goal:
            return "remove_attribute", {"object": pair.now.label, "name": name}
        if name == "style" and name in now:
            if call := _declaration(pair.now, now[name], goal[name]):
                return call
        else:
            tool, argument = _OWN_TOOLS.get(name, ("set_attribute", "value"))
            named = {"name": name} if tool == "set_attribute" else {}
            return tool, {"object": pair.now.label, **named, argument: goal[name]}
    return None


def _declaration(element: Element, now: str, goal: str) -> Call | None:
    """The first declaration that differs; None when the two styles say the same."""
    before, after = (dict(_declared(style)) for style in (now, goal))
    for name in [*after, *(name for name in before if name not in after)]:
        if before.get(name) != after.get(name):
            return "set_style", {"object": element.label, "property": name, "value": after.get(name)}
    return None


def _declared(style: str) -> Iterator[tuple[str, str]]:
    for name in dict.fromkeys(place.name for place in places(style)):
        found = winning(style, name)
        if found is not None:
            mark = " !important" if found.important else ""
            yield name, style[found.value_start : found.value_end] + mark


def _text(pair: _Pair) -> Call | None:
    now, goal = (text_of(element) for element in pair)
    if now.split() == goal.split() or (pair.goal.children and pair.goal.tag not in TEXT_CONTENT):
        return None
    if pair.goal.children:
        raise Unplanned(f"the text between the parts of {pair.now.label} differs")
    return "set_text", {"object": pair.now.label, "text": goal}


def _order(pairs: Sequence[_Pair], moved: Collection[str]) -> Call | None:
    """Put the first element that is out of order where it belongs."""
    places = [pair.now.index for pair in pairs]
    if places == sorted(places):
        return None
    kept = _in_order(places, [_NAMED_WEIGHT if pair.goal.get("id") in moved else 1.0 for pair in pairs])
    at = next(number for number in range(len(pairs)) if number not in kept)
    to, beside = ("after", at - 1) if at else ("before", min(kept))
    reference = pairs[beside].now.label
    return "reorder_element", {"object": pairs[at].now.label, "to": to, "reference": reference}


def _in_order(places: Sequence[int], weights: Sequence[float]) -> set[int]:
    """Positions of the heaviest increasing part of `places`."""
    best: list[tuple[float, int]] = []
    for end, place in enumerate(places):
        before = [(best[n][0], n) for n in range(end) if places[n] < place]
        weight, previous = max(before, default=(0.0, -1))
        best.append((weight + weights[end], previous))
    at = max(range(len(best)), key=lambda number: best[number][0])
    kept = set()
    while at >= 0:
        kept.add(at)
        at = best[at][1]
    return kept


def _insertion(pair: _Pair, pairs: Sequence[_Pair], missing: Element) -> Call:
    """Insert an element behind the sibling that is in front of it in the goal."""
    earlier = [known.now for known in pairs if known.goal.index < missing.index]
    later = [known.now for known in pairs if known.goal.index > missing.index]
    if earlier:
        place, where = earlier[-1], "after"
    else:
        place, where = (later[0], "before") if later else (pair.now, "last_in")
    return "insert_element", {"markup": missing.source, "object": place.label, "where": where}
