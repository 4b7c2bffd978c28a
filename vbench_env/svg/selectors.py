"""Selectors that a still picture decides, matched against elements in bounded time.

cssselect2 parses; matching is done here on `Node` trees with every combinator remembered per element, so that
no selector costs more than its parts times the elements it is asked about. Type, universal, class, id and
attribute selectors, the structural pseudo-classes, `:not()`, `:is()`, `:where()` and the four combinators are
understood. Everything else (`:hover`, `:has()`, `:lang()`, pseudo-elements) raises `Undecidable`.

Source: Selectors 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from vbench_env.svg.parse import SVG_NS, Node

MAX_TOKENS = 200
"""Tokens of one selector of a list beyond which it is not evaluated."""
MAX_COMBINATORS = 16

Specificity = tuple[int, int, int]


class Undecidable(ValueError):
    """The selector is invalid, dynamic, or more than is evaluated."""


class Selector(NamedTuple):
    """One complex selector: compounds from right to left, each with the combinator that leads to the next.

    `bucket` is the kind and name that the rightmost compound asks for (`id`, `class`, `type`), or None.
    `by_tag` says that the start tag of an element alone decides.
    """

    tests: tuple[Test, ...]
    combinators: tuple[str, ...]
    specificity: Specificity
    bucket: tuple[str, str] | None
    by_tag: bool


Test = Callable[[Node, "Budget"], bool]


class TooManyTests(Exception):
    """More compound selectors were tested than the budget allows."""


class Budget:
    """Counts tests, and remembers what combinators found per element."""

    __slots__ = ("known", "left")

    def __init__(self, tests: int) -> None:
        self.left = tests
        self.known: dict[tuple[int, int, Node], bool] = {}

    def spend(self, tests: int = 1) -> None:
        self.left -= tests
        if self.left < 0:
            raise TooManyTests


def compile_selectors(prelude: Sequence[Any], namespaces: Mapping[str | None, str]) -> tuple[Selector, ...]:
    """The selectors of a rule's prelude (tinycss2 component values).

    Args:
        prelude: what stands before the block.
        namespaces: names by declared prefix, the default's under None.

    Raises:
        Undecidable: one of them cannot be decided, and so none of the rule.
    """
    from cssselect2 import parser

    for part in _parts(prelude):
        if _count(part) > MAX_TOKENS:
            raise Undecidable("selector is too long")
    try:
        found = list(parser.parse(prelude, dict(namespaces)))
        return tuple(_selector(item) for item in found)
    except (parser.SelectorError, AttributeError, RecursionError) as error:
        raise Undecidable(str(error)) from None


def _parts(prelude: Sequence[Any]) -> list[list[Any]]:
    parts: list[list[Any]] = [[]]
    for token in prelude:
        if token == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _count(tokens: Sequence[Any]) -> int:
    stack, total = list(tokens), 0
    while stack:
        token = stack.pop()
        total += 1
        stack.extend(getattr(token, "content", None) or getattr(token, "arguments", None) or ())
    return total


def _selector(item: Any) -> Selector:
    if item.pseudo_element is not None:
        raise Undecidable("pseudo-element")
    tree, tests, combinators = item.parsed_tree, [], []
    while type(tree).__name__ == "CombinedSelector":
        tests.append(tree.right)
        combinators.append(tree.combinator)
        tree = tree.left
    tests.append(tree)
    if len(combinators) > MAX_COMBINATORS:
        raise Undecidable("too many combinators")
    by_tag = not combinators and all(type(part).__name__ in _START_TAG for part in tree.simple_selectors)
    compiled = tuple(_compound(compound) for compound in tests)
    return Selector(compiled, tuple(combinators), tuple(item.specificity), _bucket(tests[0]), by_tag)


_START_TAG = frozenset({"LocalNameSelector", "NamespaceSelector", "ClassSelector", "IDSelector"})


def _bucket(compound: Any) -> tuple[str, str] | None:
    found: dict[str, str] = {}
    for part in compound.simple_selectors:
        kind = type(part).__name__
        if kind == "IDSelector":
            found["id"] = part.ident
        elif kind == "ClassSelector":
            found["class"] = part.class_name
        elif kind == "LocalNameSelector":
            found["type"] = part.local_name
    return next(((kind, found[kind]) for kind in ("id", "class", "type") if kind in found), None)


def matches(selector: Selector, node: Node, budget: Budget, at: int = 0) -> bool:
    """Whether an element is what the selector selects.

    Raises:
        TooManyTests: the budget is spent.
    """
    budget.spend()
    if not selector.tests[at](node, budget):
        return False
    return at == len(selector.combinators) or _related(selector, node, budget, at)


def _related(selector: Selector, node: Node, budget: Budget, at: int) -> bool:
    """Whether an element stands to a match of the next compound as the combinator asks."""
    combinator = selector.combinators[at]
    step = _parent if combinator in " >" else _previous
    if combinator in ">+":
        near = step(node)
        return near is not None and matches(selector, near, budget, at + 1)
    chain: list[tuple[int, int, Node]] = []
    result = False
    near = step(node)
    while near is not None:
        key = (id(selector), at, near)
        known = budget.known.get(key)
        if known is not None:
            result = known
            break
        chain.append(key)
        if matches(selector, near, budget, at + 1):
            result = True
            break
        near = step(near)
    budget.known.update(dict.fromkeys(chain, result))
    return result


def _parent(node: Node) -> Node | None:
    return node.parent


def _previous(node: Node) -> Node | None:
    return node.parent.children[node.index - 1] if node.parent is not None and node.index else None


def local_name(node: Node) -> str:
    """The element's name without its namespace."""
    return node.tag.rpartition("}")[2]


