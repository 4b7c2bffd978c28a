"""Edits of the tree: insert, delete, duplicate, reorder."""

from __future__ import annotations

import re
from typing import Literal

from vbench_env.svg.document import Element, Refusal
from vbench_env.svg.edit import Change
from vbench_env.svg.restructure import Where, duplicate, insert, relocate, remove
from vbench_env.tools.address import resolve
from vbench_env.tools.attributes import Address, named
from vbench_env.tools.base import Arguments, ToolContext, ToolResult, changed, tool

Order = Literal["front", "back", "forward", "backward", "before", "after"]
UNPAINTED = frozenset(
    {
        "defs", "title", "desc", "metadata", "style", "script", "linearGradient", "radialGradient", "pattern",
        "clipPath", "mask", "filter", "marker", "symbol",
    }
)  # fmt: skip
"""Elements that draw nothing where they stand."""


class InsertElementArgs(Arguments):
    markup: str
    """The new element as SVG markup, exactly one element with all that is in it."""
    object: Address
    """Id, structural path or CSS selector of the element to put it beside or into."""
    where: Where = "last_in"
    """Before or after the object, or inside it as the first or last child (later ones are painted on top)."""


class DeleteElementArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one element."""


class DuplicateElementArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one element."""
    new_id: str | None = None
    """Id of the copy; null appends -copy to the id. Ids inside get the same ending."""


class ReorderElementArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one element."""
    to: Order
    """Front or back of its siblings, one step forward or backward, or right before or after the reference."""
    reference: Address | None = None
    """Id, path or selector of a sibling; needed for before and after."""


@tool("insert_element", "edit", InsertElementArgs)
def insert_element(context: ToolContext, args: InsertElementArgs) -> ToolResult:
    """Insert one new element. Line breaks and indentation follow its surroundings."""
    element = resolve(context.document, args.object)
    change, new = insert(element, args.where, args.markup)
    text = f"inserted {named(new)} at {new.path} ({args.where.replace('_', ' ')} {named(element)})"
    return _told(context, change, text, _reused(change))


@tool("delete_element", "edit", DeleteElementArgs)
def delete_element(context: ToolContext, args: DeleteElementArgs) -> ToolResult:
    """Delete one element and all that is in it."""
    element = resolve(context.document, args.object)
    change = remove(element)
    gone = [name for name in context.document.outline.ids if name not in change.document.outline.ids]
    dangling = [name for name in gone if re.search(rf"#{re.escape(name)}(?![\w.-])", change.document.text)]
    notes = [f"the document still refers to #{name}" for name in dangling[:5]]
    return _told(context, change, f"deleted {named(element)}", notes)


@tool("duplicate_element", "edit", DuplicateElementArgs)
def duplicate_element(context: ToolContext, args: DuplicateElementArgs) -> ToolResult:
    """Copy one element right behind itself (so painted on top of it), with new ids; references inside the
    copy follow them."""
    element = resolve(context.document, args.object)
    if args.new_id is not None and (not args.new_id or re.search(r"\s", args.new_id)):
        raise Refusal("bad_arguments", "an id must not be empty and must not hold white space", "new_id")
    change, names = duplicate(element, args.new_id)
    renamed = ", ".join(f"{old} -> {new}" for old, new in list(names.items())[:10])
    return _told(
        context, change, f"duplicated {named(element)}" + (f"; new ids: {renamed}" if renamed else ""), []
    )


@tool("reorder_element", "edit", ReorderElementArgs)
def reorder_element(context: ToolContext, args: ReorderElementArgs) -> ToolResult:
    """Change the paint order of one element among its siblings: what comes later is painted on top."""
    element = resolve(context.document, args.object)
    if (args.to in {"before", "after"}) != (args.reference is not None):
        raise Refusal(
            "bad_arguments", "reference goes with before and after, and only with them", "reference"
        )
    if args.reference is not None:
        other = resolve(context.document, args.reference, "reference")
    else:
        other = _goal(element, args.to)
    where: Literal["before", "after"] = "after" if args.to in {"front", "forward", "after"} else "before"
    change = relocate(element, where, other) if other != element else Change(context.document, ())
    if not change.edits:
        return ToolResult(f"unchanged: {named(element)} is already there", context.document)
    return _told(context, change, f"moved {named(element)} to right {where} {named(other)}", [])


def _goal(element: Element, to: Order) -> Element:
    """The sibling to pass; the element itself when there is none in that direction."""
    if element.parent is None:
        raise Refusal("not_applicable", "the root element has no siblings", "object")
    siblings = element.parent.children
    at = siblings.index(element)
    beyond = siblings[at + 1 :] if to in {"front", "forward"} else siblings[:at][::-1]
    painted = [item for item in beyond if item.tag not in UNPAINTED]
    if not painted:
        return element
    return painted[-1] if to in {"front", "back"} else painted[0]


def _reused(change: Change) -> list[str]:
    several = [name for name, found in change.document.outline.ids.items() if len(found) > 1]
    return [f"the id {name!r} is used more than once" for name in several[:5]]


def _told(context: ToolContext, change: Change, text: str, notes: list[str]) -> ToolResult:
    return changed(context, change.document, ". Note: ".join([text, *notes]), change.edits)
