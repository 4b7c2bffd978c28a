"""Small drawings, values and actions by a grammar, for Hypothesis: mostly sound, with a wrong piece here and there."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from tests.tools.calls import NASTY, VALUES

_NUMBERS = st.one_of(
    st.integers(-200, 200).map(str), st.floats(-1e3, 1e3).map(repr), st.floats(allow_nan=True).map(repr),
    st.sampled_from(["1e999", "-0", ".5", "5.", "1e-400", "0x1", "50%", "3em", "2px", "1 2", ""]),
)  # fmt: skip
_IDS = st.sampled_from(["a", "b", "sun", "wall", "hull", "ri", "tree", "x y", "", "é"])
_FUNCTIONS = st.builds(
    "{}({})".format,
    st.sampled_from(
        ["rotate", "matrix", "scale", "skewX", "rgb", "hsl", "lab", "color", "url", "var", "calc"]
    ),
    st.lists(_NUMBERS, max_size=6).map(",".join),
)
_PATHS = st.lists(
    st.builds(
        "{}{}".format, st.sampled_from("MmLlHhVvCcSsQqTtAaZzx"), st.lists(_NUMBERS, max_size=8).map(" ".join)
    ),
    max_size=9,
).map("".join)
_VALUES = st.one_of(
    _NUMBERS, _IDS.map("url(#{})".format), _IDS.map("#{}".format),
    _FUNCTIONS, _PATHS, st.sampled_from(VALUES + NASTY),
    st.text(max_size=8), st.lists(_NUMBERS, max_size=8).map(",".join),
)  # fmt: skip
_NAMES = st.sampled_from(
    "x y width height cx cy r rx ry x1 fill stroke opacity stroke-width d points transform href xlink:href class "
    "font-size offset stop-color viewBox clip-path mask filter marker stroke-dasharray letter-spacing values begin "
    "systemLanguage xml:space aria-labelledby data-a gradientUnits gradientTransform preserveAspectRatio".split()
)
_TAGS = st.sampled_from(
    "g rect circle ellipse line polyline polygon path text tspan use symbol defs linearGradient stop clipPath mask "
    "pattern marker filter feGaussianBlur switch a image animate title metadata foreignObject svg b:rect".split()
)
_DECLARATIONS = st.lists(
    st.builds("{}:{}{}".format, _NAMES, _VALUES, st.sampled_from(["", "!important"])), max_size=4
)
_SELECTORS = st.lists(
    st.sampled_from([".a", "#sun", "rect", "*", ">", "+", "~", " ", ":not(", ")", ":nth-child(2n+1)", "[x]",
    ",", "::a"]),
    max_size=5,
).map("".join)  # fmt: skip
_RULES = st.lists(st.builds("{}{{{}}}".format, _SELECTORS, _DECLARATIONS.map(";".join)), max_size=5).map(
    "".join
)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


_ATTRIBUTES = st.dictionaries(
    st.one_of(_NAMES, st.sampled_from(["id", "style"])),
    st.one_of(_VALUES, _IDS, _DECLARATIONS.map(";".join)),
    max_size=5,
)


def _element(tag: str, attributes: dict[str, str], inside: list[str]) -> str:
    said = "".join(f' {name}="{_escaped(value)}"' for name, value in attributes.items())
    return f"<{tag}{said}>{''.join(inside)}</{tag}>"


_CONTENT = st.recursive(
    st.one_of(
        st.builds(_element, _TAGS, _ATTRIBUTES, st.just([])), st.text(max_size=6).map(_escaped),
        _RULES.map(lambda css: f"<style>{_escaped(css)}</style>"), st.sampled_from(["<!-- -->",
        "<![CDATA[a]]>", "<?a b?>"]),
    ),
    lambda inner: st.builds(_element, _TAGS, _ATTRIBUTES, st.lists(inner, max_size=4)),
    max_leaves=14,
)  # fmt: skip
_ROOT = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:b="b" '
    'viewBox="{}">{}</svg>'
)
DRAWINGS = st.builds(
    _ROOT.format,
    st.sampled_from(["0 0 100 80", "0 0 0 0", "1 2 3", "-5 -5 1e9 1"]),
    st.lists(_CONTENT, max_size=5).map("".join),
)
_KEYS = "tool args name arguments role content tool_calls function id object value calls svg".split()
_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9), _VALUES),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(_KEYS),
            inner, max_size=5,
        ),
    ),
    max_leaves=12,
)  # fmt: skip


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def inputs(name: str) -> st.SearchStrategy[bytes]:
    """Inputs of a target."""
    drawn = DRAWINGS.map(_bytes)
    if name == "value":
        return st.one_of(_VALUES, _PATHS, _RULES, _DECLARATIONS.map(";".join)).map(_bytes)
    if name == "action":
        return st.one_of(_JSON.map(json.dumps).map(_bytes), drawn)
    if name == "own_target":
        return st.builds(b"\x00".join, st.lists(drawn, min_size=1, max_size=2))
    if name == "extraction":
        pieces = st.sampled_from(["```", "<think>", "</think>", "text ", "</svg>", "<svg>", "<!--", "]]>"])
        return st.lists(st.one_of(DRAWINGS, pieces), max_size=5).map("".join).map(_bytes)
    if name in ("scorer", "tools"):
        return st.builds(bytes.__add__, st.binary(min_size=3, max_size=3), drawn).map(
            lambda data: data[2:] if name == "scorer" else data
        )
    return drawn
