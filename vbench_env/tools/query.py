"""CSS selectors and XPath over a document, bounded in work.

Both run on one lxml copy of the parsed tree in which SVG elements have no namespace, so `//rect` and `rect`
mean what an agent expects. Neither engine can be interrupted, so the work is estimated before: a query that
could take more than about a second is refused.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from vbench_env.svg.document import Element, Refusal, SourceDocument
from vbench_env.svg.parse import XLINK_NS, Node

MAX_QUERY_CHARACTERS = 1000
_XPATH_WORK = 2e7
_CSS_WORK = 1e6
_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")
_WIDE_STEP = re.compile(
    r"//|\.\.|(?:descendant|ancestor|following|preceding|parent)[\w-]*\s*::"
    r"|(?<=[(\[,|=<>+*-])\s*/|\b(?:or|and|div|mod)\s*/"
)
_DEEP_STEP = re.compile(r"(?<=[\w*\])])\s+(?=[\w*.#\[:|])")
_FLAT_STEP = re.compile(r"~(?!=)|:has|:nth|-of-type|:only")
_SVG_PREFIX = re.compile(r"(?<![\w\"':-])svg(?::(?!:)|\|)(?=[A-Za-z*])")


def select(document: SourceDocument, query: str) -> list[Element]:
    """Elements that match a CSS selector list, in document order; `Refusal` when it is no selector."""
    import cssselect2

    if len(query) > MAX_QUERY_CHARACTERS:
        raise Refusal("too_large", f"the selector is longer than {MAX_QUERY_CHARACTERS} characters")
    root, order = _copy(document)
    _require_css_work(document, query)
    try:
        compiled = cssselect2.compile_selector_list(_SVG_PREFIX.sub("", query))
        tree = cssselect2.ElementWrapper.from_xml_root(root)
        found = [order[item.etree_element] for item in tree.query_all(*compiled)]
    except (cssselect2.SelectorError, NotImplementedError, SyntaxError, RecursionError, MemoryError) as error:
        raise Refusal("bad_arguments", f"{query[:80]!r} is not a CSS selector ({_reason(error)})") from error
    return [Element(document, index) for index in found]


def evaluate(document: SourceDocument, query: str) -> list[Element] | str:
    """Elements that an XPath 1.0 expression selects, or its value as text when it selects none."""
    from lxml import etree

    if len(query) > MAX_QUERY_CHARACTERS:
        raise Refusal("too_large", f"the expression is longer than {MAX_QUERY_CHARACTERS} characters")
    root, order = _copy(document)
    _require_xpath_work(document, query)
    names = {prefix: space for prefix, space in document.root.prefixes().items() if prefix and space}
    try:
        expression = etree.XPath(
            _SVG_PREFIX.sub("", query),
            namespaces={"xlink": XLINK_NS, **names},
            regexp=False,
            smart_strings=False,
        )
        value = expression(root)
    except (etree.XPathError, ValueError, TypeError, RecursionError) as error:
        raise Refusal(
            "bad_arguments", f"{query[:80]!r} is not an XPath expression ({_reason(error)})"
        ) from error
    if not isinstance(value, list):
        return str(value)[:2000]
    if all(item in order for item in value if not isinstance(item, (str, tuple))):
        elements = [Element(document, order[item]) for item in value if not isinstance(item, (str, tuple))]
        return elements if elements or not value else "\n".join(map(str, value[:200]))[:2000]
    return [Element(document, order[item]) for item in value if item in order]


def _reason(error: BaseException) -> str:
    return "nested too deeply" if isinstance(error, (RecursionError, MemoryError)) else str(error)[:120]


def _require_xpath_work(document: SourceDocument, query: str) -> None:
    size = max(2, len(document.outline.names))
    bare = _STRINGS.sub("''", query)
    work = sum(
        float(size) ** min(60, max(1, len(_WIDE_STEP.findall(branch)))) for branch in _branches(bare, "|")
    )
    if work > _XPATH_WORK:
        raise Refusal("too_large", f"the expression could visit {work:.0e} elements; use fewer // steps")


def _require_css_work(document: SourceDocument, query: str) -> None:
    outline = document.outline
    size, widest = len(outline.names), max(map(len, outline.children), default=1)
    deepest = _depth(outline.parents)
    work = 0.0
    for branch in _branches(_STRINGS.sub("''", query), ","):
        flat, deep = len(_FLAT_STEP.findall(branch)), len(_DEEP_STEP.findall(branch))
        across = size if ":has" in branch else widest
        work += float(size) * float(max(2, across)) ** min(30, flat) * float(max(2, deepest)) ** min(30, deep)
    if work > _CSS_WORK:
        raise Refusal("too_large", f"the selector could take {work:.0e} comparisons; make it simpler")


def _branches(query: str, separator: str) -> list[str]:
    """Parts of a query between separators that no bracket encloses."""
    parts, depth, start = [], 0, 0
    for position, letter in enumerate(query):
        depth += (letter in "([") - (letter in ")]")
        if letter == separator and depth <= 0:
            parts.append(query[start:position])
            start = position + 1
    return [*parts, query[start:]]


def _depth(parents: list[int]) -> int:
    depths: list[int] = []
    for parent in parents:
        depths.append(1 if parent < 0 else depths[parent] + 1)
    return max(depths, default=1)


@lru_cache(maxsize=4)
def _copy(document: SourceDocument) -> tuple[Any, dict[Any, int]]:
    """An lxml tree of the document's elements, and the number of each."""
    from lxml import etree

    nodes = document.root.node.iter()
    made: dict[Node, Any] = {}
    try:
        for node in nodes:
            made[node] = _made(node, made.get(node.parent) if node.parent else None, etree)
    except ValueError as error:
        raise Refusal("unavailable", f"this document cannot be searched ({error})") from error
    return made[nodes[0]], {item: index for index, item in enumerate(made.values())}


def _made(node: Node, parent: Any, etree: Any) -> Any:
    tag = node.tag.removeprefix("{}")
    item = etree.Element(tag, node.attrs) if parent is None else etree.SubElement(parent, tag, node.attrs)
    item.text = node.text or None
    item.tail = node.tail or None if parent is not None else None
    return item
