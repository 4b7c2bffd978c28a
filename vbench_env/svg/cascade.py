"""Style sheets of a document: parsing, matching, and the order in which declarations win.

`Sheets` holds what the `<style>` elements of one document say. A rule that cannot be evaluated statically (media
queries, pseudo-classes of interaction, nested rules, unknown at-rules) is *opaque*: it is kept as text and
compared as text, and the properties that it may set are `conditional`: where they are set, and by which rules,
then compares as written too. When every selector is a compound of names, classes and ids, matches depend on
the start tag alone and are remembered per shape.

Sources: CSS Cascade 4 section 6, CSS Syntax 3, SVG 2 section 6.6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from vbench_env.svg.caching import cached
from vbench_env.svg.parse import Document, Node, Shape
from vbench_env.svg.schema import PRESENTATION, SHORTHANDS
from vbench_env.svg.selectors import (
    Budget,
    Selector,
    TooManyTests,
    Undecidable,
    classes,
    compile_selectors,
    local_name,
    matches,
)
from vbench_env.svg.values import Declaration, css_limit, split_declarations


class Rule(NamedTuple):
    """A style rule: its selector as text, the compiled selectors, its declarations."""

    selector: str
    compiled: tuple[Selector, ...]
    declarations: tuple[Declaration, ...]


class Sheet(NamedTuple):
    """One parsed style sheet.

    Attributes:
        rules: what can be evaluated.
        opaque: everything else as normalised text.
        items: both in source order.
        conditional: presentation properties that opaque rules may set.
        simple: whether every selector is decided by the start tag alone.
    """

    rules: tuple[Rule, ...] = ()
    opaque: tuple[str, ...] = ()
    items: tuple[Rule | str, ...] = ()
    conditional: frozenset[str] = frozenset()
    simple: bool = True


ALL_PROPERTIES = frozenset(PRESENTATION)
_INERT = frozenset({
    "font-face", "charset", "namespace", "keyframes", "-webkit-keyframes", "property", "counter-style", "page",
    "font-feature-values", "font-palette-values", "color-profile",
})  # fmt: skip
"""At-rules that set no property of an element, whatever else they say."""


@cached(256)
def parse_sheet(text: str) -> Sheet:
    """A style sheet's rules; whatever cannot be evaluated becomes opaque text."""
    import tinycss2

    if css_limit(text, "a style sheet") is not None:
        return Sheet()
    items: list[Rule | str] = []
    conditional: set[str] = set()
    namespaces: dict[str | None, str] = {}
    for item in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
        rule = _rule(item, namespaces) if item.type == "qualified-rule" else None
        if rule is not None:
            items.append(rule)
            continue
        written = _normal(_written(item))
        items.append(written)
        name = item.lower_at_keyword if item.type == "at-rule" else ""
        if name == "namespace":
            namespaces.update(_namespace(item.prelude))
        elif name not in _INERT and not _PSEUDO_ELEMENT(written):
            conditional.update(ALL_PROPERTIES if name == "import" else _set_by(written))
    rules = tuple(item for item in items if isinstance(item, Rule))
    opaque = tuple(item for item in items if isinstance(item, str))
    simple = all(selector.by_tag for rule in rules for selector in rule.compiled)
    return Sheet(rules, opaque, tuple(items), frozenset(conditional), simple)


def _rule(item: Any, namespaces: dict[str | None, str]) -> Rule | None:
    """A rule that can be evaluated, else None."""
    if any(token.type == "{} block" for token in item.content):
        return None
    try:
        compiled = compile_selectors(item.prelude, namespaces)
    except Undecidable:
        return None
    return Rule(_normal(_written(*item.prelude)), compiled, split_declarations(_written(*item.content)))


def _namespace(prelude: list[Any]) -> Iterator[tuple[str | None, str]]:
    """The prefix (None for the default) and name that an `@namespace` declares."""
    tokens = [token for token in prelude if token.type not in ("whitespace", "comment")]
    prefix = tokens[0].value if len(tokens) == 2 and tokens[0].type == "ident" else None
    last = tokens[-1] if tokens else None
    if last is not None and last.type == "function" and last.arguments:
        last = last.arguments[0]
    if last is not None and last.type in ("string", "url"):
        yield prefix, last.value


_PSEUDO_ELEMENT = re.compile(r"[^{},]*::[a-z-]+\s*\{[^{}]*\}\Z").match
_SET = re.compile(r"([A-Za-z-]+)\s*:")


def _set_by(text: str) -> frozenset[str]:
    """Presentation properties that a rule's text may set."""
    names = {name.lower() for name in _SET.findall(text)}
    if "all" in names:
        return ALL_PROPERTIES
    long = {part for name in names & SHORTHANDS.keys() for part in SHORTHANDS[name]}
    return ALL_PROPERTIES & (names | long)


def _written(*tokens: Any) -> str:
    """CSS tokens as text; what the grammar rejects is named by its error."""
    import tinycss2

    try:
        return str(tinycss2.serialize(tokens))
    except TypeError:
        parts = (
            [f"<{t.kind}>" if t.type == "error" else _written(t) for t in tokens] if len(tokens) > 1 else []
        )
        return " ".join(parts) if parts else f"<{getattr(tokens[0], 'kind', 'invalid')}>"


_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_SPACE = re.compile(r"\s+")
_AROUND = re.compile(r" ?([{};,>~]) ?")
_DECLARED = re.compile(r"(?<=[{;])([\w-]+) ?: ?")


