"""Mutators of the tree: objects added, deleted, covered, moved, hidden; order and nesting."""

from __future__ import annotations

import random

from vbench_env.audit.draft import Part
from vbench_env.audit.mutators import Site, mutator, pick, where
from vbench_env.svg.parse import XLINK_HREF
from vbench_env.svg.schema import GRAPHICS
from vbench_env.svg.values import parse_number

_OBJECTS = GRAPHICS - {"tspan", "tref", "textPath", "altGlyph"}


def objects(site: Site) -> list[Part]:
    """Painted objects and groups."""
    return [part for part in site.parts() if part.tag in _OBJECTS | {"g"}]


def _kept(site: Site, part: Part) -> bool:
    """Whether a repair is about where the part is, so that another gate would notice."""
    return part in site.closed or site.asked(part, "order")


def _nameless(part: Part) -> Part:
    for inner in part.iter():
        inner.attrs.pop("id", None)
    return part


@mutator(
    "deleted",
    "deleted_object deleted_definition reorder nesting geometry metadata paint",
    painted=False,
    invalid=True,
)
def deleted(site: Site, rng: random.Random) -> str | None:
    """An element gone."""
    part = pick(rng, [p for p in site.parts() if not any(_kept(site, inner) for inner in p.iter())])
    if part is None:
        return None
    part.remove()
    return f"{where(part)} deleted"


@mutator("duplicated", "added_object nesting reorder metadata", painted=False, invalid=True)
def duplicated(site: Site, rng: random.Random) -> str | None:
    """An object drawn twice."""
    part = pick(
        rng, [p for p in objects(site) if p.parent and not any(_kept(site, inner) for inner in p.iter())]
    )
    if part is None or part.parent is None:
        return None
    part.parent.insert(part.index + 1, _nameless(part.copy()))
    part.parent.children[part.index + 1].tail = ""
    return f"{where(part)} duplicated"


@mutator("overlay", "added_object", painted=False)
def overlay(site: Site, rng: random.Random) -> str | None:
    """A new shape over everything, under everything, or off the canvas."""
    kind = rng.choice(("over", "under", "off", "invisible"))
    attrs = {"width": "60%", "height": "60%", "fill": "#cc0066"}
    attrs |= {"off": {"x": "-99999"}, "invisible": {"display": "none"}}.get(kind, {})
    top = site.draft.root
    top.insert(0 if kind == "under" else len(top.children), Part("rect", attrs))
    return f"a rect {kind}"


@mutator("look-alike", "geometry deleted_object added_object paint", painted=False)
def look_alike(site: Site, rng: random.Random) -> str | None:
    """A rectangle or circle that becomes a path of the same outline."""
    found = [p for p in site.parts() if p.tag == "rect" and not {"rx", "ry"} & set(p.attrs) and _box(p)]
    part = pick(rng, [p for p in found if not p.children])
    if part is None:
        return None
    x, y, width, height = _box(part) or ("0", "0", "0", "0")
    for name in ("x", "y", "width", "height"):
        part.attrs.pop(name, None)
    part.tag = "path"
    part.attrs["d"] = f"M{x} {y}h{width}v{height}h-{width}z"
    return f"{where(part)} was a rect"


def _box(part: Part) -> tuple[str, ...] | None:
    values = tuple(part.attrs.get(name, "0").strip() for name in ("x", "y", "width", "height"))
    sound = all(parse_number(value) is not None for value in values) and values[2][0] not in "-+"
    return values if sound else None


@mutator(
    "order",
    "reorder nesting geometry paint metadata deleted_object added_object text path_rewrite reference",
    painted=False,
)
def order(site: Site, rng: random.Random) -> str | None:
    """Two neighbours exchange places."""
    found = []
    for part in [site.draft.root, *site.parts()]:
        for first, second in zip(part.children, part.children[1:], strict=False):
            kept = site.closed.isdisjoint((first, second)) and not site.asked(first, "order")
            if kept and not site.asked(second, "order") and not _same(first, second):
                found.append((part, first, second))
    chosen = pick(rng, found)
    if chosen is None:
        return None
    part, first, second = chosen
    place = first.index
    part.children[place], part.children[place + 1] = second, first
    first.tail, second.tail = second.tail, first.tail
    return f"{where(first)} and {where(second)} exchanged"


def _same(first: Part, second: Part) -> bool:
    """Whether two neighbours say the same, ids aside, or one of them is an empty group that shows nothing."""
    if any(part.tag == "g" and not part.children for part in (first, second)):
        return True
    ours, theirs = ([_said(part) for part in top.iter()] for top in (first, second))
    return ours == theirs


