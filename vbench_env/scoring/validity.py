"""The validity gate: is the candidate a sound document?

Faults are found once per distinct start tag (remembered on its `Shape`) and once per document for what spans it:
unique ids, references that resolve, style sheets, limits of expansion. Under `introduced_only` a fault that the
corrupted document already has, as often, is not held against the candidate.

Source: XML 1.0; the grammars of values are in `grammar`, what references draw is counted in `expansion`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from vbench_env.scoring.expansion import drawn_again, expansion_faults
from vbench_env.scoring.grammar import Key, grammar_faults, published_faults
from vbench_env.scoring.rules import Rules
from vbench_env.scoring.security import document_threats, shape_threats
from vbench_env.svg.cascade import sheet_limit
from vbench_env.svg.parse import XLINK_HREF, Document, Fault, Node, Shape
from vbench_env.svg.references import attribute_reference, split_urls
from vbench_env.svg.values import css_limit, plain_declarations


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
        yield from expansion_faults(
            document, rules.limits, lambda node: _facts(node.shape, rules, document).expands
        )


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
            _shape_faults(shape, rules), tuple(dict.fromkeys(_references(shape, rules))), drawn_again(shape)
        )
        found = shape.memo[key] = facts if any(facts) else NOTHING
    return found


def _style_limit(shape: Shape, document: Document) -> tuple[str, str] | None:
    """The limit that a `style` attribute crosses, as (name, message); long ones count together."""
    style, limits = shape.attrs["style"], document.limits
    if plain_declarations(style) is not None:
        return None
    if (crossed := css_limit(style, "a style attribute")) is not None:
        return crossed
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
    check = published_faults if rules.grammar == "published" else grammar_faults
    found = tuple(check(shape))
    return found + tuple(shape_threats(shape)) if rules.security else found


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
