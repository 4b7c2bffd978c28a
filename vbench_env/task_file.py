"""`task.yaml`: the hand-written part of a task folder, checked and with advice on every mistake."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from vbench_env.accept import Accept, parse_accept
from vbench_env.errors import TaskError
from vbench_env.evidence import parse_evidence
from vbench_env.kind import DEFAULT_KIND, GOALS, Goal, OptimisationGoal, RepairGoal, StyleGoal, StyleRule
from vbench_env.repair import Repair
from vbench_env.strict_yaml import YamlProblem, read_yaml

YAML_NAME, TARGET_NAME, CORRUPTED_NAME = "task.yaml", "target.svg", "corrupted.svg"

Difficulty = Literal["easy", "medium", "hard", "very hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard", "very hard")


class Provenance(BaseModel):
    """Where a variant comes from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    of: str
    """The task that it is a variant of, as `corpus/id`."""
    seed: int
    """What decided the changes."""
    attempt: int = 0
    """Sub-seed: how many drawings by lot before this one did not validate."""
    changes: dict[str, str] = Field(default_factory=dict)
    """Kinds of change (`layout`, `palette`, `values`, `names`) and what was done."""
    left_out: dict[str, str] = Field(default_factory=dict)
    """Kinds of change that the task does not bear, and why."""


