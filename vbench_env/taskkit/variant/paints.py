"""The colours of a drawing: where they stand, and putting others there in the same notation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from vbench_env.svg.colors import Color, parse_color
from vbench_env.svg.document import Edit, Element, SourceDocument, apply_edits
from vbench_env.svg.edit import put_several, put_text, text_of
from vbench_env.svg.parse import Node
from vbench_env.svg.schema import ANIMATIONS, COLOR_PROPERTIES
from vbench_env.svg.style_edit import places
from vbench_env.taskkit.stylesheet import style_rules
from vbench_env.taskkit.variant.draft import Unvaried

RGB = tuple[int, int, int]
Shift = Callable[[RGB], RGB]
_TOKEN = re.compile(
    r"url\([^)]*\)|#[0-9a-fA-F]{3,8}\b|(?:rgba?|hsla?|hwb|oklch|oklab|lch|lab)\([^()]*\)|(?<![-\w.#])[A-Za-z]+(?![-\w(])"
)
_FUNCTION = re.compile(r"(rgba?|hsla?)\(\s*([^()]*?)\s*\)", re.IGNORECASE)


def holds_colors(name: str) -> bool:
    """Whether the value of a property or attribute may hold colours."""
    return name in COLOR_PROPERTIES or name == "filter" or name.startswith("--")


def colors_in(text: str) -> Iterator[RGB]:
    """The colours in a value, in order."""
    for match in _TOKEN.finditer(text):
        color = _read(match[0])
        if color is not None:
            yield color.rgb


def _read(token: str) -> Color | None:
    found = parse_color(token) if not token.startswith("url(") else None
    return found if isinstance(found, Color) and token.lower() != "transparent" else None


def repainted(text: str, shift: Shift) -> str:
    """A value with its colours shifted; what needs no change keeps its spelling."""

    def other(match: re.Match[str]) -> str:
        old = _read(match[0])
        if old is None:
            return match[0]
        new = shift(old.rgb)
        return match[0] if new == old.rgb else spelled(new, old.alpha, match[0])

    return _TOKEN.sub(other, text)


def spelled(rgb: RGB, alpha: int, like: str) -> str:
    """A colour in the notation of another one; names and notations that are rare become hexadecimal."""
    function = _FUNCTION.fullmatch(like)
    if (
        function is not None
        and function[1].lower().startswith("rgb")
        and "%" not in function[2].rpartition(",")[0]
    ):
        parts = [*map(str, rgb), *re.split(r"[\s,/]+", function[2])[3:]]
        if "," in function[2]:
            gap = ", " if ", " in function[2] else ","
            return f"{function[1]}({gap.join(parts)})"
        return f"{function[1]}({' '.join(parts[:3])}{' / ' + parts[3] if len(parts) > 3 else ''})"
    text = Color(*rgb, alpha).hex
    return (
        text.upper() if re.search("[A-F]", like) and not re.search("[a-f]", like.removeprefix("#")) else text
    )


def used_colors(document: SourceDocument) -> dict[RGB, int]:
    """The colours of a drawing and how often each is written; those of masks are brightness, and left out."""
    found: dict[RGB, int] = {}
    for _, _, text in _values(document):
        for rgb in colors_in(text):
            found[rgb] = found.get(rgb, 0) + 1
    return found


def _values(document: SourceDocument) -> Iterator[tuple[int, str, str]]:
    """Number of the element, attribute (empty for a style sheet) and text of every value that holds colours."""
    for number, node in enumerate(document.parsed.nodes):
        if _in_mask(node):
            continue
        if node.tag in ANIMATIONS and node.attrs.get("attributeName") in COLOR_PROPERTIES:
            raise Unvaried("a colour is animated")
        for name, text in node.attrs.items():
            if holds_colors(name) and node.tag not in ANIMATIONS:
                yield number, name, text
            elif name == "style":
                yield from ((number, name, part) for part in _declared(text))
        if node.tag == "style":
            css = node.text
            for rule in style_rules(css):
                yield from ((number, "", part) for part in _declared(css[rule.start : rule.end]))


def _declared(css: str) -> Iterator[str]:
    for place in places(css):
        if holds_colors(place.name):
            yield css[place.value_start : place.value_end]


def _in_mask(node: Node | None) -> bool:
    while node is not None and node.tag != "mask":
        node = node.parent
    return node is not None


def repaint(document: SourceDocument, shift: Shift) -> SourceDocument:
    """The drawing with every colour shifted."""
    wanted: dict[int, dict[str, str | None]] = {}
    for number, name, text in _values(document):
        if name and name != "style":
            wanted.setdefault(number, {})[name] = repainted(text, shift)
    for number, node in enumerate(document.parsed.nodes):
        if "style" in node.attrs and not _in_mask(node):
            wanted.setdefault(number, {})["style"] = _restyled(node.attrs["style"], shift)
    changes = [(Element(document, number), values) for number, values in wanted.items()]
    new = put_several(changes).document if changes else document
    for number, node in enumerate(document.parsed.nodes):
        if node.tag == "style":
            element = Element(new, number)
            new = put_text(element, _resheeted(text_of(element), shift)).document
    return new


def _restyled(css: str, shift: Shift) -> str:
    spots = [place for place in places(css) if holds_colors(place.name)]
    edits = [
        Edit(spot.value_start, spot.value_end, repainted(css[spot.value_start : spot.value_end], shift))
        for spot in spots
    ]
    return apply_edits(css, edits)


def _resheeted(css: str, shift: Shift) -> str:
    for rule in reversed(style_rules(css)):
        css = css[: rule.start] + _restyled(css[rule.start : rule.end], shift) + css[rule.end :]
    return css
