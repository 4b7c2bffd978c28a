"""The elements of a drawing that a CSS selector picks out."""

from __future__ import annotations

from vbench_env.svg.parse import SVG_NS, Document, Node
from vbench_env.svg.selectors import Budget, TooManyTests, Undecidable, compile_selectors, matches
from vbench_env.svg.values import css_limit

MOST_TESTS = 200_000


def select(document: Document, css: str) -> tuple[Node, ...]:
    """The elements that one of the selectors matches, in document order.

    Args:
        document: where to look.
        css: selectors with commas between them; names without a prefix are SVG's.

    Raises:
        ValueError: no selector that a still picture decides, or one that takes too long here.
    """
    import tinycss2

    if (crossed := css_limit(css, "a selector")) is not None:
        raise ValueError(crossed[1])
    tokens = tinycss2.parse_component_value_list(css)
    if any(token.type == "error" for token in tokens):
        raise ValueError(f"{css!r} is no CSS selector")
    try:
        selectors = compile_selectors(tokens, {None: SVG_NS})
        budget = Budget(MOST_TESTS)
        return tuple(
            node for node in document.nodes if any(matches(selector, node, budget) for selector in selectors)
        )
    except Undecidable as error:
        raise ValueError(f"{css!r} is no CSS selector that can be decided here ({error})") from None
    except TooManyTests:
        raise ValueError(f"{css!r} takes too many comparisons; make it simpler") from None
