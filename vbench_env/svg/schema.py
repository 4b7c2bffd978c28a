"""What SVG attributes and properties are: kinds, initial values, inheritance, and where they apply.

Tables only. Properties: SVG 1.1 appendix N (property index) and SVG 2 appendix on properties. Attributes of
elements: SVG 1.1 appendix M and SVG 2 sections 9 and 10 (shapes), 14 (paint servers), Filter Effects 1.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal[
    "color", "paint", "opacity", "number", "positive", "integer", "length", "length-x", "length-y",
    "length-diagonal", "lengths", "dashes", "font-size", "font-weight", "spacing", "keyword", "keywords",
    "url", "text", "numbers", "numbers-opt", "path", "points", "transform", "viewbox", "offset", "angle",
    "href", "id", "style", "timing", "aspect", "frames", "clock",
]  # fmt: skip
"""How a value is read. `length-x`, `-y`, `-diagonal` say what a percentage refers to; `dashes` is `none` or a
list of non-negative lengths; `numbers-opt` one or two numbers; `offset` a number or percentage, clamped to
0..1; `spacing` a length or keyword for which CSS wants a unit; `frames` the values of an animation, `clock` a
duration."""

Group = Literal[
    "all", "shape", "text", "container", "graphics", "filter-target", "stop", "flood", "lighting", "markable",
    "image", "viewport", "filter-primitive", "gradient", "displayed", "clip-shape", "mask",
]  # fmt: skip


class PropertyInfo(NamedTuple):
    """A CSS property that is a presentation attribute.

    `unitless` says that CSS takes a plain number where the kind is a length. `applies_to` names groups.
    """

    inherited: bool
    initial: str
    kind: Kind
    applies_to: frozenset[Group]
    keywords: frozenset[str] = frozenset()
    unitless: bool = False


BASIC_SHAPES = frozenset({"rect", "circle", "ellipse", "line", "polyline", "polygon"})
SHAPES = BASIC_SHAPES | {"path"}
TEXT_ELEMENTS = frozenset({"text", "tspan", "tref", "textPath", "altGlyph"})
CONTAINERS = frozenset({
    "svg", "g", "defs", "symbol", "marker", "mask", "pattern", "a", "switch", "clipPath", "glyph",
    "missing-glyph",
})  # fmt: skip
GRAPHICS = SHAPES | TEXT_ELEMENTS | {"image", "use", "foreignObject"}
GRADIENTS = frozenset({"linearGradient", "radialGradient"})
PAINT_SERVERS = GRADIENTS | {"pattern", "solidcolor"}
DEFINITIONS = PAINT_SERVERS | {
    "defs", "symbol", "marker", "mask", "clipPath", "filter", "stop", "style", "script", "font", "cursor",
    "color-profile", "view", "metadata", "title", "desc",
}  # fmt: skip
"""Elements that are never painted where they stand."""
REFERENCED = PAINT_SERVERS | {"symbol", "marker", "mask", "clipPath", "filter"}
"""Elements that take effect only through a reference."""
DESCRIPTIVE = frozenset({"title", "desc", "metadata"})
ANIMATIONS = frozenset(
    {"animate", "animateColor", "animateMotion", "animateTransform", "set", "mpath", "discard"}
)
FILTER_PRIMITIVES = frozenset({
    "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting",
    "feDisplacementMap", "feDropShadow", "feFlood", "feGaussianBlur", "feImage", "feMerge", "feMorphology",
    "feOffset", "feSpecularLighting", "feTile", "feTurbulence",
})  # fmt: skip
LIGHT_SOURCES = frozenset({"feDistantLight", "fePointLight", "feSpotLight"})
VIEWPORTS = frozenset({"svg", "symbol", "image", "marker", "pattern", "foreignObject"})
_LIGHTING = frozenset({"feDiffuseLighting", "feSpecularLighting"})

GROUPS: dict[Group, frozenset[str]] = {
    "shape": SHAPES,
    "text": TEXT_ELEMENTS,
    "container": CONTAINERS,
    "graphics": GRAPHICS,
    "filter-target": (GRAPHICS | CONTAINERS) - {"defs", "clipPath", "glyph", "missing-glyph"},
    "stop": frozenset({"stop"}),
    "flood": frozenset({"feFlood", "feDropShadow"}),
    "lighting": _LIGHTING,
    "markable": frozenset({"path", "line", "polyline", "polygon"}),
    "image": frozenset({"image", "feImage", "pattern", "svg", "foreignObject"}),
    "viewport": VIEWPORTS,
    "filter-primitive": FILTER_PRIMITIVES,
    "gradient": GRADIENTS,
    "displayed": GRAPHICS | {"svg", "g", "a", "switch"},
    "clip-shape": GRAPHICS | {"clipPath"},
    "mask": frozenset({"mask"}),
}
"""Element names per group; `all` stands for every element."""


def _property(
    kind: Kind, initial: str, groups: str, *, inherited: bool, keywords: str = "", unitless: bool = False
) -> PropertyInfo:
    applies: frozenset[Group] = frozenset(groups.split())  # type: ignore[arg-type]
    return PropertyInfo(inherited, initial, kind, applies, frozenset(keywords.split()), unitless)


def _inherited(
    kind: Kind, initial: str, groups: str, keywords: str = "", unitless: bool = False
) -> PropertyInfo:
    return _property(kind, initial, groups, inherited=True, keywords=keywords, unitless=unitless)


def _own(kind: Kind, initial: str, groups: str, keywords: str = "", unitless: bool = False) -> PropertyInfo:
    return _property(kind, initial, groups, inherited=False, keywords=keywords, unitless=unitless)


_RENDERING = "auto optimizeSpeed"
_COLOR_SPACES = "auto sRGB linearRGB"
_BASELINES = (
    "auto baseline before-edge text-before-edge middle central after-edge text-after-edge ideographic "
    "alphabetic hanging mathematical top center bottom text-top text-bottom"
)
_SIZES = "xx-small x-small small medium large x-large xx-large larger smaller"

PRESENTATION: dict[str, PropertyInfo] = {
    # Painting: SVG 1.1 chapter 11, SVG 2 chapter 13
    "fill": _inherited("paint", "black", "shape text"),
    "fill-opacity": _inherited("opacity", "1", "shape text"),
    "fill-rule": _inherited("keyword", "nonzero", "shape text", "nonzero evenodd"),
    "stroke": _inherited("paint", "none", "shape text"),
    "stroke-dasharray": _inherited("dashes", "none", "shape text", "none", unitless=True),
    "stroke-dashoffset": _inherited("length-diagonal", "0", "shape text", unitless=True),
    "stroke-linecap": _inherited("keyword", "butt", "shape text", "butt round square"),
    "stroke-linejoin": _inherited("keyword", "miter", "shape text", "miter round bevel miter-clip arcs"),
    "stroke-miterlimit": _inherited("positive", "4", "shape text"),
    "stroke-opacity": _inherited("opacity", "1", "shape text"),
    "stroke-width": _inherited("length-diagonal", "1", "shape text", unitless=True),
    "color": _inherited("color", "black", "all"),
    "color-interpolation": _inherited("keyword", "sRGB", "container graphics gradient", _COLOR_SPACES),
    "color-interpolation-filters": _inherited("keyword", "linearRGB", "filter-primitive", _COLOR_SPACES),
    "color-profile": _inherited("text", "auto", "image"),
    "color-rendering": _inherited(
        "keyword", "auto", "container graphics gradient", f"{_RENDERING} optimizeQuality"
    ),
    "image-rendering": _inherited(
        "keyword", "auto", "image", f"{_RENDERING} optimizeQuality smooth high-quality crisp-edges pixelated"
    ),
    "shape-rendering": _inherited("keyword", "auto", "shape", f"{_RENDERING} crispEdges geometricPrecision"),
    "text-rendering": _inherited(
        "keyword", "auto", "text", f"{_RENDERING} optimizeLegibility geometricPrecision"
    ),
    "marker-start": _inherited("url", "none", "markable", "none"),
    "marker-mid": _inherited("url", "none", "markable", "none"),
    "marker-end": _inherited("url", "none", "markable", "none"),
    # Clipping, masking, compositing: SVG 1.1 chapter 14
    "clip": _own("text", "auto", "viewport"),
    "clip-path": _own("url", "none", "filter-target", "none"),
    "clip-rule": _inherited("keyword", "nonzero", "clip-shape", "nonzero evenodd"),
    "mask": _own("url", "none", "filter-target", "none"),
    "opacity": _own("opacity", "1", "filter-target"),
    "overflow": _own("keyword", "visible", "viewport", "visible hidden scroll auto clip"),
    "enable-background": _own("text", "accumulate", "container"),
    # Filters and gradients: SVG 1.1 chapters 13 and 15
    "filter": _own("url", "none", "filter-target", "none"),
    "flood-color": _own("color", "black", "flood"),
    "flood-opacity": _own("opacity", "1", "flood"),
    "lighting-color": _own("color", "white", "lighting"),
    "stop-color": _own("color", "black", "stop"),
    "stop-opacity": _own("opacity", "1", "stop"),
    # Visibility and interaction: SVG 1.1 chapters 11 and 16
    "display": _own(
        "keyword",
        "inline",
        "displayed",
        "inline block list-item run-in compact marker table inline-table table-row-group table-header-group "
        "table-footer-group table-row table-column-group table-column table-cell table-caption none "
        "inline-block flex inline-flex grid inline-grid contents flow-root",
    ),
    "visibility": _inherited("keyword", "visible", "graphics", "visible hidden collapse"),
    "cursor": _inherited("text", "auto", "container graphics"),
    "pointer-events": _inherited(
        "keyword",
        "visiblePainted",
        "container graphics",
        "auto visiblePainted visibleFill visibleStroke visible painted fill stroke all none bounding-box",
    ),
    # Text and fonts: SVG 1.1 chapters 10 and 20, CSS 2.1 chapter 15
    "alignment-baseline": _own("keyword", "auto", "text", _BASELINES),
    "baseline-shift": _own("spacing", "baseline", "text", "baseline sub super"),
    "direction": _inherited("keyword", "ltr", "text", "ltr rtl"),
    "dominant-baseline": _inherited(
        "keyword", "auto", "text", f"{_BASELINES} use-script no-change reset-size"
    ),
    "font-family": _inherited("text", "", "text"),
    "font-size": _inherited("font-size", "medium", "text", _SIZES),
    "font-size-adjust": _inherited("text", "none", "text"),
    "font-stretch": _inherited(
        "keyword",
        "normal",
        "text",
        "normal wider narrower ultra-condensed extra-condensed condensed semi-condensed semi-expanded "
        "expanded extra-expanded ultra-expanded",
    ),
    "font-style": _inherited("keyword", "normal", "text", "normal italic oblique"),
    "font-variant": _inherited("text", "normal", "text"),
    "font-weight": _inherited("font-weight", "normal", "text", "normal bold bolder lighter"),
    "glyph-orientation-horizontal": _inherited("angle", "0deg", "text"),
    "glyph-orientation-vertical": _inherited("angle", "auto", "text", "auto"),
    "kerning": _inherited("spacing", "auto", "text", "auto"),
    "letter-spacing": _inherited("spacing", "normal", "text", "normal"),
    "text-anchor": _inherited("keyword", "start", "text", "start middle end"),
    "text-decoration": _own("text", "none", "text"),
    "unicode-bidi": _own(
        "keyword", "normal", "text", "normal embed bidi-override isolate isolate-override plaintext"
    ),
    "word-spacing": _inherited("spacing", "normal", "text", "normal"),
    "writing-mode": _inherited(
        "keyword", "lr-tb", "text", "lr-tb rl-tb tb-rl lr rl tb horizontal-tb vertical-rl vertical-lr"
    ),
}
"""The presentation attributes of SVG 1.1 (section 6.1)."""

LATER_PRESENTATION: dict[str, PropertyInfo] = {
    "font-variant-caps": _inherited(
        "keyword", "normal", "text", "normal small-caps all-small-caps petite-caps"
    ),
    "isolation": _own("keyword", "auto", "filter-target", "auto isolate"),
    "mask-type": _own("keyword", "luminance", "mask", "luminance alpha"),
    "mix-blend-mode": _own("text", "normal", "filter-target"),
    "paint-order": _inherited("keywords", "normal", "shape text", "normal fill stroke markers"),
    "text-overflow": _own("text", "clip", "text"),
    "transform-origin": _own("text", "0 0", "all"),
    "transform-box": _own(
        "keyword", "view-box", "all", "content-box border-box fill-box stroke-box view-box"
    ),
    "vector-effect": _own(
        "keywords",
        "none",
        "shape text image",
        "none non-scaling-stroke non-scaling-size non-rotation fixed-position viewport screen",
    ),
    "white-space": _inherited(
        "keyword", "normal", "text", "normal pre nowrap pre-wrap pre-line break-spaces"
    ),
}
"""Properties that came after SVG 1.1 (SVG 2, CSS Masking 1, Compositing 1): compared, never moved."""

PROPERTIES: dict[str, PropertyInfo] = PRESENTATION | LATER_PRESENTATION

SHORTHANDS: dict[str, tuple[str, ...]] = {
    "marker": ("marker-start", "marker-mid", "marker-end"),
    "font": (
        "font-style", "font-variant", "font-weight", "font-stretch", "font-size", "font-family",
        "font-size-adjust",
    ),
    "all": (),
}  # fmt: skip
"""CSS shorthands that are no presentation attributes, with what they set."""

CSS_WIDE = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
"""Keywords that every property takes (CSS Cascade 5 section 7.3)."""
COLOR_PROPERTIES = frozenset({"color", "fill", "stroke", "stop-color", "flood-color", "lighting-color"})
URL_PROPERTIES = frozenset({
    "fill", "stroke", "clip-path", "mask", "filter", "marker", "marker-start", "marker-mid", "marker-end",
    "cursor", "color-profile",
})  # fmt: skip
GEOMETRY_PROPERTIES = frozenset({"x", "y", "cx", "cy", "r", "rx", "ry", "width", "height", "d", "transform"})
"""Attributes that SVG 2 makes CSS properties; inside `style` they compare strictly."""

_ATTRIBUTE_NAMES: dict[Kind, str] = {
    "id": "id",
    "style": "style",
    "text": "class in in2 result",
    "transform": "transform gradientTransform patternTransform",
    "path": "d",
    "points": "points",
    "viewbox": "viewBox",
    "aspect": "preserveAspectRatio",
    "length-x": "x x1 x2 cx fx width rx refX markerWidth textLength startOffset",
    "length-y": "y y1 y2 cy fy height ry refY markerHeight",
    "length-diagonal": "r fr",
    "positive": "pathLength",
    "angle": "orient",
    "offset": "offset",
    "href": "href {http://www.w3.org/1999/xlink}href",
    "timing": "begin end",
    "numbers": "kernelMatrix tableValues",
    "numbers-opt": "stdDeviation baseFrequency radius order kernelUnitLength filterRes",
    "integer": "numOctaves targetX targetY",
    "number": (
        "seed scale divisor bias k1 k2 k3 k4 slope intercept amplitude exponent surfaceScale "
        "diffuseConstant specularConstant specularExponent limitingConeAngle azimuth elevation "
        "pointsAtX pointsAtY pointsAtZ z"
    ),
    "keyword": (
        "gradientUnits patternUnits patternContentUnits clipPathUnits maskUnits maskContentUnits filterUnits "
        "primitiveUnits markerUnits spreadMethod lengthAdjust method spacing side edgeMode operator mode "
        "type stitchTiles xChannelSelector yChannelSelector preserveAlpha"
    ),
}

ATTRIBUTES: dict[str, Kind] = {
    name: kind for kind, names in _ATTRIBUTE_NAMES.items() for name in names.split()
}
"""How an attribute that is no property is read, on any element that `ELEMENT_ATTRIBUTES` does not except."""

ELEMENT_ATTRIBUTES: dict[tuple[str, str], Kind] = {
    **{(tag, name): "lengths" for tag in TEXT_ELEMENTS for name in ("x", "y", "dx", "dy")},
    **{(tag, "rotate"): "numbers" for tag in TEXT_ELEMENTS},
    **{(tag, name): "number" for tag in LIGHT_SOURCES for name in ("x", "y", "z")},
    ("feOffset", "dx"): "number",
    ("feOffset", "dy"): "number",
    ("feDropShadow", "dx"): "number",
    ("feDropShadow", "dy"): "number",
    ("feColorMatrix", "values"): "numbers",
    ("feFuncR", "offset"): "number",
    ("feFuncG", "offset"): "number",
    ("feFuncB", "offset"): "number",
    ("feFuncA", "offset"): "number",
    **{
        (tag, name): "frames"
        for tag in ANIMATIONS
        for name in ("values", "from", "to", "by", "keyTimes", "keySplines", "keyPoints")
    },
    **{(tag, name): "clock" for tag in ANIMATIONS for name in ("dur", "min", "max", "repeatDur")},
    **{
        (tag, name): "keyword"
        for tag in ANIMATIONS
        for name in ("fill", "calcMode", "additive", "accumulate", "restart", "attributeType")
    },
    ("style", "media"): "keyword",
    ("a", "target"): "keyword",
}
"""Exceptions to `ATTRIBUTES` by (element, attribute)."""

_POSITION = {"x": "0", "y": "0"}
_GRADIENT = {"gradientUnits": "objectBoundingBox", "gradientTransform": "", "spreadMethod": "pad"}
_REGION = {"x": "-10%", "y": "-10%", "width": "120%", "height": "120%"}
_ASPECT = {"preserveAspectRatio": "xMidYMid meet"}
_TRANSFER = {
    "slope": "1",
    "intercept": "0",
    "amplitude": "1",
    "exponent": "1",
    "offset": "0",
    "tableValues": "",
}
_ANIMATION = {
    "fill": "remove",
    "additive": "replace",
    "accumulate": "none",
    "restart": "always",
    "attributeType": "auto",
}
_LIGHT = {"surfaceScale": "1", "diffuseConstant": "1", "specularConstant": "1", "specularExponent": "1"}

INITIAL: dict[str, dict[str, str]] = {
    "svg": _POSITION | _ASPECT | {"width": "100%", "height": "100%", "zoomAndPan": "magnify"},
    "style": {"type": "text/css", "media": "all"},
    "a": {"target": "_self"},
    "animate": _ANIMATION | {"calcMode": "linear"},
    "animateColor": _ANIMATION | {"calcMode": "linear"},
    "animateTransform": _ANIMATION | {"calcMode": "linear", "type": "translate"},
    "animateMotion": _ANIMATION | {"calcMode": "paced", "rotate": "0"},
    "set": {"fill": "remove", "restart": "always", "attributeType": "auto"},
    "rect": _POSITION | {"width": "0", "height": "0", "rx": "auto", "ry": "auto"},
    "circle": {"cx": "0", "cy": "0", "r": "0"},
    "ellipse": {"cx": "0", "cy": "0", "rx": "auto", "ry": "auto"},
    "line": {"x1": "0", "y1": "0", "x2": "0", "y2": "0"},
    "polyline": {"points": ""},
    "polygon": {"points": ""},
    "path": {"d": ""},
    "use": _POSITION,
    "image": _POSITION | _ASPECT | {"width": "auto", "height": "auto"},
    "foreignObject": _POSITION | {"width": "auto", "height": "auto"},
    "symbol": _ASPECT,
    "text": _POSITION | {"lengthAdjust": "spacing"},
    "textPath": {"startOffset": "0", "method": "align", "spacing": "exact", "lengthAdjust": "spacing"},
    "linearGradient": _GRADIENT | {"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%"},
    "radialGradient": _GRADIENT | {"cx": "50%", "cy": "50%", "r": "50%", "fr": "0%"},
    "stop": {"offset": "0"},
    "pattern": _POSITION | _ASPECT | {
        "width": "0", "height": "0", "patternUnits": "objectBoundingBox", "patternTransform": "",
        "patternContentUnits": "userSpaceOnUse",
    },
    "clipPath": {"clipPathUnits": "userSpaceOnUse"},
    "mask": _REGION | {"maskUnits": "objectBoundingBox", "maskContentUnits": "userSpaceOnUse"},
    "marker": _ASPECT | {
        "refX": "0", "refY": "0", "markerWidth": "3", "markerHeight": "3",
        "markerUnits": "strokeWidth", "orient": "0",
    },
    "filter": _REGION | {"filterUnits": "objectBoundingBox", "primitiveUnits": "userSpaceOnUse"},
    "feBlend": {"mode": "normal"},
    "feColorMatrix": {"type": "matrix"},
    "feComposite": {"operator": "over", "k1": "0", "k2": "0", "k3": "0", "k4": "0"},
    "feConvolveMatrix": {"order": "3", "bias": "0", "edgeMode": "duplicate", "preserveAlpha": "false"},
    "feDiffuseLighting": {key: _LIGHT[key] for key in ("surfaceScale", "diffuseConstant")},
    "feDisplacementMap": {"scale": "0", "xChannelSelector": "A", "yChannelSelector": "A"},
    "feDistantLight": {"azimuth": "0", "elevation": "0"},
    "feDropShadow": {"dx": "2", "dy": "2", "stdDeviation": "2"},
    "feFuncR": _TRANSFER, "feFuncG": _TRANSFER, "feFuncB": _TRANSFER, "feFuncA": _TRANSFER,
    "feGaussianBlur": {"stdDeviation": "0", "edgeMode": "none"},
    "feImage": _ASPECT,
    "feMorphology": {"operator": "erode", "radius": "0"},
    "feOffset": {"dx": "0", "dy": "0"},
    "fePointLight": {"x": "0", "y": "0", "z": "0"},
    "feSpecularLighting": {
        key: _LIGHT[key] for key in ("surfaceScale", "specularConstant", "specularExponent")
    },
    "feSpotLight": {
        "x": "0", "y": "0", "z": "0", "pointsAtX": "0", "pointsAtY": "0", "pointsAtZ": "0",
        "specularExponent": "1",
    },
    "feTurbulence": {
        "baseFrequency": "0", "numOctaves": "1", "seed": "0", "stitchTiles": "noStitch", "type": "turbulence",
    },
}  # fmt: skip
"""Initial values of attributes that are no properties, per element; `transform` is empty everywhere."""

SAME_AS: dict[tuple[str, str], str] = {
    **{(tag, name): other for tag in ("rect", "ellipse") for name, other in (("rx", "ry"), ("ry", "rx"))},
    ("radialGradient", "fx"): "cx",
    ("radialGradient", "fy"): "cy",
}
"""Attributes that take another one's value where they are absent (SVG 2 sections 10.2, 10.4 and 14.2.3)."""
BOX_UNITS = {
    "linearGradient": "gradientUnits", "radialGradient": "gradientUnits", "pattern": "patternUnits",
    "mask": "maskUnits", "filter": "filterUnits",
}  # fmt: skip
"""Elements whose lengths are shares of a box, percentages included, unless this attribute says otherwise."""
CLIPPED = frozenset({"symbol", "marker", "pattern", "image", "foreignObject"})
"""Elements for which the user agent's style sheet says `overflow: hidden` (and a nested `svg`)."""

