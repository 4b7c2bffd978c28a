"""What each element of a document means: the resolved tree that the surgical rule set compares.

For every element an `Own` holds its plain attributes in normal form, its computed properties that are not
inherited, and the `Context` of inherited properties that it and its descendants start from. Contexts are
interned, so that equal inheritance is identity. Everything that depends on a start tag and a context alone is
remembered in the `Space` of the task's own documents, or in the candidate's overlay.

Sources: CSS Cascade 4 (defaulting, section 7), SVG 2 chapters 6, 8, 9, 13, CSS Color 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from vbench_env.svg.attributes import attribute_value as attribute_value
from vbench_env.svg.attributes import plain_attributes
from vbench_env.svg.cascade import NO_MATCH, Sheets
from vbench_env.svg.parse import Document, Node, Shape
from vbench_env.svg.properties import (
    ResolveOptions as ResolveOptions,
)
from vbench_env.svg.properties import (
    Value as Value,
)
from vbench_env.svg.properties import (
    expand_font,
    known_to_few,
    raw,
    relative_size,
    relative_weight,
    sized,
)
from vbench_env.svg.properties import (
    initial as initial,
)
from vbench_env.svg.properties import (
    property_value as property_value,
)
from vbench_env.svg.references import Referring
from vbench_env.svg.schema import CLIPPED, LATER_PRESENTATION, PRESENTATION, is_property
from vbench_env.svg.values import Declaration, Length, split_declarations

DEFAULT_FONT_SIZE = 16.0
_LATER_INITIAL = {
    f"css:{name}": raw(info.initial) for name, info in LATER_PRESENTATION.items() if not info.inherited
}
"""Initial values of properties that are no attributes in SVG 1.1, as declarations come."""


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
        sheets: the style sheets of the document, where they are known already.
    """

    def __init__(
        self,
        document: Document,
        options: ResolveOptions,
        space: Space,
        overrides: Mapping[Node, Mapping[str, Value | None]] | None = None,
        sheets: Sheets | None = None,
    ) -> None:
        self.document = document
        self.options = options
        self.space = space
        self.overrides = overrides or {}
        self.sheets = Sheets(document) if sheets is None else sheets
        self.owns: dict[Node, Own] = {}
        self._resolve()

    def own(self, node: Node) -> Own:
        return self.owns[node]

    def _resolve(self) -> None:
        owns, root, overrides = self.owns, self.space.root, self.overrides
        computed = self.options.cascade == "computed"
        sheets = self.sheets if self.sheets.rules and computed else None
        known = self.space.base.owns if self.space.base else self.space.owns
        for node in self.document.nodes:
            parent = node.parent
            context = owns[parent].context if parent is not None else root
            declarations = sheets.match(node).declarations if sheets is not None else ()
            if overrides and node in overrides:
                owns[node] = self.element(node.shape, context, declarations, overrides[node])
                continue
            key = (context, node.shape, declarations)
            own = known.get(key) or self.space.own(key)
            if own is None:
                own = self.space.owns[key] = self.element(node.shape, context, declarations)
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
        declared = _winning(declared_properties(shape, sheet, options), options)
        for name, value in (override or {}).items():
            if value is None:
                declared.pop(name, None)
            else:
                declared[name] = value
        inherited, own = _split(declared, options, shape.tag)
        _against_parent(inherited, context)
        if options.cascade == "computed":
            context = self._inherit(context, inherited)
        else:
            own.update(inherited)
        size = context.values.get("font-size", DEFAULT_FONT_SIZE)
        plain, refers = plain_attributes(shape, options)
        if any(type(v) is Length for v in plain.values()) or any(type(v) is Length for v in own.values()):
            plain = {name: sized(value, size) for name, value in plain.items()}
            own = {name: sized(value, size) for name, value in own.items()}
        refers = refers or any(type(value) is Referring for value in own.values())
        return Own(context, plain, own, refers)

    def instance(self, node: Node, context: Context) -> Own:
        """The element as drawn again in another context (inside a `use`)."""
        match = self.sheets.match(node) if self.options.cascade == "computed" else NO_MATCH
        if node in self.overrides:
            return self.element(node.shape, context, match.declarations, self.overrides[node])
        key = (context, node.shape, match.declarations)
        own = self.space.own(key)
        if own is None:
            own = self.space.owns[key] = self.element(node.shape, context, match.declarations)
        return own

    def _inherit(self, context: Context, inherited: dict[str, Value]) -> Context:
        if not inherited:
            return context
        values = dict(context.values)
        size = inherited.get("font-size", "inherit")
        size = values.get("font-size", DEFAULT_FONT_SIZE) if size == "inherit" else size
        for name, value in inherited.items():
            if value == "inherit" or (name == "color" and value == "currentcolor"):
                continue
            value = sized(value, size)
            if value == initial(name) and self.options.defaults == "computed":
                values.pop(name, None)
            else:
                values[name] = value
        return self.space.context(values)

    def origins(self, node: Node) -> Mapping[str, str]:
        """Where each declared presentation property of an element is set: `attribute`, `sheet` or `style`."""
        found = {name: "attribute" for name, _ in _from_attributes(node.shape, self.options)}
        style = split_declarations(node.attrs.get("style", ""))
        for important in (False, True):
            for origin, declarations in (("sheet", self.sheets.match(node).declarations), ("style", style)):
                for declaration in declarations:
                    if declaration.important is important:
                        mark = origin + "!" * important
                        found.update((name, mark) for name, _ in _from_declaration(declaration, self.options))
        return found


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
        yield from ((f"style:{d.name}", raw(d.value)) for d in style)
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


