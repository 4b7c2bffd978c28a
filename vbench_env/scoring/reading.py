"""Reading the value of an object's property, as the published evaluator does: from where it is stored."""

from __future__ import annotations

import re
from typing import Any

from vbench_env.svg.parse import Node
from vbench_env.svg.transform import published_translate
from vbench_env.svg.values import published_declarations, published_float

_DASHED = re.compile(r"-([a-z])")


def camel_case(name: str) -> str:
    """`stroke-width` as `strokeWidth`."""
    return _DASHED.sub(lambda match: match.group(1).upper(), name)


def stored_text(node: Node, name: str) -> str | None:
    """Style declaration, else attribute, else the camelCase spelling of the attribute."""
    style = node.attrs.get("style")
    if style is not None:
        declared = dict(published_declarations(style) or ())
        if name in declared:
            return declared[name]
    found = node.attrs.get(name)
    return node.attrs.get(camel_case(name)) if found is None else found


def stored_value(node: Node, name: str) -> Any:
    """The value as a float where it reads as a number, pairs for `points`, else text; None when missing."""
    text = stored_text(node, name)
    if text is None and name in ("x", "y"):
        offset = published_translate(node.attrs.get("transform", ""))
        return None if offset is None else offset[name == "y"]
    if text is None:
        return None
    if name == "points":
        return published_points(text)
    number = published_float(text)
    return text if number is None else number


def published_points(text: str) -> list[list[float]] | None:
    """Numbers split at white space, then commas (so that `1 2` is two items of one); None where one is none."""
    pairs: list[list[float]] = []
    for item in text.split():
        numbers = [published_float(part) for part in item.split(",")]
        if None in numbers:
            return None
        pairs.append([number for number in numbers if number is not None])
    return pairs or None
