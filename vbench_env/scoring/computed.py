"""Checks of requested repairs on what the drawing means: computed values, placement, shape, order, reference.

`measure_all` resolves the candidate, checks each located repair and says what the mask frees for it: never more
than the repair needs. Where descendants inherit a repaired property, the candidate is resolved again with the
target's value in its place, so that what was requested is not held against them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vbench_env.scoring import insertion, placement, shape, transforms
from vbench_env.scoring.accepted import accepted, given_value
from vbench_env.scoring.likeness import Likeness
from vbench_env.scoring.limits import limit_of
from vbench_env.scoring.outcome import Located, Outcome, apart, exact
from vbench_env.scoring.problem import Problem
from vbench_env.scoring.repairs import check_stored, mask_of
from vbench_env.scoring.tolerance import family, progress
from vbench_env.svg import text as svg_text
from vbench_env.svg.attributes import absent_value
from vbench_env.svg.colors import Color, delta_e76
from vbench_env.svg.compare import TAIL, bijection, shown
from vbench_env.svg.diff import aligned_pairs
from vbench_env.svg.parse import Document, Node
from vbench_env.svg.references import Referring
from vbench_env.svg.resolve import Resolved, Value, fallback_name, initial
from vbench_env.svg.schema import ANIMATIONS, DESCRIPTIVE, PRESENTATION, attribute_kind
from vbench_env.svg.values import Length

_GROUPS = frozenset({"g", "a"})
_UNPAINTED = DESCRIPTIVE | ANIMATIONS | {"style", "script", "defs"}
ALPHA_STEPS = 8
"""Steps of 255 by which the alpha of a repaired colour may differ."""


def measure_all(problem: Problem, candidate: Document, located: list[Located]) -> Resolved:
    """Check every located repair; returns the resolved candidate, masked inheritance applied."""
    assert problem.resolved is not None and candidate.root is not None
    space = problem.space.overlay()
    resolved = Resolved(candidate, problem.resolve_options, space)
    texts = svg_text.TextLayout(resolved)
    first = bijection(problem.target, candidate, mask_of(located), apart(located)).names if located else {}
    structural = [item for item in located if item.repair.property in ("exists", "order")]
    taken: set[Node] = {item.target for item in structural if item.target is not None}
    for item in structural:
        insertion.locate_structure(problem, candidate, Likeness(problem, resolved, first, texts), item, taken)
        taken.update(item.removed)
    names = bijection(problem.target, candidate, mask_of(located), apart(located)).names if located else {}
    for item in located:
        if item.repair.property in ("exists", "order"):
            insertion.check(problem, Likeness(problem, resolved, names, texts), item)
        else:
            _Check(problem, resolved, names, texts, item).run()
    overrides = {
        item.candidate: item.overrides for item in located if item.overrides and item.candidate is not None
    }
    if not overrides:
        return resolved
    return Resolved(candidate, problem.resolve_options, space, overrides, resolved.sheets)


class _Check:
    """One repair of a property."""

    def __init__(
        self, problem: Problem, resolved: Resolved, names: Mapping[str, str], texts: svg_text.TextLayout,
        item: Located,
    ) -> None:  # fmt: skip
        self.problem, self.resolved, self.names, self.texts, self.item = problem, resolved, names, texts, item
        self.name = item.repair.property

    def run(self) -> None:
        item, name = self.item, self.name
        if item.target is None or item.candidate is None:
            item.outcome = exact(False, target=item.repair.target, corrupted=item.repair.corrupted)
            return
        item.masked = frozenset({name})
        if name == "text":
            item.outcome = self._text(item.target, item.candidate)
        elif self.problem.rules.reading == "stored":
            item.outcome = check_stored(self.problem, item)
        elif name in transforms.WHOLE:
            item.outcome = transforms.check_transform(self.problem, self.resolved, item)
        elif name in PRESENTATION:
            self._property(item.target, item.candidate)
        else:
            item.outcome = self._attribute(item.target, item.candidate)
        if not item.outcome.passed and item.repair.accept:
            item.outcome = self._accepted(item.target, item.candidate)

    def _accepted(self, target: Node, candidate: Node) -> Outcome:
        """The outcome when the task accepts more than its target."""
        repair, outcome = self.item.repair, self.item.outcome
        outcome = accepted(repair, target.tag, outcome, outcome.found, outcome.target)
        if outcome.passed or self.name == "text" or self.problem.rules.reading == "stored":
            return outcome
        found, wanted = self._values(target, candidate)
        if self.name in placement.POSITIONS and self.problem.rules.mask == "component":
            found = placement.effective(self.problem, self.resolved, self.item, found)[0]
        return accepted(repair, target.tag, outcome, found, wanted)

    def _values(self, target: Node, candidate: Node) -> tuple[Value, Value]:
        """The candidate's value of the repaired property and the target's, in normal form."""
        assert self.problem.resolved is not None
        read = computed_property if self.name in PRESENTATION else plain_value
        found, wanted = (
            read(self.resolved, candidate, self.name),
            read(self.problem.resolved, target, self.name),
        )
        return _number(found, self.name, self.problem), _number(wanted, self.name, self.problem)

    def _text(self, target: Node, candidate: Node) -> Outcome:
        assert self.problem.texts is not None
        ours, theirs = self.problem.texts.pieces(target), self.texts.pieces(candidate)
        wanted, found = "".join(ours), "".join(theirs)
        same = ours == theirs if len(ours) == len(theirs) else wanted == found
        inner = [pair for pair in aligned_pairs(target, candidate) if pair[0] is not target]
        self.item.inside = tuple((t, c, frozenset({"text", TAIL})) for t, c in inner)
        before = self.item.repair.corrupted
        return exact(same, comparison="text", corrupted=before, target=wanted, found=found)

    def _property(self, target: Node, candidate: Node) -> None:
        assert self.problem.resolved is not None
        item, name = self.item, self.name
        wanted = computed_property(self.problem.resolved, target, name)
        found = computed_property(self.resolved, candidate, name)
        before = self._before(name, target)
        item.outcome = self._measure(name, before, wanted, found)
        item.masked = item.masked | {fallback_name(name)}
        if not item.outcome.passed and target.tag in _GROUPS and PRESENTATION[name].inherited:
            item.outcome = self._handed_on(target, candidate, before) or item.outcome
        passed_on = candidate.children or candidate.tag == "use" or name in ("font-size", "color")
        if PRESENTATION[name].inherited and passed_on:
            item.overrides = {name: _declared(self.problem.resolved, target, name)}

    def _handed_on(self, target: Node, candidate: Node, before: Value) -> Outcome | None:
        """The worst outcome among the heirs of a group's property, where all have it by themselves; else None.

        A group paints nothing: what its children inherit may as well stand on each of them, right or as it was.
        """
        ours, name = self.problem.resolved, self.name
        assert ours is not None
        pairs = list(zip(target.children, candidate.children, strict=False))
        if len(target.children) != len(candidate.children) or any(t.tag != c.tag for t, c in pairs):
            return None
        heirs = [(t, c) for t, c in pairs if t.tag not in _UNPAINTED and name not in ours.origins(t)]
        values = [
            (computed_property(ours, t, name), computed_property(self.resolved, c, name)) for t, c in heirs
        ]
        if all(found == before for _, found in values):
            self.item.inside = tuple((t, c, frozenset({name})) for t, c in heirs)
            return None
        outcomes = [self._measure(name, before, wanted, found) for wanted, found in values]
        if not all(outcome.passed for outcome in outcomes):
            return None
        return max(outcomes, key=lambda outcome: outcome.distance or 0.0)

    def _attribute(self, target: Node, candidate: Node) -> Outcome:
        assert self.problem.resolved is not None
        item, name = self.item, self.name
        if _voided(self.problem.resolved, target, self.resolved, candidate, name):
            return exact(False, target=target.attrs.get(name), found=candidate.attrs.get(name))
        ours = plain_value(self.problem.resolved, target, name)
        theirs = plain_value(self.resolved, candidate, name)
        before = self._before(name, target)
        if name == "d":
            return shape.check_path(self.problem, self.resolved, item, before)
        if name in placement.POSITIONS and self.problem.rules.mask == "component":
            theirs, freed = placement.effective(self.problem, self.resolved, item, theirs)
            if freed:
                item.masked = item.masked | {"transform"}
        return self._measure(
            name, before, _number(ours, name, self.problem), _number(theirs, name, self.problem)
        )

    def _before(self, name: str, target: Node) -> Value:
        """The corrupted value: of the corrupted drawing's object, else as the repair tells it."""
        problem, repair = self.problem, self.item.repair
        start = problem.start_of(repair.object, target)
        if start is not None and problem.resolved_start is not None:
            if name in PRESENTATION:
                return computed_property(problem.resolved_start, start, name)
            return plain_value(problem.resolved_start, start, name)
        return given_value(target.tag, name, repair.corrupted)

    def _measure(self, name: str, before: Value, wanted: Value, found: Value) -> Outcome:
        values = {"corrupted": shown(before), "target": shown(wanted), "found": shown(found)}
        if type(wanted) is Color and type(found) is Color:
            return self._color(before, wanted, found, values)
        if type(wanted) is float and type(found) is float:
            delta = abs(before - wanted) if type(before) is float else None
            return self._within(name, abs(found - wanted), delta, "number", values, target=wanted)
        if _is_list(wanted) and _is_list(found) and len(wanted) == len(found):
            delta = _rms(before, wanted) if _is_list(before) and len(before) == len(wanted) else None
            mean = sum(map(abs, wanted[1:])) / (len(wanted) - 1)
            return self._within(name, _rms(found, wanted), delta, "points", values, target=mean)
        if type(found) is Referring:
            found = found.renamed(self.names)
        same = wanted == found
        comparison = "reference" if type(wanted) is Referring else "exact"
        return exact(same, comparison=comparison, **values)

    def _color(self, before: Value, wanted: Color, found: Color, values: dict[str, Any]) -> Outcome:
        delta = delta_e76(before.rgb, wanted.rgb) if type(before) is Color else None
        outcome = self._within(self.name, delta_e76(found.rgb, wanted.rgb), delta, "color", values)
        if abs(wanted.alpha - found.alpha) <= ALPHA_STEPS or not outcome.passed:
            return outcome
        return exact(False, comparison="color", **values)

    def _within(
        self, name: str, distance: float, delta: float | None, comparison: str, values: dict[str, Any],
        *, target: float | None = None,
    ) -> Outcome:  # fmt: skip
        limit = limit_of(self.problem, name, delta, target, self.item.target)
        passed = distance <= limit + 1e-9
        gained = float(passed) if delta is None else progress(distance, delta)
        unit = family(name, self.problem.rules.tolerances).unit
        return Outcome(passed, distance, limit, delta, gained, comparison, unit, **values)


