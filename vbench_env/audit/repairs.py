"""Cases about the requested repairs of a task: other routes to them, and ways to miss them.

`ROUTES` make a repair in another way that must count; `MISSES` undo it, stop at the start, overshoot, or make it
on the wrong object. All start from the target and change one repair.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from vbench_env.audit.draft import Draft, Part
from vbench_env.audit.slots import has_sheets
from vbench_env.audit.spelling import exact
from vbench_env.scoring.scorer import score_problem
from vbench_env.svg.colors import Color, parse_color
from vbench_env.svg.parse import XLINK_HREF
from vbench_env.svg.values import parse_number
from vbench_env.task import Repair

if TYPE_CHECKING:
    from vbench_env.audit.cases import Subject

RepairCase = Callable[["Subject", Draft, random.Random], "str | None"]
ROUTES: dict[str, RepairCase] = {}
MISSES: dict[str, RepairCase] = {}

_POSITIONS = {"x": 0, "cx": 0, "y": 1, "cy": 1}


def route(name: str) -> Callable[[RepairCase], RepairCase]:
    """Register a way to make a repair that must count."""
    return lambda function: ROUTES.setdefault(name, function)


def miss(name: str) -> Callable[[RepairCase], RepairCase]:
    """Register a way to miss a repair."""
    return lambda function: MISSES.setdefault(name, function)


def _stored(part: Part, name: str) -> str | None:
    for declaration in reversed(part.style()):
        if declaration.name == name:
            return declaration.value
    return part.attrs.get(name)


def _store(part: Part, name: str, value: str) -> None:
    styled = part.style()
    if any(d.name == name for d in styled):
        part.set_style([d._replace(value=value) if d.name == name else d for d in styled])
    else:
        part.attrs[name] = value


def _numeric(subject: Subject, draft: Draft, rng: random.Random) -> tuple[Repair, Part, float, float] | None:
    """A repair whose target and corrupted values are stored as plain numbers on its object."""
    start = subject.start_draft()
    found = []
    for repair in subject.repairs:
        part, before = draft.find(repair.object), start.find(repair.object)
        if part is None or before is None or repair.property in ("transform", "text", "order", "exists"):
            continue
        values = [parse_number(_stored(item, repair.property) or "") for item in (part, before)]
        if values[0] is not None and values[1] is not None and values[0] != values[1]:
            found.append((repair, part, values[0], values[1]))
    return rng.choice(found) if found else None


@route("within the tolerance")
def within(subject: Subject, draft: Draft, rng: random.Random) -> str | None:
    """A value as far off as the scorer's own tolerance says, less a tenth."""
    chosen = _numeric(subject, draft, rng)
    if chosen is None:
        return None
    repair, part, target, _ = chosen
    allowed = _tolerance(subject, repair)
    if not allowed:
        return None
    value = target + rng.choice((-0.9, 0.9)) * allowed
    if repair.property.endswith("opacity") and not 0 <= value <= 1:
        return None
    _store(part, repair.property, exact(value))
    return f"{repair.object} {repair.property} {value:g} for {target:g}"


@route("moved by a transform")
def by_transform(subject: Subject, draft: Draft, rng: random.Random) -> str | None:
    """The move that a repaired position asks for, made by `translate()`."""
    chosen = _numeric(subject, draft, rng)
    if chosen is None or chosen[0].property not in _POSITIONS or has_sheets(draft):
        return None
    repair, part, target, before = chosen
    if part.children or "transform" in part.attrs or part.tag in ("tspan", "svg") or _tied(part):
        return None
    _store(part, repair.property, exact(before))
    shift = exact(target - before)
    part.attrs["transform"] = (
        f"translate({shift})" if _POSITIONS[repair.property] == 0 else f"translate(0 {shift})"
    )
    return f"{repair.object} moved by {shift}"


def _tied(part: Part) -> bool:
    at: Part | None = part
    while at is not None:
        if any("url(" in value for value in at.attrs.values()):
            return True
        at = at.parent
    return False


