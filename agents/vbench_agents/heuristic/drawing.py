"""What a drawing holds, as far as its source tells: things with names, and colours."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from vbench_agents.heuristic.wording import COLOURS, words
from vbench_env.svg.colors import Color, lab, parse_color
from vbench_env.svg.geometry import box_in
from vbench_env.svg.parse import Node, parse

_RELATED, _NEAR = 45.0, 18.0
"""CIE76 up to which a colour of the same kind, or any colour of the drawing, passes for a colour word."""
_ASIDE = 0.5
_UNNAMED = frozenset(
    {"svg", "defs", "title", "desc", "style", "stop", "linearGradient", "radialGradient", "tspan"}
)


@dataclass(frozen=True, slots=True)
class Thing:
    """An element with the words that name it."""

    node: Node
    names: frozenset[str]
    """Of its own: id, class, title, text."""
    around: frozenset[str]
    """Of its ancestors."""

    @property
    def label(self) -> str:
        return self.node.label

    @property
    def styled(self) -> dict[str, str]:
        """Its `style` declarations."""
        return style_of(self.node)

    def value(self, name: str) -> str | None:
        """A property as it is written on the element: style first, then attribute."""
        return style_of(self.node).get(name, self.node.attrs.get(name))

    def colour(self) -> tuple[str, Color] | None:
        """The property that colours it, fill before stroke, and the colour."""
        for name in ("fill", "stroke", "color"):
            parsed = parse_color(self.value(name) or "none")
            if isinstance(parsed, Color):
                return name, parsed
        return None


def style_of(node: Node) -> dict[str, str]:
    """Declarations of the `style` attribute."""
    out: dict[str, str] = {}
    for declaration in node.attrs.get("style", "").split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            out[name.strip()] = value.strip()
    return out


class Drawing:
    """The named things of a drawing."""

    def __init__(self, svg: str) -> None:
        nodes = parse(svg).nodes
        self.things = [_thing(node) for node in nodes if node.tag not in _UNNAMED and not _in_defs(node)]
        counts = Counter(name for thing in self.things for name in thing.names)
        total = max(1, len(self.things))
        self._weight = {name: math.log(1 + total / count) for name, count in counts.items()}

    def best(
        self, spoken: set[str], aside: Collection[str] = (), without: Collection[Thing] = ()
    ) -> list[Thing]:
        """The things that the words name best, equally good ones all together; empty when none does.

        Words that are said `aside` (where it stands, what it belongs to) count less.
        """
        ends = [name for name in self._weight if len(name) > 3]
        spoken = spoken | {name for name in ends for word in spoken if word.endswith(name)}
        things = [thing for thing in self.things if thing not in without]
        scored = [(self._score(thing, spoken, aside), thing) for thing in things]
        top = max((score for score, _ in scored), default=0.0)
        return [thing for score, thing in scored if score > top - 1e-9] if top > 1.0 else []

    def alike(self, thing: Thing) -> list[Thing]:
        """Other things of its kind, those that share most of its name first."""
        others = [other for other in self.things if other is not thing and other.node.tag == thing.node.tag]
        related = [other for other in others if self._shared(thing, other) > 0]
        return sorted(related, key=lambda other: -self._shared(thing, other))

    def palette(self) -> list[Color]:
        """Colours in use, the most frequent first."""
        used = Counter(found[1] for thing in self.things if (found := thing.colour()))
        return [colour for colour, _ in used.most_common()]

    def _shared(self, thing: Thing, other: Thing) -> float:
        return sum(self._weight.get(name, 0.0) for name in thing.names & other.names if not name.isdigit())

    def _score(self, thing: Thing, spoken: set[str], aside: Collection[str]) -> float:
        own = sum(self._weight[name] * (_ASIDE if name in aside else 1.0) for name in thing.names & spoken)
        if not own:
            return 0.0
        unsaid = sum(self._weight[name] for name in thing.names - spoken if not name.isdigit())
        context = sum(self._weight.get(name, 1.0) for name in (thing.around - thing.names) & spoken)
        return own + 0.3 * context - 0.25 * unsaid


def _thing(node: Node) -> Thing:
    around: set[str] = set()
    above = node.parent
    while above is not None and above.parent is not None:
        around |= words(above.attrs.get("id", ""))
        above = above.parent
    return Thing(node, frozenset(_names(node)), frozenset(around))


def _names(node: Node) -> set[str]:
    told = [node.attrs.get(name, "") for name in ("id", "class", "aria-label", "data-name")]
    told += [child.text for child in node.children if child.tag == "title"]
    return words(" ".join(told)) | (words(node.text) if node.tag == "text" else set())


def _in_defs(node: Node) -> bool:
    above = node.parent
    while above is not None:
        if above.tag in {"defs", "clipPath", "mask", "pattern", "symbol", "marker"}:
            return True
        above = above.parent
    return False


def center(thing: Thing) -> tuple[float, float] | None:
    """Centre of its box in user units of the root."""
    box = box_in(thing.node)
    return ((box.left + box.right) / 2, (box.top + box.bottom) / 2) if box else None


def distance(first: Color, second: Color) -> float:
    """CIE76."""
    return math.dist(lab(first.rgb), lab(second.rgb))


def looks(colour: Color, word: str) -> float:
    """How far a colour is from what a colour word usually means."""
    return min(distance(colour, meant) for meant in _meant(word))


def shade(word: str, kin: Iterable[Color], palette: Iterable[Color]) -> Color:
    """What a colour word means here: a colour of the thing's kind, one that the drawing uses, or the usual one."""
    related = [colour for colour in kin if looks(colour, word) <= _RELATED]
    usual = _meant(word)[0]
    near = [colour for colour in palette if distance(colour, usual) <= _NEAR]
    if related:
        return min(related, key=lambda colour: looks(colour, word))
    return min(near, key=lambda colour: distance(colour, usual), default=usual)


def _meant(word: str) -> list[Color]:
    parsed = [parse_color(text) for text in COLOURS[word].split()]
    return [colour for colour in parsed if isinstance(colour, Color)]
