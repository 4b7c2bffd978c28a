"""Computed paint as text: what an element's fill, stroke and the like come down to.

The cascade of CSS (presentation attribute, style sheet, style attribute, `!important`) and inheritance are
applied; values stay as written, so that an agent finds them again in the source.

Source: CSS Cascade 4, section 6; SVG 2, section 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from vbench_env.svg.cascade import Sheets
from vbench_env.svg.document import SourceDocument
from vbench_env.svg.parse import Node
from vbench_env.svg.schema import PRESENTATION
from vbench_env.svg.values import Declaration, split_declarations

PAINT = (
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "opacity",
    "display",
    "visibility",
)
TEXT = ("font-family", "font-size", "font-weight", "text-anchor")
_ALWAYS = frozenset({"fill", "stroke"})


class Computed:
    """Computed values of one document, as text, found on demand."""

    def __init__(self, document: SourceDocument) -> None:
        self._sheets = Sheets(document.parsed)
        self._known: dict[Node, dict[str, str]] = {}

    def of(self, node: Node) -> Mapping[str, str]:
        """Every presentation property of `node` that does not have its initial value."""
        chain: list[Node] = []
        here: Node | None = node
        while here is not None and here not in self._known:
            chain.append(here)
            here = here.parent
        for item in reversed(chain):
            above = self._known[item.parent] if item.parent is not None else {}
            self._known[item] = self._computed(item, above)
        return self._known[node]

    def declared_names(self, node: Node) -> set[str]:
        """Names of the properties that CSS (a style sheet or the style attribute) sets on `node` itself."""
        style = split_declarations(node.attrs.get("style", ""))
        return {item.name for item in (*self._sheets.match(node).declarations, *style)}

    def _computed(self, node: Node, above: Mapping[str, str]) -> dict[str, str]:
        found = {name: value for name, value in above.items() if PRESENTATION[name].inherited}
        for name, value in self._declared(node).items():
            word = value.strip().lower()
            if word == "inherit" or (word == "unset" and PRESENTATION[name].inherited):
                value = above.get(name, PRESENTATION[name].initial)
            elif word in {"initial", "unset"}:
                value = PRESENTATION[name].initial
            found[name] = value.strip()
        return found

    def _declared(self, node: Node) -> dict[str, str]:
        found = {name: value for name, value in node.attrs.items() if name in PRESENTATION}
        sheet = self._sheets.match(node).declarations
        style = split_declarations(node.attrs.get("style", ""))
        for important in (False, True):
            _put(found, sheet, important)
            _put(found, style, important)
        return found


def _put(found: dict[str, str], declarations: Iterable[Declaration], important: bool) -> None:
    for name, value, urgent in declarations:
        if urgent == important and name in PRESENTATION:
            found[name] = value


@lru_cache(maxsize=4)
def computed(document: SourceDocument) -> Computed:
    """The computed values of a document, kept for the last few."""
    return Computed(document)


def shown(values: Mapping[str, str], names: Iterable[str]) -> str:
    """Values for people, such as `fill=#f00 stroke=none`; what has its initial value is left out."""
    parts = []
    for name in names:
        value = values.get(name, PRESENTATION[name].initial)
        if name in _ALWAYS or value != PRESENTATION[name].initial:
            parts.append(f"{name}={value[:60]}")
    return " ".join(parts)
