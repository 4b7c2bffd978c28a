"""One consistent renaming of ids between two documents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from vbench_env.svg.diff import Mask, aligned_pairs, same_ids
from vbench_env.svg.parse import Document, Node


class IdNames(NamedTuple):
    """A renaming of ids: candidate id to target id where they differ, and pairs that contradict it."""

    names: dict[str, str]
    conflicts: list[tuple[Node, Node]]


def bijection(
    target: Document, candidate: Document, mask: Mask, apart: Iterable[tuple[Node, Node]] = ()
) -> IdNames:
    """One consistent renaming over the aligned trees, and the pairs of subtrees that the mask took out of them.

    A target id that was given up maps to a name that nothing has, so that a reference left behind differs.
    """
    moved = [pair for t, c in apart for pair in aligned_pairs(t, c)]
    settled = all(t.attrs.get("id") == c.attrs.get("id") for t, c in moved)
    if target.root is None or candidate.root is None or (settled and same_ids(target, candidate, mask)):
        return IdNames({}, [])
    forward: dict[str, str] = {}
    back: dict[str, str] = {}
    conflicts: list[tuple[Node, Node]] = []
    changed = False
    for t, c in (*aligned_pairs(target.root, candidate.root, mask), *moved):
        ours, theirs = t.attrs.get("id"), c.attrs.get("id")
        if ours is None or theirs is None:
            continue
        if forward.setdefault(theirs, ours) != ours or back.setdefault(ours, theirs) != theirs:
            conflicts.append((t, c))
        changed = changed or ours != theirs
    if not changed:
        return IdNames({}, conflicts)
    names = {theirs: ours for theirs, ours in forward.items() if theirs != ours}
    for ours, theirs in back.items():
        if ours != theirs and ours not in forward:
            names[ours] = "\0" + ours
    return IdNames(names, conflicts)
