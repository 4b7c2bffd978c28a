"""Edits of one attribute, one declaration, one text."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from vbench_env.svg.document import Element, Refusal
from vbench_env.svg.edit import Change, lexical, put_attributes, put_text, text_of
from vbench_env.svg.style_edit import drop_declaration, normal_name, put_declaration, winning
from vbench_env.tools.address import resolve
from vbench_env.tools.base import Arguments, ToolContext, ToolResult, changed, tool

Address = Annotated[str, Field(max_length=1000)]
SHOWN = 120


class SetAttributeArgs(Arguments):
    object: Address
    """Id, structural path such as svg/g[2]/path[5], or a CSS selector that matches one element."""
    name: str
    """Attribute name as it is written in the document, prefix included (such as xlink:href)."""
    value: str
    """New value as plain text; it is escaped for you."""


class RemoveAttributeArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one element."""
    name: str
    """Attribute name as it is written in the document."""


class SetStyleArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one element."""
    property: str
    """CSS property, such as fill."""
    value: str | None
    """New value, without a semicolon; null removes the declaration."""


class SetTextArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one element, such as a text or tspan."""
    text: str
    """New text as plain characters; it is escaped for you."""


@tool("set_attribute", "edit", SetAttributeArgs)
def set_attribute(context: ToolContext, args: SetAttributeArgs) -> ToolResult:
    """Set one attribute of one element, or add it. Nothing else in the document changes."""
    element = resolve(context.document, args.object)
    old = element.get(args.name)
    change = put_attributes(element, {args.name: args.value})
    notes = _overridden(element, args.name) + _id_notes(change, element, args.name, old)
    return report(context, element, change, [(args.name, old, args.value)], notes)


@tool("remove_attribute", "edit", RemoveAttributeArgs)
def remove_attribute(context: ToolContext, args: RemoveAttributeArgs) -> ToolResult:
    """Remove one attribute of one element."""
    element = resolve(context.document, args.object)
    old = element.get(args.name)
    if old is None:
        known = ", ".join(found.name for found in element.attributes) or "none"
        raise Refusal(
            "not_found", f"{element.label} has no attribute {args.name[:60]!r}; it has: {known}", "name"
        )
    change = put_attributes(element, {args.name: None})
    return report(
        context, element, change, [(args.name, old, None)], _id_notes(change, element, args.name, old)
    )


@tool("set_style", "edit", SetStyleArgs)
def set_style(context: ToolContext, args: SetStyleArgs) -> ToolResult:
    """Set one CSS declaration in the style attribute of one element, add it, or remove it with null. Other
    declarations stay as written."""
    element = resolve(context.document, args.object)
    name = normal_name(args.property)
    written = element.attribute("style")
    style = "" if written is None else lexical(element, written)
    place = winning(style, name)
    old = None if place is None else style[place.value_start : place.value_end]
    if args.value is None and old is None:
        raise Refusal("not_found", f"the style of {element.label} does not set {name}", "property")
    new = drop_declaration(style, name) if args.value is None else put_declaration(style, name, args.value)
    change = put_attributes(element, {"style": new if new.strip() else None}, keep_space=True)
    return report(context, element, change, [(f"style {name}", old, args.value)])


@tool("set_text", "edit", SetTextArgs)
def set_text(context: ToolContext, args: SetTextArgs) -> ToolResult:
    """Replace the text of one element that holds no other element (text, tspan, title, desc, style)."""
    element = resolve(context.document, args.object)
    old = text_of(element)
    return report(context, element, put_text(element, args.text), [("text", old, args.text)])


def report(
    context: ToolContext,
    element: Element,
    change: Change,
    values: list[tuple[str, str | None, str | None]],
    notes: list[str] | None = None,
) -> ToolResult:
    """The result of an edit: what went from which value to which, and what else to know."""
    shown = ", ".join(f"{name} {quoted(old)} -> {quoted(new)}" for name, old, new in values)
    if not change.edits:
        return ToolResult(
            f"unchanged: {named(element)} already has {shown.rpartition(' -> ')[2]}", context.document
        )
    text = ". ".join([f"{named(element)}: {shown}", *(notes or [])])
    return changed(context, change.document, text, change.edits)


def named(element: Element) -> str:
    """An element for people: its label, and its name where the label does not say it."""
    label = element.label
    return f"{element.name} {label}" if "/" not in label and label != element.name else label


def quoted(value: str | None) -> str:
    """A value for people, the middle of a long one left out."""
    if value is None:
        return "(none)"
    if len(value) > SHOWN:
        value = f"{value[: SHOWN - 30]}...{value[-20:]}"
    return f'"{value}"'


def _overridden(element: Element, name: str) -> list[str]:
    style = element.get("style")
    if not style or winning(style, name) is None:
        return []
    return [f"Note: the style attribute also sets {name} and wins over the attribute; use set_style"]


def _id_notes(change: Change, element: Element, name: str, old: str | None) -> list[str]:
    if name != "id" or not change.edits:
        return []
    new = Element(change.document, element.index).get("id")
    notes = []
    if new is not None and len(change.document.with_id(new)) > 1:
        notes.append(f"Note: the id {new!r} is now used more than once")
    if old and f"#{old}" in change.document.text:
        notes.append(f"Note: the document still refers to #{old}")
    return notes
