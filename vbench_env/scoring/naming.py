"""What ids name: whether two drawings mean the same object by an id, for the kind of task that keeps ids.

Hiding what an id names has to change both pictures in the same way. Where hiding shows nothing, because the object is
hidden already, covered, or a definition that nothing uses, it is drawn alone, and has to look the same.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vbench_env.scoring.pictures import SPOT_LEVEL, Undrawable, look_difference, pixels
from vbench_env.scoring.scorecard import Change
from vbench_env.svg.document import Edit, Element, Refusal, SourceDocument
from vbench_env.svg.edit import put_attributes, put_several
from vbench_env.svg.schema import DEFINITIONS, PAINT_SERVERS, REFERENCED
from vbench_env.svg.style_edit import put_declaration
from vbench_env.svg.values import WSP, parse_viewbox

Size = tuple[int, int]
Picture = NDArray[np.uint8]
_APART = DEFINITIONS | REFERENCED
_SHOWN = {"display": "inline", "visibility": "visible", "opacity": "1"}
_BY_RECT = {
    **dict.fromkeys(PAINT_SERVERS, "fill"),
    "clipPath": "clip-path",
    "mask": "mask",
    "filter": "filter",
}
"""Definitions that a rectangle over the whole drawing shows, and the attribute by which it refers to them."""


def renamed(start: str, svg: str | bytes, name: str, size: Size) -> Change | None:
    """A change where an id names another thing than in the start; one that the start cannot show names nothing."""
    try:
        hidden = _without(start, name, size)
        unseen = look_difference(hidden, pixels(start, size)).spot <= SPOT_LEVEL
        alone = _alone(start, name, size) if unseen else None
    except (Undrawable, Refusal):
        return None
    try:
        same = _alike(hidden, _without(svg, name, size))
        if same and alone is not None:
            same = _alike(alone, _alone(svg, name, size))
    except (Undrawable, Refusal):
        same = False
    if same:
        return None
    return Change(object=name, subtype="reference", detail="the id names something else", protected=True)


def _alike(ours: Picture, theirs: Picture | None) -> bool:
    return theirs is not None and look_difference(ours, theirs).spot <= SPOT_LEVEL


@lru_cache(maxsize=256)
def _without(svg: str | bytes, name: str, size: Size) -> Picture:
    """The picture of a drawing without what an id names."""
    document = SourceDocument.read(svg)
    found = document.with_id(name)
    if not found:
        return pixels(svg, size)
    hidden = put_declaration(_style(found[0]), "display", "none")
    return pixels(put_attributes(found[0], {"style": hidden}).document.text, size)


@lru_cache(maxsize=256)
def _alone(svg: str | bytes, name: str, size: Size) -> Picture | None:
    """The picture of nothing but what an id names; None of what is no picture, or is referred to by what is drawn."""
    document = SourceDocument.read(svg)
    found = document.with_id(name)
    if not found:
        return None
    chain = _chain(found[0])
    if any(element.tag in _APART for element in chain):
        return _referred(document, found[0], size)
    shown = put_several([(element, {"style": _shown(element)}) for element in chain]).document
    edits: list[Edit] = []
    for element in _chain(shown.with_id(name)[0])[:-1]:
        assert element.parent is not None
        edits += _put_aside(shown, [other for other in element.parent.children if other != element])
    return pixels(shown.edited(sorted(edits)).text, size)


def _chain(element: Element) -> list[Element]:
    """An element and what it stands in, the root last."""
    above = element.parent
    return [element] if above is None else [element, *_chain(above)]


def _style(element: Element) -> str:
    """Its style attribute without the semicolons before the first declaration, at which resvg stops reading."""
    return (element.get("style") or "").lstrip(f"{WSP};")


def _shown(element: Element) -> str:
    style = _style(element)
    for name, value in _SHOWN.items():
        style = put_declaration(style, name, value)
    return style


def _put_aside(document: SourceDocument, elements: list[Element]) -> list[Edit]:
    """Edits that make definitions of elements, so that they are not drawn but can be referred to."""
    prefix = document.root.name.rpartition("svg")[0]
    edits = []
    for element in elements:
        if element.tag not in _APART:
            edits += [Edit(element.start, element.start, f"<{prefix}defs>")]
            edits += [Edit(element.end, element.end, f"</{prefix}defs>")]
    return edits


def _referred(document: SourceDocument, element: Element, size: Size) -> Picture | None:
    """The picture of a definition that nothing refers to, by something that does."""
    name = element.get("id")
    attribute = _BY_RECT.get(element.tag)
    if f"#{name}" in document.text or (
        element.tag in _APART and element.tag != "symbol" and attribute is None
    ):
        return None
    root = document.root
    prefix = root.name.rpartition("svg")[0]
    box = parse_viewbox(root.get("viewBox") or "")
    x, y, width, height = box or (0, 0, "100%", "100%")
    shape = (
        f'<{prefix}rect x="{x}" y="{y}" width="{width}" height="{height}" {attribute}="url(#{name})"/>'
        if attribute
        else f'<{prefix}use href="#{name}"/>'
    )
    aside = _put_aside(document, root.children)
    if root.self_closing:
        return None
    return pixels(document.edited([*aside, Edit(root.close_start, root.close_start, shape)]).text, size)
