"""What no still picture shows of a drawing, for the kind of task that lets a file be written in any other way.

Words and links; animations, scripts and handlers, labels, roles and languages, by what they say; rules of style
sheets that hold under a condition; fonts, which the renderer need not have; how the pointer acts on objects; the
frame by which a drawing is scaled. Elements may be merged, split and moved, so that what is inherited is compared as
the values that drawn elements have, and everything else by how often it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from vbench_env.scoring.scorecard import Change
from vbench_env.svg.cascade import is_css
from vbench_env.svg.parse import Document, Node
from vbench_env.svg.properties import ResolveOptions
from vbench_env.svg.references import href_target
from vbench_env.svg.resolve import Resolved, Space
from vbench_env.svg.schema import ANIMATIONS, GRAPHICS, TEXT_ELEMENTS
from vbench_env.svg.values import parse_viewbox

_SPOKEN = ("text", "title", "desc", "a", "foreignObject")
_SAYING = ("role", "tabindex", "systemLanguage", "requiredExtensions", "target")
"""Attributes that say something wherever they stand, beside handlers and labels."""
_LANGUAGE = ("lang", "{http://www.w3.org/XML/1998/namespace}lang")
_FONT = ("font-family", "font-style", "font-weight", "font-variant", "font-stretch")
_ACTING = {"cursor": "auto", "pointer-events": "visiblepainted", "vector-effect": "none"}
"""Properties of drawn elements, with their initial values."""
_MOVING = ("css:animation", "css:transition", "css:transform-box", "css:offset")


def unseen_changes(start: Document, candidate: Document) -> Iterator[Change]:
    """What the candidate says otherwise than the start where pictures say nothing."""
    for tag in _SPOKEN:
        ours, theirs = (_said(document, tag) for document in (start, candidate))
        if ours != theirs:
            missing = next((said for said in ours if said not in theirs), None)
            extra = next((said for said in theirs if said not in ours), None)
            what = f"{tag} elements say something else or stand in another order"
            yield _change(start, "text", what, missing, extra)
    before, after = _facts(start), _facts(candidate)
    for name in sorted(before.keys() | after.keys()):
        lost, new = before.get(name, Counter()), after.get(name, Counter())
        if lost != new:
            missing, extra = (next(iter(rest.elements()), None) for rest in (lost - new, new - lost))
            yield _change(start, "metadata", f"{name} is not what it was", missing, extra)
    yield from _framed(start, candidate)


def _change(start: Document, subtype: str, what: str, before: str | None, after: str | None) -> Change:
    label = start.root.label if start.root is not None else "svg"
    return Change.model_validate(
        {"object": label, "subtype": subtype, "detail": what, "before": before, "after": after}
    )


def _said(document: Document, tag: str) -> list[str]:
    return [_words(node) for node in document.nodes if node.tag == tag]


def _words(node: Node) -> str:
    if node.tag == "a":
        return href_target(node) or node.attrs.get("href") or ""
    parts = [node.text] + [part for inner in node.iter()[1:] for part in (inner.text, inner.tail)]
    return " ".join("".join(parts).split())


def _facts(document: Document) -> Mapping[str, Counter[str]]:
    """Everything that is compared by how often it stands, by its name; what is inherited counts once a value."""
    resolved = Resolved(document, ResolveOptions(), Space())
    found: dict[str, Counter[str]] = {}
    for node in document.nodes:
        for name, value in (*_acts(node, resolved), *_sheet(node)):
            found.setdefault(name, Counter())[value] += 1
        for name, value in _held(node, resolved):
            found.setdefault(name, Counter())[value] = 1
    for sheet in resolved.sheets.sheets:
        for rule in sheet.opaque:
            found.setdefault("style rule under a condition", Counter())[rule] += 1
    found["font of texts"] = Counter(map(str, _fonts(document, resolved)))
    return found


def _acts(node: Node, resolved: Resolved) -> Iterator[tuple[str, str]]:
    """Animations and scripts with all that they say, handlers, labels and roles with their values."""
    if node.tag in ANIMATIONS:
        plain = resolved.own(node).plain
        yield node.tag, str(sorted((name, str(value)) for name, value in plain.items() if name != "id"))
    elif node.tag == "script":
        yield "script", " ".join([node.attrs.get("href", ""), *node.text.split()]).strip()
    for name, value in node.attrs.items():
        if (name.startswith(("on", "aria-")) and name != "aria-hidden") or name in _SAYING:
            yield name, " ".join(value.split())


def _sheet(node: Node) -> Iterator[tuple[str, str]]:
    """Rules that cannot be evaluated on a still picture, as written."""
    if node.tag == "style" and not is_css(node):
        yield "style sheet under a condition", " ".join(node.text.split())


def _held(node: Node, resolved: Resolved) -> Iterator[tuple[str, str]]:
    for name in _LANGUAGE:
        if value := node.attrs.get(name):
            yield "language", value.lower()
    if node.attrs.get("aria-hidden") == "true":
        yield "aria-hidden", "true"
    own = resolved.own(node)
    for name, value in own.properties.items():
        if name.startswith(_MOVING):
            yield name.removeprefix("css:"), str(value)
    if node.tag in GRAPHICS:
        for name, plain in _ACTING.items():
            value = own.properties.get(name, own.context.values.get(name, own.plain.get(name)))
            word = _word(own.properties.get(f"css:{name}", value))
            if word not in (None, plain):
                yield name, word


def _word(value: object) -> str | None:
    """A keyword, whichever way it is written."""
    return None if value is None else str(value[-1] if isinstance(value, tuple) else value)


def _fonts(document: Document, resolved: Resolved) -> Iterator[tuple[str, str]]:
    """Runs of text in one font, in document order: the font, and the text without white space."""
    run: tuple[tuple[str, ...], str] | None = None
    for text, owner in _pieces(document):
        letters = "".join(text.split())
        if not letters:
            continue
        context = resolved.own(owner).context
        font = tuple(str(context.get(name)) for name in _FONT)
        if run is not None and run[0] == font:
            run = font, run[1] + letters
            continue
        if run is not None:
            yield " ".join(run[0]), run[1]
        run = font, letters
    if run is not None:
        yield " ".join(run[0]), run[1]


def _pieces(document: Document) -> Iterator[tuple[str, Node]]:
    """Character data of texts with the element in whose font it is drawn."""
    for text in document.nodes:
        if text.tag != "text":
            continue
        for node in text.iter():
            if node.tag in TEXT_ELEMENTS or node.tag == "a":
                yield node.text, node
            if node is not text and node.parent is not None:
                yield node.tail, node.parent


def _framed(start: Document, candidate: Document) -> Iterator[Change]:
    """A drawing that scales goes on scaling in the same way, and is not made of pixels."""
    if start.root is None or candidate.root is None:
        return
    ours, theirs = (_scaling(one.root) for one in (start, candidate) if one.root is not None)
    if ours is not None and ours != theirs:
        what = "the drawing does not scale as it did (viewBox, preserveAspectRatio)"
        yield _change(start, "root", what, ours, theirs)
    images = [sum(node.tag in ("image", "feImage") for node in one.nodes) for one in (start, candidate)]
    if images[1] > images[0]:
        what = "more is drawn by images of pixels than before"
        yield _change(start, "added_object", what, str(images[0]), str(images[1]))


def _scaling(root: Node) -> str | None:
    """How a root fits its viewBox into a viewport; None where it has none."""
    if parse_viewbox(root.attrs.get("viewBox", "")) is None:
        return None
    words = root.attrs.get("preserveAspectRatio", "").split() or ["xMidYMid"]
    return " ".join(word for word in words if word != "meet")
