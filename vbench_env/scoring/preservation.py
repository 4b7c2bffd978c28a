"""The preservation gate: is everything outside the requested repairs the same?

Both rule sets ask one question, `Comparison.same`, through a view: `TextView` compares elements by their
normalised text, `ResolvedView` by what they mean.
"""

from __future__ import annotations

from dataclasses import dataclass

from vbench_env.scoring.outcome import Located, apart
from vbench_env.scoring.problem import Problem
from vbench_env.scoring.repairs import counterpart, mask_of
from vbench_env.svg.canonical import TextView
from vbench_env.svg.compare import IdNames, ResolvedView, bijection
from vbench_env.svg.diff import Comparison, Mask, aligned_names, aligned_pairs, paired
from vbench_env.svg.parse import Document, Node
from vbench_env.svg.resolve import Resolved


@dataclass(slots=True)
class Preserved:
    """What the comparison of everything outside the repairs found."""

    same: bool
    source_same: bool
    target_match: bool
    changed: tuple[str, ...] = ()
    """Protected objects whose unmasked subtree differs."""


@dataclass(slots=True)
class Sides:
    """A candidate prepared for comparison with its problem."""

    problem: Problem
    candidate: Document
    resolved: Resolved | None
    mask: Mask
    ids: IdNames

    @property
    def root(self) -> Node:
        assert self.candidate.root is not None
        return self.candidate.root

    def view(self) -> TextView | ResolvedView:
        """The semantic view of the rule set."""
        problem, rules = self.problem, self.problem.rules
        if self.resolved is None or problem.resolved is None:
            return TextView(problem.form_options, self.ids.names)
        return ResolvedView(
            problem.resolved, self.resolved, self.ids.names, problem.drawn_tolerance, problem.scale,
            collapsed=rules.text_space == "collapsed", metadata=rules.metadata != "ignored",
        )  # fmt: skip


def renaming(problem: Problem, candidate: Document, mask: Mask, together: list[tuple[Node, Node]]) -> IdNames:
    """The ids that the rule set lets drop out; `together` are pairs that the mask took out of both trees."""
    kind = problem.rules.id_renaming
    pairs = bijection(problem.target, candidate, mask, together)
    if kind == "bijection":
        return pairs
    if kind == "aligned":
        return IdNames(dict(aligned_names(problem.target, candidate, mask)), [])
    assert candidate.root is not None
    changed = [(problem.root, candidate.root)] if pairs.names else []
    return IdNames({}, [*pairs.conflicts, *changed])


def preserve(
    problem: Problem, candidate: Document, resolved: Resolved | None, located: list[Located]
) -> Preserved:
    """Compare a readable candidate with the target, the requested repairs aside."""
    root = candidate.root
    assert root is not None
    mask = mask_of(located, transparent_groups=problem.rules.nesting == "plain-groups")
    together = apart(located)
    sides = Sides(problem, candidate, resolved, mask, renaming(problem, candidate, mask, together))
    target, whole = problem.target, paired(problem.target, candidate)
    pairs = paired(target, candidate, mask) if mask.removed else whole
    literal = TextView()
    target_match = Comparison(literal).same_documents(target, candidate, whole)
    source_same = target_match or Comparison(literal, mask).same_documents(target, candidate, pairs)
    view = sides.view()
    same = not sides.ids.conflicts and compare(view, sides).same_documents(target, candidate, pairs)
    if isinstance(view, ResolvedView):
        same = same and style_instructions(target) == style_instructions(candidate)
        same = same and all(compare(view, sides).same(t, c) for t, c in reordered(located))
    if same and isinstance(view, ResolvedView) and view.soft:
        same = instances_same(view, sides, reordered(located))
    changed = () if target_match else tuple(changed_objects(sides))
    return Preserved(same, source_same, target_match, changed)


def reordered(located: list[Located]) -> list[tuple[Node, Node]]:
    """Objects that were to change places: they leave both trees, but what they are must stay."""
    return apart(item for item in located if item.repair.property == "order")


def style_instructions(document: Document) -> list[str]:
    """The `xml-stylesheet` instructions of a document, white space collapsed."""
    return [" ".join(data.split()) for name, data in document.instructions if name == "xml-stylesheet"]


def compare(view: TextView | ResolvedView, sides: Sides, *, masked: bool = True) -> Comparison:
    """The comparison of the rule set."""
    loose = sides.problem.rules.order == "overlap"
    mask = sides.mask if masked else Mask(transparent_groups=sides.mask.transparent_groups)
    return Comparison(view, mask, loose_order=loose)


def instances_same(view: ResolvedView, sides: Sides, moved: list[tuple[Node, Node]]) -> bool:
    """Whether every pair of `use` elements draws what inherits the same, in what was to change places too."""
    return not any(node.tag == "use" for node in sides.candidate.nodes) or all(
        view.same_instances(t, c, sides.mask)
        for pair in [(sides.problem.root, sides.root), *moved]
        for t, c in aligned_pairs(*pair, sides.mask)
        if t.tag == "use"
    )


def changed_objects(sides: Sides) -> list[str]:
    """Protected objects of which the candidate's unmasked subtree differs from the target's, or is missing."""
    problem = sides.problem
    view = sides.view()
    if problem.rules.form == "text":
        names = dict(aligned_names(problem.target, sides.candidate))
        view = TextView(problem.form_options, names)
    comparison = compare(view, sides, masked=False)
    back = {ours: theirs for theirs, ours in sides.ids.names.items() if not ours.startswith("\0")}
    by_id, certain = sides.candidate.by_id, view.certain
    changed = []
    for name, target in problem.protected_nodes:
        if target is None:
            continue
        found = by_id(back.get(name, name) if problem.rules.form == "resolved" else name)
        found = found or counterpart(problem, sides.candidate, target)
        if found is None or not (certain(target, found) or comparison.same(target, found)):
            changed.append(name)
    return changed