@route("inserted under another id")
def other_id(subject: Subject, draft: Draft, rng: random.Random) -> str | None:
    """An object that was to be inserted has another id, or none."""
    text = "\n".join(value for part in draft.root.iter() for value in (*part.attrs.values(), part.text))
    found = [r for r in subject.repairs if r.operation == "insert" and f"#{r.object}" not in text]
    parts = [part for repair in found if (part := draft.find(repair.object)) is not None]
    if not parts:
        return None
    part = rng.choice(parts)
    old = part.attrs.pop("id")
    if rng.random() < 0.5:
        part.attrs["id"] = f"{old}-{rng.randrange(10**4)}"
    return f"{old} is called {part.attrs.get('id')}"


@miss("undone")
def undone(subject: Subject, draft: Draft, rng: random.Random) -> str | None:
    """One repair as it was at the start."""
    repair = rng.choice(subject.repairs)
    start = subject.start_draft()
    part, before = draft.find(repair.object), start.find(repair.object)
    if repair.operation == "delete":
        return _put_back(draft, before)
    if part is None:
        return None
    if repair.operation == "insert":
        part.remove()
        return f"{repair.object} not inserted"
    if before is None:
        return None
    if repair.property == "order":
        return _reorder(part, before)
    if repair.property == "text":
        copy = before.copy()
        part.text, part.children = copy.text, copy.children
        for child in part.children:
            child.parent = part
        return f"{repair.object} text undone"
    if part.attrs == before.attrs:
        return None
    part.attrs = dict(before.attrs)
    return f"{repair.object} {repair.property} undone"


def _put_back(draft: Draft, extra: Part | None) -> str | None:
    if extra is None or extra.parent is None:
        return None
    name = extra.parent.attrs.get("id")
    home = draft.find(name) if name else (draft.root if extra.parent.parent is None else None)
    if home is None:
        return None
    home.insert(min(extra.index, len(home.children)), extra.copy())
    return f"{extra.attrs.get('id')} put back"


def _reorder(part: Part, before: Part) -> str | None:
    """Behind the sibling that came before it at the start."""
    parent = part.parent
    if parent is None or before.parent is None:
        return None
    ahead = {p.attrs["id"] for p in before.parent.children[: before.index] if "id" in p.attrs}
    place = part.index
    parent.children.remove(part)
    after = [number for number, p in enumerate(parent.children) if p.attrs.get("id") in ahead]
    parent.children.insert(max(after, default=-1) + 1, part)
    return None if part.index == place else f"{part.attrs.get('id')} back to place {part.index}"


@miss("hardly begun")
def hardly_begun(subject: Subject, draft: Draft, rng: random.Random) -> str | None:
    """A value that went a twentieth of the way."""
    return _along(subject, draft, rng, 0.95)


@miss("halved")
def halved(subject: Subject, draft: Draft, rng: random.Random) -> str | None:
    """A value half-way, where half of the way is more than the tolerance."""
    chosen = _numeric(subject, draft, rng)
    if chosen is None:
        return None
    repair, part, target, before = chosen
    allowed = _tolerance(subject, repair)
    if allowed is None or abs(target - before) / 2 <= allowed * 1.05:
        return None
    _store(part, repair.property, exact((target + before) / 2))
    return f"{repair.object} {repair.property} {(target + before) / 2:g} for {target:g}"


def _tolerance(subject: Subject, repair: Repair) -> float | None:
    """What the scorer says about the start."""
    card = score_problem(subject.problem, subject.start)
    found = [r.tolerance for r in card.repairs if (r.object, r.property) == (repair.object, repair.property)]
    return found[0] if found else None


@miss("overshot")
def overshot(subject: Subject, draft: Draft, rng: random.Random) -> str | None:
    """A value as far beyond the target as the corruption was before it."""
    return _along(subject, draft, rng, -1.0)


def _along(subject: Subject, draft: Draft, rng: random.Random, share: float) -> str | None:
    chosen = _numeric(subject, draft, rng)
    if chosen is None:
        return None
    repair, part, target, before = chosen
    value = target + share * (before - target)
    clamped = repair.property.endswith("opacity") or repair.property == "offset"
    negative = value < 0 and repair.property in (
        "width",
        "height",
        "r",
        "rx",
        "ry",
        "stroke-width",
        "font-size",
    )
    if negative or (clamped and not 0 <= value <= 1):
        return None
    _store(part, repair.property, exact(value))
    return f"{repair.object} {repair.property} {value:g} for {target:g}"


