"""Comparison of two trees under a mask and a renaming of ids.

A `View` says what one element of a document means (its *own* part: start tag and text, not its children). A
`Comparison` walks a target and a candidate together. Elements removed by the mask are skipped in both child
lists; masked properties do not count on their element.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from vbench_env.svg.geometry import boxes_overlap, painted_box
from vbench_env.svg.parse import Document, Node

EMPTY: frozenset[str] = frozenset()


@dataclass(slots=True)
class Mask:
    """What a comparison leaves out: properties of pairs of elements, and whole elements on either side.

    With `transparent_groups`, a `<g>` without attributes gives way to its children.
    """

    properties: dict[Node, tuple[Node, frozenset[str]]] = field(default_factory=dict)
    removed: set[Node] = field(default_factory=set)
    transparent_groups: bool = False

    def free(self, target: Node, candidate: Node, names: frozenset[str]) -> None:
        """Leave out `names` where this target element meets this candidate element."""
        known = self.properties.get(target, (candidate, EMPTY))[1]
        self.properties[target] = (candidate, known | names)

    def names(self, target: Node, candidate: Node) -> frozenset[str]:
        """The properties that do not count on this pair."""
        found = self.properties.get(target)
        return found[1] if found is not None and found[0] is candidate else EMPTY

    def children(self, node: Node) -> list[Node]:
        """Children that take part."""
        children = node.children
        if self.removed:
            children = [child for child in children if child not in self.removed]
        if self.transparent_groups:
            children = [inner for child in children for inner in self._spliced(child)]
        return children

    def _spliced(self, node: Node) -> list[Node]:
        return self.children(node) if node.tag == "g" and not node.attrs else [node]


NO_MASK = Mask()


@dataclass(slots=True)
class Pairs:
    """All pairs of two trees of one form, in document order, and those whose letters differ."""

    every: list[tuple[Node, Node]]
    differing: list[tuple[Node, Node]]


def paired(target: Document, candidate: Document, mask: Mask = NO_MASK) -> Pairs | None:
    """Pairs element by element where what takes part of both trees has one form, else None."""
    if mask.transparent_groups:
        return None
    if not mask.removed:
        if target.child_counts != candidate.child_counts:
            return None
        every = list(zip(target.nodes, candidate.nodes, strict=True))
    else:
        ours, theirs = _kept(target, mask), _kept(candidate, mask)
        if [count for _, count in ours] != [count for _, count in theirs]:
            return None
        every = [(t, c) for (t, _), (c, _) in zip(ours, theirs, strict=True)]
    differing = [(t, c) for t, c in every if t.shape is not c.shape or t.text != c.text or t.tail != c.tail]
    return Pairs(every, differing)


def _kept(document: Document, mask: Mask) -> list[tuple[Node, int]]:
    gone = {inner for node in document.nodes if node in mask.removed for inner in node.iter()}
    if not gone:
        return list(zip(document.nodes, document.child_counts, strict=True))
    parents = {node.parent for node in mask.removed}
    return [
        (node, sum(child not in gone for child in node.children) if node in parents else len(node.children))
        for node in document.nodes
        if node not in gone
    ]


class View(Protocol):
    """Decides whether two elements are the same in themselves."""

    def same(self, target: Node, candidate: Node, masked: frozenset[str]) -> bool:
        """Whether start tags and character data say the same, `masked` properties aside."""
        ...

    def doubtful(self, pairs: Pairs) -> list[tuple[Node, Node]]:
        """The pairs that this view has to look at; the others are the same for certain."""
        ...


class Comparison:
    """Compares subtrees by a view, under a mask.

    With `loose_order`, siblings may change places as long as no two that overlap do.
    """

    def __init__(self, view: View, mask: Mask = NO_MASK, *, loose_order: bool = False) -> None:
        self.view = view
        self.mask = mask
        self.loose_order = loose_order

    def same_documents(self, target: Document, candidate: Document, pairs: Pairs | None) -> bool:
        """Whether two documents are the same; `pairs` spares the walk where the trees have one form."""
        if pairs is not None and not self.loose_order:
            view, names = self.view, self.mask.names
            return all(view.same(t, c, names(t, c)) for t, c in view.doubtful(pairs))
        if target.root is None or candidate.root is None:
            return False
        return self.same(target.root, candidate.root)

    def same(self, target: Node, candidate: Node) -> bool:
        """Whether two subtrees are the same."""
        same, mask = self.view.same, self.mask
        properties = mask.properties
        stack = [(target, candidate)]
        while stack:
            t, c = stack.pop()
            if not same(t, c, mask.names(t, c) if properties else EMPTY):
                return False
            if t.children or c.children:
                left, right = mask.children(t), mask.children(c)
                if len(left) != len(right):
                    return False
                if self.loose_order:
                    right = self._reordered(left, right)
                stack.extend(zip(left, right, strict=True))
        return True

    def _reordered(self, left: list[Node], right: list[Node]) -> list[Node]:
        strict = Comparison(self.view, self.mask)
        rest = list(right)
        order: list[Node] = []
        for node in left:
            found = next(
                (other for other in rest if other.tag == node.tag and strict.same(node, other)), None
            )
            if found is None:
                return right
            rest.remove(found)
            order.append(found)
        place = {node: index for index, node in enumerate(right)}
        for first, a in enumerate(order):
            for b in order[first + 1 :]:
                if place[a] > place[b] and boxes_overlap(painted_box(a), painted_box(b)):
                    return right
        return order


def aligned_pairs(target: Node, candidate: Node, mask: Mask = NO_MASK) -> Iterator[tuple[Node, Node]]:
    """Pairs of elements met by walking both trees while names and child counts agree."""
    stack = [(target, candidate)]
    while stack:
        t, c = stack.pop()
        if t.tag != c.tag:
            continue
        yield t, c
        left, right = mask.children(t), mask.children(c)
        if len(left) == len(right):
            stack.extend(zip(left, right, strict=True))


def same_ids(target: Document, candidate: Document, mask: Mask = NO_MASK) -> bool:
    """Whether what takes part of both documents carries the same ids in the same order, each once."""
    ours, theirs = _kept_ids(target, mask), _kept_ids(candidate, mask)
    if ours != theirs:
        return False
    named = [name for name in ours if name is not None]
    return len(set(named)) == len(named)


def _kept_ids(document: Document, mask: Mask) -> list[str | None]:
    removed = mask.removed
    if not removed:
        return document.id_sequence
    gone = {inner for node in document.nodes if node in removed for inner in node.iter()}
    if not gone:
        return document.id_sequence
    return [node.attrs.get("id") for node in document.nodes if node not in gone]


def aligned_names(target: Document, candidate: Document, mask: Mask = NO_MASK) -> Mapping[str, str]:
    """Candidate ids that differ from the target's, with the target's id of the aligned element.

    Aligned elements agree in name and number of children all the way down, their own included.
    """
    names: dict[str, str] = {}
    if target.root is None or candidate.root is None or same_ids(target, candidate, mask):
        return names
    for t, c in aligned_pairs(target.root, candidate.root, mask):
        if t.shape is c.shape or len(mask.children(t)) != len(mask.children(c)):
            continue
        ours, theirs = t.attrs.get("id"), c.attrs.get("id")
        if ours and theirs and ours != theirs:
            names[theirs] = ours
    return names


def by_place(root: Node, place: Node, top: Node) -> Node | None:
    """The element of `root`'s tree at the place that `place` has under `top`.

    Tag and number of children must agree at every level on the way down to it.
    """
    indices: list[tuple[int, str, int]] = []
    node = place
    while node is not top and node.parent is not None:
        indices.append((node.index, node.parent.tag, len(node.parent.children)))
        node = node.parent
    found = root
    for index, tag, count in reversed(indices):
        if found.tag != tag or len(found.children) != count:
            return None
        found = found.children[index]
    if found.tag != place.tag or len(found.children) != len(place.children):
        return None
    return found


def subtree(nodes: Collection[Node]) -> set[Node]:
    """The nodes and all their descendants."""
    found: set[Node] = set()
    for node in nodes:
        found.update(node.iter())
    return found
