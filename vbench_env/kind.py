"""Kinds of task, as data: what each takes in `task.yaml` as its `goal`, and what agents are told beside the request.

How a kind is judged is in `vbench_env.scoring.kinds`, how its task folders are built and checked in
`vbench_env.taskkit.kinds`. `repair`, the kind of a task that names none, has an empty goal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from vbench_env.errors import TaskError
from vbench_env.protected import protected_objects
from vbench_env.registry import Registry
from vbench_env.repair import Operation, Repair
from vbench_env.svg.parse import Document, parse
from vbench_env.svg.selecting import select

DEFAULT_KIND = "repair"


class Goal(BaseModel):
    """What a task of one kind asks beside its repairs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    advice: ClassVar[str] = ""
    """What agents are told of the kind, beside the request."""
    well_formed: ClassVar[bool] = True
    """Whether the drawing that agents get is well-formed."""
    hand_drawn: ClassVar[bool] = False
    """Whether `corrupted.svg` is drawn by hand; `tasks build` derives it otherwise."""
    takes_repairs: ClassVar[Literal["some", "any", "none"]] = "some"
    """Whether the task lists repairs: at least one, any number, or none."""

    def repairs(self, target: Document) -> tuple[Repair, ...]:
        """The repairs that the goal stands for, before those that the task lists."""
        return ()

    def protected(self, start_svg: str, target_svg: str, repairs: Sequence[Repair]) -> tuple[str, ...]:
        """What `protected: others` stands for."""
        return protected_objects(target_svg, repairs)

    def requests(self, repairs: Sequence[Repair]) -> int:
        """How many things the task asks for; `repairs` are all of its repairs."""
        return len(repairs)


class RepairGoal(Goal):
    """A drawing with a few things wrong."""


class MalformedGoal(Goal):
    """A file that is not well-formed; its repairs of the operation `mend` say where it is broken."""

    advice: ClassVar[str] = (
        "The source that you get is not well-formed XML. Mend its markup where it is broken, so that the drawing says "
        "what it was meant to say, and keep every other character. What works on elements refuses the document until "
        "it is well-formed; work on its text until then."
    )
    well_formed: ClassVar[bool] = False


class OptimisationGoal(Goal):
    """A drawing that says what it says in fewer bytes."""

    advice: ClassVar[str] = (
        "This request is about the file, not about the drawing: it may be written in any other way, elements and "
        "attributes included. The picture has to stay the same at every size, and so have all ids with what they "
        "name, all texts, titles, descriptions and links, and what no still picture shows: animations, scripts, labels,"
        " fonts, rules of style such as :hover. Fewer bytes are better."
    )
    hand_drawn: ClassVar[bool] = True
    takes_repairs: ClassVar[Literal["some", "any", "none"]] = "none"

    share: float = Field(default=0.6, gt=0, le=1)
    """Part of the achievable saving (from `corrupted.svg` to `target.svg`, in bytes) that is a success."""
    sizes: tuple[int, ...] = Field(default=(64, 256, 800), min_length=1, max_length=8)
    """Widths in pixels at which the pictures are compared."""
    tolerance: float = Field(default=0.0005, ge=0, lt=1)
    """Part of the pixels that may differ, at each size."""
    keep: tuple[str, ...] | Literal["ids"] = "ids"
    """Ids that have to stay; `ids`: all that the drawing has."""

    @model_validator(mode="after")
    def _drawable(self) -> OptimisationGoal:
        if not all(16 <= size <= 2048 for size in self.sizes):
            raise ValueError("sizes are widths of 16 to 2048 pixels")
        return self

    def protected(self, start_svg: str, target_svg: str, repairs: Sequence[Repair]) -> tuple[str, ...]:
        return tuple(parse(start_svg).ids) if self.keep == "ids" else self.keep

    def requests(self, repairs: Sequence[Repair]) -> int:
        return 1


class StyleRule(BaseModel):
    """One rule over many objects: a property of every object that a selector picks out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    select: str
    """CSS selector; it picks the objects out of `target.svg`."""
    named: str
    """The words of the instruction that pick them out."""
    operation: Operation = "recolor"
    property: str
    corrupted: Any
    """Value before the edit, of every object; or a mapping from id or path to value."""
    accept: dict[str, Any] | None = None
    """Further right values, as for a repair."""
    alike: bool = False
    """Whether all objects have to get one value, whichever of the accepted ones it is."""
    evidence: dict[str, Any] | None = None

    def before(self, label: str) -> Any:
        """The value of one object before the edit."""
        return self.corrupted.get(label) if isinstance(self.corrupted, Mapping) else self.corrupted

    def objects(self, target: Document) -> tuple[str, ...]:
        """Labels of the objects that the rule is about.

        Raises:
            TaskError: the selector says nothing, or picks out no object.
        """
        try:
            found = tuple(node.label for node in select(target, self.select))
        except ValueError as error:
            raise TaskError(f"goal.rules.select: {error}") from error
        if not found:
            raise TaskError(f"goal.rules.select: {self.select!r} picks no object out of the target")
        return found

    def repairs(self, labels: Sequence[str]) -> tuple[Repair, ...]:
        """The rule as a repair of each of the objects with these labels."""
        return tuple(
            Repair(
                object=label, operation=self.operation, property=self.property, corrupted=self.before(label),
                accept=self.accept, evidence=self.evidence, named=self.named,
            )
            for label in labels
        )  # fmt: skip


class StyleGoal(Goal):
    """An edit of style by rules, such as "make all headings blue"."""

    advice: ClassVar[str] = (
        "The request is a rule about many objects. It holds for every object that it fits and for no other; where the "
        "style is kept (attribute, style, class, style sheet or group) is up to you."
    )
    takes_repairs: ClassVar[Literal["some", "any", "none"]] = "any"

    rules: tuple[StyleRule, ...] = Field(min_length=1)

    def repairs(self, target: Document) -> tuple[Repair, ...]:
        return tuple(repair for rule in self.rules for repair in rule.repairs(rule.objects(target)))

    def requests(self, repairs: Sequence[Repair]) -> int:
        ruled = {(rule.named, rule.property) for rule in self.rules}
        return len(self.rules) + sum((item.named, item.property) not in ruled for item in repairs)


GOALS: Registry[type[Goal]] = Registry("task kind")
for _name, _goal in (
    (DEFAULT_KIND, RepairGoal),
    ("malformed", MalformedGoal),
    ("optimisation", OptimisationGoal),
    ("style", StyleGoal),
):
    GOALS.add(_name, _goal)


def parse_goal(kind: str, value: Mapping[str, Any]) -> Goal:
    """The goal of a task of `kind`.

    Raises:
        UnknownName: no such kind; the message suggests the nearest.
        pydantic.ValidationError: which field is wrong, and why.
    """
    return GOALS.get(kind).model_validate(value)
