"""What each element of a document means: the resolved tree that the surgical rule set compares.

For every element an `Own` holds its plain attributes in normal form, its computed properties that are not
inherited, and the `Context` of inherited properties that it and its descendants start from. Contexts are
interned, so that equal inheritance is identity. Everything that depends on a start tag and a context alone is
remembered in the `Space` of the task's own documents, or in the candidate's overlay.

Sources: CSS Cascade 4 (defaulting, section 7), SVG 2 chapters 6, 8, 9, 13, CSS Color 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from vbench_env.svg.caching import cached
from vbench_env.svg.cascade import NO_MATCH, Sheets
from vbench_env.svg.colors import Color, parse_color, parse_paint, published_color
from vbench_env.svg.parse import XLINK_HREF, Document, Node, Shape
from vbench_env.svg.path_data import PathError, parse_path, path_tokens
from vbench_env.svg.references import Referring, attribute_reference, safe_fragment, split_urls
from vbench_env.svg.schema import CSS_WIDE, HREF_INHERITED, PRESENTATION, attribute_kind, initial_value
from vbench_env.svg.transform import parse_transform, published_transform
from vbench_env.svg.values import (
    Declaration,
    Length,
    parse_length,
    parse_lengths,
    parse_number,
    parse_number_list,
    parse_opacity,
    parse_viewbox,
    split_declarations,
)

Value = Any
"""A float, text, `Color`, `Referring`, or a tuple of such values that starts with its kind."""

_NAMED_WEIGHTS = {"normal": 400.0, "bold": 700.0}
DEFAULT_FONT_SIZE = 16.0


class ResolveOptions(NamedTuple):
    """The switches that resolution depends on; see `Rules`."""

    style_storage: str = "css"
    cascade: str = "computed"
    path_form: str = "geometry"
    transform_form: str = "matrix"
    color_form: str = "css"
    defaults: str = "computed"
    metadata: str = "strict"
    attribute_names: str = "qualified"


class Context:
    """Inherited properties of an element, as its children receive them. Compare by identity first."""

    __slots__ = ("values",)

    def __init__(self, values: dict[str, Value]) -> None:
        self.values = values

    def get(self, name: str) -> Value:
        value = self.values.get(name)
        return initial(name) if value is None else value


class Own:
    """What one element means in itself."""

    __slots__ = ("context", "plain", "properties", "refers")

    def __init__(
        self, context: Context, plain: Mapping[str, Value], properties: Mapping[str, Value], refers: bool
    ) -> None:
        self.context = context
        self.plain = plain
        self.properties = properties
        self.refers = refers


class Space:
    """Interned contexts and remembered elements of the documents of one task; `overlay` adds a candidate's."""

    def __init__(self, base: Space | None = None) -> None:
        self.base = base
        self.contexts: dict[frozenset[Any], Context] = {}
        self.owns: dict[tuple[Any, ...], Own] = {}
        self.root: Context = base.root if base else self._root()

    def _root(self) -> Context:
        context = Context({})
        self.contexts[frozenset()] = context
        return context

    def overlay(self) -> Space:
        """A space that reads this one and keeps what is new to itself."""
        return Space(self)

    def context(self, values: dict[str, Value]) -> Context:
        key = frozenset(values.items())
        found = (self.base.contexts.get(key) if self.base else None) or self.contexts.get(key)
        if found is None:
            found = self.contexts[key] = Context(values)
        return found

    def own(self, key: tuple[Any, ...]) -> Own | None:
        if self.base is not None:
            found = self.base.owns.get(key)
            if found is not None:
                return found
        return self.owns.get(key)


