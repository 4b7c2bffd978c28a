"""The validity gate: is the candidate a sound document?

Faults are found once per distinct start tag (remembered on its `Shape`) and once per document for what spans it:
unique ids, references that resolve, style sheets, limits of expansion. Under `introduced_only` a fault that the
corrupted document already has, as often, is not held against the candidate.

Sources: XML 1.0, SVG 2 (grammars of chapters 4, 8, 9), CSS Color 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from vbench_env.scoring.rules import Rules
from vbench_env.scoring.security import document_threats, shape_threats
from vbench_env.svg.caching import cached
from vbench_env.svg.canonical import collapse
from vbench_env.svg.cascade import sheet_limit
from vbench_env.svg.colors import parse_color, parse_paint
from vbench_env.svg.parse import XLINK_HREF, Document, Fault, Node, Shape
from vbench_env.svg.path_data import PathError, parse_path, path_tokens
from vbench_env.svg.references import (
    attribute_reference,
    safe_fragment,
    split_urls,
)
from vbench_env.svg.schema import PRESENTATION, attribute_kind, is_property
from vbench_env.svg.transform import parse_transform, published_transform
from vbench_env.svg.values import (
    css_depth,
    parse_fraction,
    parse_length,
    parse_lengths,
    parse_number,
    parse_number_list,
    parse_viewbox,
    plain_declarations,
    published_declarations,
    published_numbers,
    split_declarations,
)

Key = tuple[str, str]


def document_faults(document: Document, rules: Rules, baseline: Counter[Key] | None = None) -> list[Fault]:
    """Faults of a parsed document.

    Args:
        baseline: fault counts of the corrupted document, from `fault_keys`; they are forgiven.
    """
    if document.root is None:
        return document.faults
    found = list(_faults(document, rules))
    if not baseline or not rules.introduced_only:
        return found
    allowed = Counter(baseline)
    introduced = []
    for fault in found:
        key = fault_key(fault)
        if allowed[key] > 0:
            allowed[key] -= 1
        else:
            introduced.append(fault)
    return introduced


def fault_key(fault: Fault) -> Key:
    """What makes two faults the same, wherever they stand."""
    return fault.kind, fault.message


def fault_keys(document: Document, rules: Rules) -> Counter[Key]:
    """Counts of the faults that a document has."""
    return Counter(map(fault_key, document_faults(document, rules)))


def _faults(document: Document, rules: Rules) -> Iterator[Fault]:
    root = document.root
    assert root is not None
    yield from _root_faults(root, rules)
    yield from _id_faults(document)
    ids, expanding, placed = document.ids, False, 0
    key = ("facts", rules.grammar, rules.security)
    for node in document.nodes:
        facts = node.shape.memo.get(key) or _facts(node.shape, rules, document)
        if facts is NOTHING:
            continue
        place = node.label if placed < _PLACED or node.id else None
        placed += bool(facts.faults or facts.references)
        for kind, message in facts.faults:
            yield Fault(kind, message, place, facts.limit if kind == "limit" else None, node.line)
        for name in facts.references:
            if name not in ids:
                yield Fault(
                    "reference", f"reference to #{name}, which no element has", place, None, node.line
                )
        expanding = expanding or bool(facts.expands)
    yield from _sheet_references(document, rules)
    if rules.security:
        yield from document_threats(document)
    crossed = sheet_limit(document)
    if crossed is not None:
        yield Fault("limit", crossed[1], limit=crossed[0])
    if rules.grammar == "svg" and expanding:
        yield from _expansion_faults(document, rules)


class Facts(NamedTuple):
    """What a start tag alone decides: its faults, the ids it refers to, and those whose content it draws again."""

    faults: tuple[Key, ...]
    references: tuple[str, ...]
    expands: tuple[str, ...]
    limit: str | None = None


NOTHING = Facts((), (), ())


def _facts(shape: Shape, rules: Rules, document: Document) -> Facts:
    key = ("facts", rules.grammar, rules.security)
    found = shape.memo.get(key)
    if found is None:
        crossed = _style_limit(shape, document) if "style" in shape.attrs else None
        if crossed is not None:
            return Facts((("limit", crossed[1]),), (), (), crossed[0])
        facts = Facts(
            _shape_faults(shape, rules), tuple(dict.fromkeys(_references(shape, rules))), expands(shape)
        )
        found = shape.memo[key] = facts if any(facts) else NOTHING
    return found


def _style_limit(shape: Shape, document: Document) -> tuple[str, str] | None:
    """The limit that a `style` attribute crosses, as (name, message); long ones count together."""
    style, limits = shape.attrs["style"], document.limits
    if plain_declarations(style) is not None:
        return None
    if css_depth(style) > limits.css_depth:
        return "css_depth", f"brackets of a style attribute nest deeper than {limits.css_depth}"
    document.css_read += len(style)
    if document.css_read > limits.style_text:
        return "style_text", f"style attributes are longer than {limits.style_text} characters"
    return None


def _root_faults(root: Node, rules: Rules) -> Iterator[Fault]:
    if rules.grammar == "svg":
        if root.tag != "svg":
            yield Fault("root", f"root element is {root.tag!r}, not svg in the SVG namespace", line=root.line)
    elif root.tag.rpartition("}")[2] != "svg":
        yield Fault("root", f"root element is {root.tag!r}, not svg", line=root.line)


_PLACED = 20
"""Faults that name their place where an element has no id; finding a place among thousands of siblings takes time."""


def _id_faults(document: Document) -> Iterator[Fault]:
    for name, nodes in document.ids.items():
        if not name.strip():
            yield Fault("id", "an id is empty", place=nodes[0].path, line=nodes[0].line)
        for count, node in enumerate(nodes[1:]):
            place = node.path if count < _PLACED else None
            yield Fault("id", f"id {name!r} is used more than once", place=place, line=node.line)


def _shape_faults(shape: Shape, rules: Rules) -> tuple[Key, ...]:
    check = _published_faults if rules.grammar == "published" else _grammar_faults
    found = tuple(check(shape))
    return found + tuple(shape_threats(shape)) if rules.security else found


def _published_faults(shape: Shape) -> Iterator[Key]:
    for name, value in shape.attrs.items():
        if name == "style" and published_declarations(value) is None:
            yield "style", f"style declaration without name or value: {value[:60]!r}"
        elif name == "d" and path_tokens(value) is None:
            yield "path", f"path data cannot be read: {value[:60]!r}"
        elif name == "points" and not _published_points(value):
            yield "points", f"points need an even count of numbers: {value[:60]!r}"
        elif name in _TRANSFORMS and published_transform(value) is None:
            yield "transform", f"transform cannot be read: {value[:60]!r}"
        elif name == "viewBox" and not _published_viewbox(value):
            yield "viewbox", f"viewBox needs four numbers of positive size: {value[:60]!r}"


_TRANSFORMS = frozenset({"transform", "gradientTransform", "patternTransform"})


def _published_points(value: str) -> bool:
    numbers = published_numbers(value)
    return len(numbers) % 2 == 0 if numbers is not None else not value.strip()


def _published_viewbox(value: str) -> bool:
    numbers = published_numbers(value)
    return numbers is not None and len(numbers) == 4 and min(float(numbers[2]), float(numbers[3])) > 0


def _grammar_faults(shape: Shape) -> Iterator[Key]:
    if shape.tag[0] == "{":
        return
    for name, value in shape.attrs.items():
        if name[0] == "{":
            continue
        if name == "style":
            yield from _style_faults(value)
        elif is_property(shape.tag, name):
            fault = value_fault(name, PRESENTATION[name].kind, value)
            if fault:
                yield fault
        else:
            kind = attribute_kind(shape.tag, name)
            fault = value_fault(name, kind, value) if kind else None
            if fault:
                yield fault


def _style_faults(style: str) -> Iterator[Key]:
    for declaration in split_declarations(style):
        info = PRESENTATION.get(declaration.name)
        if info is not None and info.kind in ("color", "paint", "opacity", "positive"):
            fault = value_fault(declaration.name, info.kind, declaration.value)
            if fault:
                yield fault


@cached(8192)
def value_fault(name: str, kind: str, value: str) -> Key | None:
    """The fault of an attribute value of a known kind, or None where it is sound."""
    checker = _CHECKS.get(kind)
    if checker is None or value.strip().lower() in _WIDE or "var(" in value or "calc(" in value:
        return None
    fault, sound = checker
    if sound(value):
        return None
    return fault, f"{name} is no valid {kind}: {value[:60]!r}"


_WIDE = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_SYSTEM_COLORS = frozenset(
    """accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas canvastext field
    fieldtext graytext highlight highlighttext linktext mark marktext selecteditem selecteditemtext
    visitedtext activeborder activecaption appworkspace background buttonhighlight buttonshadow captiontext
    inactiveborder inactivecaption inactivecaptiontext infobackground infotext menu menutext scrollbar
    threeddarkshadow threedface threedhighlight threedlightshadow threedshadow window windowframe
    windowtext""".split()
)


def valid_color(value: str) -> bool:
    """Whether CSS Color 4 accepts the value, out-of-gamut and system colours included."""
    if parse_color(value) is not None or value.strip().lower() in _SYSTEM_COLORS:
        return True
    import tinycss2.color4

    return "(" in value and tinycss2.color4.parse_color(value) is not None


def valid_paint(value: str) -> bool:
    """Whether the value is a paint: none, a colour, or a reference with an optional fallback."""
    if parse_paint(value) is not None or valid_color(value):
        return True
    # "#fill icc-color(...)" and url() with an out-of-gamut fallback are legal; the first part decides.
    head = value.strip().split(" ", 1)[0]
    return head.lower().startswith("url(") or ("icc-color(" in value and valid_color(head))


def _path_sound(value: str) -> bool:
    if collapse(value).lower() == "none":
        return True
    try:
        parse_path(value)
    except PathError:
        return False
    return True


def _points_sound(value: str) -> bool:
    numbers = parse_number_list(value)
    return numbers is not None and len(numbers) % 2 == 0


def _length_sound(value: str) -> bool:
    return parse_length(value) is not None or value.strip().lower() in _LENGTH_WORDS


_LENGTH_WORDS = frozenset(
    """auto normal none medium thin thick xx-small x-small small large x-large xx-large larger smaller
    baseline sub super left center right top bottom""".split()
)


def _number_sound(value: str) -> bool:
    return parse_number(value) is not None


def _dashes_sound(value: str) -> bool:
    return value.strip().lower() in ("none", "") or parse_lengths(value) is not None


_LENGTH = ("number", _length_sound)
_NUMBER = ("number", _number_sound)
_NUMBERS = ("number", lambda value: parse_number_list(value) is not None)
_CHECKS: dict[str, tuple[str, Callable[[str], bool]]] = {
    "color": ("color", valid_color),
    "paint": ("color", valid_paint),
    "opacity": ("number", lambda value: parse_fraction(value) is not None),
    "offset": ("number", lambda value: parse_fraction(value) is not None),
    "number": _NUMBER,
    "positive": _NUMBER,
    "integer": _NUMBER,
    "length": _LENGTH,
    "length-x": _LENGTH,
    "length-y": _LENGTH,
    "length-diagonal": _LENGTH,
    "font-size": _LENGTH,
    "spacing": _LENGTH,
    "lengths": ("number", _dashes_sound),
    "dashes": ("number", _dashes_sound),
    "numbers": _NUMBERS,
    "numbers-opt": _NUMBERS,
    "path": ("path", _path_sound),
    "points": ("points", _points_sound),
    "transform": ("transform", lambda value: parse_transform(value) is not None),
    "viewbox": ("viewbox", lambda value: parse_viewbox(value) is not None),
}


def _sheet_references(document: Document, rules: Rules) -> Iterator[Fault]:
    names = ("style",) if rules.grammar == "svg" else ("style", "{}style")
    for node in document.nodes:
        if node.tag in names:
            split = split_urls(node.text)
            for name in split.ids if split else ():
                if name not in document.ids:
                    yield Fault(
                        "reference", f"style sheet refers to #{name}, which no element has", node.label
                    )


def _references(shape: Shape, rules: Rules) -> Iterator[str]:
    published = rules.grammar == "published"
    for name, value in shape.attrs.items():
        if name in ("href", XLINK_HREF) and value.strip() == "#":
            yield ""
        if published:
            found = attribute_reference(shape.tag, name, value) if name == "href" else split_urls(value)
        else:
            found = attribute_reference(shape.tag, name, value) or split_urls(value)
        if found:
            yield from found.ids


def _expansion_faults(document: Document, rules: Rules) -> Iterator[Fault]:
    counter = _Expansion(document, rules)
    assert document.root is not None
    try:
        counter.weigh(document.root, 0)
    except _Crossed as crossed:
        yield Fault("limit", str(crossed), limit=crossed.limit)
    except RecursionError:
        message = f"references nest deeper than {rules.limits.reference_depth}"
        yield Fault("limit", message, limit="reference_depth")
    for name in sorted(counter.cycles):
        yield Fault("reference", f"#{name} refers to itself")


_DRAWN_LINKS = frozenset({"use", "feImage", "pattern", "mask", "tref"})


def expands(shape: Shape) -> tuple[str, ...]:
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

    def __init__(self, document: Document, rules: Rules) -> None:
        self.document, self.rules, self.limits = document, rules, rules.limits
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
            if not child.children and not self._expands(child):
                total += 1
                continue
            drawn, below = self.weigh(child, references)
            total, depth = total + drawn, max(depth, below)
        for name in self._expands(node):
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

    def _expands(self, node: Node) -> tuple[str, ...]:
        return _facts(node.shape, self.rules, self.document).expands

    def _check(self, weight: tuple[int, int], references: int) -> None:
        total, depth = weight
        if references + depth > self.limits.reference_depth:
            raise _Crossed("reference_depth", f"references nest deeper than {self.limits.reference_depth}")
        if total > self.limits.instances:
            raise _Crossed("instances", f"references draw more than {self.limits.instances} elements")