def _namespace(node: Node) -> str:
    return node.tag[1:].partition("}")[0] if node.tag[0] == "{" else SVG_NS


def classes(node: Node) -> list[str]:
    """The class names of an element."""
    return node.attrs.get("class", "").split()


def _compound(compound: Any) -> Test:
    tests = [_simple(part) for part in compound.simple_selectors]

    def test(node: Node, budget: Budget) -> bool:
        return all(one(node, budget) for one in tests)

    return tests[0] if len(tests) == 1 else test


def _simple(part: Any) -> Test:
    maker = _MAKERS.get(type(part).__name__)
    if maker is None:
        raise Undecidable(f"selector {part!r}")
    return maker(part)


def _type(part: Any) -> Test:
    return lambda node, budget: local_name(node) == part.local_name


def _in_namespace(part: Any) -> Test:
    return lambda node, budget: _namespace(node) == part.namespace


def _class(part: Any) -> Test:
    return lambda node, budget: part.class_name in classes(node)


def _id(part: Any) -> Test:
    return lambda node, budget: node.attrs.get("id") == part.ident


def _attribute(part: Any) -> Test:
    if part.namespace is None:
        raise Undecidable("attribute in any namespace")
    key = f"{{{part.namespace}}}{part.name}" if part.namespace else part.name
    compare = _OPERATORS[part.operator]
    folded = part.case_sensitive is False
    wanted = (part.value or "").lower() if folded else part.value or ""

    def test(node: Node, budget: Budget) -> bool:
        value = node.attrs.get(key)
        return value is not None and compare(value.lower() if folded else value, wanted)

    return test


_OPERATORS: dict[str | None, Callable[[str, str], bool]] = {
    None: lambda value, wanted: True,
    "=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: bool(wanted) and wanted in value.split(),
    "|=": lambda value, wanted: value == wanted or value.startswith(wanted + "-"),
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
}


def _siblings(node: Node) -> list[Node]:
    return node.parent.children if node.parent is not None else [node]


def _same_type(node: Node, budget: Budget) -> list[Node]:
    siblings = _siblings(node)
    budget.spend(len(siblings))
    return [other for other in siblings if other.tag == node.tag]


_PSEUDO_CLASSES: dict[str, Test] = {
    "root": lambda node, budget: node.parent is None,
    "first-child": lambda node, budget: node.index == 0,
    "last-child": lambda node, budget: node.index == len(_siblings(node)) - 1,
    "only-child": lambda node, budget: len(_siblings(node)) == 1,
    "first-of-type": lambda node, budget: _same_type(node, budget)[0] is node,
    "last-of-type": lambda node, budget: _same_type(node, budget)[-1] is node,
    "only-of-type": lambda node, budget: len(_same_type(node, budget)) == 1,
    "empty": lambda node, budget: not node.children and not node.text,
}


def _pseudo_class(part: Any) -> Test:
    test = _PSEUDO_CLASSES.get(part.name)
    if test is None:
        raise Undecidable(f":{part.name}")
    return test


def _functional(part: Any) -> Test:
    from tinycss2.nth import parse_nth

    if part.name not in _POSITIONS:
        raise Undecidable(f":{part.name}()")
    found = parse_nth(part.arguments)
    if found is None:
        raise Undecidable(f":{part.name}()")
    step, offset = found
    position = _POSITIONS[part.name]

    def test(node: Node, budget: Budget) -> bool:
        number = position(node, budget) - offset
        return number == 0 if step == 0 else bool(number % step == 0 and number // step >= 0)

    return test


_POSITIONS: dict[str, Callable[[Node, Budget], int]] = {
    "nth-child": lambda node, budget: node.index + 1,
    "nth-last-child": lambda node, budget: len(_siblings(node)) - node.index,
    "nth-of-type": lambda node, budget: _same_type(node, budget).index(node) + 1,
    "nth-last-of-type": lambda node, budget: _same_type(node, budget)[::-1].index(node) + 1,
}


def _any_of(part: Any) -> Test:
    inner = [_selector(item) for item in part.selector_list]
    return lambda node, budget: any(matches(selector, node, budget) for selector in inner)


def _none_of(part: Any) -> Test:
    inner = [_selector(item) for item in part.selector_list]
    return lambda node, budget: not any(matches(selector, node, budget) for selector in inner)


_MAKERS: dict[str, Callable[[Any], Test]] = {
    "LocalNameSelector": _type,
    "NamespaceSelector": _in_namespace,
    "ClassSelector": _class,
    "IDSelector": _id,
    "AttributeSelector": _attribute,
    "PseudoClassSelector": _pseudo_class,
    "FunctionalPseudoClassSelector": _functional,
    "MatchesAnySelector": _any_of,
    "SpecificityAdjustmentSelector": _any_of,
    "NegationSelector": _none_of,
}