class SolutionFile(BaseModel):
    """A further reference solution: a drawing that is as right as the target."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    drawing: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\.svg$")
    """Name of its file in the task folder."""
    repairs: tuple[Repair, ...] = ()
    """Its own repairs; those of the task when there are none."""

    @field_validator("repairs", mode="after")
    @classmethod
    def _complete(cls, value: tuple[Repair, ...]) -> tuple[Repair, ...]:
        return tuple(_completed(repair, place, "solutions.repairs") for place, repair in enumerate(value))


class TaskFile(BaseModel):
    """The content of one `task.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$")
    """The folder's name."""
    title: str
    """A few words for people."""
    instruction: str = Field(min_length=1)
    """What the agent is asked to do."""
    genre: str
    difficulty: Difficulty
    licence: str
    author: str
    canary: str
    """String that marks hidden data; the last line of the target drawing holds it too."""
    kind: str = DEFAULT_KIND
    """`repair`, `malformed`, `optimisation` or `style`."""
    goal: SerializeAsAny[Goal] = Field(default_factory=RepairGoal, validate_default=True)
    """What the kind takes beside repairs."""
    repairs: tuple[Repair, ...] = ()
    solutions: tuple[SolutionFile, ...] = ()
    """Further drawings that are as right as the target."""
    protected: tuple[str, ...] | Literal["others"]
    """Objects that must not change; `others`: every drawn element that no repair concerns."""
    paraphrases: dict[Literal["terse", "chatty"], str] = Field(default_factory=dict)
    """The instruction in other words."""
    variant: Provenance | None = None
    """Only in variants: what they were made of."""

    @field_validator("instruction", "title", mode="after")
    @classmethod
    def _one_line(cls, value: str) -> str:
        return value.strip()

    @field_validator("paraphrases", mode="after")
    @classmethod
    def _stripped(cls, value: dict[str, str]) -> dict[str, str]:
        return {name: text.strip() for name, text in value.items()}

    @field_validator("kind", mode="after")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in GOALS:
            raise _Mistake("kind", f"must be one of {', '.join(GOALS.names())}, not {value!r}")
        return value

    @field_validator("goal", mode="before")
    @classmethod
    def _of_its_kind(cls, value: Any, info: ValidationInfo) -> Goal:
        kind = GOALS.get(info.data.get("kind", DEFAULT_KIND))
        if isinstance(value, kind):
            return value
        try:
            goal = kind.model_validate({} if isinstance(value, Goal) else value)
        except ValidationError as error:
            first = error.errors()[0]
            raise _Mistake(_field(("goal", *first["loc"])), _message(dict(first))) from error
        for place, rule in enumerate(goal.rules if isinstance(goal, StyleGoal) else ()):
            _check_rule(rule, f"goal.rules[{place}]")
        return goal

    @field_validator("repairs", mode="after")
    @classmethod
    def _complete(cls, value: tuple[Repair, ...]) -> tuple[Repair, ...]:
        return tuple(_completed(repair, place) for place, repair in enumerate(value))

    @model_validator(mode="after")
    def _fitting(self) -> TaskFile:
        mends = [place for place, repair in enumerate(self.repairs) if repair.operation == "mend"]
        if self.goal.takes_repairs == "some" and not self.repairs:
            raise _Mistake("repairs", "is missing; add it")
        if self.goal.takes_repairs == "none" and self.repairs:
            raise _Mistake("repairs", f"a task of kind {self.kind} lists none; take it out")
        if mends and self.goal.well_formed:
            raise _Mistake(f"repairs[{mends[0]}].operation", "mend needs `kind: malformed`")
        if not mends and not self.goal.well_formed:
            raise _Mistake("repairs", "a task of kind malformed needs one with the operation mend")
        if self.solutions and not isinstance(self.goal, RepairGoal | StyleGoal):
            raise _Mistake("solutions", f"a task of kind {self.kind} has one target; take them out")
        return self

    @model_validator(mode="after")
    def _distinct(self) -> TaskFile:
        seen: set[tuple[str, str]] = set()
        for place, repair in enumerate(self.repairs):
            key = (repair.object, repair.property)
            if key in seen:
                raise _Mistake(
                    f"repairs[{place}]", f"{repair.object} already has a repair of {repair.property}"
                )
            seen.add(key)
        return self


class _Mistake(ValueError):
    def __init__(self, field: str, message: str) -> None:
        self.field = field
        super().__init__(message)


_EXISTS = {"insert": (False, True), "delete": (True, False)}
_FIXED = {"insert": "exists", "delete": "exists", "text": "text", "reorder": "order", "mend": "markup"}


def _completed(repair: Repair, place: int, listed: str = "repairs") -> Repair:
    """`repair` with what its operation implies; mistakes that one repair alone shows raise."""
    field = f"{listed}[{place}]"
    fixed = _FIXED.get(repair.operation)
    if fixed is not None and repair.property != fixed:
        raise _Mistake(f"{field}.property", f"operation {repair.operation} has the property {fixed!r}")
    if fixed is None and repair.property in _FIXED.values():
        raise _Mistake(
            f"{field}.property", f"{repair.property!r} is no property of operation {repair.operation}"
        )
    if repair.operation == "delete" and not (repair.element and repair.parent):
        raise _Mistake(f"{field}.element", "delete needs `element` (markup of the extra object) and `parent`")
    if repair.operation != "delete" and (repair.element or repair.parent or repair.before):
        raise _Mistake(field, "only delete takes element, parent and before")
    if repair.operation == "reorder" and not _is_place(repair.corrupted):
        raise _Mistake(f"{field}.corrupted", "give `{before: id}`, or `{before: null}` for the topmost place")
    if repair.operation == "mend" and not _is_damage(repair.corrupted):
        advice = "give `{find: text of the target, put: text that stands there instead}`, two different texts"
        raise _Mistake(f"{field}.corrupted", advice)
    _check_parts(repair.accept, repair.evidence, field)
    if repair.accept and repair.property in ("exists", "order", "markup"):
        raise _Mistake(
            f"{field}.accept", f"{repair.property} has no other values; take it out, or use `solutions`"
        )
    if repair.operation in _EXISTS:
        corrupted, target = _EXISTS[repair.operation]
        return repair.model_copy(update={"corrupted": corrupted, "target": target})
    if repair.operation == "text":
        return repair.model_copy(update={"corrupted": _text_value(repair.corrupted, field)})
    return repair


def _text_value(value: Any, field: str) -> str:
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise _Mistake(f"{field}.corrupted", "must be the text in quotes")


def _is_place(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {"before"} and isinstance(value["before"], str | None)


def _is_damage(value: Any) -> bool:
    if not isinstance(value, Mapping) or set(value) != {"find", "put"}:
        return False
    find, put = value["find"], value["put"]
    return isinstance(find, str) and isinstance(put, str) and bool(find) and find != put


def _check_rule(rule: StyleRule, field: str) -> None:
    if rule.operation in _FIXED or rule.property in _FIXED.values():
        raise _Mistake(
            f"{field}.operation", "a rule is about one property of style or place; list repairs for others"
        )
    _check_parts(rule.accept, rule.evidence, field)


def _check_parts(accept: dict[str, Any] | None, evidence: dict[str, Any] | None, field: str) -> None:
    if evidence is not None:
        _check_evidence(evidence, field)
    if accept is not None:
        try:
            parse_accept(accept)
        except ValidationError as error:
            first = error.errors()[0]
            raise _Mistake(_field((f"{field}.accept", *first["loc"])), _message(dict(first))) from error


def _check_evidence(evidence: dict[str, Any], field: str) -> None:
    try:
        parse_evidence(evidence)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        place = f"{field}.evidence.{where}" if where else f"{field}.evidence"
        raise _Mistake(place, _message(dict(first))) from error


def read_task_file(folder: Path) -> TaskFile:
    """Read `folder/task.yaml`; `TaskError` names file and field and says what to do."""
    path = folder / YAML_NAME
    if not path.is_file():
        raise TaskError(f"{path}: no such file; a task folder holds {YAML_NAME} and {TARGET_NAME}")
    try:
        data = read_yaml(path)
    except YamlProblem as error:
        raise TaskError(f"{path}: {error}") from error
    if not isinstance(data, dict):
        raise TaskError(f"{path}: must hold keys and values (id, title, instruction, ...)")
    return parse_task_file(data, str(path), folder.resolve().name)


def parse_task_file(data: Mapping[str, Any], source: str, folder_name: str | None = None) -> TaskFile:
    """Check the content of a `task.yaml` that was read from `source`."""
    try:
        task = TaskFile.model_validate(data)
    except ValidationError as error:
        raise TaskError("\n".join(explain(error, source))) from error
    if folder_name is not None and task.id != folder_name:
        raise TaskError(
            f"{source}: id: is {task.id!r}, but the folder is called {folder_name!r}; make them equal"
        )
    return task


def explain(error: ValidationError, source: str) -> Iterable[str]:
    """One line for each mistake: file, field, what is wrong, what to do."""
    for item in error.errors():
        cause = item.get("ctx", {}).get("error")
        field = cause.field if isinstance(cause, _Mistake) else _field(item["loc"])
        yield f"{source}: {field}: {_message(dict(item))}" if field else f"{source}: {_message(dict(item))}"


def _field(loc: tuple[int | str, ...]) -> str:
    text = ""
    for part in loc:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _message(item: dict[str, Any]) -> str:
    if item["type"] == "extra_forbidden":
        name = str(item["loc"][-1])
        near = difflib.get_close_matches(name, _KNOWN_KEYS, n=1)
        return "unknown key" + (f"; did you mean {near[0]!r}?" if near else "; take it out")
    if item["type"] == "missing":
        return "is missing; add it"
    if item["type"] == "string_pattern_mismatch":
        return "must be lower-case words joined by hyphens, such as harbour-morning"
    message = str(item["msg"]).removeprefix("Value error, ")
    return message[0].lower() + message[1:]


_KNOWN_KEYS = [
    *TaskFile.model_fields,
    *Repair.model_fields,
    *Accept.model_fields,
    *OptimisationGoal.model_fields,
    *StyleRule.model_fields,
    "rules",
    "drawing",
    "with",
    "edge",
    "axis",
    "scale",
    "offset",
    "like",
]
