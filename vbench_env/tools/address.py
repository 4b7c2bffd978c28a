"""How a call names an object: by id, by structural path, or by a CSS selector that matches one element."""

from __future__ import annotations

import difflib
import re

from vbench_env.svg.document import Element, Refusal, SourceDocument
from vbench_env.tools.query import select

_STEP = re.compile(r"((?:\{[^{}]*\})?[^/\[\]{}\s]+)(?:\[([0-9]{1,6})\])?")
_PATH = re.compile(rf"/?{_STEP.pattern}(?:/{_STEP.pattern})*")
_SHOWN = 8
_COMPARED_IDS = 2000


def resolve(document: SourceDocument, address: str, argument: str = "object") -> Element:
    """The one element that `address` names.

    Args:
        document: where to look.
        address: an id (`#` in front allowed), a path such as `svg/g[2]/path[5]`, or a CSS selector.
        argument: name of the tool's argument, for the error.

    Raises:
        Refusal: `not_found` or `ambiguous`, with how many there are, which, and the nearest ids.
    """
    address = address.strip()
    if not address:
        raise Refusal("bad_arguments", f"{argument} is empty; give an id, a path or a CSS selector", argument)
    found = document.with_id(address) or document.with_id(address.removeprefix("#"))
    if not found and _PATH.fullmatch(address):
        found = _by_path(document, address, argument)
    if not found:
        found = _by_selector(document, address, argument)
    return _one(document, found, address, argument)


def _one(document: SourceDocument, found: list[Element], address: str, argument: str) -> Element:
    if len(found) == 1:
        return found[0]
    shown = repr(address[:80])
    if found:
        paths = ", ".join(item.label for item in found[:_SHOWN]) + (", ..." if len(found) > _SHOWN else "")
        message = f"{shown} matches {len(found)} elements: {paths}; name one of them"
        raise Refusal("ambiguous", message, argument)
    raise Refusal("not_found", f"{shown} matches no element{nearest(document, address)}", argument)


def nearest(document: SourceDocument, address: str) -> str:
    """A hint with the ids that look most like `address`; empty when none does."""
    wanted = re.sub(r"^[#.]|.*#", "", address)[:80]
    known = [name[:80] for name in list(document.outline.ids)[:_COMPARED_IDS]]
    near = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5)
    folded = [name for name in known if name.lower() == wanted.lower()]
    near = list(dict.fromkeys([*folded, *near]))[:3]
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def _by_selector(document: SourceDocument, address: str, argument: str) -> list[Element]:
    try:
        return select(document, address)
    except Refusal as refusal:
        if refusal.kind != "bad_arguments":
            raise
        hint = nearest(document, address)
        message = f"{address[:80]!r} is no id or path of the document, and no CSS selector{hint}"
        raise Refusal("not_found", message, argument) from refusal


def _by_path(document: SourceDocument, address: str, argument: str) -> list[Element]:
    """Elements at a structural path; empty when it does not start at the root."""
    steps = _STEP.findall(address.removeprefix("/"))
    first, number = steps[0]
    if not _named(document.root, first) or number not in {"", "1"}:
        return []
    here = document.root
    for name, number in steps[1:]:
        same = [child for child in here.children if _named(child, name)]
        if not number and len(same) > 1:
            raise Refusal("ambiguous", f"{here.path} has {len(same)} {name} children; number it", argument)
        position = int(number or 1)
        if not 1 <= position <= len(same):
            kinds = ", ".join(dict.fromkeys(child.tag for child in here.children)) or "none"
            message = (
                f"{address[:80]!r} leads nowhere: {here.path} has {len(same)} {name} (its children: {kinds})"
            )
            raise Refusal("not_found", message, argument)
        here = same[position - 1]
    return [here]


def _named(element: Element, name: str) -> bool:
    return name in {element.tag, element.name} or element.tag == "{}" + name