def fallback_name(name: str) -> str:
    """The name under which an element's own properties hold what stands behind a value of `name`."""
    return f"css:{name}:fallback"


def _winning(declared: Iterable[tuple[str, Value]], options: ResolveOptions) -> dict[str, Value]:
    """The last value of each property, and what a viewer shows that does not know it, where one may not."""
    found: dict[str, Value] = {}
    for name, value in declared:
        if options.style_storage == "css" and name in PRESENTATION and found.get(name, value) != value:
            key = fallback_name(name)
            before = found[name], found.pop(key, None)
            if known_to_few(name, value):
                found[key] = before[0] if before[1] is None else before
        found[name] = value
    return found


def _from_attributes(shape: Shape, options: ResolveOptions) -> Iterator[tuple[str, Value]]:
    for name, text in shape.attrs.items():
        if is_property(shape.tag, name):
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
        yield f"css:{name}", raw(text)


def _split(
    declared: Mapping[str, Value], options: ResolveOptions, tag: str
) -> tuple[dict[str, Value], dict[str, Value]]:
    inherited: dict[str, Value] = {}
    own: dict[str, Value] = {}
    for name, value in declared.items():
        info = PRESENTATION.get(name)
        if info is None:
            if options.defaults == "explicit" or value != _LATER_INITIAL.get(name):
                own[name] = value
        elif info.inherited:
            inherited[name] = _defaulted(name, value, True)
        else:
            value = _defaulted(name, value, False)
            if options.defaults == "explicit" or not _says_nothing(name, value, tag):
                own[name] = value
    return inherited, own


def _defaulted(name: str, value: Value, inherited: bool) -> Value:
    if value == "initial" or (value in ("unset", "revert", "revert-layer") and not inherited):
        return initial(name)
    if value in ("unset", "revert", "revert-layer"):
        return "inherit"
    return value


def _says_nothing(name: str, value: Value, tag: str) -> bool:
    """Whether a property that is not inherited has the value that it has without a declaration."""
    if name != "overflow":
        return bool(value == initial(name))
    return value == "hidden" if tag in CLIPPED else tag != "svg" and value == "visible"


def _against_parent(inherited: dict[str, Value], context: Context) -> None:
    """Font sizes and weights that depend on the parent's."""
    if "font-size" in inherited:
        parent = context.values.get("font-size", DEFAULT_FONT_SIZE)
        inherited["font-size"] = relative_size(inherited["font-size"], parent)
    if inherited.get("font-weight") in ("bolder", "lighter"):
        inherited["font-weight"] = relative_weight(inherited["font-weight"], context.get("font-weight"))
