"""Edits of the tree: insert, remove, copy and move elements, with the indentation of their surroundings.

An element on a line of its own travels with the line break and indentation before it. Inside text, white
space counts, so nothing but the element itself is touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from vbench_env.svg.document import Edit, Element, Refusal
from vbench_env.svg.edit import Change, escape_value, require_characters
from vbench_env.svg.parse import SVG_NS
from vbench_env.svg.references import ARIA_REFERENCES, TIMING

Where = Literal["first_in", "last_in", "before", "after"]
TEXT_CONTENT = frozenset({"text", "tspan", "textPath", "tref", "title", "desc"})
"""SVG elements inside which white space is part of the text."""

_TAG = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|(</?)([^\s/>!?:<]+)(?=[\s/>])", re.DOTALL)


def lead(element: Element) -> str:
    """Line break and indentation before an element that starts its line, else an empty string."""
    parent = element.parent
    if parent is None or parent.tag in TEXT_CONTENT:
        return ""
    before = element.document.text[: element.start]
    space = before[len(before.rstrip(" \t\r\n")) :]
    position = max(space.rfind("\n"), space.rfind("\r"))
    if position > 0 and space[position - 1 : position + 1] == "\r\n":
        position -= 1
    return space[position:] if position >= 0 else ""


def insert(element: Element, where: Where, markup: str) -> tuple[Change, Element]:
    """Insert one element before, after, or inside `element`.

    In a document whose SVG elements carry a prefix, names without one in `markup` get it, unless the markup
    declares a default namespace itself.

    Returns:
        The change, and the new element in the new document.
    """
    if where in {"before", "after"} and element.parent is None:
        raise Refusal("not_applicable", "nothing can be put beside the root element; use first_in or last_in")
    inside = element if where in {"first_in", "last_in"} else element.parent
    assert inside is not None
    written = _fitted(markup.strip(), inside)
    return _checked(element, _placed(element, where, written), written)


def _checked(element: Element, edit: Edit, written: str) -> tuple[Change, Element]:
    document = element.document.edited([edit], "the document with this markup")
    start = edit.start + edit.new.index(written)
    rows = document.spans
    found = ((rows[:, 0] == start) & (rows[:, 3] == start + len(written))).nonzero()[0]
    if not found.size:
        message = "markup must be exactly one element, with everything in it closed"
        raise Refusal("bad_arguments", message, "markup")
    return Change(document, (edit,)), Element(document, int(found[0]))


def _fitted(markup: str, inside: Element) -> str:
    require_characters(markup)
    if not markup.startswith("<"):
        raise Refusal("bad_arguments", "markup must be one element, starting with <", "markup")
    if inside.document.newline == "\r\n":
        markup = re.sub(r"\r?\n", "\r\n", markup)
    prefixes = inside.prefixes()
    prefix = next((name for name, space in prefixes.items() if name and space == SVG_NS), None)
    if prefixes.get("") == SVG_NS or prefix is None or re.search(r"\sxmlns\s*=", markup):
        return markup
    return _TAG.sub(lambda match: f"{match[1]}{prefix}:{match[2]}" if match[1] else match[0], markup)


def _placed(element: Element, where: Where, written: str) -> Edit:
    if where == "before":
        return Edit(element.start, element.start, written + lead(element))
    if where == "after":
        return Edit(element.end, element.end, lead(element) + written)
    children = element.children
    if children and where == "first_in":
        return _placed(children[0], "before", written)
    if children:
        return _placed(children[-1], "after", written)
    return _only_child(element, written)


def _only_child(element: Element, written: str) -> Edit:
    inner, outer = _child_leads(element)
    if element.self_closing:
        closed = f">{inner}{written}{outer}</{element.name}>"
        return Edit(element.open_end - 2, element.open_end, closed)
    inside = element.document.text[element.open_end : element.close_start]
    if inside.strip():
        return Edit(element.close_start, element.close_start, written)
    if "\n" in inside:
        return Edit(element.open_end, element.open_end, inner + written)
    return Edit(element.open_end, element.open_end, inner + written + outer)


def _child_leads(element: Element) -> tuple[str, str]:
    """White space before a first child of `element`, and before the end tag that follows it."""
    document, outer = element.document, lead(element)
    if element.tag in TEXT_CONTENT:
        return "", ""
    if not outer and element.parent is not None:
        return "", ""
    first = next((lead(child) for child in document.root.children if lead(child)), "")
    unit = first.lstrip("\r\n") if first else "  "
    if element.parent is None:
        several = "\n" in document.text[element.open_end :] or "\n" in document.text[: element.start]
        return (document.newline + unit, document.newline) if several else ("", "")
    return outer + (unit or "  "), outer


def remove(element: Element) -> Change:
    """Remove an element, with its line when it has one of its own."""
    if element.parent is None:
        raise Refusal("not_applicable", "the root element cannot be removed")
    edit = Edit(element.start - len(lead(element)), element.end, "")
    return Change(element.document.edited([edit]), (edit,))


def relocate(element: Element, where: Literal["before", "after"], reference: Element) -> Change:
    """Move an element in front of a sibling or behind it."""
    document, own = element.document, lead(element)
    siblings = [item for item in reference.parent.children if item != element] if reference.parent else []
    if element.parent is None or reference not in siblings or element.parent != reference.parent:
        raise Refusal("not_applicable", f"{reference.label} is not a sibling of {element.label}")
    chunk = own + element.source
    removal = Edit(element.start - len(own), element.end, "")
    position = reference.end if where == "after" else reference.start - len(lead(reference))
    if _neighbours(element, where, reference):
        return Change(document, ())
    edits = tuple(sorted([removal, Edit(position, position, chunk)]))
    return Change(document.edited(edits), edits)


def _neighbours(element: Element, where: str, reference: Element) -> bool:
    """Whether the element is already where it should go."""
    order = element.parent.children if element.parent else []
    step = 1 if where == "after" else -1
    position = order.index(reference) + step
    return 0 <= position < len(order) and order[position] == element


def duplicate(element: Element, new_id: str | None = None) -> tuple[Change, dict[str, str]]:
    """Copy an element right behind itself, under ids of its own.

    References inside the copy to something that was copied follow the new ids.

    Returns:
        The change, and the new id of every copied id.
    """
    if element.parent is None:
        raise Refusal("not_applicable", "the root element cannot be duplicated")
    names = _new_ids(element, new_id)
    markup = _renamed(element, names)
    if new_id is not None and element.get("id") is None:
        at = 1 + len(element.name)
        markup = f'{markup[:at]} id="{escape_value(new_id)}"{markup[at:]}'
    edit = Edit(element.end, element.end, lead(element) + markup)
    return Change(element.document.edited([edit]), (edit,)), names


def _subtree(element: Element) -> list[Element]:
    found, end, index = [element], element.end, element.index + 1
    rows = element.document.spans
    while index < len(rows) and rows[index, 0] < end:
        found.append(Element(element.document, index))
        index += 1
    return found


def _new_ids(element: Element, new_id: str | None) -> dict[str, str]:
    taken = element.document.outline.ids
    own = element.get("id")
    inside = [name for name in (item.get("id") for item in _subtree(element)[1:]) if name]
    if new_id is not None and new_id in taken:
        raise Refusal("not_applicable", f"id {new_id!r} is already used; choose another", "new_id")
    number = 1
    while any(_suffixed(name, number) in taken for name in [*inside, own or ""]):
        number += 1
    names = {name: _suffixed(name, number) for name in inside}
    if own:
        names[own] = new_id if new_id is not None else _suffixed(own, number)
    return names


def _suffixed(name: str, number: int) -> str:
    return f"{name}-copy{number if number > 1 else ''}"


def _renamed(element: Element, names: Mapping[str, str]) -> str:
    """The element's markup with ids and the references to them renamed."""
    if not names:
        return element.source
    text, parts, position = element.document.text, [], element.start
    hashed = _replacer(r"(?<=#)(?:{})(?=[\s\"']*(?:\)|$))", names)
    timed = _replacer(r"(?<![^;\s])(?:{})(?=\.)", names)
    listed = _replacer(r"(?<!\S)(?:{})(?!\S)", names)
    for item in _subtree(element):
        for found in item.attributes:
            raw = text[found.value_start : found.value_end]
            if found.name == "id":
                new = escape_value(names.get(item.value(found), item.value(found)), found.quote)
            elif found.name in ARIA_REFERENCES:
                new = listed(raw)
            else:
                new = timed(raw) if found.name in TIMING else hashed(raw)
            if new != raw:
                parts += [text[position : found.value_start], new]
                position = found.value_end
    return "".join([*parts, text[position : element.end]])


def _replacer(pattern: str, names: Mapping[str, str]) -> Callable[[str], str]:
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    compiled = re.compile(pattern.format(either))
    return lambda raw: compiled.sub(
        lambda match: escape_value(names[match[0]], "'").replace('"', "&quot;"), raw
    )
