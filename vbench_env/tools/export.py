"""Descriptions of tools for models and people, all from the argument models."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from vbench_env.tools.base import TOOLS, ErrorKind, Tool

_GROUPS = {"look": "Looking", "edit": "Editing", "control": "Control"}


def chosen(names: Iterable[str] | None = None) -> list[Tool[Any]]:
    """The tools called `names` in that order, or all of them: look, then edit, then control."""
    if names is not None:
        return [TOOLS.get(name) for name in names]
    order = list(_GROUPS)
    return sorted((TOOLS.get(name) for name in TOOLS), key=lambda item: (order.index(item.group), item.name))


def json_schemas(names: Iterable[str] | None = None) -> dict[str, dict[str, Any]]:
    """JSON Schema of each tool's arguments, by tool name."""
    return {item.name: _schema(item) for item in chosen(names)}


def openai_tools(names: Iterable[str] | None = None) -> list[dict[str, Any]]:
    """The `tools` list of an OpenAI-style chat request."""
    return [
        {
            "type": "function",
            "function": {"name": item.name, "description": item.description, "parameters": _schema(item)},
        }
        for item in chosen(names)
    ]


def markdown(names: Iterable[str] | None = None) -> str:
    """A page that describes the tools, a table of arguments under each."""
    items = chosen(names)
    parts: list[str] = []
    for group, title in _GROUPS.items():
        members = [item for item in items if item.group == group]
        if members:
            parts.append(f"## {title}\n")
            parts += [_section(item) for item in members]
    return "\n".join(parts)


def page() -> str:
    """The reference page of all tools, and what errors mean."""
    kinds = "\n".join(f"| `{kind}` | {text} |" for kind, text in error_kinds().items())
    return (
        "# Tools\n\nThe same names, arguments and errors hold in every protocol that grants a tool. This page is "
        "written by\n`python -c \"import vbench_env.tools.export as e; print(e.page(), end='')\" > docs/tools.md`.\n\n"
        "An object is named by its id, by a structural path such as `svg/g[2]/path[5]` (the n-th child of that "
        "name, counted from 1), or by a CSS selector that matches exactly one element. An edit changes only the "
        "characters that it must; an edit that cannot be done changes nothing and says why.\n\n"
        f"{markdown()}\n## Errors\n\nAn error has a `kind`, a message and, where known, a place. The kinds are "
        f"stable.\n\n| kind | |\n|---|---|\n{kinds}\n"
    )


def error_kinds() -> dict[str, str]:
    """What each error kind means."""
    return {str(kind): kind.meaning for kind in ErrorKind}


def _schema(item: Tool[Any]) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(_schema_text(item))
    return schema


@lru_cache(maxsize=256)
def _schema_text(item: Tool[Any]) -> str:
    """The schema as JSON; made once, since an episode hands it out every turn."""
    schema = item.Args.model_json_schema()
    schema.pop("description", None)
    return json.dumps(_without_titles(schema))


def _without_titles(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop pydantic's generated titles, which only cost tokens; a property called `title` stays."""
    out: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "title" and isinstance(value, str):
            continue
        if key in {"properties", "$defs"} and isinstance(value, dict):
            out[key] = {name: _without_titles(sub) for name, sub in value.items()}
        elif isinstance(value, dict):
            out[key] = _without_titles(value)
        elif isinstance(value, list):
            out[key] = [_without_titles(sub) if isinstance(sub, dict) else sub for sub in value]
        else:
            out[key] = value
    return out


def _section(item: Tool[Any]) -> str:
    lines = [f"### `{item.name}`\n", f"{item.description}\n"]
    schema = _schema(item)
    properties = schema.get("properties", {})
    if properties:
        lines += ["| argument | type | default | |", "|---|---|---|---|"]
    for name, info in properties.items():
        needed = name in schema.get("required", [])
        default = "required" if needed else f"`{json.dumps(info.get('default'))}`"
        text = " ".join(str(info.get("description", "")).split()).replace("|", "\\|")
        lines.append(f"| `{name}` | {_type(info)} | {default} | {text} |")
    return "\n".join(lines) + "\n"


def _type(info: dict[str, Any]) -> str:
    if "enum" in info:
        return ", ".join(f"`{value}`" for value in info["enum"])
    if "anyOf" in info:
        return " or ".join(_type(option) for option in info["anyOf"])
    if "$ref" in info:
        return "object"
    return str(info.get("type", "any"))
