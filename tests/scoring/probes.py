"""Probes that tell the rule sets apart, as functions that apply to any drawing.

A probe takes a drawing and gives a task on it with a candidate whose verdicts are known, or the reason why the
drawing cannot carry it. The task has one repair of the probe's own; only source edits make the texts.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vbench_env.scoring import score
from vbench_env.svg.colors import Color, parse_color
from vbench_env.svg.document import Edit, Element, SourceDocument
from vbench_env.svg.parse import Node
from vbench_env.task import Repair, Task

SHAPES = frozenset({"rect", "circle", "ellipse", "line", "polyline", "polygon", "path"})
HIDDEN = frozenset(
    {"defs", "symbol", "clipPath", "mask", "pattern", "marker", "linearGradient", "radialGradient", "filter"}
)


@dataclass(frozen=True)
class Probed:
    """A task of the probe's own and the candidate to judge."""

    task: Task
    candidate: str


class CannotCarry(Exception):
    """Why a drawing cannot carry a probe."""


Probe = Callable[[str], Probed]


def objects(svg: str) -> Iterator[tuple[Element, Node]]:
    """Painted shapes with an id that nothing but their own attributes styles."""
    document = SourceDocument(svg)
    for element, node in zip(document.elements, document.parsed.nodes, strict=True):
        plain = not ({"class", "style"} & node.attrs.keys())
        if node.tag in SHAPES and node.id and plain and not any(at.tag in HIDDEN for at in ancestors(node)):
            yield element, node


def ancestors(node: Node) -> Iterator[Node]:
    at = node.parent
    while at is not None:
        yield at
        at = at.parent


def chosen(svg: str, fits: Callable[[Node], bool], what: str) -> Node:
    """The first painted shape that fits."""
    for _, node in objects(svg):
        if fits(node):
            return node
    raise CannotCarry(f"it has no plain shape with {what}")


def element_of(svg: str, name: str) -> Element:
    (element,) = SourceDocument(svg).with_id(name)
    return element


def put(svg: str, name: str, **attributes: str | None) -> str:
    """Set or (None) take out attributes of the object called `name`; `_` stands for `-`, `__` for `:`."""
    for key, value in attributes.items():
        key = key.replace("__", ":").replace("_", "-")
        element = element_of(svg, name)
        found = element.attribute(key)
        if found is not None:
            kept = "" if value is None else f' {key}="{value}"'
            start = svg.rindex(key, 0, found.value_start)
            edit = Edit(start - 1, found.value_end + 1, kept)
        elif value is not None:
            place = element.open_end - (2 if element.self_closing else 1)
            edit = Edit(place, place, f' {key}="{value}"')
        else:
            continue
        svg = svg[: edit.start] + edit.new + svg[edit.end :]
    return svg


def tasked(target: str, corrupted: str, candidate: str, *changes: dict[str, object]) -> Probed:
    """The probe's task, which protects every other object with an id."""
    repairs = tuple(Repair.from_published(change) for change in changes)
    requested = {repair.object for repair in repairs}
    document = SourceDocument(target)
    protected = tuple(node.id for node in document.parsed.nodes if node.id and node.id not in requested)
    task = Task("probe", "", corrupted, target, repairs, protected)
    for rules in ("published", "surgical"):
        if not score(task, target, rules).passed:
            raise CannotCarry(f"{rules} does not accept its target")
        if changes and score(task, corrupted, rules).passed:
            raise CannotCarry(f"{rules} accepts its corrupted drawing")
    return Probed(task, candidate)


def behind_background(svg: str) -> Probed:
    """The inserted object moved behind the opaque background."""
    root = SourceDocument(svg).root
    painted = [child for child in root.children if child.tag in SHAPES]
    if not painted or painted[0].tag != "rect" or not painted[0].get("id"):
        raise CannotCarry("its first painted child is no rect with an id")
    back = painted[0]
    names = [node.id for _, node in objects(svg) if node.parent is not None and node.parent.parent is None]
    inner = [child for child in painted[1:] if child.get("id") in names and inside(child, back)]
    if not inner:
        raise CannotCarry("no plain shape lies on its background")
    moved = inner[-1]
    without = svg[: moved.start] + svg[moved.end :]
    candidate = without[: back.start] + moved.source + without[back.start :]
    change = {"part": moved.get("id"), "attribute": "exists", "before": False, "after": True}
    return tasked(svg, without, candidate, change)


