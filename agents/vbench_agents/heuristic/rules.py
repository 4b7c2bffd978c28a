"""What to do about a clause: one rule for each kind of mistake that words and drawing settle together.

A rule gets a clause, the things that it may be about and the thing it is compared with, and answers with tool
calls or None. None knows a target; each works from what is written and drawn.
"""

from __future__ import annotations

import difflib
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vbench_agents.heuristic.drawing import Drawing, Thing, center, looks, shade
from vbench_agents.heuristic.wording import COPIES, Clause, ordinal, quotation, says, wanted_colour, words
from vbench_env.svg.geometry import box_in
from vbench_env.svg.parse import found_children
from vbench_env.svg.values import parse_number, parse_points

Call = tuple[str, dict[str, Any]]

_STATED = frozenset({"fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "fill-opacity"})
"""Properties that a thing inherits, or that have a usual value, when it states none."""
_LARGE = 12
"""Elements in a thing that is not taken away on suspicion."""
_REMOVE = (
    r"removed?|removing|delete|take away|get rid of|(?:stray|extra|duplicate|copied) .* (?:appeared|gained)|an extra|"
    r"has gained|a stray .* has appeared|there is an extra|left over"
)
_TOO_THICK = r"too (?:heavy|heavily|thick)|thin again|slim down|thin the"
_TOO_THIN = r"too thin|almost invisible|too faint|normal line weight|usual weight"
_FLIP = (
    r"facing the wrong way|faces the wrong way|around|turn .* back|back the (?:right|correct) way|back around"
)
_FADED = r"faded?|faint|dark|strong|solid|bright(?:ly)?|opaque|pale"
_LEVEL = r"level|back in(?:to)? line|same height|slipped|slid|floats|stand .* on|shifted"
_PROPERTIES = (
    (r"dash\w*|dots?|dotted", ("stroke-dasharray",)),
    (r"colou?r|red|green|blue|yellow|amber|orange", ("fill", "stroke", "color")),
    (r"thick\w*|thin|heavy|weight", ("stroke-width",)),
    (r"wide|width|narrow|short", ("width", "rx")),
    (r"big|large|small|size", ("r", "width")),
    (r"tall|height|high", ("height",)),
    (_FADED, ("opacity", "fill-opacity", "stroke-opacity")),
    (r"shape|look|tiles|kind|pattern|buoy", ("href", "{http://www.w3.org/1999/xlink}href", "d", "fill")),
    (r"level", ("y", "cy")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """A clause with what it may mean in the drawing."""

    clause: Clause
    subjects: list[Thing]
    """Equally likely things that the clause is about."""
    other: Thing | None
    """The thing that it is compared with."""
    drawing: Drawing

    @property
    def subject(self) -> Thing | None:
        """The one thing, where only one is likely and it is no large group."""
        small = len(self.subjects) == 1 and len(found_children(self.subjects[0].node)) <= _LARGE
        return self.subjects[0] if small else None


def remove(case: Case) -> list[Call] | None:
    """Take away what is said to be too much: the copy, where there are several of a kind."""
    if not says(case.clause.text, _REMOVE):
        return None
    copies = [thing for thing in case.subjects if thing.names & COPIES]
    small = [thing for thing in case.subjects if len(found_children(thing.node)) <= _LARGE]
    chosen = copies or _counted(case) or small
    return [("delete_element", {"object": chosen[-1].label})] if chosen else None


def _counted(case: Case) -> list[Thing]:
    """The n-th of several things in a row from one side."""
    place, things = ordinal(case.clause.text), case.subjects
    if len(things) == 1:
        things = [thing for thing in case.drawing.things if thing.node.parent is things[0].node]
    row = sorted((middle[0], n) for n, thing in enumerate(things) if (middle := center(thing)))
    if place is None or len(row) <= place[0]:
        return []
    return [things[row[-1 - place[0] if place[1] else place[0]][1]]]


def retext(case: Case) -> list[Call] | None:
    """Write what should stand there into the text that comes nearest to it."""
    wanted = quotation(case.clause.original)
    if wanted is None:
        return None
    texts = [thing for thing in case.drawing.things if thing.node.tag == "text" and thing.node.text.strip()]
    said = [thing for thing in case.subjects if thing in texts]
    ranked = sorted(said or texts, key=lambda thing: -_similar(thing.node.text, wanted))
    if not ranked or ranked[0].node.text.strip() == wanted:
        return None
    return [("set_text", {"object": ranked[0].label, "text": wanted})]


def _similar(first: str, second: str) -> float:
    return difflib.SequenceMatcher(None, first.strip().lower(), second.lower()).ratio()


def recolour(case: Case) -> list[Call] | None:
    """Give the thing the colour that is named, in the shade that its kind or the drawing uses."""
    word = wanted_colour(case.clause.text)
    if word is None or case.other is not None:
        return None
    painted = [(thing, found) for thing in case.subjects if (found := thing.colour())]
    if not painted:
        return None
    thing, (name, current) = max(painted, key=lambda item: looks(item[1][1], word))
    kin = [(other, found[1]) for other in case.drawing.alike(thing) if (found := other.colour())]
    called = [colour for other, colour in kin if word in other.names & thing.names]
    kindred = [colour for _, colour in kin if colour != current]
    wanted = called[0] if called else shade(word, kindred, case.drawing.palette())
    return None if wanted == current else [_put(thing, name, wanted.hex)]


def equalise(case: Case) -> list[Call] | None:
    """Take over the property that is spoken of from the thing it is compared with."""
    thing, other = case.subject, case.other
    if thing is None or other is None or thing is other:
        return None
    for pattern, names in _PROPERTIES:
        if says(case.clause.text, pattern):
            found = [call for name in names if (call := _taken_over(thing, other, name))]
            if found:
                return found[:1]
    if says(case.clause.text, r"lean\w*|turn\w*|runs?") and "rotate(" in (other.value("transform") or ""):
        return _same_rotation(thing, other)
    return None


def _taken_over(thing: Thing, other: Thing, name: str) -> Call | None:
    """The call that gives a thing the other's value; one that only the thing states goes, where it can."""
    own, value = thing.value(name), other.value(name)
    if own == value or (name == "d" and not _same_size(thing, other)):
        return None
    if value is not None:
        return _put(thing, name, value)
    if name not in _STATED:
        return None
    if name in thing.styled:
        return "set_style", {"object": thing.label, "property": name, "value": None}
    return "remove_attribute", {"object": thing.label, "name": name}


def _same_size(thing: Thing, other: Thing) -> bool:
    first, second = box_in(thing.node), box_in(other.node)
    if first is None or second is None:
        return False
    sizes = [(box.right - box.left, box.bottom - box.top) for box in (first, second)]
    return all(abs(a - b) <= 0.3 * max(a, b) for a, b in zip(*sizes, strict=True))


def _same_rotation(thing: Thing, other: Thing) -> list[Call] | None:
    own, wanted = thing.value("transform") or "", (other.value("transform") or "").split("rotate(")[1]
    if "rotate(" not in own:
        return None
    return [_put(thing, "transform", own.split("rotate(")[0] + "rotate(" + wanted)]


def restroke(case: Case) -> list[Call] | None:
    """Bring a line to the weight of its kind; without kin, half a thick one or the usual weight for a thin one."""
    thick, thin = says(case.clause.text, _TOO_THICK), says(case.clause.text, _TOO_THIN)
    thing = case.subject
    if not (thick or thin) or thing is None:
        return None
    name = "stroke-width"
    if thing.value(name) is None:
        sides = [side for side in ("width", "height") if parse_number(thing.value(side) or "")]
        name = min(sides, key=lambda side: parse_number(thing.value(side) or "") or 0.0, default="")
    current = parse_number(thing.value(name) or "")
    if not name or not current:
        return None
    kin = [value for other in case.drawing.alike(thing) if (value := parse_number(other.value(name) or ""))]
    fitting = [value for value in kin if (value < current if thick else value > current)]
    usual = [value for other in case.drawing.things if (value := parse_number(other.value(name) or ""))]
    halved = current / 2 if thick else statistics.median(usual)
    wanted = statistics.mode(fitting) if fitting and name == "stroke-width" else halved
    return [_put(thing, name, f"{wanted:g}")]


def flip(case: Case) -> list[Call] | None:
    """Mirror an outline that faces the wrong way, about the middle of its corners."""
    thing = case.subject
    if thing is None or not says(case.clause.text, _FLIP):
        return None
    points = parse_points(thing.value("points") or "")
    if not points:
        return None
    middle = statistics.fmean(x for x, _ in points)
    mirrored = " ".join(f"{round(2 * middle - x, 3):g},{y:g}" for x, y in points)
    return [("set_points", {"object": thing.label, "points": mirrored})]


def reorder(case: Case) -> list[Call] | None:
    """Put a thing behind or in front of another that has the same parent."""
    for words_said, to in (("behind", "before"), ("underneath", "before"), ("in front of", "after")):
        before, found, after = case.clause.text.partition(f" {words_said} ")
        if not found or not says(case.clause.text, "put|belongs|covers|hides|should|move|bring"):
            continue
        others = case.drawing.best(words(after))
        pairs = [
            (a, b) for a in case.subjects for b in others if a is not b and a.node.parent is b.node.parent
        ]
        if pairs and before:
            thing, other = pairs[0]
            return [("reorder_element", {"object": thing.label, "to": to, "reference": other.label})]
    return None


def center_inside(case: Case) -> list[Call] | None:
    """Put a thing that belongs inside or over another into the middle of it."""
    thing = case.subject
    for phrase, horizontal_only in ((" inside ", False), (" over the ", True), (" in the middle of ", False)):
        _, found, after = case.clause.text.partition(phrase)
        others = [other for other in case.drawing.best(words(after)) if other is not thing] if found else []
        if thing is None or not others or not says(case.clause.text, r"cent\w+|inside|middle|neatly"):
            continue
        own, place = center(thing), center(others[0])
        if own and place:
            dy = 0.0 if horizontal_only else place[1] - own[1]
            return [("move", {"object": thing.label, "dx": round(place[0] - own[0], 3), "dy": round(dy, 3)})]
    return None


def level(case: Case) -> list[Call] | None:
    """Bring a thing level with what it is compared with, or with the row of its kind: same foot or same middle."""
    thing = case.subject
    if thing is None or not says(case.clause.text, _LEVEL):
        return None
    row = [case.other] if case.other else case.drawing.alike(thing)[:3]
    boxes = [box for other in row if (box := box_in(other.node))]
    own = box_in(thing.node)
    if own is None or not boxes:
        return None
    dy = statistics.median(box.bottom for box in boxes) - own.bottom
    spread = max(box.bottom for box in boxes) - min(box.bottom for box in boxes)
    in_a_row = len(boxes) >= 2 and spread < 0.5 and 0.01 < abs(dy) < 2 * (own.bottom - own.top)
    if case.other is None and not in_a_row:
        return None
    return [("move", {"object": thing.label, "dx": 0, "dy": round(dy, 3)})]


def _put(thing: Thing, name: str, value: str) -> Call:
    """Set a property where it is written."""
    if name in thing.styled:
        return "set_style", {"object": thing.label, "property": name, "value": value}
    written = name.rpartition("}")[2]
    return "set_attribute", {
        "object": thing.label,
        "name": f"xlink:{written}" if "}" in name else name,
        "value": value,
    }


Rule = Callable[[Case], list[Call] | None]
RULES: tuple[Rule, ...] = (retext, remove, reorder, equalise, recolour, restroke, flip, center_inside, level)
"""In the order in which they are asked; the first that answers decides."""
