"""Sameness of two elements by what they mean, to the tolerance of drawn numbers.

Numbers agree within 1e-6 of the viewBox diagonal as drawn; colours after rounding to 8 bits; transforms by how
far they move what is drawn; inherited properties on the elements they apply to. `ResolvedView.same` answers
quickly, `ResolvedView.differences` says what differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from vbench_env.svg import text as svg_text
from vbench_env.svg.canonical import Difference as Difference
from vbench_env.svg.canonical import rename_style
from vbench_env.svg.cascade import Rule
from vbench_env.svg.colors import Color
from vbench_env.svg.diff import EMPTY, NO_MASK, Mask, Pairs, aligned_pairs, same_ids
from vbench_env.svg.geometry import local_box
from vbench_env.svg.parse import Document, Node
from vbench_env.svg.references import Referring, href_target
from vbench_env.svg.resolve import Context, Own, Resolved, Value
from vbench_env.svg.schema import CONTAINERS, PRESENTATION, property_applies
from vbench_env.svg.values import Length

UNITLESS = 1e-6
"""Agreement of numbers that are no length: opacities, miter limits, and definitions in bounding-box units."""

DEFINITIONS = frozenset(
    {"linearGradient", "radialGradient", "pattern", "clipPath", "mask", "filter", "marker", "symbol"}
)


@lru_cache(maxsize=256)
def applicable(tag: str) -> tuple[str, ...]:
    """Inherited presentation properties that an element itself shows (its descendants aside)."""
    if tag in CONTAINERS or tag == "use":
        return ()
    return tuple(
        name for name, info in PRESENTATION.items() if info.inherited and property_applies(name, tag)
    )


_WHOLE_TEXT = ("text-anchor", "direction", "writing-mode")


def shown_properties(node: Node) -> tuple[str, ...]:
    """`applicable`, less what characters show where an element has none of its own."""
    if node.tag in ("text", "tspan", "textPath") and node.children:
        own = node.text + "".join(child.tail for child in node.children)
        if not own.strip(" \t\r\n"):
            return _WHOLE_TEXT
    return applicable(node.tag)


class ResolvedView:
    """Compares elements of a target and a candidate.

    Args:
        target: the resolved target.
        candidate: the resolved candidate.
        names: candidate ids that differ, mapped to the target's.
        tolerance: agreement of drawn numbers, in the root's user units.
        collapsed: compare character data with all white space collapsed.
        metadata: False leaves titles, descriptions and metadata out.
    """

    def __init__(
        self,
        target: Resolved,
        candidate: Resolved,
        names: Mapping[str, str],
        tolerance: float,
        *,
        collapsed: bool = False,
        metadata: bool = True,
    ) -> None:
        self.target, self.candidate = target, candidate
        self.names = names
        self.tolerance = tolerance
        self.collapsed = collapsed
        self.metadata = metadata
        self.soft = False

    def same(self, target: Node, candidate: Node, masked: frozenset[str]) -> bool:
        ours, theirs = self.target.owns[target], self.candidate.owns[candidate]
        if ours is not theirs or self.names:
            if target.shape is not candidate.shape or ours is not theirs:
                self.soft = True
            if target.tag != candidate.tag or ("id" in target.attrs) != ("id" in candidate.attrs):
                return False
            if next(self._property_differences(target, candidate, masked), None) is not None:
                return False
        elif target.shape is not candidate.shape:
            self.soft = True
            if target.tag != candidate.tag or ("id" in target.attrs) != ("id" in candidate.attrs):
                return False
        if target.text == candidate.text and target.tail == candidate.tail and target.tag != "style":
            return True
        return "text" in masked or self._same_text(target, candidate)

    def certain(self, target: Node, candidate: Node) -> bool:
        """Whether two childless elements agree letter for letter and inherit the same."""
        return (
            target.shape is candidate.shape
            and self.target.owns[target] is self.candidate.owns[candidate]
            and not (target.children or candidate.children or self.names)
            and target.text == candidate.text
            and target.tail == candidate.tail
        )

    def doubtful(self, pairs: Pairs) -> list[tuple[Node, Node]]:
        if self.names or self.target.sheets.styles:
            return pairs.every
        ours, theirs = self.target.owns, self.candidate.owns
        inherited = [
            (t, c) for t, c in pairs.every if t.shape is c.shape and ours[t].context is not theirs[c].context
        ]
        return [*pairs.differing, *inherited]

    def differences(
        self, target: Node, candidate: Node, masked: frozenset[str] = EMPTY
    ) -> Iterator[Difference]:
        """Every way in which the candidate's element differs from the target's."""
        if target.tag != candidate.tag:
            yield Difference("element", target.tag, candidate.tag)
            return
        if ("id" in target.attrs) != ("id" in candidate.attrs):
            yield Difference("id", target.id, candidate.id)
        yield from self._property_differences(target, candidate, masked)
        if "text" not in masked and not self._same_text(target, candidate):
            yield Difference("text", _shown_text(target), _shown_text(candidate))

    def _property_differences(
        self, target: Node, candidate: Node, masked: frozenset[str]
    ) -> Iterator[Difference]:
        ours, theirs = self.target.owns[target], self.candidate.owns[candidate]
        for left, right in ((ours.plain, theirs.plain), (ours.properties, theirs.properties)):
            if left is right and not self.names:
                continue
            for name in left.keys() | right.keys():
                if name in masked:
                    continue
                a, b = left.get(name), right.get(name)
                if not self._same_value(name, a, b, target, candidate):
                    yield Difference(name, shown(a), shown(b))
        if ours.context is not theirs.context or self.names:
            yield from self._context_differences(target, candidate, ours, theirs, masked)

    def _context_differences(
        self, target: Node, candidate: Node, ours: Own, theirs: Own, masked: frozenset[str]
    ) -> Iterator[Difference]:
        for name in shown_properties(target):
            if name in masked:
                continue
            a, b = ours.context.values.get(name), theirs.context.values.get(name)
            if a == b and not self.names and a != "currentcolor":
                continue
            a, b = ours.context.get(name), theirs.context.get(name)
            a, b = _current(a, b, ours.context, theirs.context)
            if not self._same_value(name, a, b, target, candidate):
                yield Difference(name, shown(a), shown(b))

    def _same_value(self, name: str, a: Value, b: Value, target: Node, candidate: Node) -> bool:
        if self.names and type(b) is Referring:
            b = b.renamed(dict(self.names))
        if a == b:
            return True
        if a is None or b is None:
            a = _absent(name, target) if a is None else a
            b = _absent(name, candidate) if b is None else b
            if a is None or b is None or a == b:
                return bool(a == b)
        if type(a) is float and type(b) is float:
            return abs(a - b) <= (self._epsilon(target) if _is_length(name) else UNITLESS)
        if type(a) is Length and type(b) is Length:
            return a.unit == b.unit and abs(a.value - b.value) <= UNITLESS
        if type(a) is tuple and type(b) is tuple and a[0] == b[0] and len(a) == len(b):
            return self._same_list(name, a, b, target)
        return False

    def _same_list(self, name: str, a: tuple[Value, ...], b: tuple[Value, ...], target: Node) -> bool:
        if a[0] == "matrix":
            return self._same_matrix(name, a, b, target)
        if a[0] == "raw" or a[0] == "text":
            return False
        epsilon = UNITLESS if name in _UNITLESS_LISTS else self._epsilon(target)
        for x, y in zip(a, b, strict=True):
            if x != y and not (type(x) is float and type(y) is float and abs(x - y) <= epsilon):
                return False
        return True

    def _same_matrix(self, name: str, a: tuple[Value, ...], b: tuple[Value, ...], target: Node) -> bool:
        extent, epsilon = self._extent(target), self._epsilon(target.parent or target)
        if name != "transform" and target.attrs.get(_UNITS.get(target.tag, "")) != "userSpaceOnUse":
            extent, epsilon = 1.0, UNITLESS
        linear = max(abs(a[i] - b[i]) for i in (1, 2, 3, 4))
        moved: float = linear * extent + max(abs(a[5] - b[5]), abs(a[6] - b[6]))
        return moved <= epsilon

    def _extent(self, target: Node) -> float:
        box = local_box(target)
        fallback = self.tolerance * 1e6
        return max(map(abs, box)) if box is not None else fallback

    def _epsilon(self, node: Node) -> float:
        """The tolerance in the element's own units: what it is drawn at divides it."""
        scale = 1.0
        at: Node | None = node
        while at is not None:
            if at.tag in DEFINITIONS:
                return UNITLESS
            matrix = self.target.owns[at].plain.get("transform")
            if matrix is not None and matrix[0] == "matrix":
                scale *= max(abs(matrix[1]) + abs(matrix[3]), abs(matrix[2]) + abs(matrix[4]))
            at = at.parent
        return self.tolerance / scale if scale > 0 else self.tolerance

    def _same_text(self, target: Node, candidate: Node) -> bool:
        if target.tag == "style":
            return self._same_sheet(target, candidate)
        if not self.metadata and target.tag in ("title", "desc", "metadata"):
            return True
        if target.text == candidate.text and target.tail == candidate.tail:
            return True
        if self.collapsed:
            return (
                target.text.split() == candidate.text.split()
                and target.tail.split() == candidate.tail.split()
            )
        return svg_text.character_data(target) == svg_text.character_data(candidate)

    def _same_sheet(self, target: Node, candidate: Node) -> bool:
        if self.target.options.cascade == "none":
            return rename_style(candidate.text, self.names).split() == target.text.split()
        if target.text == candidate.text:
            return True
        ours = _literal_rules(self.target, target, {})
        return ours == _literal_rules(self.candidate, candidate, self.names)

    def same_instances(self, target: Node, candidate: Node, mask: Mask = NO_MASK) -> bool:
        """Whether what a pair of `use` elements draws inherits the same (a requested other link aside)."""
        seen: set[tuple[Node, Context, Context]] = set()
        stack = [
            (target, candidate, self.target.owns[target].context, self.candidate.owns[candidate].context)
        ]
        while stack:
            t, c, ours, theirs = stack.pop()
            t_used, c_used = _used(self.target.document, t), _used(self.candidate.document, c)
            if t_used is None or c_used is None or (t_used, ours, theirs) in seen:
                continue
            seen.add((t_used, ours, theirs))
            pairs = [(t_used, c_used, ours, theirs)]
            while pairs:
                a, b, left, right = pairs.pop()
                x, y = self.target.instance(a, left), self.candidate.instance(b, right)
                if next(self._context_differences(a, b, x, y, mask.names(a, b)), None) is not None:
                    return False
                if a.tag == "use" and "href" not in mask.names(a, b):
                    stack.append((a, b, x.context, y.context))
                pairs.extend(
                    (m, n, x.context, y.context) for m, n in zip(a.children, b.children, strict=False)
                )
        return True


