"""Style sheets of a document: parsing, matching, and the order in which declarations win.

`Sheets` holds what the `<style>` elements of one document say. A rule whose selector cannot be evaluated
statically (media queries, pseudo-classes of interaction, unknown at-rules) is *opaque*: it is kept as text
and compared as text. Matching is done by cssselect2 on a wrapped copy of the tree; when every selector is a
compound without combinators, matches depend on the start tag alone and are remembered per shape.

Sources: CSS Cascade 4 section 6, CSS Syntax 3, SVG 2 section 6.6.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from vbench_env.svg.caching import cached
from vbench_env.svg.parse import SVG_NS, Document, Node, Shape
from vbench_env.svg.values import Declaration, split_declarations


class Rule(NamedTuple):
    """A style rule: its selector as text, the compiled selectors, its declarations."""

    selector: str
    compiled: tuple[Any, ...]
    declarations: tuple[Declaration, ...]


class Sheet(NamedTuple):
    """One parsed style sheet: evaluable rules, and everything else as normalised text."""

    rules: tuple[Rule, ...]
    opaque: tuple[str, ...]
    simple: bool


@cached(256)
def parse_sheet(text: str) -> Sheet:
    """A style sheet's rules; whatever cannot be evaluated becomes opaque text."""
    import cssselect2
    import tinycss2

    rules: list[Rule] = []
    opaque: list[str] = []
    simple = True
    for item in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
        if item.type != "qualified-rule":
            opaque.append(_normal(_written(item)))
            continue
        declarations = split_declarations(_written(*item.content))
        selector = _normal(_written(*item.prelude))
        try:
            compiled = tuple(cssselect2.compile_selector_list(item.prelude, namespaces={None: SVG_NS}))
        except cssselect2.SelectorError:
            compiled = ()
        if not compiled or _dynamic(selector) or any(c.pseudo_element for c in compiled):
            opaque.append(_normal(_written(item)))
            continue
        simple = simple and _compound(selector)
        rules.append(Rule(selector, compiled, declarations))
    return Sheet(tuple(rules), tuple(opaque), simple)


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


_COMPOUND = re.compile(r"(?:[\w*-]|[.#][\w-]+)+\Z").match
_DYNAMIC = re.compile(
    r":(?:hover|active|focus|focus-visible|focus-within|visited|link|any-link|target|checked|enabled|disabled)\b"
)
_SPACE = re.compile(r"\s+")


def _normal(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _dynamic(selector: str) -> bool:
    return _DYNAMIC.search(selector) is not None


def _compound(selector: str) -> bool:
    return all(_COMPOUND(part.strip()) for part in selector.split(","))


def is_css(node: Node) -> bool:
    """Whether a `<style>` element holds CSS that applies unconditionally."""
    kind = node.attrs.get("type", "text/css").strip().lower()
    media = node.attrs.get("media", "all").strip().lower()
    return kind in ("", "text/css") and media in ("", "all", "screen")


@dataclass(slots=True)
class Match:
    """Declarations that style sheets give one element, weakest first, and the rules they came from."""

    declarations: tuple[Declaration, ...]
    rules: tuple[int, ...]


NO_MATCH = Match((), ())


class Sheets:
    """The style sheets of a document, matched against its elements."""

    def __init__(self, document: Document) -> None:
        self.styles = [node for node in document.nodes if node.tag == "style"]
        self.css = [node for node in self.styles if is_css(node)]
        self.sheets = [parse_sheet(node.text) for node in self.css]
        self.rules = [rule for sheet in self.sheets for rule in sheet.rules]
        self.simple = all(sheet.simple for sheet in self.sheets)
        self._by_shape: dict[Shape, Match] = {}
        self._by_node: dict[Node, Match] | None = None
        self._matcher: Any = None
        self._document = document

    def __bool__(self) -> bool:
        return bool(self.rules)

    def match(self, node: Node) -> Match:
        """What the sheets say of `node`; nothing for foreign elements' unknown names alike."""
        if not self.rules:
            return NO_MATCH
        if self.simple:
            found = self._by_shape.get(node.shape)
            if found is None:
                found = self._by_shape[node.shape] = self._match(_wrap_single(node))
            return found
        if self._by_node is None:
            self._by_node = self._match_all()
        return self._by_node.get(node, NO_MATCH)

    def matched_rules(self) -> set[int]:
        """Indices of the rules that match at least one element of the document."""
        return {index for node in self._document.nodes for index in self.match(node).rules}

    def _match(self, wrapped: Any) -> Match:
        best: dict[int, Any] = {}
        for specificity, _, _, index in self._selectors().match(wrapped):
            best[index] = max(best.get(index, specificity), specificity)
        if not best:
            return NO_MATCH
        order = sorted((specificity, index) for index, specificity in best.items())
        declarations = tuple(d for _, index in order for d in self.rules[index].declarations)
        return Match(declarations, tuple(index for _, index in order))

    def _selectors(self) -> Any:
        if self._matcher is None:
            import cssselect2

            self._matcher = cssselect2.Matcher()
            for index, rule in enumerate(self.rules):
                for selector in rule.compiled:
                    self._matcher.add_selector(selector, index)
        return self._matcher

    def _match_all(self) -> dict[Node, Match]:
        import cssselect2

        root = self._document.root
        if root is None:
            return {}
        element, order = _element_tree(root)
        wrapper = cssselect2.ElementWrapper.from_xml_root(element)
        found: dict[Node, Match] = {}
        for wrapped in wrapper.iter_subtree():
            found[order[wrapped.etree_element]] = self._match(wrapped)
        return found


def _qualified(tag: str) -> str:
    if tag.startswith("{}"):
        return tag[2:]
    return tag if tag.startswith("{") else f"{{{SVG_NS}}}{tag}"


def _wrap_single(node: Node) -> Any:
    from xml.etree import ElementTree

    import cssselect2

    return cssselect2.ElementWrapper.from_xml_root(
        ElementTree.Element(_qualified(node.tag), dict(node.attrs))
    )


def _element_tree(root: Node) -> tuple[Any, dict[Any, Node]]:
    from xml.etree import ElementTree

    order: dict[Any, Node] = {}
    top = ElementTree.Element(_qualified(root.tag), dict(root.attrs))
    order[top] = root
    stack = [(root, top)]
    while stack:
        node, element = stack.pop()
        for child in node.children:
            made = ElementTree.SubElement(element, _qualified(child.tag), dict(child.attrs))
            order[made] = child
            stack.append((child, made))
    return top, order
