"""Sameness of two elements by what they mean, to the tolerance of drawn numbers.

Numbers agree within 1e-6 of the viewBox diagonal as drawn; colours after rounding to 8 bits; transforms by how
far they move what is drawn; inherited properties on the elements they apply to. `ResolvedView.same` answers
quickly, `ResolvedView.differences` says what differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from vbench_env.svg import text as svg_text
from vbench_env.svg.attributes import absent_value
from vbench_env.svg.canonical import Difference as Difference
from vbench_env.svg.canonical import rename_style
from vbench_env.svg.colors import Color
from vbench_env.svg.diff import EMPTY, NO_MASK, Mask, Pairs
from vbench_env.svg.drawn_scale import UNKNOWN, DrawnScale
from vbench_env.svg.geometry import local_box
from vbench_env.svg.parse import Document, Node
from vbench_env.svg.properties import initial
from vbench_env.svg.references import Referring, href_target
from vbench_env.svg.renaming import IdNames as IdNames
from vbench_env.svg.renaming import bijection as bijection
from vbench_env.svg.resolve import Context, Own, Resolved, Value
from vbench_env.svg.schema import (
    BOX_UNITS,
    CLIPPED,
    CONTAINERS,
    GRAPHICS,
    GROUPS,
    PRESENTATION,
    attribute_kind,
    property_applies,
)
from vbench_env.svg.sheet_text import literal_rules
from vbench_env.svg.transform import Matrix, Point
from vbench_env.svg.values import Length

UNITLESS = 1e-6
"""Agreement of numbers that are no length, and of lengths that are never drawn."""

_XHTML = "{http://www.w3.org/1999/xhtml}"
_COLORED = GRAPHICS | GROUPS["stop"] | GROUPS["flood"] | GROUPS["lighting"]
"""Elements on which `currentcolor` may be painted."""
_ON_HTML = frozenset({"text", "all"})


@lru_cache(maxsize=256)
def applicable(tag: str) -> tuple[str, ...]:
    """Inherited presentation properties that an element itself shows (its descendants aside)."""
    if tag in CONTAINERS or tag == "use":
        return ()
    if tag.startswith(_XHTML):
        return tuple(n for n, info in PRESENTATION.items() if info.inherited and info.applies_to & _ON_HTML)
    return tuple(
        name
        for name, info in PRESENTATION.items()
        if info.inherited and property_applies(name, tag) and (name != "color" or tag in _COLORED)
    )


_WHOLE_TEXT = ("text-anchor", "direction", "writing-mode")
_SHIFTS = ("baseline-shift", "alignment-baseline")


def shown_properties(node: Node) -> tuple[str, ...]:
    """`applicable`, less what characters show where an element has none of its own."""
    if node.tag in ("text", "tspan", "textPath") and node.children:
        own = node.text + "".join(child.tail for child in node.children)
        if not own.strip(" \t\r\n") and not any(_shifted(child) for child in node.children):
            return _WHOLE_TEXT
    return applicable(node.tag)


def _shifted(node: Node) -> bool:
    """Whether the element's place depends on its parent's font."""
    style = node.attrs.get("style", "")
    return "class" in node.attrs or any(name in node.attrs or name in style for name in _SHIFTS)


class ResolvedView:
    """Compares elements of a target and a candidate.

    Args:
        target: the resolved target.
        candidate: the resolved candidate.
        names: candidate ids that differ, mapped to the target's.
        tolerance: agreement of drawn numbers, in the root's user units.
        scale: how large the target's elements are drawn.
        collapsed: compare character data with all white space collapsed.
        metadata: False leaves titles, descriptions and metadata out.
    """

    def __init__(
        self,
        target: Resolved,
        candidate: Resolved,
        names: Mapping[str, str],
        tolerance: float,
        scale: DrawnScale | None = None,
        *,
        collapsed: bool = False,
        metadata: bool = True,
    ) -> None:
        self.target, self.candidate = target, candidate
        self.names = names
        self.tolerance = tolerance
        self.scale = scale or DrawnScale(target)
        self.collapsed = collapsed
        self.metadata = metadata
        self.soft = False
        self.conditional = target.sheets.conditional | candidate.sheets.conditional
        self._texts = svg_text.TextLayout(target), svg_text.TextLayout(candidate)

    def same(self, target: Node, candidate: Node, masked: frozenset[str]) -> bool:
        ours, theirs = self.target.owns[target], self.candidate.owns[candidate]
        if ours is not theirs or self.names:
            if target.shape is not candidate.shape or ours is not theirs:
                self.soft = True
            if target.tag != candidate.tag or ("id" in target.attrs) != ("id" in candidate.attrs):
                return False
            if next(self._property_differences(target, candidate, masked), None) is not None:
                return False
            if self.conditional and not self._same_origins(target, candidate, masked):
                return False
        if target.text == candidate.text and target.tail == candidate.tail and target.tag != "style":
            return True
        return self._same_text(target, candidate, masked)

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
        if self.conditional:
            yield from self._origin_differences(target, candidate, masked)
        if not self._same_text(target, candidate, masked):
            yield Difference("text", _shown_text(target), _shown_text(candidate))

    def _same_origins(self, target: Node, candidate: Node, masked: frozenset[str]) -> bool:
        return next(self._origin_differences(target, candidate, masked), None) is None

    def _origin_differences(
        self, target: Node, candidate: Node, masked: frozenset[str]
    ) -> Iterator[Difference]:
        """Properties that something which cannot be evaluated may set too, and that are set elsewhere."""
        if target.shape is candidate.shape:
            return
        ours, theirs = self.target.origins(target), self.candidate.origins(candidate)
        for name in sorted(self.conditional - masked):
            if ours.get(name) != theirs.get(name):
                yield Difference(name, f"set by {ours.get(name)}", f"set by {theirs.get(name)}")

    def _property_differences(
        self, target: Node, candidate: Node, masked: frozenset[str]
    ) -> Iterator[Difference]:
        ours, theirs = self.target.owns[target], self.candidate.owns[candidate]
        for left, right in ((ours.plain, theirs.plain), (ours.properties, theirs.properties)):
            if left is right and not self.names:
                continue
            for name in sorted(left.keys() | right.keys()):
                if name in masked:
                    continue
                a, b = left.get(name), right.get(name)
                if a == "currentcolor" or b == "currentcolor":
                    a, b = currents(a, b, ours.context, theirs.context)
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
            a, b = currents(a, b, ours.context, theirs.context)
            if not self._same_value(name, a, b, target, candidate):
                yield Difference(name, shown(a), shown(b))

    def _same_value(self, name: str, a: Value, b: Value, target: Node, candidate: Node) -> bool:
        if self.names and type(b) is Referring:
            b = b.renamed(self.names)
        if a == b:
            return True
        if a is None or b is None or a == "inherit" or b == "inherit":
            a = stands_for(self.target, target, name, a)
            b = stands_for(self.candidate, candidate, name, b)
            if a is None or b is None or a == b:
                return bool(a == b)
        if type(a) is float and type(b) is float:
            return abs(a - b) <= self._epsilon(name, target)
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
        epsilon = self._epsilon(name, target)
        for x, y in zip(a, b, strict=True):
            if x != y and not (type(x) is float and type(y) is float and abs(x - y) <= epsilon):
                return False
        return True

    def _same_matrix(self, name: str, a: tuple[Value, ...], b: tuple[Value, ...], target: Node) -> bool:
        frame = self.scale.frame(target)
        moved = Matrix(*a[1:]).displacement(Matrix(*b[1:]), self._corners(name, target))
        return moved <= UNITLESS if frame == UNKNOWN else moved * frame <= self.tolerance

    def _corners(self, name: str, target: Node) -> list[Point]:
        """Corners of what a transform moves; of the whole drawing where that cannot be measured."""
        units = BOX_UNITS.get(target.tag)
        if name != "transform" and units and target.attrs.get(units) != "userSpaceOnUse":
            return [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
        box = local_box(target)
        if box is not None and not box.empty:
            return list(box.corners)
        scale = self.scale.own(target)
        reach = self.tolerance * 1e6 / scale if scale > 0 else 1.0
        return [(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)]

    def _epsilon(self, name: str, target: Node) -> float:
        """Agreement of two numbers of a property: lengths by how large they are drawn."""
        kind = attribute_kind(target.tag, name)
        if kind not in _DRAWN_KINDS:
            return UNITLESS
        scale = self.scale.inner(target) if kind == "viewbox" and target.parent else self.scale.own(target)
        return self.tolerance / scale if scale > 0 else UNITLESS

    def _same_text(self, target: Node, candidate: Node, masked: frozenset[str]) -> bool:
        if target.tag == "style":
            return self._same_sheet(target, candidate)
        if not self.metadata and target.tag in ("title", "desc", "metadata"):
            return True
        free = "text" in masked
        if (free or target.text == candidate.text) and (target.tail == candidate.tail or TAIL in masked):
            return True
        if self.collapsed:
            ours, theirs = map(_collapsed, (target, candidate))
        else:
            ours = self._texts[0].character_data(target)
            theirs = self._texts[1].character_data(candidate)
        return (free or ours[0] == theirs[0]) and (TAIL in masked or ours[1] == theirs[1])

    def _same_sheet(self, target: Node, candidate: Node) -> bool:
        if self.target.options.cascade == "none":
            return rename_style(candidate.text, self.names).split() == target.text.split()
        if target.text == candidate.text and not self.names:
            return True
        ours = literal_rules(self.target, target, {})
        return ours == literal_rules(self.candidate, candidate, self.names)

    def same_instances(self, target: Node, candidate: Node, mask: Mask = NO_MASK) -> bool:
        """Whether what a pair of `use` elements draws inherits the same.

        Of elements whose link is requested, the inherited values themselves have to agree.
        """
        ours, theirs = self.target.owns[target].context, self.candidate.owns[candidate].context
        if "href" in mask.names(target, candidate):
            return self._same_context(target, candidate, ours, theirs)
        seen: set[tuple[Node, Context, Context]] = set()
        stack = [(target, candidate, ours, theirs)]
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
                if a.tag == "use" and "href" in mask.names(a, b):
                    if not self._same_context(a, b, x.context, y.context):
                        return False
                elif a.tag == "use":
                    stack.append((a, b, x.context, y.context))
                pairs.extend(
                    (m, n, x.context, y.context) for m, n in zip(a.children, b.children, strict=False)
                )
        return True

    def _same_context(self, target: Node, candidate: Node, ours: Context, theirs: Context) -> bool:
        """Whether two elements hand on the same inherited values."""
        for name in ours.values.keys() | theirs.values.keys():
            a, b = currents(ours.get(name), theirs.get(name), ours, theirs)
            if not self._same_value(name, a, b, target, candidate):
                return False
        return True


def _collapsed(node: Node) -> tuple[str, str]:
    return " ".join(node.text.split()), " ".join(node.tail.split())


def _used(document: Document, node: Node) -> Node | None:
    name = href_target(node)
    return document.by_id(name) if name else None


def currents(a: Value, b: Value, ours: Context, theirs: Context) -> tuple[Value, Value]:
    """Two values with `currentcolor` as the colour that it stands for in each context."""
    if a == b == "currentcolor":
        return ours.get("color"), theirs.get("color")
    if a == "currentcolor":
        a = ours.get("color")
    if b == "currentcolor":
        b = theirs.get("color")
    return a, b


_IDENTITY = ("matrix", 1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
TAIL = "text after"
"""Masks the characters that follow an element inside its parent."""
_DRAWN_KINDS = frozenset({
    "length", "length-x", "length-y", "length-diagonal", "lengths", "dashes", "font-size", "spacing", "points",
    "path", "viewbox",
})  # fmt: skip


def stands_for(resolved: Resolved, node: Node, name: str, value: Value) -> Value:
    """A value, or what its absence or `inherit` stands for; None where it stands for nothing."""
    if value == "inherit":
        at = node.parent
        while at is not None:
            value = resolved.own(at).properties.get(name)
            if value != "inherit":
                return initial(name) if value is None else value
            at = at.parent
        return initial(name)
    if value is not None or resolved.options.defaults == "explicit":
        return value
    if name == "transform":
        return _IDENTITY
    own = resolved.own(node)
    if name not in PRESENTATION or name in own.plain:
        return absent_value(node.shape, name, own.plain)
    if name == "overflow":
        return (
            "hidden" if node.tag in CLIPPED or (node.tag == "svg" and node.parent is not None) else "visible"
        )
    return initial(name)


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