HREF_INHERITED = frozenset(PAINT_SERVERS | {"filter"})
"""Elements whose missing attributes come from what their `href` names; an initial value is none there."""


@lru_cache(maxsize=4096)
def property_applies(name: str, tag: str) -> bool:
    """Whether a property has an effect on the element itself (inheritance aside). False for unknown names."""
    info = PROPERTIES.get(name)
    if info is None:
        return False
    return any(group == "all" or tag in GROUPS[group] for group in info.applies_to)


_NO_PROPERTIES: dict[str, frozenset[str]] = {
    **dict.fromkeys(ANIMATIONS, frozenset({"fill"})),
    "font-face": frozenset(PRESENTATION),
}


def is_property(tag: str, name: str) -> bool:
    """Whether an attribute of an element `tag` is a presentation attribute (`fill` of an animation is none)."""
    return name in PRESENTATION and tag[0] != "{" and name not in _NO_PROPERTIES.get(tag, ())


@lru_cache(maxsize=4096)
def attribute_kind(tag: str, name: str) -> Kind:
    """How to read an attribute: the property's kind, the element's, the general one, else `text`."""
    if name in PROPERTIES and name not in _NO_PROPERTIES.get(tag, ()):
        return PROPERTIES[name].kind
    found = ELEMENT_ATTRIBUTES.get((tag, name)) or ATTRIBUTES.get(name, "text")
    if found == "timing" and tag not in ANIMATIONS:
        return "text"
    return found


@lru_cache(maxsize=4096)
def initial_value(tag: str, name: str) -> str | None:
    """The initial value of an attribute or property on an element; None where SVG gives none."""
    info = PROPERTIES.get(name)
    if info is not None and name not in _NO_PROPERTIES.get(tag, ()):
        return info.initial
    if name == "transform":
        return ""
    return INITIAL.get(tag, {}).get(name)
