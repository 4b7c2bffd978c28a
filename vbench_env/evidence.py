"""What makes a repair answerable, as data: the eight kinds of evidence and their arguments.

Evidence names what in the corrupted drawing or in the instruction determines a repair's target. These models
only say what may be written; `vbench_env.taskkit` computes the targets again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

Edge: TypeAlias = Literal["left", "right", "top", "bottom", "center-x", "center-y"]
Axis: TypeAlias = Literal["x", "y"]
Side: TypeAlias = Literal["left", "right", "top", "bottom"]
Words: TypeAlias = str | dict[str, str]

DRAWING = "drawing"
"""As a reference: the view box of the drawing."""


class _Evidence(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    note: str = ""
    """For human readers."""


class Equals(_Evidence):
    """Another object's property, scaled or offset; for an insertion, a copy of another object."""

    kind: Literal["equals"]
    of: str
    property: str | None = None
    """What is read of `of`: a property or a box measure; the repaired property when None."""
    scale: float = 1.0
    offset: float | tuple[float, float] | Literal["auto"] = 0.0
    """Number, or `[dx, dy]` for outlines; `auto`: only the shape counts, the corner stays where it is."""
    words: Words | None = None
    """The wording that says scale and offset."""
    like: tuple[str, str] | None = None
    """Two objects whose difference in the property is the offset."""
    except_: dict[str, Evidence] = Field(default_factory=dict, alias="except")
    """Insertion: the properties in which the new object differs from `of`, and what determines them."""


class Aligned(_Evidence):
    """An edge or centre on the same line as those of other objects."""

    kind: Literal["aligned"]
    with_: tuple[str, ...] = Field(alias="with", min_length=1)
    edge: Edge
    own: Edge | None = None
    """The repaired object's edge, where it is another one."""
    vertex: int | None = None
    """Outlines: only this vertex, counted from 0."""


class Symmetric(_Evidence):
    """The mirror image of another object, or of the object's own other half."""

    kind: Literal["symmetric"]
    of: str
    axis: Literal["vertical", "horizontal"]
    """Direction of the mirror line."""
    at: str | tuple[str, ...] = DRAWING
    """What the mirror line runs through the centre of."""
    keep: Side | None = None
    """The half that is right, when `of` is the object itself."""


class Spacing(_Evidence):
    """Equal steps in a row of objects."""

    kind: Literal["spacing"]
    row: tuple[str, ...] = Field(min_length=3)
    axis: Axis
    measure: Literal["center", "gap"] = "center"


class Legend(_Evidence):
    """A swatch and its mark, or a number in a label and its mark."""

    kind: Literal["legend"]
    swatch: str | None = None
    label: str | None = None
    """The text beside the swatch; it must stand in the instruction."""
    property: str | None = None
    value: str | None = None
    """The text object whose number the repaired object shows."""
    others: dict[str, str] = Field(default_factory=dict)
    """Marks and the text objects whose numbers they show."""
    measure: str | None = None
    """Property or box measure that stands for the number; the repaired property when None."""

    @model_validator(mode="after")
    def _one_form(self) -> Legend:
        if (self.swatch is None) == (self.value is None):
            raise ValueError("legend evidence takes either `swatch` or `value` with `others`")
        if self.value is not None and len(self.others) < 2:
            raise ValueError("legend evidence with `value` needs at least two `others`")
        return self


class Markup(_Evidence):
    """The rules of XML say what is missing: no value, name or word of the drawing is lost with the damage."""

    kind: Literal["markup"]


class Stated(_Evidence):
    """The instruction says so; `words` are read by machine."""

    kind: Literal["stated"]
    words: Words
    of: str | None = None
    """The object that the words refer to."""
    property: str | None = None
    points: Literal["up", "down", "left", "right"] = "up"
    """Rotations: where the object points when its rotation is 0."""


class Convention(_Evidence):
    """What everybody knows; `name` says which further arguments count."""

    kind: Literal["convention"]
    name: Literal[
        "clock", "traffic-light", "status", "axis-tick", "sequence", "total", "remainder", "flag", "compass"
    ]
    hand: Literal["hour", "minute", "second"] | None = None
    time: str | dict[Literal["text"], str] | None = None
    """Words of the instruction, or `{text: id}`."""
    lamp: Literal["top", "middle", "bottom"] | None = None
    state: Literal["error", "warning", "success", "info"] | None = None
    row: tuple[str, ...] = ()
    of: Literal["weekdays", "months", "letters", "numbers", "roman"] | None = None
    parts: tuple[str, ...] = ()
    whole: float | str | None = None
    country: str | None = None
    stripe: int | None = None
    direction: str | None = None
    points: Literal["up", "down", "left", "right"] = "up"

    @model_validator(mode="after")
    def _complete(self) -> Convention:
        missing = [name for name in _NEEDED[self.name] if getattr(self, name) in (None, ())]
        if missing:
            raise ValueError(f"convention {self.name!r} needs {', '.join(missing)}")
        return self


_NEEDED: dict[str, tuple[str, ...]] = {
    "clock": ("hand", "time"), "traffic-light": ("lamp",), "status": ("state",), "axis-tick": ("row",),
    "sequence": ("of", "row"), "total": ("parts",), "remainder": ("whole", "parts"),
    "flag": ("country", "stripe"), "compass": ("direction",),
}  # fmt: skip

Evidence: TypeAlias = Annotated[
    Equals | Aligned | Symmetric | Spacing | Legend | Markup | Stated | Convention,
    Field(discriminator="kind"),
]

Equals.model_rebuild()
_ADAPTER: TypeAdapter[Evidence] = TypeAdapter(Evidence)


def parse_evidence(value: Any) -> Evidence:
    """Evidence as data; a `pydantic.ValidationError` says which argument is wrong."""
    return _ADAPTER.validate_python(value)
