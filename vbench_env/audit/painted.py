"""Mutators of what is painted: numbers, colours, text, references, visibility, the cascade."""

from __future__ import annotations

import random
from decimal import ROUND_HALF_UP, Decimal

from vbench_env.audit.draft import Part
from vbench_env.audit.mutators import Site, mutator, pick, where
from vbench_env.audit.slots import Slot
from vbench_env.audit.spelling import exact
from vbench_env.svg.colors import Color, parse_color
from vbench_env.svg.parse import XLINK_HREF
from vbench_env.svg.path_data import Command, format_path, parse_path
from vbench_env.svg.schema import ANIMATIONS, GRAPHICS
from vbench_env.svg.transform import format_matrix, parse_transform
from vbench_env.svg.values import Declaration, parse_length, parse_number_list

_GEOMETRY = frozenset(
    {"length-x", "length-y", "length-diagonal", "length", "lengths", "points", "viewbox", "numbers"}
)
_ANY = "geometry path_rewrite paint metadata reference root text"


def _numbers(slot: Slot) -> tuple[float, ...] | None:
    length = parse_length(slot.value)
    if length is not None:
        return (length.value,)
    return parse_number_list(slot.value) or None


@mutator("number", _ANY, painted=True)
def number(site: Site, rng: random.Random) -> str | None:
    """A coordinate or size, a little or a lot off."""
    slot = pick(rng, [s for s in site.slots() if s.kind in _GEOMETRY and not s.styled and _numbers(s)])
    if slot is None:
        return None
    length = parse_length(slot.value)
    amount = rng.choice((0.01, 0.1, 1.0, 10.0)) * rng.choice((-1, 1))
    if length is not None:
        text = slot.value.strip()
        unit = text[len(text.rstrip("%abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")) :]
        slot.put(exact(length.value + amount * max(1.0, abs(length.value) / 10)) + unit)
    else:
        values = list(_numbers(slot) or ())
        place = rng.randrange(len(values))
        values[place] += amount * max(1.0, abs(values[place]) / 10)
        if slot.name == "viewBox" and min(values[2:]) <= 0:
            return None
        slot.put(" ".join(map(exact, values)))
    return f"{where(slot.part)} {slot.name}: {slot.value} changed by about {amount}"


@mutator("rounding", _ANY, painted=True)
def rounding(site: Site, rng: random.Random) -> str | None:
    """Coordinates of one element rounded to whole numbers."""
    found = [s for s in site.slots() if s.kind in _GEOMETRY and not s.styled and s.name != "viewBox"]
    rough = [
        s
        for s in found
        if any(v != round(v) and abs(v) > 1 for v in _numbers(s) or ()) and "%" not in s.value
    ]
    slot = pick(rng, [s for s in rough if parse_number_list(s.value)])
    if slot is None:
        return None
    values = [
        Decimal(repr(v)).quantize(Decimal(1), ROUND_HALF_UP) for v in parse_number_list(slot.value) or ()
    ]
    slot.put(" ".join(map(str, values)))
    return f"{where(slot.part)} {slot.name} rounded"


@mutator("path", "path_rewrite geometry", painted=True)
def path(site: Site, rng: random.Random) -> str | None:
    """A vertex moved, a closepath dropped, a subpath or a spur more."""
    slot = pick(rng, [s for s in site.slots() if s.name == "d" and s.kind == "path" and _readable(s.value)])
    if slot is None:
        return None
    kind = rng.choice(("vertex", "open", "subpath", "spur", "start"))
    text = slot.value.strip()
    if kind == "open" and text[-1] in "zZ":
        slot.put(text[:-1])
    elif kind == "subpath":
        slot.put(text + "M1 1h3v3z")
    elif kind == "spur":
        slot.put(text.rstrip("zZ \n") + "l5 5l-5 -5" + ("z" if text[-1] in "zZ" else ""))
    else:
        commands = parse_path(text)
        places = [number for number, command in enumerate(commands) if command.args]
        place = 0 if kind == "start" else rng.choice(places)
        letter, args = commands[place]
        moved = Command(letter, (*args[:-1], args[-1] + rng.choice((0.05, 0.5, 5.0))))
        slot.put(format_path((*commands[:place], moved, *commands[place + 1 :])))
    return f"{where(slot.part)} path: {kind}"


def _readable(text: str) -> bool:
    try:
        return len(parse_path(text)) > 1
    except ValueError:
        return False