class Resolved:
    """A resolved document: `own(node)` for every element.

    Args:
        document: a parsed document with a root.
        options: the switches.
        space: where contexts and elements are remembered.
        overrides: declared presentation properties that replace an element's own (None takes one away); the
            mask of a requested repair, so that descendants inherit the target's value.
    """

    def __init__(
        self,
        document: Document,
        options: ResolveOptions,
        space: Space,
        overrides: Mapping[Node, Mapping[str, Value | None]] | None = None,
    ) -> None:
        self.document = document
        self.options = options
        self.space = space
        self.overrides = overrides or {}
        self.sheets = Sheets(document)
        self.owns: dict[Node, Own] = {}
        self._resolve()

    def own(self, node: Node) -> Own:
        return self.owns[node]

    def _resolve(self) -> None:
        owns, root = self.owns, self.space.root
        computed = self.options.cascade == "computed"
        sheets = self.sheets if self.sheets.rules and computed else None
        known = self.space.base.owns if self.space.base else self.space.owns
        for node in self.document.nodes:
            parent = node.parent
            context = owns[parent].context if parent is not None else root
            match = sheets.match(node) if sheets is not None else NO_MATCH
            if node in self.overrides:
                owns[node] = self.element(node.shape, context, match.declarations, self.overrides[node])
                continue
            key = (context, node.shape, match.declarations)
            own = known.get(key) or self.space.own(key)
            if own is None:
                own = self.space.owns[key] = self.element(node.shape, context, match.declarations)
            owns[node] = own

    def element(
        self,
        shape: Shape,
        context: Context,
        sheet: tuple[Declaration, ...] = (),
        override: Mapping[str, Value | None] | None = None,
    ) -> Own:
        """An element in a given context."""
        options = self.options
        declared = dict(declared_properties(shape, sheet, options))
        for name, value in (override or {}).items():
            if value is None:
                declared.pop(name, None)
            else:
                declared[name] = value
        inherited, own = _split(declared, options)
        font_size = _font_size(inherited, context)
        if font_size is not None:
            inherited["font-size"] = font_size
        if options.cascade == "computed":
            context = self._inherit(context, inherited, font_size)
        else:
            own.update(inherited)
        size = context.values.get("font-size", DEFAULT_FONT_SIZE)
        plain, refers = plain_attributes(shape, options)
        if any(type(v) is Length for v in plain.values()) or any(type(v) is Length for v in own.values()):
            plain, own = _absolute(plain, size), _absolute(own, size)
        refers = refers or any(type(value) is Referring for value in own.values())
        return Own(context, plain, own, refers)

    def instance(self, node: Node, context: Context) -> Own:
        """The element as drawn again in another context (inside a `use`)."""
        match = self.sheets.match(node) if self.options.cascade == "computed" else NO_MATCH
        key = (context, node.shape, match.declarations)
        own = self.space.own(key)
        if own is None:
            own = self.space.owns[key] = self.element(node.shape, context, match.declarations)
        return own

    def _inherit(self, context: Context, inherited: dict[str, Value], font_size: float | None) -> Context:
        if not inherited:
            return context
        values = dict(context.values)
        size = font_size if font_size is not None else values.get("font-size", DEFAULT_FONT_SIZE)
        for name, value in inherited.items():
            if value == "inherit":
                continue
            if type(value) is Length and isinstance(size, float):
                value = _em(value, size)
            if value == initial(name) and self.options.defaults == "computed":
                values.pop(name, None)
            else:
                values[name] = value
        return self.space.context(values)


def declared_properties(
    shape: Shape, sheet: tuple[Declaration, ...], options: ResolveOptions
) -> Iterator[tuple[str, Value]]:
    """Declarations of an element in the order in which they win, valid ones only.

    Names that are no SVG 1.1 presentation property come as `css:name` with their text.
    """
    static = shape.memo.get(options)
    if static is None:
        static = shape.memo[options] = (
            tuple(_from_attributes(shape, options)),
            split_declarations(shape.attrs.get("style", "")),
        )
    attributes, style = static
    yield from attributes
    if options.style_storage == "literal":
        yield from ((f"style:{d.name}", _raw(d.value)) for d in style)
        style = ()
    if not sheet and not style:
        return
    strict = options.style_storage == "css"
    for important in (False, True):
        for declaration in sheet:
            if declaration.important is important:
                yield from _from_declaration(declaration, options)
        for declaration in style:
            if declaration.important is important:
                yield from _from_declaration(declaration, options, strict)


def _from_attributes(shape: Shape, options: ResolveOptions) -> Iterator[tuple[str, Value]]:
    for name, text in shape.attrs.items():
        info = PRESENTATION.get(name)
        if info is not None:
            value = property_value(name, text, False, options.color_form)
            if value is not None:
                yield name, value