def computed_property(resolved: Resolved, node: Node, name: str) -> Value:
    """The computed value of a presentation property, `currentcolor` resolved."""
    own = resolved.own(node)
    if name in own.properties:
        value = own.properties[name]
    else:
        value = own.context.get(name) if PRESENTATION[name].inherited else initial(name)
    if value == "currentcolor":
        return own.context.get("color")
    if name == "font-size" and value == "medium":
        return 16.0
    return value


def _declared(resolved: Resolved, node: Node, name: str) -> Value | None:
    own, parent = resolved.own(node), node.parent
    value = own.context.get(name)
    if parent is not None and resolved.own(parent).context.get(name) == value:
        return None
    return value


def plain_value(resolved: Resolved, node: Node, name: str) -> Value:
    """The normal value of an attribute, its initial value where it is absent."""
    plain = resolved.own(node).plain
    value = plain.get(name)
    return absent_value(node.shape, name, plain) if value is None else value


def _voided(ours: Resolved, target: Node, theirs: Resolved, candidate: Node, name: str) -> bool:
    """Whether a declaration in `style` overrides the attribute where SVG 2 engines read it."""
    key = f"css:{name}"
    return ours.own(target).properties.get(key) != theirs.own(candidate).properties.get(key)


def _number(value: Value, name: str, problem: Problem) -> Value:
    if type(value) is Length and value.unit == "%":
        kind = attribute_kind("rect", name)
        base = problem.width if kind == "length-x" else problem.height if kind == "length-y" else None
        return value.value / 100 * base if base is not None else value
    return value


def _is_list(value: Value) -> bool:
    return (
        type(value) is tuple
        and len(value) > 1
        and value[0] == "list"
        and all(type(part) is float for part in value[1:])
    )


def _rms(a: Value, b: Value) -> float:
    pairs = list(zip(a[1:], b[1:], strict=True))
    return float((sum((x - y) ** 2 for x, y in pairs) / len(pairs)) ** 0.5)
