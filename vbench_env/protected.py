"""Objects of a drawing by name, and which of them a task protects when it says `protected: others`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from vbench_env.repair import Repair
from vbench_env.svg.parse import Document, Node, parse
from vbench_env.svg.references import href_target, split_urls

DRAWN = frozenset(
    {"rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "image", "use"}
)
UNDRAWN_CONTAINERS = frozenset(
    {
        "defs", "symbol", "clipPath", "mask", "pattern", "marker", "linearGradient", "radialGradient",
        "filter", "metadata", "style", "script", "foreignObject",
    }
)  # fmt: skip

_STEP = re.compile(r"^([A-Za-z][\w.-]*)(?:\[([1-9][0-9]*)\])?$")


def find_object(document: Document, name: str) -> Node | None:
    """The element with that id, else at that structural path (`svg/g[2]/path[5]`, a missing index is 1)."""
    found = document.by_id(name)
    if found is not None or document.root is None:
        return found
    steps = [_STEP.match(step) for step in name.split("/")]
    if not steps or steps[0] is None or steps[0].group(1) != document.root.tag:
        return None
    node = document.root
    for step in steps[1:]:
        same = [child for child in node.children if step is not None and child.tag == step.group(1)]
        place = int(step.group(2) or 1) if step is not None else 0
        if not 1 <= place <= len(same):
            return None
        node = same[place - 1]
    return node


def drawn_nodes(document: Document) -> list[Node]:
    """Elements that paint something themselves, outside of definitions, in document order."""
    hidden: set[Node] = set()
    for node in document.nodes:
        if node.parent in hidden or node.tag in UNDRAWN_CONTAINERS:
            hidden.add(node)
    return [node for node in document.nodes if node.tag in DRAWN and node not in hidden]


def protected_objects(target_svg: str, repairs: Sequence[Repair]) -> tuple[str, ...]:
    """Labels (id or structural path) of the drawn elements that no repair concerns.

    Left out: repaired objects, what they hold, what holds them, what refers to any of these or to their parts
    through any number of references, and unnamed elements inside an element whose children a repair adds,
    removes or reorders (nothing says which is which there).
    """
    document = parse(target_svg)
    concerned = _concerned(document, repairs)
    restocked = _restocked(document, repairs)
    drawn = (node for node in drawn_nodes(document) if node not in concerned)
    return tuple(node.label for node in drawn if node.id or not _inside(node, restocked))


def _restocked(document: Document, repairs: Iterable[Repair]) -> set[Node]:
    """Elements that have other children, or the same in another order, before the repairs."""
    found: set[Node | None] = set()
    for repair in repairs:
        if repair.operation == "delete":
            found.add(find_object(document, repair.parent or ""))
        elif repair.operation in ("insert", "reorder"):
            node = find_object(document, repair.object)
            found.add(node.parent if node is not None else None)
    return {node for node in found if node is not None}


def _inside(node: Node, outer: set[Node]) -> bool:
    around = node.parent
    while around is not None and around not in outer:
        around = around.parent
    return around is not None


def _concerned(document: Document, repairs: Iterable[Repair]) -> set[Node]:
    named = [repair.object for repair in repairs if not _names_nothing(document, repair)]
    repaired = [find_object(document, name) for name in named]
    waiting = [part for node in repaired if node is not None for part in node.iter()]
    users = _users(document)
    found: set[Node] = set()
    while waiting:
        node: Node | None = waiting.pop()
        while node is not None and node not in found:
            found.add(node)
            waiting.extend(users.get(node.id or "", ()))
            node = node.parent
    return found


def _names_nothing(document: Document, repair: Repair) -> bool:
    """Whether a repair is about no object of the target: it deletes one, or mends the tags of the root."""
    if repair.operation == "mend":
        return find_object(document, repair.object) is document.root
    return repair.operation == "delete"


def _users(document: Document) -> dict[str, list[Node]]:
    """For each id the elements that refer to it by `href` or `url(#id)` in an attribute."""
    users: dict[str, list[Node]] = {}
    for node in document.nodes:
        names = {href_target(node)}
        for value in node.attrs.values():
            referring = split_urls(value)
            names.update(referring.ids if referring else ())
        for name in names - {None}:
            users.setdefault(str(name), []).append(node)
    return users