def _from_declaration(
    declaration: Declaration, options: ResolveOptions, css: bool = True
) -> Iterator[tuple[str, Value]]:
    """The values that a declaration gives; without `css` its value is read as that of an attribute."""
    name, text = declaration.name, declaration.value
    if name == "font":
        yield from expand_font(text)
    elif name == "marker":
        value = property_value("marker-start", text, True, options.color_form)
        if value is not None:
            yield from ((part, value) for part in ("marker-start", "marker-mid", "marker-end"))
    elif name in PRESENTATION:
        value = property_value(name, text, css, options.color_form)
        if value is not None:
            yield name, value
    else:
        yield f"css:{name}", _raw(text)


def _split(
    declared: Mapping[str, Value], options: ResolveOptions
) -> tuple[dict[str, Value], dict[str, Value]]:
    inherited: dict[str, Value] = {}
    own: dict[str, Value] = {}
    for name, value in declared.items():
        info = PRESENTATION.get(name)
        if info is None:
            own[name] = value
        elif info.inherited:
            inherited[name] = _defaulted(name, value, True)
        else:
            value = _defaulted(name, value, False)
            if options.defaults == "explicit" or value != initial(name):
                own[name] = value
    return inherited, own


def _defaulted(name: str, value: Value, inherited: bool) -> Value:
    if value == "initial" or (value in ("unset", "revert", "revert-layer") and not inherited):
        return initial(name)
    if value in ("unset", "revert", "revert-layer"):
        return "inherit"
    return value


def _font_size(inherited: Mapping[str, Value], context: Context) -> float | None:
    value = inherited.get("font-size")
    if type(value) is not Length:
        return None
    parent = context.values.get("font-size", DEFAULT_FONT_SIZE)
    if not isinstance(parent, float):
        return None
    if value.unit == "%":
        return value.value * parent / 100
    return _em(value, parent) if value.unit in ("em", "ex") else None


def _em(value: Length, size: float) -> Value:
    if value.unit == "em":
        return value.value * size
    return value.value * size / 2 if value.unit == "ex" else value


def _absolute(values: Mapping[str, Value], size: Value) -> dict[str, Value]:
    if not isinstance(size, float):
        return dict(values)
    return {name: _em(value, size) if type(value) is Length else value for name, value in values.items()}


@lru_cache(maxsize=512)
def initial(name: str) -> Value:
    """The initial value of a presentation property in normal form."""
    info = PRESENTATION.get(name)
    return property_value(name, info.initial, False, "css") if info else None


@cached(32768)
def property_value(name: str, text: str, css: bool, color_form: str) -> Value | None:
    """The normal value of a presentation property; None where it is invalid and so ignored.

    Args:
        css: whether the value stands in a `style` attribute or sheet, where CSS wants units.
        color_form: `css`, or `basic` for the colours that the published evaluator knows.
    """
    word = text.strip(" \t\r\n\f").lower()
    if word in CSS_WIDE:
        return word
    if "var(" in word or "calc(" in word or "env(" in word:
        return _raw(text)
    kind = PRESENTATION[name].kind
    return _READERS[kind](name, text, word, css, color_form)


def _raw(text: str) -> Value:
    kept = " ".join(text.replace("\t", " ").replace("\n", " ").replace("\r", " ").split(" ")).strip()
    kept = " ".join(part for part in kept.split(" ") if part)
    return split_urls(kept) or ("raw", kept)