def _used(document: Document, node: Node) -> Node | None:
    name = href_target(node)
    return document.by_id(name) if name else None


def _literal_rules(resolved: Resolved, style: Node, names: Mapping[str, str]) -> list[object]:
    sheets = resolved.sheets
    matched = sheets.matched_rules()
    first = 0
    for node, sheet in zip(sheets.css, sheets.sheets, strict=True):
        if node is style:
            rules = [r for i, r in enumerate(sheet.rules, first) if i not in matched]
            literal: list[object] = [_literal(rule, names) for rule in rules]
            return [*literal, *(rename_style(text, names) for text in sheet.opaque)]
        first += len(sheet.rules)
    return [" ".join(style.text.split())]


def _literal(rule: Rule, names: Mapping[str, str]) -> object:
    return rename_style(rule.selector, names), tuple(sorted(rule.declarations))


def _current(a: Value, b: Value, ours: Context, theirs: Context) -> tuple[Value, Value]:
    if a == b == "currentcolor":
        return ours.get("color"), theirs.get("color")
    if a == "currentcolor":
        a = ours.get("color")
    if b == "currentcolor":
        b = theirs.get("color")
    return a, b


_IDENTITY = ("matrix", 1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_UNITS = {
    "linearGradient": "gradientUnits",
    "radialGradient": "gradientUnits",
    "pattern": "patternUnits",
}
_UNITLESS_LISTS = frozenset({"values", "keyTimes", "keySplines", "kernelMatrix", "tableValues"})


def _absent(name: str, node: Node) -> Value:
    """What an attribute that is not there stands for in a comparison."""
    if name.endswith("ransform"):
        return _IDENTITY
    return None


def _is_length(name: str) -> bool:
    info = PRESENTATION.get(name)
    return info is None or info.kind in ("length", "lengths")


def shown(value: Value) -> str | None:
    """A value as a person would write it."""
    if value is None:
        return None
    if type(value) is Color:
        return value.hex
    if type(value) is float:
        return f"{value:g}"
    if type(value) is Length:
        return f"{value.value:g}{value.unit}"
    if type(value) is Referring:
        return "".join(a + b for a, b in zip(value.parts, (*value.ids, ""), strict=True))
    if type(value) is tuple:
        return " ".join(filter(None, map(shown, value[1:])))[:120]
    return str(value)


def _shown_text(node: Node) -> str:
    return " ".join((node.text + " " + node.tail).split())[:120]


class IdNames(NamedTuple):
    """A renaming of ids: candidate id to target id where they differ, and pairs that contradict it."""

    names: dict[str, str]
    conflicts: list[tuple[Node, Node]]


def bijection(target: Document, candidate: Document, mask: Mask) -> IdNames:
    """One consistent renaming over the aligned trees.

    A target id that was given up maps to a name that nothing has, so that a reference left behind differs.
    """
    if target.root is None or candidate.root is None or same_ids(target, candidate, mask):
        return IdNames({}, [])
    forward: dict[str, str] = {}
    back: dict[str, str] = {}
    conflicts: list[tuple[Node, Node]] = []
    changed = False
    for t, c in aligned_pairs(target.root, candidate.root, mask):
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
