"""How much references draw: elements drawn again by `use`, paint servers, clips, masks and markers are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vbench_env.svg.parse import XLINK_HREF, Document, Fault, Limits, Node, Shape
from vbench_env.svg.references import safe_fragment, split_urls

Expands = Callable[[Node], tuple[str, ...]]
"""Ids whose content an element draws again."""


def expansion_faults(document: Document, limits: Limits, expands: Expands) -> Iterator[Fault]:
    """Limits of drawing that references cross, and references that lead back to themselves.

    Args:
        expands: the ids of an element, remembered by the caller; `drawn_again` finds them.
    """
    counter = _Expansion(document, limits, expands)
    assert document.root is not None
    try:
        counter.weigh(document.root, 0)
    except _Crossed as crossed:
        yield Fault("limit", str(crossed), limit=crossed.limit)
    except RecursionError:
        message = f"references nest deeper than {limits.reference_depth}"
        yield Fault("limit", message, limit="reference_depth")
    for name in sorted(counter.cycles):
        yield Fault("reference", f"#{name} refers to itself")


_DRAWN_LINKS = frozenset({"use", "feImage", "pattern", "mask", "tref"})


def drawn_again(shape: Shape) -> tuple[str, ...]:
    """Ids whose content is drawn again for this element: `use` targets, paint servers, clips, masks, markers."""
    ids: list[str] = []
    for name, value in shape.attrs.items():
        split = split_urls(value) if "(" in value else None
        if split:
            ids.extend(split.ids)
        elif name in ("href", XLINK_HREF) and shape.tag in _DRAWN_LINKS:
            target = safe_fragment(value)
            ids.extend([target] if target else [])
    return tuple(ids)


class _Crossed(Exception):
    def __init__(self, limit: str, message: str) -> None:
        self.limit = limit
        super().__init__(message)


class _Expansion:
    """Counts drawn instances: an element weighs one, its children, and what its references draw again."""

    def __init__(self, document: Document, limits: Limits, expands: Expands) -> None:
        self.document, self.limits, self.expands = document, limits, expands
        self.weights: dict[Node, tuple[int, int]] = {}
        self.open: set[Node] = set()
        self.cycles: set[str] = set()

    def weigh(self, node: Node, references: int) -> tuple[int, int]:
        """Instances that the element draws, and how deep its references nest; `references` lead to it."""
        known = self.weights.get(node)
        if known is not None:
            self._check(known, references)
            return known
        self._check((0, 0), references)
        self.open.add(node)
        total, depth = 1, 0
        for child in node.children:
            if not child.children and not self.expands(child):
                total += 1
                continue
            drawn, below = self.weigh(child, references)
            total, depth = total + drawn, max(depth, below)
        for name in self.expands(node):
            target = self.document.by_id(name)
            if target is not None and target in self.open:
                self.cycles.add(name)
            elif target is not None:
                drawn, below = self.weigh(target, references + 1)
                total, depth = total + drawn, max(depth, below + 1)
        self.open.discard(node)
        self._check((total, depth), references)
        self.weights[node] = total, depth
        return total, depth

    def _check(self, weight: tuple[int, int], references: int) -> None:
        total, depth = weight
        if references + depth > self.limits.reference_depth:
            raise _Crossed("reference_depth", f"references nest deeper than {self.limits.reference_depth}")
        if total > self.limits.instances:
            raise _Crossed("instances", f"references draw more than {self.limits.instances} elements")
