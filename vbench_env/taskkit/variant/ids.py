"""Renaming ids and classes in a drawing and in `task.yaml`, through every channel that refers to one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from vbench_env.evidence import DRAWING
from vbench_env.svg.document import Element, SourceDocument
from vbench_env.svg.edit import put_several, put_text, text_of
from vbench_env.svg.parse import Node
from vbench_env.svg.references import ANIMATIONS, ARIA_REFERENCES, TIMING
from vbench_env.svg.sheet_text import rename_sheet
from vbench_env.taskkit.stylesheet import blocks
from vbench_env.taskkit.variant.draft import Data, Draft

Names = Mapping[str, str]
_LINK = re.compile(r"\s*#(.+?)\s*")
_URL = re.compile(r"""(url\(\s*["']?\s*#)([^"'()\s]+)(\s*["']?\s*\))""")
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")


def renamed(draft: Draft, ids: Names, classes: Names) -> Draft:
    """The draft with ids and classes renamed everywhere."""
    document = SourceDocument(draft.svg)
    nodes = document.parsed.nodes
    elements = [(Element(document, place), node) for place, node in enumerate(nodes)]
    changed = [(e, values) for e, node in elements if (values := _values(e, node, ids, classes))]
    new = put_several(changed).document if changed else document
    for place, node in enumerate(nodes):
        if node.tag == "style":
            element = Element(new, place)
            new = put_text(element, _sheet(text_of(element), ids, classes)).document
    return Draft(new.text, renamed_data(draft, ids))


def _values(element: Element, node: Node, ids: Names, classes: Names) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for name, value in node.attrs.items():
        new = _value(node.tag, name, value, ids, classes)
        if new != value:
            found[_written(element, name)] = new
    return found


def _written(element: Element, name: str) -> str:
    """The qualified name of an attribute in the source."""
    if not name.startswith("{"):
        return name
    tail = ":" + name.rpartition("}")[2]
    return next(attribute.name for attribute in element.attributes if attribute.name.endswith(tail))


def _value(tag: str, name: str, value: str, ids: Names, classes: Names) -> str:
    if name == "id":
        return ids.get(value, value)
    if name == "class":
        return " ".join(classes.get(word, word) for word in value.split())
    if name == "href" or name.endswith("}href"):
        return _linked(value, ids)
    if name in ARIA_REFERENCES:
        return " ".join(ids.get(word, word) for word in value.split())
    if name in TIMING and tag in ANIMATIONS:
        return re.sub(r"[\w-]+(?=\.)", lambda match: ids.get(match[0], match[0]), value)
    return _in_urls(value, ids)


def _linked(value: str, ids: Names) -> str:
    match = _LINK.fullmatch(value)
    return f"#{ids.get(match[1], match[1])}" if match else value


def _in_urls(value: str, ids: Names) -> str:
    return _URL.sub(lambda match: match[1] + ids.get(match[2], match[2]) + match[3], value)


def _sheet(css: str, ids: Names, classes: Names) -> str:
    """A style sheet with ids and classes renamed; only selectors hold classes."""
    for block in reversed(blocks(css)):
        start = css.rindex(block.prelude, 0, block.start)
        prelude = _CLASS.sub(lambda match: "." + classes.get(match[1], match[1]), block.prelude)
        css = css[:start] + prelude + css[start + len(block.prelude) :]
    return rename_sheet(css, ids)


def renamed_data(draft: Draft, ids: Names) -> Data:
    """The content of `task.yaml` with ids renamed."""
    data = draft.copied()

    def name(value: Any) -> Any:
        return ids.get(value, value) if isinstance(value, str) else value

    for repair in data["repairs"]:
        for key in ("object", "parent", "before"):
            if key in repair:
                repair[key] = name(repair[key])
        if repair["operation"] == "reorder":
            repair["corrupted"] = {"before": name(repair["corrupted"]["before"])}
        elif isinstance(repair.get("corrupted"), str) and repair["operation"] != "text":
            repair["corrupted"] = _reference(repair["corrupted"], ids)
        _rename_accepted(repair, ids)
        if repair.get("evidence"):
            _rename_evidence(repair["evidence"], ids)
    if isinstance(data["protected"], list):
        data["protected"] = [name(item) for item in data["protected"]]
    return data


def _reference(value: str, ids: Names) -> str:
    return _linked(value, ids) if value.lstrip().startswith("#") else _in_urls(value, ids)


def _rename_accepted(repair: Data, ids: Names) -> None:
    accept = repair.get("accept") or {}
    if "choice" in accept and repair["operation"] != "text":
        accept["choice"] = [
            _reference(item, ids) if isinstance(item, str) else item for item in accept["choice"]
        ]


_SINGLE = ("of", "swatch", "label", "value", "whole")
_SEVERAL = ("with", "row", "like", "parts")


def _rename_evidence(evidence: Data, ids: Names) -> None:
    sequence = evidence["kind"] == "convention" and evidence.get("name") == "sequence"
    for key in _SINGLE:
        if isinstance(evidence.get(key), str) and not (key == "of" and sequence):
            evidence[key] = _named(evidence[key], ids)
    for key in _SEVERAL:
        if key in evidence:
            evidence[key] = [_named(item, ids) for item in evidence[key]]
    at = evidence.get("at")
    if at is not None:
        evidence["at"] = _named(at, ids) if isinstance(at, str) else [_named(item, ids) for item in at]
    if "others" in evidence:
        evidence["others"] = {_named(a, ids): _named(b, ids) for a, b in evidence["others"].items()}
    if isinstance(evidence.get("time"), dict) and "text" in evidence["time"]:
        evidence["time"] = {"text": _named(evidence["time"]["text"], ids)}
    for nested in (evidence.get("except") or {}).values():
        _rename_evidence(nested, ids)


def _named(value: str, ids: Names) -> str:
    return value if value == DRAWING else ids.get(value, value)