def _normal(text: str) -> str:
    """CSS text without the white space that means nothing, quoted strings as they are."""
    pieces = _QUOTED.split(text.strip())
    for place in range(0, len(pieces), 2):
        piece = _AROUND.sub(r"\1", _SPACE.sub(" ", pieces[place]))
        pieces[place] = _DECLARED.sub(r"\1:", piece).replace(";}", "}")
    return "".join(pieces).removesuffix(";")


_EMBEDDED = re.compile(r"url\([^)]{1000,}\)")


def sheet_limit(document: Document) -> tuple[str, str] | None:
    """The limit that the style sheets of a document cross, as (name, message), else None."""
    limits = document.limits
    texts = [node.text for node in document.nodes if node.tag == "style"]
    if not texts:
        return None
    if sum(text.count("{") for text in texts) > limits.style_rules:
        return "style_rules", f"style sheets have more than {limits.style_rules} rules"
    if sum(map(len, texts)) > limits.style_text:
        texts = [_EMBEDDED.sub("", text) for text in texts]
        if sum(map(len, texts)) > limits.style_text:
            return "style_text", f"style sheets are longer than {limits.style_text} characters"
    return next(filter(None, (css_limit(text, "a style sheet") for text in texts)), None)


def is_css(node: Node) -> bool:
    """Whether a `<style>` element holds CSS that applies unconditionally."""
    media = node.attrs.get("media", "all").strip().lower()
    return _holds_css(node) and media in ("", "all", "screen")


def _holds_css(node: Node) -> bool:
    return node.attrs.get("type", "text/css").strip().lower() in ("", "text/css")


def _is_conditional(node: Node) -> bool:
    return _holds_css(node) and not is_css(node)


@dataclass(slots=True)
class Match:
    """Declarations that style sheets give one element, weakest first, and the rules they came from."""

    declarations: tuple[Declaration, ...]
    rules: tuple[int, ...]


NO_MATCH = Match((), ())


@dataclass(slots=True)
class _Index:
    """Selectors of all rules by what their rightmost compound asks for."""

    buckets: dict[tuple[str, str], list[tuple[Selector, int]]] = field(default_factory=dict)
    others: list[tuple[Selector, int]] = field(default_factory=list)

    def add(self, selector: Selector, rule: int) -> None:
        if selector.bucket is None:
            self.others.append((selector, rule))
        else:
            self.buckets.setdefault(selector.bucket, []).append((selector, rule))

    def candidates(self, node: Node) -> Iterator[tuple[Selector, int]]:
        buckets = self.buckets
        yield from self.others
        yield from buckets.get(("type", local_name(node)), ())
        name = node.attrs.get("id")
        if name is not None:
            yield from buckets.get(("id", name), ())
        for word in classes(node):
            yield from buckets.get(("class", word), ())


class Sheets:
    """The style sheets of a document, matched against its elements.

    Attributes:
        crossed: name of the limit that the sheets cross; they then compare as text alone.
        conditional: presentation properties that depend on what cannot be evaluated.
    """

    def __init__(self, document: Document) -> None:
        self.styles = [node for node in document.nodes if node.tag == "style"]
        self.css = [node for node in self.styles if is_css(node)]
        limit = sheet_limit(document) if self.styles else None
        self.crossed = limit[0] if limit else None
        self.sheets = [Sheet() if limit else parse_sheet(node.text) for node in self.css]
        self.rules = [rule for sheet in self.sheets for rule in sheet.rules]
        self.simple = all(sheet.simple for sheet in self.sheets)
        self.conditional = self._conditional()
        self._by_shape: dict[Shape, Match] = {}
        self._by_node: dict[Node, Match] = {}
        self._index: _Index | None = None
        self._budget = Budget(document.limits.style_matches)
        self._document = document

    def __bool__(self) -> bool:
        return bool(self.rules)

    def _conditional(self) -> frozenset[str]:
        if self.crossed:
            return ALL_PROPERTIES
        apart = [_set_by(node.text) for node in self.styles if _is_conditional(node)]
        return frozenset().union(*(sheet.conditional for sheet in self.sheets), *apart)

    def match(self, node: Node) -> Match:
        """What the sheets say of `node`."""
        if not self.rules:
            return NO_MATCH
        memo: dict[Any, Match] = self._by_shape if self.simple else self._by_node
        key = node.shape if self.simple else node
        found = memo.get(key)
        if found is None:
            try:
                found = memo[key] = self._match(node)
            except TooManyTests:
                self._give_up()
                return NO_MATCH
        return found

    def _give_up(self) -> None:
        """The sheets take too long: nothing is evaluated from here on."""
        self.crossed, self.conditional = "style_matches", ALL_PROPERTIES
        self.rules, self.sheets = [], [Sheet() for _ in self.css]

    def matched_rules(self) -> set[int]:
        """Indices of the rules that match at least one element of the document."""
        return {index for node in self._document.nodes for index in self.match(node).rules}

    def _match(self, node: Node) -> Match:
        best: dict[int, tuple[int, int, int]] = {}
        for selector, rule in self._selectors().candidates(node):
            if selector.specificity > best.get(rule, (-1, 0, 0)) and matches(selector, node, self._budget):
                best[rule] = selector.specificity
        if not best:
            return NO_MATCH
        order = sorted((specificity, rule) for rule, specificity in best.items())
        declarations = tuple(d for _, rule in order for d in self.rules[rule].declarations)
        return Match(declarations, tuple(rule for _, rule in order))

    def _selectors(self) -> _Index:
        if self._index is None:
            self._index = _Index()
            for number, rule in enumerate(self.rules):
                for selector in rule.compiled:
                    self._index.add(selector, number)
        return self._index