def _color(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    if form == "basic":
        rgb = published_color(text)
        return Color(*rgb) if rgb else ("raw", word)
    color = parse_color(text)
    if color is not None:
        return color
    return ("raw", word) if "(" in word or word.isalpha() else None


def _paint(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    if form == "basic":
        rgb = published_color(text)
        return Color(*rgb) if rgb else _raw(text)
    paint = parse_paint(text)
    if paint is None:
        return _color(name, text, word, css, form) if "url(" not in word else _raw(text)
    if paint.kind == "color":
        return paint.color
    if paint.kind == "url":
        target = safe_fragment(paint.reference or "")
        fallback = str(paint.color.hex if paint.color else paint.fallback)
        return Referring(("url(#", f") {fallback}"), (target,)) if target else ("raw", word)
    return paint.fallback or paint.kind


def _opacity(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    return parse_opacity(text)


def _number(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    if word in _NAMED_WEIGHTS and name == "font-weight":
        return _NAMED_WEIGHTS[word]
    value = parse_number(text)
    return value if value is not None else _keyword(name, text, word, css, form)


def _length(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    length = parse_length(text, css and not PRESENTATION[name].unitless)
    return _keyword(name, text, word, css, form) if length is None else pixels(length)


def _keyword(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    return word if word in _lower_keywords(name) else None


@lru_cache(maxsize=256)
def _lower_keywords(name: str) -> frozenset[str]:
    return frozenset(keyword.lower() for keyword in PRESENTATION[name].keywords)


def _words(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    return ("raw", " ".join(word.split()))


def pixels(length: Length) -> Value:
    """User units where the unit is absolute, else the length as it is."""
    value = length.to_px()
    return length if value is None else value


def _lengths(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    if word == "none" or not word:
        return "none"
    lengths = parse_lengths(text)
    if lengths is None:
        return None
    values = tuple(pixels(length) for length in lengths)
    return ("list", *values, *values) if name == "stroke-dasharray" and len(values) % 2 else ("list", *values)


def _reference(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    return word if word == "none" else _raw(text)


def _families(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    parts = [part.strip().strip("'\"").strip() for part in text.split(",")]
    return ("families", *(" ".join(part.lower().split()) for part in parts))


def _text(name: str, text: str, word: str, css: bool, form: str) -> Value | None:
    return _families(name, text, word, css, form) if name == "font-family" else _raw(text)


_READERS: dict[str, Callable[[str, str, str, bool, str], Value | None]] = {
    "color": _color,
    "paint": _paint,
    "opacity": _opacity,
    "number": _number,
    "positive": _number,
    "integer": _number,
    "font-weight": _number,
    "length": _length,
    "length-x": _length,
    "length-y": _length,
    "length-diagonal": _length,
    "spacing": _length,
    "font-size": _length,
    "dashes": _lengths,
    "url": _reference,
    "keyword": _keyword,
    "keywords": _words,
    "angle": _words,
    "text": _text,
}


_STRETCHES = frozenset(
    {
        "ultra-condensed",
        "extra-condensed",
        "condensed",
        "semi-condensed",
        "semi-expanded",
        "expanded",
        "extra-expanded",
        "ultra-expanded",
    }
)


@cached(512)
def expand_font(text: str) -> tuple[tuple[str, Value], ...]:
    """The `font` shorthand as its longhands (CSS Fonts 4 section 2.7); nothing where it is not understood."""
    parts = text.split()
    found: dict[str, Value] = {
        "font-style": "normal",
        "font-variant": "normal",
        "font-weight": 400.0,
        "font-stretch": "normal",
    }
    while parts and not parts[0][0].isdigit() and not parts[0].startswith("."):
        word = parts.pop(0).lower()
        if word in ("italic", "oblique"):
            found["font-style"] = word
        elif word == "small-caps":
            found["font-variant"] = word
        elif word in ("bold", "bolder", "lighter"):
            found["font-weight"] = _NAMED_WEIGHTS.get(word, word)
        elif word in _STRETCHES:
            found["font-stretch"] = word
        elif word != "normal":
            return (("css:font", _raw(text)),)
    if len(parts) > 1 and parts[0].isdigit() and len(parts[0]) == 3 and parts[1][0].isdigit():
        found["font-weight"] = float(parts.pop(0))
    if len(parts) < 2:
        return (("css:font", _raw(text)),)
    size, _, height = parts[0].partition("/")
    length = parse_length(size, True)
    if length is None:
        return (("css:font", _raw(text)),)
    found["font-size"] = pixels(length)
    found["font-family"] = _families("font-family", " ".join(parts[1:]), "", True, "css")
    if height:
        found["css:line-height"] = _raw(height)
    return tuple(found.items())


def plain_attributes(shape: Shape, options: ResolveOptions) -> tuple[Mapping[str, Value], bool]:
    """Attributes that are no presentation property, in normal form, and whether any refers to an id."""
    key = ("plain", options)
    found = shape.memo.get(key)
    if found is None:
        plain = dict(_plain(shape, options))
        refers = any(type(value) is Referring for value in plain.values())
        found = shape.memo[key] = (plain, refers)
    return found


def _plain(shape: Shape, options: ResolveOptions) -> Iterator[tuple[str, Value]]:
    tag, attrs = shape.tag, shape.attrs
    linked = tag in HREF_INHERITED and ("href" in attrs or XLINK_HREF in attrs)
    defaults = options.defaults == "computed" and not linked
    for name, text in attrs.items():
        if name in ("id", "style") or (name in PRESENTATION and tag[0] != "{"):
            continue
        if not _kept(name, options):
            continue
        if name == XLINK_HREF and "href" not in attrs:
            name = "href"
        value = attribute_value(tag, name, text, options)
        if defaults and value == _initial_attribute(tag, name):
            continue
        yield name, value


def _kept(name: str, options: ResolveOptions) -> bool:
    if options.metadata == "strict":
        return True
    if name.startswith("aria-"):
        return False
    return options.metadata == "no-aria" or not (name in ("class", "role") or name.startswith("data-"))


@lru_cache(maxsize=2048)
def _initial_attribute(tag: str, name: str) -> Value | None:
    text = initial_value(tag, name)
    return None if text is None else attribute_value(tag, name, text, ResolveOptions())


def attribute_value(tag: str, name: str, text: str, options: ResolveOptions) -> Value:
    """The normal value of an attribute that is no presentation property."""
    reference = attribute_reference(tag, name, text)
    if reference is not None:
        return reference
    if tag[0] == "{" or name[0] == "{":
        return ("text", text)
    kind = attribute_kind(tag, name)
    if kind == "path" and options.path_form == "tokens":
        return path_tokens(text) or ("text", text)
    if kind == "transform" and options.transform_form == "functions":
        return published_transform(text) or ("text", text)
    value = _kind_value(kind, text)
    return ("text", text) if value is None else value


@cached(16384)
def _kind_value(kind: str, text: str) -> Value | None:
    reader = _ATTRIBUTE_READERS.get(kind)
    return reader(text) if reader else None


def _one_length(text: str) -> Value | None:
    length = parse_length(text)
    return pixels(length) if length else (text.strip().lower() if text.strip().isalpha() else None)


def _length_list(text: str) -> Value | None:
    lengths = parse_lengths(text)
    if not lengths:
        return None
    return pixels(lengths[0]) if len(lengths) == 1 else ("list", *map(pixels, lengths))


def _number_list(text: str) -> Value | None:
    numbers = parse_number_list(text)
    return None if numbers is None else ("list", *numbers)


def _optional_pair(text: str) -> Value | None:
    numbers = parse_number_list(text)
    return None if not numbers else ("list", *(numbers * 2 if len(numbers) == 1 else numbers))


def _viewbox(text: str) -> Value | None:
    box = parse_viewbox(text)
    return None if box is None else ("list", *box)


def _transform(text: str) -> Value | None:
    matrix = parse_transform(text)
    return None if matrix is None else ("matrix", *matrix)


def _aspect(text: str) -> Value | None:
    words = text.split()
    return ("text", " ".join([*words, "meet"] if len(words) == 1 and words != ["none"] else words))


def _angle(text: str) -> Value | None:
    number = parse_number(text.strip().removesuffix("deg"))
    return number if number is not None else ("text", text.strip())


def _path(text: str) -> Value | None:
    try:
        commands = parse_path(text)
    except PathError:
        return None
    letters = "".join(command.letter for command in commands)
    return ("path", letters, *(number for command in commands for number in command.args))


_ATTRIBUTE_READERS: dict[str, Callable[[str], Value | None]] = {
    "length": _one_length,
    "length-x": _one_length,
    "length-y": _one_length,
    "length-diagonal": _one_length,
    "lengths": _length_list,
    "number": parse_number,
    "positive": parse_number,
    "integer": parse_number,
    "offset": parse_opacity,
    "opacity": parse_opacity,
    "numbers": _number_list,
    "points": _number_list,
    "numbers-opt": _optional_pair,
    "viewbox": _viewbox,
    "path": _path,
    "transform": _transform,
    "aspect": _aspect,
    "angle": _angle,
    "keyword": lambda text: ("text", " ".join(text.split())),
}
