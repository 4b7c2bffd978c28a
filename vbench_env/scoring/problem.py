"""What a candidate is judged against: the task's own side, prepared once per task and rule set."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from vbench_env.errors import TaskError
from vbench_env.scoring.grammar import Key
from vbench_env.scoring.rules import Rules
from vbench_env.scoring.validity import fault_keys
from vbench_env.svg.canonical import FormOptions
from vbench_env.svg.diff import by_place as place
from vbench_env.svg.drawn_scale import DrawnScale
from vbench_env.svg.geometry import Box, painted_box, viewport
from vbench_env.svg.paint_extent import computed_painting
from vbench_env.svg.parse import Document, Node, ShapePool, parse
from vbench_env.svg.resolve import Resolved, ResolveOptions, Space
from vbench_env.svg.text import TextLayout
from vbench_env.task import Repair


@dataclass(slots=True)
class Problem:
    """A target, the corrupted start, the requested repairs and the protected objects, under one rule set.

    `width` and `height` are the target's viewBox size, else its width and height, else 100, in user units.
    """

    target_svg: str | bytes
    corrupted_svg: str | bytes | None
    repairs: tuple[Repair, ...]
    protected: tuple[str, ...]
    rules: Rules
    freed: frozenset[str] = frozenset()
    """Attributes that repaired objects may have otherwise, whatever they were to change."""
    pool: ShapePool = field(init=False)
    space: Space = field(default_factory=Space)
    baselines: dict[tuple[str, str], float] = field(default_factory=dict)
    boxes: dict[Node, Box | None] = field(default_factory=dict)
    target: Document = field(init=False)
    corrupted: Document | None = field(init=False, default=None)
    width: float = field(init=False)
    height: float = field(init=False)
    baseline: Counter[Key] = field(init=False)
    resolved: Resolved | None = field(init=False, default=None)
    resolved_start: Resolved | None = field(init=False, default=None)
    scale: DrawnScale | None = field(init=False, default=None)
    texts: TextLayout | None = field(init=False, default=None)
    protected_nodes: tuple[tuple[str, Node | None], ...] = field(init=False)

    def __post_init__(self) -> None:
        self.pool = ShapePool(local_names=self.rules.attribute_names == "local")
        self.target = parse(self.target_svg, self.rules.limits, self.pool, keep=True)
        if self.target.root is None:
            raise TaskError(f"the target cannot be read: {self.target.faults[0].message}")
        if self.corrupted_svg is not None:
            self.corrupted = parse(self.corrupted_svg, self.rules.limits, self.pool, keep=True)
            if self.corrupted.root is None:
                self.corrupted = None
        self.width, self.height = viewport(self.target.root)
        source = self.corrupted if self.corrupted is not None else self.target
        self.baseline = fault_keys(source, self.rules)
        if self.rules.form == "resolved":
            self.resolved = Resolved(self.target, self.resolve_options, self.space)
            self.scale, self.texts = DrawnScale(self.resolved), TextLayout(self.resolved)
            if self.corrupted is not None:
                self.resolved_start = Resolved(self.corrupted, self.resolve_options, self.space)
        self.protected_nodes = tuple((name, find(self.target, name)) for name in self.protected)

    def protect_all(self) -> None:
        """Protect every element with an id outside the repairs."""
        requested = {repair.object for repair in self.repairs}
        names = tuple(name for name in self.target.ids if name and name not in requested)
        self.protected = names
        self.protected_nodes = tuple((name, self.target.by_id(name)) for name in names)

    def box(self, node: Node) -> Box | None:
        """The box that a target element may paint, among its siblings; None where it cannot be measured."""
        if node not in self.boxes:
            style = computed_painting(self.resolved) if self.resolved is not None else None
            self.boxes[node] = painted_box(node, style)
        return self.boxes[node]

    def start_of(self, name: str, target: Node | None) -> Node | None:
        """An object in the corrupted drawing: by id, else at the target's place; None without such a drawing."""
        if self.corrupted is None or self.corrupted.root is None:
            return None
        if target is None:
            return find(self.corrupted, name)
        found = self.corrupted.by_id(target.id) if target.id else None
        return found or place(self.corrupted.root, target, self.root)

    @property
    def longest(self) -> int:
        """Characters that a candidate may have."""
        own = max(len(self.target_svg), len(self.corrupted_svg or ""))
        return 10 * own + self.rules.limits.growth

    @property
    def root(self) -> Node:
        assert self.target.root is not None
        return self.target.root

    @property
    def drawn_tolerance(self) -> float:
        """Agreement of numbers outside the repairs: 1e-6 of the viewBox diagonal, 0 where numbers are exact."""
        if self.rules.number_form == "decimal":
            return 0.0
        return 1e-6 * math.hypot(self.width, self.height)

    @property
    def resolve_options(self) -> ResolveOptions:
        rules = self.rules
        return ResolveOptions(
            rules.style_storage, rules.cascade, rules.path_form, rules.transform_form, rules.color_form,
            rules.defaults, rules.metadata, rules.attribute_names,
        )  # fmt: skip

    @property
    def form_options(self) -> FormOptions:
        rules = self.rules
        return FormOptions(rules.style_storage, rules.metadata, rules.color_form, rules.attribute_names)


def find(document: Document, name: str) -> Node | None:
    """An element by id, else by structural path (`svg/g[2]/path[5]`, counted per element name from 1)."""
    found = document.by_id(name)
    if found is not None or document.root is None:
        return found
    return by_path(document.root, name)


def by_path(root: Node, path: str) -> Node | None:
    """The element at a structural path, or None."""
    steps = path.split("/")
    if steps[0] != root.tag:
        return None
    node = root
    for step in steps[1:]:
        tag, _, rest = step.partition("[")
        number = rest.rstrip("]")
        index = int(number) if number.isdecimal() else (1 if not rest else 0)
        same = [child for child in node.children if child.tag == tag]
        if not 0 < index <= len(same):
            return None
        node = same[index - 1]
    return node


def as_repairs(repairs: Sequence[Repair | dict[str, object]]) -> tuple[Repair, ...]:
    """Repairs given as `Repair` values or as `{"part", "attribute", "before", "after"}`."""
    return tuple(r if isinstance(r, Repair) else Repair.from_published(r) for r in repairs)
