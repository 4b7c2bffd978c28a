"""Normal forms of what a start tag says, by text: the canonical form and the published semantic form.

A *form* is a mapping from attribute name to normal value. Values are strings, or `Referring` text whose ids are
cut out so that a renaming can be applied. Forms depend on the start tag alone and are remembered on its `Shape`
per `FormOptions`.

Numbers normalise as decimals, colours to their 8-bit channels, path data to tokens, transforms function by
function (or, as options say, by geometry); any other plain list of numbers normalises as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from vbench_env.svg.colors import parse_color, published_color
from vbench_env.svg.diff import Pairs
from vbench_env.svg.parse import Node, Shape
from vbench_env.svg.path_data import path_tokens
from vbench_env.svg.references import Referring, safe_fragment, split_urls
from vbench_env.svg.transform import published_transform
from vbench_env.svg.values import published_declarations, published_numbers, split_declarations

Value = object
Form = Mapping[str, Value]

COLOR_ATTRIBUTES = frozenset({"color", "fill", "stroke", "stop-color", "flood-color", "lighting-color"})


class FormOptions(NamedTuple):
    """The switches that a textual form depends on; see `Rules`."""

    style_storage: str = "literal"
    metadata: str = "strict"
    color_form: str = "basic"
    attribute_names: str = "local"
    ids: bool = False
    """Whether the `id` takes part."""


CANONICAL = FormOptions(ids=True)


def collapse(text: str) -> str:
    """Runs of white space (as Python's `split` sees it) become one space; ends are trimmed."""
    return " ".join(text.split())


def text_form(shape: Shape, options: FormOptions) -> Form:
    """The form of a start tag; computed once per shape and options."""
    form = shape.memo.get(options)
    if form is None:
        form = shape.memo[options] = _build(shape, options)
    return form


def refers(shape: Shape, options: FormOptions) -> bool:
    """Whether the form of a start tag holds a reference to an id."""
    key = ("refers", options)
    found = shape.memo.get(key)
    if found is None:
        values = text_form(shape, options).values()
        flat = [item for value in values for item in (value if isinstance(value, tuple) else (value,))]
        found = shape.memo[key] = any(isinstance(value, Referring) for value in values) or any(
            isinstance(item, tuple) and isinstance(item[-1], Referring) for item in flat
        )
    return bool(found)


def _build(shape: Shape, options: FormOptions) -> Form:
    form: dict[str, Value] = {}
    style: str | None = None
    for name, value in shape.attrs.items():
        if options.attribute_names == "local" and name[0] == "{":
            name = name.rpartition("}")[2]
        if name == "style":
            style = value
        elif name == "id" and not options.ids:
            continue
        elif _kept(name, options):
            form[name] = attribute_value(name, value, options)
    if style is not None:
        _add_style(form, style, options)
    return form


def _kept(name: str, options: FormOptions) -> bool:
    if options.metadata == "strict":
        return True
    if name.startswith("aria-"):
        return False
    return options.metadata == "no-aria" or not (name in ("class", "role") or name.startswith("data-"))


def _add_style(form: dict[str, Value], style: str, options: FormOptions) -> None:
    if options.style_storage == "css":
        declarations: tuple[tuple[str, str], ...] = tuple(
            (d.name, d.value) for d in split_declarations(style)
        )
    else:
        found = published_declarations(style)
        if found is None:
            form["style"] = collapse(style)
            return
        declarations = found
    values = {name: attribute_value(name, value, options) for name, value in declarations}
    if options.style_storage == "literal":
        form["style"] = tuple(sorted(values.items(), key=lambda item: item[0]))
    else:
        form.update(values)


def attribute_value(name: str, value: str, options: FormOptions = CANONICAL) -> Value:
    """The normal value of an attribute or declaration."""
    if name == "href":
        target = safe_fragment(value)
        if target is not None:
            return Referring(("#", ""), (target,))
    if name in COLOR_ATTRIBUTES:
        return _color(value, options)
    if name == "d":
        return path_tokens(value) or collapse(value)
    if name in ("transform", "gradientTransform", "patternTransform"):
        return published_transform(value) or collapse(value)
    numbers = published_numbers(value)
    if numbers is not None:
        return numbers
    return split_urls(collapse(value)) or collapse(value)


def _color(value: str, options: FormOptions) -> Value:
    text = collapse(value).lower()
    if options.color_form == "css":
        color = parse_color(value)
        if color is not None:
            return color
    else:
        rgb = published_color(value)
        if rgb is not None:
            return rgb
    return split_urls(collapse(value)) or text


def text_of(node: Node) -> tuple[str, str]:
    """Collapsed character data of an element: before its first child, and after its end."""
    return collapse(node.text), collapse(node.tail)


class TextView:
    """Compares elements by their textual forms; candidate ids are read through `names`."""

    def __init__(self, options: FormOptions = CANONICAL, names: Mapping[str, str] | None = None) -> None:
        self.options = options
        self.names = dict(names or {})

    def same(self, target: Node, candidate: Node, masked: frozenset[str]) -> bool:
        shape = target.shape is candidate.shape
        if not shape and target.tag != candidate.tag:
            return False
        certain = shape and not (self.names and refers(target.shape, self.options))
        if not certain and not self._attributes(target, candidate, masked):
            return False
        if target.text == candidate.text and target.tail == candidate.tail:
            return not (self.names and target.tag == "style") or self._text(target, candidate)
        return self._text(target, candidate)

    def certain(self, target: Node, candidate: Node) -> bool:
        """Whether two childless elements agree letter for letter."""
        return (
            target.shape is candidate.shape
            and not (target.children or candidate.children)
            and not (self.names and (target.tag == "style" or refers(target.shape, self.options)))
            and target.text == candidate.text
            and target.tail == candidate.tail
        )

    def doubtful(self, pairs: Pairs) -> list[tuple[Node, Node]]:
        return pairs.every if self.names else pairs.differing

    def differences(self, target: Node, candidate: Node, masked: frozenset[str]) -> Iterator[Difference]:
        """Every way in which the candidate's element differs from the target's."""
        if target.tag != candidate.tag:
            yield Difference("element", target.tag, candidate.tag)
            return
        ours = without(text_form(target.shape, self.options), masked)
        theirs = without(text_form(candidate.shape, self.options), masked)
        for name in sorted(ours.keys() | theirs.keys()):
            left, right = ours.get(name), self._renamed(theirs.get(name))
            if left != right:
                yield Difference(name, _shown(left), _shown(right))
        if not self._text(target, candidate):
            yield Difference("text", " ".join(text_of(target)), " ".join(text_of(candidate)))

    def _attributes(self, target: Node, candidate: Node, masked: frozenset[str]) -> bool:
        ours, theirs = text_form(target.shape, self.options), text_form(candidate.shape, self.options)
        if masked:
            ours, theirs = without(ours, masked), without(theirs, masked)
        if self.names and refers(candidate.shape, self.options):
            theirs = {name: self._renamed(value) for name, value in theirs.items()}
        return ours == theirs

    def _renamed(self, value: Value) -> Value:
        if isinstance(value, Referring):
            return value.renamed(self.names)
        if isinstance(value, tuple) and value and isinstance(value[0], tuple):
            return tuple((name, self._renamed(item)) for name, item in value)
        return value

    def _text(self, target: Node, candidate: Node) -> bool:
        theirs = text_of(candidate)
        if self.names and candidate.tag == "style":
            theirs = (rename_style(theirs[0], self.names), theirs[1])
        return text_of(target) == theirs


class Difference(NamedTuple):
    """One way in which an element differs: a property or aspect, with both values as text."""

    name: str
    before: str | None
    after: str | None


def _shown(value: Value) -> str | None:
    if value is None:
        return None
    if isinstance(value, Referring):
        return "".join(a + b for a, b in zip(value.parts, (*value.ids, ""), strict=True))
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def without(form: Form, masked: frozenset[str]) -> Form:
    """The form less the masked names, in the style attribute too."""
    kept = {name: value for name, value in form.items() if name not in masked}
    style = kept.get("style")
    if isinstance(style, tuple):
        rest = tuple(item for item in style if item[0] not in masked)
        if rest:
            kept["style"] = rest
        else:
            del kept["style"]
    return kept


def rename_style(text: str, names: Mapping[str, str]) -> str:
    """Style sheet text with `#id` tokens renamed, all at once."""
    return _ID_TOKEN.sub(lambda match: "#" + names.get(match.group(1), match.group(1)), text)


_ID_TOKEN = re.compile(r"#([\w.-]+)")
