"""Cheap bounds on what drawing a document would take, read off the tree before an engine starts.

Process limits catch everything; these checks only say at once, and with a reason, what would otherwise take
seconds to fail. Elements reached through references are counted like `use` expands them, with sharing and
cycles cut, so a fan-out of ten to the tenth is seen in a few steps.
"""

from __future__ import annotations

from bisect import bisect_left

from vbench_env.render.base import RenderLimits
from vbench_env.render.references import Refusal
from vbench_env.svg.parse import Document, Node
from vbench_env.svg.references import href_target, split_urls
from vbench_env.svg.values import parse_number_list

MAX_OCTAVES = 10
"""More octaves of turbulence change no 8-bit pixel: each is half as strong as the one before."""

TEXT_TAGS = frozenset({"text", "tspan", "textPath"})
LAYERED = {"pattern": 8, "mask": 8, "filter": 4, "marker": 2}
"""How many elements a reference to such a target counts for in itself: it needs a canvas of its own."""
EXPANDING = frozenset({"use", "feImage", "pattern", "tref"})
PLAIN_TARGETS = frozenset({"linearGradient", "radialGradient", "solidcolor"})

NUMBER_BOUNDS = (
    ("feConvolveMatrix", "order", 50.0),
    ("feMorphology", "radius", 1000.0),
    ("feGaussianBlur", "stdDeviation", 100_000.0),
    ("feDropShadow", "stdDeviation", 100_000.0),
)
"""Element, attribute, largest value drawn."""
MAX_DASHES = 1_000


def check_cost(document: Document, limits: RenderLimits) -> None:
    """Raise `Refusal` for a document that would take far more than its limits allow."""
    letters = 0
    for node in document.nodes:
        if node.tag in TEXT_TAGS:
            letters += len(node.text) + sum(len(child.tail) for child in node.children)
        _check_numbers(node)
    if letters > limits.text_length:
        raise Refusal(
            "refused", f"text of {letters} characters is not drawn; keep it under {limits.text_length}"
        )
    Expansion(document, limits).check()


def _check_numbers(node: Node) -> None:
    for tag, name, bound in NUMBER_BOUNDS:
        if node.tag == tag and max(parse_number_list(node.attrs.get(name, "")) or (0.0,)) > bound:
            raise Refusal(
                "refused",
                f"{node.label}: {name}={node.attrs[name][:20]!r} is not drawn; use {bound:g} or less",
            )
    dashes = node.attrs.get("stroke-dasharray", "")
    if len(dashes) > MAX_DASHES and len(dashes.replace(",", " ").split()) > MAX_DASHES:
        raise Refusal(
            "refused", f"{node.label}: a dash pattern of more than {MAX_DASHES} lengths is not drawn"
        )


class Expansion:
    """Counts elements after following references."""

    def __init__(self, document: Document, limits: RenderLimits) -> None:
        self.document, self.limits = document, limits
        self.end = self._subtree_ends(document.nodes)
        self.position = {id(node): place for place, node in enumerate(document.nodes)}
        self.sources: list[int] = []
        self.targets: list[int] = []
        self._collect()
        self.known: dict[int, tuple[int, int]] = {}
        self.path: set[int] = set()

    def check(self) -> None:
        """Raise `Refusal` when there are more instances or deeper references than the limits allow."""
        total, depth = self._cost(0)
        if total > self.limits.instances:
            raise Refusal(
                "refused",
                "references (use, pattern, mask, marker, filter, clipPath) expand to more than "
                f"{self.limits.instances} elements; nest fewer of them",
            )
        if depth - 1 > self.limits.reference_depth:
            self._too_deep()

    def _too_deep(self) -> None:
        bound = self.limits.reference_depth
        raise Refusal("refused", f"references are nested more than {bound} deep; refer to shapes directly")

    @staticmethod
    def _subtree_ends(nodes: list[Node]) -> list[int]:
        """For each node the position after its last descendant."""
        ends: list[int] = [0] * len(nodes)
        places = {id(node): place for place, node in enumerate(nodes)}
        for place in range(len(nodes) - 1, -1, -1):
            children = nodes[place].children
            ends[place] = ends[places[id(children[-1])]] if children else place + 1
        return ends

    def _collect(self) -> None:
        ids = self.document.ids
        if not ids:
            return
        for place, node in enumerate(self.document.nodes):
            for name in _names(node):
                if name in ids and ids[name][0].tag not in PLAIN_TARGETS:
                    self.sources.append(place)
                    self.targets.append(self.position[id(ids[name][0])])

    def _cost(self, place: int) -> tuple[int, int]:
        """Elements drawn for the subtree at `place`, and how deep its references go.

        A count above the limit stands for any larger one.
        """
        if place in self.known:
            return self.known[place]
        if place in self.path:
            return 0, 0
        if len(self.path) > 2 * self.limits.reference_depth:
            self._too_deep()
        self.path.add(place)
        total, depth = self.end[place] - place + LAYERED.get(self.document.nodes[place].tag, 0), 0
        first = bisect_left(self.sources, place)
        last = bisect_left(self.sources, self.end[place])
        for target in self.targets[first:last]:
            count, below = self._cost(target)
            total, depth = total + count, max(depth, below)
            if total > self.limits.instances:
                break
        self.path.discard(place)
        self.known[place] = total, depth + 1
        return self.known[place]


def _names(node: Node) -> list[str]:
    """Ids that the start tag refers to and that are drawn for it."""
    target = href_target(node) if node.tag in EXPANDING else None
    names = [] if target is None else [target]
    for value in node.attrs.values():
        if "url" in value and (found := split_urls(value)):
            names.extend(found.ids)
    return names