@mutator("colour", "paint metadata", painted=True)
def color(site: Site, rng: random.Random) -> str | None:
    """A colour a few steps off in one channel, or another one."""
    found = [
        s for s in site.slots() if s.kind in ("color", "paint") and isinstance(parse_color(s.value), Color)
    ]
    slot = pick(rng, found)
    if slot is None:
        return None
    value = parse_color(slot.value)
    assert isinstance(value, Color)
    channels = list(value)
    place = rng.randrange(3)
    channels[place] = (channels[place] + rng.choice((1, 3, 20, 90))) % 256
    slot.put(Color(*channels).hex)
    return f"{where(slot.part)} {slot.name}: {slot.value} to {Color(*channels).hex}"


_PAINTED_SHAPES = frozenset({"path", "rect", "circle", "ellipse", "polygon"})
_NEW = (
    ("opacity", ".9"), ("fill-opacity", ".7"), ("stroke-width", "3.5"), ("stroke-dasharray", "4 2"),
    ("stroke-linecap", "round"), ("stroke-linejoin", "bevel"), ("fill-rule", "evenodd"), ("fill", "#123456"),
    ("stroke", "#654321"), ("font-size", "17.5px"), ("font-weight", "900"), ("letter-spacing", "1px"),
    ("text-anchor", "end"), ("visibility", "hidden"), ("display", "none"), ("stroke-opacity", ".3"),
    ("paint-order", "stroke"), ("mix-blend-mode", "multiply"), ("pointer-events", "none"), ("overflow", "visible"),
)  # fmt: skip


@mutator("new property", "paint metadata geometry", painted=True)
def new_property(site: Site, rng: random.Random) -> str | None:
    """A property on an element that did not say it."""
    name, value = rng.choice(_NEW)
    part = pick(rng, [p for p in site.parts() if p.tag in GRAPHICS | {"g"} and not site.asked(p, name)])
    if part is None or name in part.attrs or name in {d.name for d in part.style()}:
        return None
    if rng.random() < 0.5:
        part.set_style([*part.style(), Declaration(name, value, rng.random() < 0.2)])
    else:
        part.attrs[name] = value
    return f"{where(part)} gets {name} {value}"


@mutator("property dropped", _ANY, painted=True)
def property_dropped(site: Site, rng: random.Random) -> str | None:
    """An attribute or declaration gone."""
    slot = pick(rng, [s for s in site.slots() if s.name not in ("d", "points")])
    if slot is None:
        return None
    slot.drop()
    return f"{where(slot.part)} {slot.name} dropped"


@mutator("stale style", "paint metadata geometry", painted=True)
def stale_style(site: Site, rng: random.Random) -> str | None:
    """A declaration that beats the attribute, with another value."""
    found = [
        s for s in site.slots() if s.is_property and not s.styled and s.kind in ("color", "paint", "opacity")
    ]
    slot = pick(rng, found)
    if slot is None or slot.name in {d.name for d in slot.part.style()}:
        return None
    value = ".123" if slot.kind == "opacity" else "#0f1e2d"
    slot.part.set_style([*slot.part.style(), Declaration(slot.name, value, False)])
    return f"{where(slot.part)} style beats {slot.name}"


@mutator("number property", "paint metadata geometry reference", painted=True)
def number_property(site: Site, rng: random.Random) -> str | None:
    """A stroke width, opacity, font size, dash or offset off by a tenth."""
    kinds = ("opacity", "offset", "font-size", "length-diagonal", "dashes", "positive", "number", "spacing")
    found = [s for s in site.slots() if s.kind in kinds and (_numbers(s) or (0,))[0]]
    slot = pick(rng, found)
    if slot is None:
        return None
    values = list(_numbers(slot) or ())
    values[0] *= rng.choice((0.9, 0.5))
    text = slot.value.strip()
    unit = text[len(text.rstrip("%abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")) :]
    slot.put(" ".join(map(exact, values)) + (unit if len(values) == 1 else ""))
    return f"{where(slot.part)} {slot.name}: {slot.value} made less"


@mutator("transform", "geometry paint root metadata reference", painted=True)
def transform(site: Site, rng: random.Random) -> str | None:
    """An object moved a little, turned, mirrored, or off the canvas; or a transform dropped."""
    part = pick(rng, [p for p in site.parts() if p.tag in GRAPHICS | {"g"} and p.tag != "tspan"])
    if part is None or any(part.attrs.get("id") == name for name, _ in site.requested):
        return None
    old = part.attrs.get("transform", "")
    change = rng.choice(
        ("translate(.05)", "translate(3 4)", "rotate(1)", "scale(-1 1)", "translate(90000)", "")
    )
    matrix = parse_transform(old)
    if matrix is None or (not change and matrix == parse_transform("")):
        return None
    if change:
        part.attrs["transform"] = (
            f"{old} {change}" if rng.random() < 0.5 else f"{change} {format_matrix(matrix)}"
        )
    else:
        del part.attrs["transform"]
    return f"{where(part)} transform: {change or 'dropped'}"