def inside(element: Element, back: Element) -> bool:
    """Whether a rect or circle lies within the background rect."""
    try:
        left, top = float(back.get("x") or 0), float(back.get("y") or 0)
        width, height = float(back.get("width") or 0), float(back.get("height") or 0)
        x = float(element.get("x") or element.get("cx") or "nan")
        y = float(element.get("y") or element.get("cy") or "nan")
    except ValueError:
        return False
    return left <= x <= left + width and top <= y <= top + height and not back.get("opacity")


def camel_case(svg: str) -> Probed:
    """`strokeWidth` written instead of `stroke-width`."""
    node = chosen(svg, lambda n: is_number(n.attrs.get("stroke-width")), "a stroke-width")
    name, width = str(node.id), node.attrs["stroke-width"]
    wrong = f"{float(width) + 4:g}"
    change = {"part": name, "attribute": "stroke-width", "before": float(wrong), "after": float(width)}
    corrupted = put(svg, name, stroke_width=wrong)
    return tasked(svg, corrupted, put(put(svg, name, stroke_width=None), name, strokeWidth=width), change)


def aria_label(svg: str) -> Probed:
    """A changed `aria-label` of an untouched object."""
    node = chosen(svg, lambda n: True, "an id")
    return tasked(svg, svg, put(svg, str(node.id), aria_label="something else"))


def beaten_attribute(svg: str) -> Probed:
    """A class rule that the target beats by `style`; the candidate writes the attribute."""
    node = filled(svg)
    name, fill = str(node.id), node.attrs["fill"]
    ruled = put(with_rule(svg, "probe-class", "fill:#0a0b0c"), name, fill=None)
    ruled = put(ruled, name, **{"class": "probe-class"})
    target, candidate = put(ruled, name, style=f"fill:{fill}"), put(ruled, name, fill=fill)
    change = {"part": name, "attribute": "fill", "before": "#0a0b0c", "after": fill}
    return tasked(target, ruled, candidate, change)


def with_rule(svg: str, name: str, declarations: str) -> str:
    place = SourceDocument(svg).root.open_end
    return svg[:place] + f"<style>.{name}{{{declarations}}}</style>" + svg[place:]


def foreign_shadow(svg: str) -> Probed:
    """A foreign-namespace attribute that shadows the real one."""
    node, corrupted, change = recolored(svg)
    shadow = {"xmlns__probe": "urn:probe", "probe__fill": node.attrs["fill"]}
    return tasked(svg, corrupted, put(corrupted, str(node.id), **shadow), change)


def filled(svg: str) -> Node:
    return chosen(svg, lambda n: rgb(n.attrs.get("fill")) is not None, "a fill that is a hex colour")


def rgb(value: str | None) -> Color | None:
    """A hex colour far enough from the wrong one that no tolerance spans both."""
    if value is None or not re.fullmatch("#[0-9a-fA-F]{6}", value):
        return None
    color = parse_color(value)
    return color if isinstance(color, Color) and sum(color.rgb) > 150 else None


def recolored(svg: str) -> tuple[Node, str, dict[str, object]]:
    """An object, the drawing with a wrong fill on it, and the repair."""
    node = filled(svg)
    change = {"part": node.id, "attribute": "fill", "before": "#0a0b0c", "after": node.attrs["fill"]}
    return node, put(svg, str(node.id), fill="#0a0b0c"), change


def respelled(spelling: Callable[[Color], str]) -> Probe:
    def probe(svg: str) -> Probed:
        node, corrupted, change = recolored(svg)
        color = rgb(node.attrs["fill"])
        assert color is not None
        return tasked(svg, corrupted, put(svg, str(node.id), fill=spelling(color)), change)

    return probe


def hsl(color: Color) -> str:
    hue, light, saturation = colorsys.rgb_to_hls(*(channel / 255 for channel in color.rgb))
    return f"hsl({360 * hue:.4f}, {100 * saturation:.4f}%, {100 * light:.4f}%)"


