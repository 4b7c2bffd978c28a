"""What is known of a drawing that tasks are made of: its parts, by the words that name them, and their relations.

A relation states a fact that anybody can see (these bars have one colour, these dots are evenly spaced, this
swatch belongs to that line). It is what makes a defect repairable: a corruption breaks one fact about one part,
and the rest of the drawing, or a sentence, still tells the right value. Composed scenes state their relations as
they draw; relations of foreign files are found by measuring.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from vbench_env.evidence import Axis, Edge, Side


class Area(NamedTuple):
    """A box in the drawing's coordinates."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def meets(self, other: Area, pad: float = 0.0) -> bool:
        """Whether two boxes overlap when one of them grows by `pad` on all sides."""
        return (
            self.left - pad < other.right
            and other.left < self.right + pad
            and self.top - pad < other.bottom
            and other.top < self.bottom + pad
        )

    def moved(self, dx: float, dy: float) -> Area:
        return Area(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)

    def joined(self, other: Area) -> Area:
        return Area(
            min(self.left, other.left), min(self.top, other.top),
            max(self.right, other.right), max(self.bottom, other.bottom),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """An object of the drawing that can be told from all others by words.

    `ink` is the area, in the drawing's units, that it visibly paints; `edge` the length of visible stroke.
    """

    key: str
    """Id, or structural path."""
    name: str
    """Words that name this object only, with article: `the third bar`."""
    tag: str
    area: Area
    ink: float
    values: Mapping[str, str]
    """Properties as the drawing gives them, inherited ones included."""
    edge: float = 0.0
    backdrop: str = ""
    """Colour behind it."""
    placed: str = "transform"
    """How it is moved: `x`, `cx` or `transform`."""
    scale: float = 1.0
    """Units of the drawing for one unit of the part's own coordinates."""
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Alike:
    """Parts that have the same values of `props`; `others` names the rest as seen from one of them."""

    parts: tuple[str, ...]
    props: tuple[str, ...]
    others: str


@dataclass(frozen=True, slots=True)
class Row:
    """Parts in equal steps along an axis; `name` is the row, `noun` one of its items."""

    parts: tuple[str, ...]
    axis: Axis
    name: str
    noun: str
    copies: bool = False
    """The parts differ in nothing but their place."""


@dataclass(frozen=True, slots=True)
class Lined:
    """A part whose edge lies on the line of others' edges; `clause` says so after `it should`."""

    part: str
    with_: tuple[str, ...]
    edge: Edge
    clause: str
    own: Edge | None = None


@dataclass(frozen=True, slots=True)
class Keyed:
    """A mark with its swatch in a legend, and the text beside that."""

    part: str
    swatch: str
    label: str
    label_text: str
    own: str
    """Property of the mark."""
    shown: str
    """Property of the swatch that has its value."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A mark whose size shows the number in a text; `others` are marks and their texts."""

    part: str
    prop: str
    value: str
    others: Mapping[str, str]
    clause: str


@dataclass(frozen=True, slots=True)
class Mirrored:
    """A part that is the mirror image of another one."""

    part: str
    of: str
    of_name: str
    axis: str
    at: str | tuple[str, ...]
    moves: bool = True
    keep: Side | None = None


@dataclass(frozen=True, slots=True)
class Reads:
    """A text whose content is worth stating."""

    part: str
    text: str
    wrong: tuple[str, ...] = ()
    """Texts that would be wrong here; misspellings when empty."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Texts that follow a list that everybody knows."""

    parts: tuple[str, ...]
    texts: tuple[str, ...]
    of: str
    name: str


@dataclass(frozen=True, slots=True)
class Colored:
    """A part whose colour has a name."""

    part: str
    prop: str
    phrase: str


@dataclass(frozen=True, slots=True)
class Facing:
    """A part that points somewhere; `direction` in words, `zero` where it points without rotation."""

    part: str
    direction: str
    zero: str
    angle: float
    """Its rotation now, in degrees."""
    clause: str


@dataclass(frozen=True, slots=True)
class Timed:
    """A clock hand; the time stands in a text of the drawing."""

    part: str
    hand: str
    text: str
    angle: float
    clause: str


@dataclass(frozen=True, slots=True)
class Stacked:
    """Two siblings that overlap; `front` follows `back` directly."""

    front: str
    back: str
    shows: float
    """Area of the front part that the other one would cover."""


@dataclass(frozen=True, slots=True)
class Spare:
    """An object that could be there and should not: a copy of a part at a free place."""

    key: str
    name: str
    element: str
    parent: str
    before: str | None
    area: Area
    ink: float


@dataclass(frozen=True, slots=True)
class Traced:
    """A vertex of an outline that lies on the centre of another object."""

    part: str
    vertex: int
    on: str
    on_name: str
    axis: Axis
    reach: float
    """How far the vertex may be drawn away, either side."""


@dataclass(frozen=True, slots=True)
class Linked:
    """Parts that refer to the same thing by `href`, `fill` or `marker-end`; `wrong` are other things that there are."""

    parts: tuple[str, ...]
    prop: str
    others: str
    wrong: tuple[str, ...]


Relation: TypeAlias = (
    Alike | Row | Lined | Keyed | Valued | Mirrored | Reads | Listed | Colored | Facing | Timed | Stacked | Spare
    | Traced | Linked
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sketch:
    """A clean drawing with what is known of it."""

    svg: str
    genre: str
    title: str
    subject: str
    """What the drawing is, with article: `the bar chart`."""
    view: Area
    background: str
    parts: Mapping[str, Part]
    relations: tuple[Relation, ...]
    colors: tuple[str, ...] = ()
    """Colours that would look at home in it."""
    asides: tuple[str, ...] = field(default=())
    """Sentences about what is right and should stay."""

    @property
    def size(self) -> float:
        return self.view.width * self.view.height