@mutator("text", "text metadata", painted=True)
def text(site: Site, rng: random.Random) -> str | None:
    """A character changed, dropped or added."""
    spoken = [p for p in site.parts() if p.tag in ("text", "tspan", "textPath") and p.text.strip()]
    part = pick(rng, [p for p in spoken if not site.asked(p, "text") and not _asked_above(site, p)])
    if part is None:
        return None
    place = rng.choice([i for i, char in enumerate(part.text) if not char.isspace()])
    other = rng.choice(("", "x", part.text[place] * 2, "\u00a0", "\u2019"))
    if other == part.text[place]:
        return None
    part.text = part.text[:place] + other + part.text[place + 1 :]
    return f"{where(part)} text changed at {place}"


def _asked_above(site: Site, part: Part) -> bool:
    at = part.parent
    while at is not None:
        if site.asked(at, "text"):
            return True
        at = at.parent
    return False


@mutator("reference", "reference paint metadata", painted=True)
def reference(site: Site, rng: random.Random) -> str | None:
    """A paint, clip, link or marker that names another element of the same kind."""
    found = [s for s in site.slots() if _named(s)]
    slot = pick(rng, found)
    if slot is None:
        return None
    name = _named(slot)
    parts = {p.attrs["id"]: p for p in site.draft.root.iter() if "id" in p.attrs}
    kind = parts[name].tag if name in parts else ""
    other = pick(rng, [key for key, p in parts.items() if p.tag == kind and key != name])
    if not other:
        return None
    slot.put(slot.value.replace(f"#{name}", f"#{other}"))
    return f"{where(slot.part)} {slot.name}: #{name} to #{other}"


def _named(slot: Slot) -> str:
    value = slot.value
    if slot.name in ("href", XLINK_HREF) and value.startswith("#"):
        return value[1:]
    return value.partition("url(#")[2].partition(")")[0] if "url(#" in value else ""


@mutator(
    "style sheet", "paint added_object deleted_object deleted_definition metadata text reorder", painted=True
)
def style_sheet(site: Site, rng: random.Random) -> str | None:
    """A rule more, in a new or an old sheet, or a changed colour in one."""
    sheet = pick(rng, [p for p in site.parts() if p.tag == "style" and p.text.strip()])
    tag = rng.choice(("rect", "path", "*", "circle"))
    rule = f"{tag}{{fill:#1a2b3c{rng.choice(('', '!important'))}}}"
    if sheet is not None and rng.random() < 0.7:
        sheet.text = rng.choice((sheet.text + rule, sheet.text.replace("#", "#0", 1)))
        return f"style sheet changed: {rule}"
    made = Part("style")
    made.text = rule
    site.draft.root.insert(0, made)
    return f"style sheet added: {rule}"


@mutator("animation", "metadata geometry added_object", painted=False)
def animation(site: Site, rng: random.Random) -> str | None:
    """An attribute of an animation changed, or a new animation."""
    slot = pick(rng, [s for s in site.slots() if s.part.tag in ANIMATIONS and s.name != "attributeName"])
    if slot is not None:
        slot.put(slot.value + "1")
        return f"{slot.part.tag} {slot.name} changed"
    part = pick(rng, [p for p in site.parts() if p.tag in _PAINTED_SHAPES])
    if part is None:
        return None
    part.insert(len(part.children), Part("animate", {"attributeName": "opacity", "to": "0", "dur": "1s"}))
    return f"{where(part)} animated"


@mutator("root", "root", painted=True)
def root(site: Site, rng: random.Random) -> str | None:
    """Size, viewBox or aspect of the drawing."""
    top = site.draft.root
    kind = rng.choice(("size", "viewBox", "aspect", "style"))
    if kind == "viewBox" and (box := parse_number_list(top.attrs.get("viewBox", ""))):
        top.attrs["viewBox"] = " ".join(map(exact, (box[0] + 1, *box[1:])))
    elif kind == "aspect":
        top.attrs["preserveAspectRatio"] = "xMinYMin slice"
    elif kind == "style":
        top.set_style([*top.style(), Declaration("background", "#123", False)])
    else:
        top.attrs["width"] = "777"
    return f"root {kind}"