def percent_opacity(svg: str) -> Probed:
    """The target's opacity written `40%`."""
    node = chosen(svg, lambda n: True, "an id")
    name = str(node.id)
    change = {"part": name, "attribute": "opacity", "before": 0.9, "after": 0.4}
    texts = [put(svg, name, opacity=value) for value in ("0.4", "0.9", "40%")]
    return tasked(*texts, change)


def moved_by_transform(svg: str) -> Probed:
    """A requested move made by `transform="translate(...)"`."""
    node = chosen(svg, movable, "a place of its own and no transform")
    name, key = str(node.id), "cx" if "cx" in node.attrs else "x"
    right = float(node.attrs[key])
    change = {"part": name, "attribute": key, "before": right + 40, "after": right}
    corrupted = put(svg, name, **{key: f"{right + 40:g}"})
    return tasked(svg, corrupted, put(corrupted, name, transform="translate(-40 0)"), change)


def movable(node: Node) -> bool:
    placed = node.tag in ("rect", "circle", "ellipse") and is_number(
        node.attrs.get("cx", node.attrs.get("x"))
    )
    return placed and "transform" not in node.attrs and not refers(node)


def refers(node: Node | None) -> bool:
    """Whether the element, or what it inherits from, refers to something that may be tied to user space."""
    if node is None:
        return False
    return any("url(" in value for value in node.attrs.values()) or refers(node.parent)


def relative_path(svg: str) -> Probed:
    """An untouched path whose first `M` is written `m`."""
    node = chosen(svg, lambda n: bool(START.match(n.attrs.get("d", ""))), "a path that starts with one M")
    return tasked(svg, svg, put(svg, str(node.id), d="m" + node.attrs["d"].lstrip()[1:]))


START = re.compile(r"\s*M\s*[-+.\d]+[\s,]+[-+.\d]+\s*[A-LN-Za-ln-z]")


def compact_flags(svg: str) -> Probed:
    """An untouched path whose arc flags are written without separators."""
    node = chosen(svg, lambda n: bool(FLAGS.search(n.attrs.get("d", ""))), "a path with an arc")
    return tasked(svg, svg, put(svg, str(node.id), d=FLAGS.sub(r"\g<1>\2\3", node.attrs["d"], count=1)))


FLAGS = re.compile(r"([Aa]\s*(?:[-+.\d]+[\s,]+){3})([01])[\s,]+([01])[\s,]+(?=[-+.\d])")


def wrapped(svg: str) -> Probed:
    """A plain `<g>` round the last child."""
    children = SourceDocument(svg).root.children
    if not children:
        raise CannotCarry("it is empty")
    last = children[-1]
    prefix = last.name.rpartition(":")[0]
    name = f"{prefix}:g" if prefix else "g"
    return tasked(svg, svg, f"{svg[: last.start]}<{name}>{last.source}</{name}>{svg[last.end :]}")


def is_number(value: str | None) -> bool:
    return value is not None and re.fullmatch(r"-?\d+(\.\d+)?", value) is not None


PROBES: dict[str, tuple[Probe, bool, bool]] = {
    "inserted object behind the background": (behind_background, True, False),
    "strokeWidth for stroke-width": (camel_case, True, False),
    "aria-label of an untouched object": (aria_label, True, False),
    "attribute that a class rule beats": (beaten_attribute, True, False),
    "foreign attribute shadows the real one": (foreign_shadow, True, False),
    "colour as hsl()": (respelled(hsl), False, True),
    "colour as rgb(%)": (
        respelled(lambda c: "rgb({:.4f}%, {:.4f}%, {:.4f}%)".format(*(x / 2.55 for x in c.rgb))),
        False,
        True,
    ),
    "colour as rgba(..., 1)": (respelled(lambda c: "rgba({}, {}, {}, 1)".format(*c.rgb)), False, True),
    "colour as #rrggbbff": (respelled(lambda c: c.hex + "ff"), False, True),
    "opacity as 40%": (percent_opacity, False, True),
    "move by transform": (moved_by_transform, False, True),
    "M written as m": (relative_path, False, True),
    "compact arc flags": (compact_flags, False, True),
    "plain g round the last child": (wrapped, False, False),
}
"""Each probe with whether `published` and `surgical` accept its candidate."""
