"""One requested repair, as task files and published tasks state it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from vbench_env.errors import TaskError

Operation = Literal[
    "recolor", "move", "resize", "rotate", "reshape", "restroke", "opacity", "text", "insert", "delete",
    "reorder", "relink", "mend",
]  # fmt: skip


class Repair(BaseModel):
    """One requested repair: an object, a property, its corrupted value and its target value.

    `insert` and `delete` have the property `exists`: True is the target of `insert` (the object is missing in
    the corrupted drawing), False that of `delete` (an extra object is there). `mend` has the property `markup`: a
    piece of the file that is not well-formed; its corrupted value is `{find, put}`, the target's characters and those
    that stand there instead.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    object: str
    """Id, or structural path such as `svg/g[2]/path[5]`, in the target (`delete`: in the corrupted one)."""
    operation: Operation
    """What the corruption undid, seen from the repair."""
    property: str
    """Attribute or property name; `exists`, `text` and `order` for insert/delete, text and reorder."""
    corrupted: Any = None
    """Value in the corrupted drawing."""
    target: Any = None
    """Value in the target; read from the target drawing when it is None."""
    accept: dict[str, Any] | None = None
    """Further accepted values: `range`, `interval`, `choice`; see `vbench_env.accept`."""
    evidence: dict[str, Any] | None = None
    """What in the drawing or instruction determines the target: `kind` and its arguments."""
    named: str | None = None
    """The words of the instruction that pick out this object."""
    element: str | None = None
    """`delete`: markup of the extra element."""
    parent: str | None = None
    """`delete`: id or path of its parent."""
    before: str | None = None
    """`delete`: id or path of the sibling that follows it; None for the end."""

    @classmethod
    def from_published(cls, change: Mapping[str, Any]) -> Repair:
        """From the public layout's `{"part", "attribute", "before", "after"}`."""
        try:
            part, attribute = str(change["part"]), str(change["attribute"])
            before, after = change.get("before"), change.get("after")
        except (KeyError, TypeError, AttributeError) as error:
            raise TaskError(f"a repair needs part, attribute, before and after: {error}") from error
        operation = infer_operation(attribute, after)
        return cls(object=part, operation=operation, property=attribute, corrupted=before, target=after)


def infer_operation(attribute: str, after: Any) -> Operation:
    """The operation that a repair of `attribute` most likely is."""
    if attribute == "exists":
        return "insert" if after else "delete"
    table: dict[str, Operation] = {
        "d": "reshape", "points": "reshape", "text": "text", "order": "reorder", "transform": "move",
        "rotate": "rotate", "rotation": "rotate", "opacity": "opacity", "href": "relink", "size": "resize",
    }  # fmt: skip
    if attribute in table:
        return table[attribute]
    if attribute in {"x", "y", "cx", "cy", "x1", "y1", "x2", "y2", "dx", "dy"}:
        return "move"
    if attribute in {"width", "height", "r", "rx", "ry", "font-size"}:
        return "resize"
    if attribute.endswith("opacity"):
        return "opacity"
    if attribute in {"fill", "stroke", "color"} or attribute.endswith("-color"):
        return "recolor"
    if attribute.startswith("stroke"):
        return "restroke"
    return "reshape"
