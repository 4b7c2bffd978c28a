"""Pairing of two lists of siblings, for explaining what changed between them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from vbench_env.svg.parse import Node


@dataclass(slots=True)
class Matched:
    """Pairs in target order, what only one side has, and pairs that changed places."""

    pairs: list[tuple[Node, Node]]
    deleted: list[Node]
    added: list[Node]
    moved: list[tuple[Node, Node]]


def match_children(target: Sequence[Node], candidate: Sequence[Node]) -> Matched:
    """Pair siblings by place when names agree all along, else by id, by letters, by letters without ids, then by
    name in order."""
    if len(target) == len(candidate) and all(
        t.tag == c.tag and t.id == c.id for t, c in zip(target, candidate, strict=True)
    ):
        return Matched(list(zip(target, candidate, strict=True)), [], [], [])
    partner: dict[Node, Node] = {}
    left, right = list(target), list(candidate)
    for key in (_by_id, _by_letters, _by_letters_alone, _by_tag):
        left, right = _pair(left, right, key, partner)
    pairs = [(node, partner[node]) for node in target if node in partner]
    return Matched(pairs, left, right, _moved(pairs, candidate))


def _by_id(node: Node) -> Hashable:
    return node.id


def _by_letters(node: Node) -> Hashable:
    inner = tuple(tuple(child.attrs.items()) for child in node.iter()[1:9])
    return node.tag, tuple(sorted(node.attrs.items())), node.text.strip(), inner


def _by_letters_alone(node: Node) -> Hashable:
    """Letters, ids aside: for what was given an id, lost it, or was renamed."""
    inner = tuple(_without_id(child) for child in node.iter()[1:9])
    return node.tag, _without_id(node), node.text.strip(), inner


def _without_id(node: Node) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(item for item in node.attrs.items() if item[0] != "id"))


def _by_tag(node: Node) -> Hashable:
    return (node.tag, node.id is None) if node.id is None else None


def _pair(
    left: list[Node], right: list[Node], key: Callable[[Node], Hashable], partner: dict[Node, Node]
) -> tuple[list[Node], list[Node]]:
    waiting: dict[Hashable, list[Node]] = {}
    for node in right:
        waiting.setdefault(key(node), []).append(node)
    taken: set[Node] = set()
    rest = []
    for node in left:
        name = key(node)
        found = waiting.get(name) if name is not None else None
        match = next((other for other in found or () if other.tag == node.tag), None)
        if found is None or match is None:
            rest.append(node)
            continue
        found.remove(match)
        taken.add(match)
        partner[node] = match
    return rest, [node for node in right if node not in taken]


def _moved(pairs: list[tuple[Node, Node]], candidate: Sequence[Node]) -> list[tuple[Node, Node]]:
    """Pairs outside a longest run that keeps its order."""
    place = {node: index for index, node in enumerate(candidate)}
    order = [place[c] for _, c in pairs]
    keep = set(_longest_increasing(order))
    return [pair for pair, at in zip(pairs, order, strict=True) if at not in keep]


def _longest_increasing(values: list[int]) -> list[int]:
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for index, value in enumerate(values):
        at = bisect_left(tails, value)
        if at == len(tails):
            tails.append(value)
            ends.append(index)
        else:
            tails[at], ends[at] = value, index
        previous.append(ends[at - 1] if at else -1)
    found: list[int] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        found.append(values[index])
        index = previous[index]
    return found