@miss("colour hardly begun")
def color_begun(subject: Subject, draft: Draft, rng: random.Random) -> str | None:
    """A colour that is still nearly the corrupted one."""
    start = subject.start_draft()
    found = []
    for repair in subject.repairs:
        part, before = draft.find(repair.object), start.find(repair.object)
        if part is None or before is None:
            continue
        colors = [parse_color(_stored(item, repair.property) or "") for item in (part, before)]
        if all(isinstance(color, Color) for color in colors) and colors[0] != colors[1]:
            found.append((repair, part, colors))
    if not found:
        return None
    repair, part, (target, before_color) = rng.choice(found)
    assert isinstance(target, Color) and isinstance(before_color, Color)
    mixed = [round(b + 0.02 * (t - b)) for t, b in zip(target, before_color, strict=True)]
    _store(part, repair.property, Color(*mixed).hex)
    return f"{repair.object} {repair.property} {Color(*mixed).hex}"


@miss("on the wrong object")
def wrong_object(subject: Subject, draft: Draft, rng: random.Random) -> str | None:
    """The repaired value on a neighbour of the same kind; the object itself as it was."""
    chosen = _numeric(subject, draft, rng)
    if chosen is None:
        return None
    repair, part, target, before = chosen
    others = [p for p in draft.root.iter() if p.tag == part.tag and p is not part]
    others = [p for p in others if _stored(p, repair.property) not in (None, _stored(part, repair.property))]
    if not others:
        return None
    other = rng.choice(others)
    _store(other, repair.property, exact(target))
    _store(part, repair.property, exact(before))
    return f"{repair.property} {target:g} on {other.attrs.get('id', other.tag)}"


@miss("done twice")
def twice(subject: Subject, draft: Draft, rng: random.Random) -> str | None:
    """An inserted object twice, or a move made by attribute and by transform."""
    inserted = [r for r in subject.repairs if r.operation == "insert"]
    parts = [part for r in inserted if (part := draft.find(r.object)) is not None and part.parent is not None]
    if parts and rng.random() < 0.5:
        part = rng.choice(parts)
        copy = part.copy()
        for inner in copy.iter():
            inner.attrs.pop("id", None)
        assert part.parent is not None
        part.parent.insert(part.index + 1, copy)
        return f"{part.attrs.get('id')} inserted twice"
    chosen = _numeric(subject, draft, rng)
    if chosen is None or chosen[0].property not in _POSITIONS:
        return None
    repair, part, target, before = chosen
    shift = exact(target - before)
    move = f"translate({shift})" if _POSITIONS[repair.property] == 0 else f"translate(0 {shift})"
    part.attrs["transform"] = f"{part.attrs.get('transform', '')} {move}".strip()
    return f"{repair.object} moved twice"


@miss("relinked elsewhere")
def relinked(subject: Subject, draft: Draft, rng: random.Random) -> str | None:
    """A link that names a third element."""
    found = [r for r in subject.repairs if r.property == "href"]
    parts = [part for r in found if (part := draft.find(r.object)) is not None]
    if not parts:
        return None
    part = rng.choice(parts)
    key = "href" if "href" in part.attrs else XLINK_HREF
    own = part.attrs.get(key, "")
    names = [
        p.attrs["id"]
        for p in draft.root.iter()
        if p.tag in ("symbol", "g", "path", "rect") and "id" in p.attrs
    ]
    above = {at.attrs.get("id") for at in _above(part)}
    names = [name for name in names if f"#{name}" != own and name not in above]
    if not names:
        return None
    part.attrs[key] = f"#{rng.choice(names)}"
    return f"{part.attrs.get('id')} links to {part.attrs[key]}"


def _above(part: Part) -> list[Part]:
    found, at = [part], part.parent
    while at is not None:
        found.append(at)
        at = at.parent
    return found