def _said(part: Part) -> tuple[object, ...]:
    return part.tag, {name: value for name, value in part.attrs.items() if name != "id"}, part.text.strip()


@mutator("wrapped", "nesting", painted=False)
def wrapped(site: Site, rng: random.Random) -> str | None:
    """A plain group round an object."""
    part = pick(rng, objects(site))
    if part is None or part.parent is None:
        return None
    parent, place = part.parent, part.index
    group = Part("g", parent=parent)
    group.tail, part.tail = part.tail, ""
    parent.children[place] = group
    group.insert(0, part)
    return f"{where(part)} wrapped"


@mutator(
    "moved to another parent", "nesting reorder deleted_object added_object metadata geometry", painted=False
)
def other_parent(site: Site, rng: random.Random) -> str | None:
    """An object under another group, in `defs`, or in a `switch`."""
    part = pick(rng, [p for p in objects(site) if not any(_kept(site, inner) for inner in p.iter())])
    if part is None or part.parent is None:
        return None
    kind = rng.choice(("group", "defs", "switch", "a", "symbol"))
    parent, place = part.parent, part.index
    if kind == "group":
        inside = set(part.iter())
        groups = [p for p in site.draft.root.iter() if p.tag == "g" and p not in inside and p is not parent]
        home = pick(rng, groups)
        if home is None:
            return None
        part.remove()
        home.insert(len(home.children), part)
    else:
        made = Part(kind, parent=parent)
        made.tail, part.tail = part.tail, ""
        parent.children[place] = made
        made.insert(0, part)
    return f"{where(part)} into {kind}"


@mutator("unwrapped", "nesting deleted_object added_object reorder metadata geometry", painted=False)
def unwrapped(site: Site, rng: random.Random) -> str | None:
    """A group dissolved."""
    part = pick(rng, [p for p in site.parts() if p.tag == "g" and p.children and p not in site.closed])
    if part is None or part.parent is None:
        return None
    parent, place = part.parent, part.index
    part.remove()
    for offset, child in enumerate(part.children):
        parent.insert(place + offset, child)
    return f"{where(part)} dissolved"


@mutator("hidden", "paint metadata geometry reference", painted=True)
def hidden(site: Site, rng: random.Random) -> str | None:
    """An object that is there and not seen."""
    names = {
        "display": "none",
        "visibility": "hidden",
        "opacity": "0",
        "fill": "none",
        "clip-path": "circle(0)",
    }
    name = rng.choice(list(names))
    part = pick(rng, [p for p in objects(site) if not site.asked(p, name)])
    if part is None or part.attrs.get(name) == names[name]:
        return None
    if rng.random() < 0.5 or name == "clip-path":
        part.set_style([d for d in part.style() if d.name != name])
        part.attrs["style"] = f"{part.attrs.get('style', '')};{name}:{names[name]}".lstrip(";")
    elif name in {d.name for d in part.style()}:
        return None
    else:
        part.attrs[name] = names[name]
    return f"{where(part)} hidden by {name}"


@mutator(
    "definition",
    "nesting deleted_definition deleted_object added_object geometry paint metadata reorder",
    painted=False,
    invalid=True,
)
def definition(site: Site, rng: random.Random) -> str | None:
    """A child of a definition (gradient stop, clip shape, filter primitive) gone or doubled."""
    homes = ("linearGradient", "radialGradient", "clipPath", "mask", "pattern", "marker", "filter", "symbol")
    part = pick(rng, [p for p in site.parts() if p.parent is not None and p.parent.tag in homes])
    if part is None or part.parent is None:
        return None
    if rng.random() < 0.5:
        part.parent.insert(part.index, _nameless(part.copy()))
        return f"{where(part)} doubled in {where(part.parent)}"
    home = part.parent
    part.remove()
    return f"{where(part)} gone from {where(home)}"


@mutator("inheritance through use", "paint metadata geometry", painted=True)
def through_use(site: Site, rng: random.Random) -> str | None:
    """A property on a `use` that what it draws inherits."""
    found = [p for p in site.parts() if p.tag == "use" and ({"href", XLINK_HREF} & set(p.attrs))]
    part = pick(rng, found)
    if part is None:
        return None
    name, value = rng.choice(
        (("fill", "#112233"), ("stroke", "#445566"), ("color", "#778899"), ("stroke-width", "7"))
    )
    if name in part.attrs or name in {d.name for d in part.style()} or site.asked(part, name):
        return None
    part.attrs[name] = value
    return f"{where(part)} gives {name}"
