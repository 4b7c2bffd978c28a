"""Features of SVG that some engines lack: how a drawing uses them, and a probe for each.

A probe is a pair of drawings that must look different, with the feature and without it. An engine that draws both
alike does not know the feature. So nothing here says what an engine can do; the engine installed is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Draw = Callable[[str], NDArray[np.uint8] | str]
"""Draws an SVG of 64 by 64 pixels, or says why not."""

PROBE_PX = 64
_SEEN = 6
"""Pixels that must differ."""
_NEAR, _FAR = 24, 128
"""By how much of 255: to count as different, and to count as not alike (edges may be smoothed otherwise)."""


class Feature(NamedTuple):
    """A feature: its name, where it shows in a source, and what is drawn with and without it."""

    name: str
    pattern: str
    shown: str
    plain: str
    alike: bool = False
    """Whether both must look alike instead."""


def _pair(name: str, pattern: str, template: str, value: str, neutral: str = "") -> Feature:
    """A feature whose probe is one drawing in which `@` stands for it."""
    return Feature(name, pattern, template.replace("@", value), template.replace("@", neutral))


_BOX = '<rect x="12" y="12" width="40" height="40" fill="#c33"/>'
_OWN = _BOX.replace("/>", " @/>")
_LETTERS = '<text x="8" y="40" font-size="18" @>abcd</text>'


def _sheet(rule: str) -> str:
    return f"<style>{rule}</style>"


def _filtered(primitives: str) -> str:
    return f'<filter id="f" x="-1" y="-1" width="3" height="3">{primitives}</filter><g filter="url(#f)">{_BOX}</g>'


_IN_A = f'@<g class="a">{_BOX}</g>'
_PART = '<text x="8" y="34" font-size="18">a<tspan @>bcd</tspan></text>'


def _tiled(own: str) -> str:
    tile = '<rect width="4" height="8"/>'
    return f'<pattern id="a" width="8" height="8" patternUnits="userSpaceOnUse" {own}>{tile}</pattern>'


_STEP = 5.55
"""Width of a tile that begins between pixels."""


def _striped(step: float, *, tiled: bool) -> str:
    """Wide stripes, as a pattern or drawn one by one."""
    stripe = f'<rect width="{step / 2}" height="64"/>'
    if not tiled:
        return "".join(stripe.replace("<rect", f'<rect x="{step * n}"') for n in range(12))
    head = f'<pattern id="a" width="{step}" height="64" patternUnits="userSpaceOnUse">'
    return f'{head}{stripe}</pattern><rect width="64" height="64" fill="url(#a)"/>'


def _stroked(own: str) -> str:
    return f'<path stroke="#000" stroke-width="2" {own}/>'


def _marked(own: str, height: int, line: str) -> str:
    head = (
        f'<marker id="a" markerWidth="9" markerHeight="9" {own}><rect width="9" height="{height}"/></marker>'
    )
    return head + _stroked(line)


def _graded(tag: str) -> str:
    stops = '<stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/>'
    return f'<{tag} id="a" @>{stops}</{tag}><rect width="64" height="64" fill="url(#a)"/>'


def _along(line: str, words: str) -> str:
    return f'<path id="a" d="{line}" fill="none"/><text font-size="14">{words}</text>'


FEATURES: tuple[Feature, ...] = (
    _pair("style sheet, class", r"<style[\s\S]*?\.[\w-]+[^{}]*\{",
          "@" + _BOX.replace("/>", ' class="a"/>'), _sheet(".a{opacity:.2}")),
    _pair("style sheet, descendant", r"<style[\s\S]*?[}\s>][.#\w-]+\s+[.#\w-]+\s*\{", _IN_A,
          _sheet(".a rect{opacity:.2}")),
    _pair("style sheet, child", r"<style[\s\S]*?>\s*[\w.#-]+\s*\{", _IN_A, _sheet(".a>rect{opacity:.2}")),
    _pair("style sheet, attribute", r"<style[\s\S]*?\[[\w-]+[~|^$*]?=", "@" + _BOX,
          _sheet("[width='40']{opacity:.2}")),
    _pair("style sheet, :nth-child", r":nth-child", "@" + _BOX, _sheet("rect:nth-child(n){opacity:.2}")),
    _pair("font shorthand", r"[\"';{\s]font\s*:", "@" + _LETTERS.replace(" @", ""),
          _sheet("text{font:700 30px Arial}")),
    Feature("custom properties", r"var\(", _sheet("svg{--c:blue} rect{fill:var(--c)}") + _BOX,
            _BOX.replace("#c33", "blue"), alike=True),
    _pair("currentColor", r"currentcolor", f'<g @>{_BOX.replace("#c33", "currentColor")}</g>', 'color="#00f"'),
    _pair("use", r"<use\b", f'<defs><g id="a">{_BOX}</g></defs>@', '<use xlink:href="#a"/>'),
    _pair("href without xlink", r"<use\b[^>]*\s(?<!:)href=", f'<defs><g id="a">{_BOX}</g></defs>@', '<use href="#a"/>'),
    _pair("symbol with viewBox", r"<symbol\b[^>]*viewBox",
          '<symbol id="a" @><rect width="9" height="9"/></symbol><use href="#a" width="40" height="40"/>',
          'viewBox="0 0 9 9"'),
    _pair("symbol, overflow visible", r"<symbol\b[^>]*overflow",
          '<symbol id="a" viewBox="0 0 9 9" @><rect width="20" height="9"/></symbol>'
          '<use href="#a" width="20" height="20"/>', 'overflow="visible"'),
    _pair("inner svg", r"<svg\b[\s\S]*<svg\b", f"<svg @>{_BOX}</svg>", 'viewBox="0 0 200 200"'),
    _pair("clip path", r"<clipPath", f'<clipPath id="a"><rect width="30" height="30"/></clipPath><g @>{_BOX}</g>',
          'clip-path="url(#a)"'),
    _pair("mask by brightness", r"<mask\b",
          f'<mask id="a"><rect width="64" height="64" fill="#555"/></mask><g @>{_BOX}</g>', 'mask="url(#a)"'),
    _pair("pattern", r"<pattern\b", _tiled("") + '<rect width="64" height="64" fill="none" @/>',
          'style="fill:url(#a)"'),
    Feature("pattern, tile between pixels", r"<pattern\b", _striped(_STEP, tiled=True), _striped(_STEP, tiled=False),
            alike=True),
    _pair("patternTransform", r"patternTransform", _tiled("@") + '<rect width="64" height="64" fill="url(#a)"/>',
          'patternTransform="rotate(45)"'),
    _pair("marker", r"<marker\b", _marked("", 9, 'd="M5 30H40" @'), 'marker-end="url(#a)"'),
    _pair("marker, orient auto", r"orient=.auto", _marked("@", 3, 'd="M5 5V40" marker-end="url(#a)"'), 'orient="auto"'),
    _pair("marker in user space", r"markerUnits", _marked("@", 9, 'd="M5 30H40" marker-end="url(#a)"'),
          'markerUnits="userSpaceOnUse"'),
    _pair("gradientTransform", r"gradientTransform", _graded("linearGradient"), 'gradientTransform="rotate(90)"'),
    _pair("radial gradient, focus", r"\bf[xy]=", _graded("radialGradient"), 'fx=".1"'),
    Feature("feGaussianBlur", "feGaussianBlur", _filtered('<feGaussianBlur stdDeviation="6"/>'), _BOX),
    Feature("feDropShadow", "feDropShadow", _filtered('<feDropShadow dx="9" dy="9" stdDeviation="1"/>'), _BOX),
    Feature("feOffset and feMerge", "feMerge",
            _filtered('<feOffset dx="9" dy="9" result="o"/><feMerge><feMergeNode in="o"/></feMerge>'), _BOX),
    Feature("feFlood and feComposite", "feComposite",
            _filtered('<feFlood flood-color="#00f"/><feComposite operator="in" in2="SourceGraphic"/>'), _BOX),
    Feature("feColorMatrix", "feColorMatrix", _filtered('<feColorMatrix type="hueRotate" values="180"/>'), _BOX),
    Feature("feTurbulence", "feTurbulence", _filtered('<feTurbulence baseFrequency=".1"/>'), _BOX),
    _pair("mix-blend-mode", r"mix-blend-mode", '<rect width="64" height="64" fill="#3c3"/>' + _OWN,
          'style="mix-blend-mode:multiply"'),
    _pair("paint-order", r"paint-order", _OWN.replace("@", 'stroke="#000" stroke-width="12" @'),
          'style="paint-order:stroke"'),
    _pair("stroke-dasharray", r"stroke-dasharray", _stroked('d="M4 30H60" @'), 'stroke-dasharray="6 6"'),
    _pair("vector-effect", r"vector-effect", "<g transform='scale(4)'>" + _stroked("d='M2 8H14' @") + "</g>",
          'vector-effect="non-scaling-stroke"'),
    _pair("transform-origin", r"transform-origin",
          '<rect x="20" y="20" width="20" height="20" transform="rotate(45)" @/>',
          'transform-origin="30 30"'),
    _pair("group opacity", r"<g\b[^>]*\sopacity=", f"<g @>{_BOX}</g>", 'opacity=".3"'),
    _pair("opacity of use", r"<use\b[^>]*\sopacity[=:]", f'<defs><g id="a">{_BOX}</g></defs><use href="#a" @/>',
          'opacity=".3"'),
    _pair("letter-spacing", r"letter-spacing", _LETTERS, 'letter-spacing="6"'),
    _pair("word-spacing", r"word-spacing", _LETTERS.replace("abcd", "a b"), 'word-spacing="14"'),
    _pair("text-anchor", r"text-anchor", _LETTERS, 'text-anchor="end"'),
    _pair("dominant-baseline", r"dominant-baseline", _LETTERS, 'dominant-baseline="hanging"'),
    _pair("baseline-shift", r"baseline-shift", _PART, 'baseline-shift="super"'),
    _pair("text-decoration", r"text-decoration", _LETTERS, 'text-decoration="underline"'),
    _pair("tspan with dx and dy", r"<tspan[^>]*\sd[xy]=", _PART, 'dx="9" dy="14"'),
    _pair("textLength", r"textLength", _LETTERS, 'textLength="52"'),
    _pair("textPath", r"<textPath", _along("M4 20Q30 60 60 20", "@"), '<textPath href="#a">abcdef</textPath>'),
    _pair("textPath, startOffset", r"startOffset", _along("M4 30H60", '<textPath href="#a" @>abc</textPath>'),
          'startOffset="50%"'),
    _pair("letters turned one by one", r"<t(?:ext|span)[^>]*\srotate=", _LETTERS, 'rotate="40"'),
    _pair("nested transforms", r"transform=[\s\S]*transform=", f'<g transform="translate(6 6)"><g @>{_BOX}</g></g>',
          'transform="rotate(30)"'),
    _pair("clip-rule", r"clip-rule",
          f'<clipPath id="a"><path @ d="M0 0H60V60H0zM20 20H40V40H20z"/></clipPath><g clip-path="url(#a)">{_BOX}</g>',
          'clip-rule="evenodd"'),
    _pair("preserveAspectRatio", r"preserveAspectRatio",
          '<symbol id="a" viewBox="0 0 9 9" @><rect width="9" height="9"/></symbol>'
          '<use href="#a" width="60" height="20"/>', 'preserveAspectRatio="none"'),
)  # fmt: skip


def probe(markup: str) -> str:
    """A probe as a document."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    return (
        f'{head}width="{PROBE_PX}" height="{PROBE_PX}" viewBox="0 0 64 64" font-family="Arial">{markup}</svg>'
    )


def used_features(svg: str) -> tuple[str, ...]:
    """Names of the features that a drawing uses."""
    return tuple(feature.name for feature in FEATURES if re.search(feature.pattern, svg, re.IGNORECASE))


def lacking(draw: Draw, names: Iterable[str] | None = None) -> tuple[str, ...]:
    """Names of the features that an engine lacks, all or those among `names`."""
    wanted = None if names is None else set(names)
    return tuple(
        feature.name
        for feature in FEATURES
        if (wanted is None or feature.name in wanted) and not _knows(draw, feature)
    )


def _knows(draw: Draw, feature: Feature) -> bool:
    shown, plain = draw(probe(feature.shown)), draw(probe(feature.plain))
    if isinstance(shown, str) or isinstance(plain, str):
        return False
    apart = np.abs(shown.astype(np.int16) - plain).max(axis=2)
    if feature.alike:
        return int((apart > _FAR).sum()) < _SEEN
    return int((apart > _NEAR).sum()) >= _SEEN
