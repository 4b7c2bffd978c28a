"""Ids for members of a row that have none: what is to be put back needs a name of its own, and so do its neighbours."""

from __future__ import annotations

from string import ascii_lowercase

from vbench_env.generate.files.kin import Family
from vbench_env.generate.files.look import View
from vbench_env.repair import Repair
from vbench_env.svg.parse import Node
from vbench_env.taskkit.build import derive
from vbench_env.taskkit.wording import giveaway, looks_generated


def named_members(view: View, family: Family, start: int) -> list[str] | None:
    """Ids of the members, by their place: their own where a designer would use it, else new ones.

    `start` counts the members of earlier families. None where an id that nobody would choose is referred to, or a
    new one is taken.
    """
    found = [
        id_for(view, seen.node, family.kind, number) for number, seen in enumerate(family.members, start)
    ]
    return [name for name in found if name is not None] if None not in found else None


def id_for(view: View, node: Node, kind: str, number: int) -> str | None:
    """The element's own id, or a new one of its kind and number."""
    own, new = node.id, f"{kind}-{_letters(number)}"
    if own and _good(own):
        return own
    return None if (own and _referred(view, own)) or new in view.scene.document.ids else new


def _letters(number: int) -> str:
    """`a` for 0, `z` for 25, `aa` for 26, and so on."""
    more, last = divmod(number, len(ascii_lowercase))
    return (_letters(more - 1) if more else "") + ascii_lowercase[last]


def _good(name: str) -> bool:
    return not looks_generated(name) and giveaway(name) is None and "/" not in name


def _referred(view: View, name: str) -> bool:
    """Whether an id stands anywhere but where it is given."""
    return view.svg.count(name) != 1


def with_ids(svg: str, given: dict[str, Node]) -> str:
    """The drawing with these ids on elements of it."""
    renamed = [
        Repair(object=node.path, operation="reshape", property="id", corrupted=name)
        for name, node in given.items()
        if node.id != name
    ]
    return derive(svg, renamed) if renamed else svg
