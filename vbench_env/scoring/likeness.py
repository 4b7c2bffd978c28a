"""How like a candidate's object is to one of the target's, as computed, in units of the tolerances.

The ratio of two objects is the largest distance over tolerance (with no corrupted value known) of anything that
they mean; None where something differs that has no distance: element names, text, references, keywords.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vbench_env.scoring.limits import limit_of
from vbench_env.scoring.placement import (
    corners_of,
    displacement,
    linear_noise,
    matrix_of,
    placing,
    reach_of,
    step_of,
)
from vbench_env.scoring.problem import Problem
from vbench_env.scoring.shape import path_ratio
from vbench_env.svg.colors import Color, delta_e76
from vbench_env.svg.compare import currents, shown_properties, stands_for
from vbench_env.svg.parse import Node
from vbench_env.svg.references import Referring
from vbench_env.svg.resolve import Resolved, Value
from vbench_env.svg.text import TextLayout
from vbench_env.svg.transform import Matrix

ALPHA_CAP = 0.12
"""How far the alpha of a colour may be off, as an opacity."""
_WHOLE_NUMBERS = frozenset({"font-weight", "numOctaves", "targetX", "targetY"})


@dataclass(frozen=True, slots=True)
class Likeness:
    """Compares objects of a problem's target with objects of one candidate.

    Attributes:
        problem: the target's side.
        resolved: the candidate.
        names: candidate ids that differ, mapped to the target's.
        texts: the candidate's characters.
    """

    problem: Problem
    resolved: Resolved
    names: Mapping[str, str]
    texts: TextLayout

    def ratio(self, target: Node, found: Node) -> float | None:
        """The largest ratio in two subtrees; None where something exact differs."""
        return self._ratio(target, found, self._with_own_ids(target, found), True)

    def _with_own_ids(self, target: Node, found: Node) -> Mapping[str, str]:
        """The renaming, with ids inside the subtrees paired by place."""
        pairs = zip(target.iter(), found.iter(), strict=False)
        inner = {c.attrs["id"]: t.attrs["id"] for t, c in pairs if "id" in c.attrs and "id" in t.attrs}
        return {**self.names, **inner}

    def _ratio(self, target: Node, found: Node, names: Mapping[str, str], top: bool) -> float | None:
        if target.tag != found.tag or len(target.children) != len(found.children):
            return None
        assert self.problem.texts is not None
        ours, theirs = self.problem.texts.character_data(target), self.texts.character_data(found)
        if ours[0] != theirs[0] or not (top or ours[1] == theirs[1]):
            return None
        worst = self._own_ratio(target, found, names)
        for left, right in zip(target.children, found.children, strict=True):
            inner = self._ratio(left, right, names, False) if worst is not None else None
            worst = None if inner is None or worst is None else max(worst, inner)
        return worst

    def _own_ratio(self, target: Node, found: Node, names: Mapping[str, str]) -> float | None:
        worst = 0.0
        for name, a, b in self._values(target, found):
            if type(b) is Referring:
                b = b.renamed(names)
            ratio = 0.0 if a == b else self._value_ratio(name, a, b, target, found)
            if ratio is None:
                return None
            worst = max(worst, ratio)
        return worst

    def _values(self, target: Node, found: Node) -> Iterator[tuple[str, Value, Value]]:
        """Everything that two elements mean in themselves, `aria-*` aside."""
        assert self.problem.resolved is not None
        ours, theirs = self.problem.resolved.own(target), self.resolved.own(found)
        placed = self._placed(target, found)
        for left, right in ((ours.plain, theirs.plain), (ours.properties, theirs.properties)):
            for name in left.keys() | right.keys() | placed.keys():
                if name.startswith("aria-") or (left is ours.properties and name in placed):
                    continue
                a, b = currents(left.get(name), right.get(name), ours.context, theirs.context)
                a = stands_for(self.problem.resolved, target, name, a)
                b = placed[name] if name in placed else stands_for(self.resolved, found, name, b)
                yield name, a, b
        inherited = (
            ours.context.values.keys() | theirs.context.values.keys()
            if target.tag == "use"
            else shown_properties(target)
        )
        for name in inherited:
            a, b = currents(ours.context.get(name), theirs.context.get(name), ours.context, theirs.context)
            yield name, a, b

    def _placed(self, target: Node, found: Node) -> dict[str, Value]:
        """Where the candidate's object is, with what its `transform` moves beyond the target's, and the rest of it.

        A transform that all but moves is all but a move: both change without a jump.
        """
        problem, resolved = self.problem, self.resolved
        assert problem.resolved is not None
        step = step_of(problem, resolved, target, found)
        if step is None:
            return {}
        moved: dict[str, Value] = {}
        for names in zip(*placing(target.tag), strict=True):
            x, y = (_attribute(resolved, found, name) for name in names)
            if type(x) is not float or type(y) is not float:
                return {}
            moved.update(zip(names, step.apply(x, y), strict=True))
        x, y = (_attribute(problem.resolved, target, names[0]) for names in placing(target.tag))
        if type(x) is not float or type(y) is not float:
            return {}
        about = Matrix(e=x, f=y) @ step._replace(e=0.0, f=0.0) @ Matrix(e=-x, f=-y)
        placed = matrix_of(problem.resolved, target)
        gap = placed.linear_gap(placed @ about) * reach_of(corners_of(problem, target))
        rest = placed if gap <= linear_noise(problem, target) else placed @ about
        return {**moved, "transform": ("matrix", *rest)}

    def _value_ratio(self, name: str, a: Value, b: Value, target: Node, found: Node) -> float | None:
        """Distance over tolerance of two values that differ; None where they have no distance."""
        if type(a) is Color and type(b) is Color:
            alpha = abs(a.alpha - b.alpha) / 255 / ALPHA_CAP
            return max(delta_e76(a.rgb, b.rgb) / limit_of(self.problem, name, None), alpha)
        if type(a) is float and type(b) is float:
            exact = name in _WHOLE_NUMBERS
            return None if exact else _over(abs(a - b), limit_of(self.problem, name, None, a, target))
        if type(a) is Referring or type(b) is Referring or type(a) is not tuple or type(b) is not tuple:
            return None
        if name == "d" and a[0] == b[0] == "path":
            return path_ratio(self.problem, self.resolved, target, found)
        if a[0] == b[0] == "matrix":
            moved = displacement(Matrix(*a[1:]), Matrix(*b[1:]), corners_of(self.problem, target))
            return _over(moved, limit_of(self.problem, "transform", None, None, target))
        return self._list_ratio(name, a, b, target)

    def _list_ratio(self, name: str, a: Value, b: Value, target: Node) -> float | None:
        if not (a[0] == b[0] == "list" and len(a) == len(b) > 1):
            return None
        if not all(type(x) is float for x in (*a[1:], *b[1:])):
            return None
        rms = math.dist(a[1:], b[1:]) / math.sqrt(len(a) - 1)
        mean = sum(map(abs, a[1:])) / (len(a) - 1)
        return _over(rms, limit_of(self.problem, name, None, mean, target))


def _attribute(resolved: Resolved, node: Node, name: str) -> Value:
    return stands_for(resolved, node, name, resolved.own(node).plain.get(name))


def _over(distance: float, limit: float) -> float:
    return distance / limit if limit > 0 else math.inf
