"""YAML for files written by hand: plain scalars mean what they look like.

Safe loading, and stricter than YAML 1.1: `no`, `off`, `10:10` and dates stay text, a key may stand only once,
and aliases are refused (a small file cannot grow).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

MAX_BYTES = 2_000_000


class YamlProblem(ValueError):
    """The text is not the YAML that is allowed here; the message names the line."""


class _Loader(yaml.SafeLoader):
    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            line = self.peek_event().start_mark.line + 1  # type: ignore[no-untyped-call]
            raise YamlProblem(f"line {line}: write the value out, aliases are not allowed")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, list | dict):
                raise YamlProblem(f"line {key_node.start_mark.line + 1}: a key must be a word")
            if key in seen:
                raise YamlProblem(f"line {key_node.start_mark.line + 1}: key {key!r} stands twice")
            seen.add(key)
        return super().construct_mapping(node, deep)


_FLOAT = r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+))"
setattr(_Loader, "yaml_implicit_resolvers", {})  # noqa: B010 (the stubs call it an instance variable)
for _tag, _pattern, _first in (
    ("bool", r"true|false|True|False", "tfTF"),
    ("null", r"~|null|Null|", ["~", "n", "N", ""]),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", "-+0123456789"),
    ("float", _FLOAT, "-+.0123456789"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), list(_first))


def read_yaml(path: Path) -> Any:
    """The content of a YAML file; `YamlProblem` says what is wrong and where."""
    data = path.read_bytes()
    if len(data) > MAX_BYTES:
        raise YamlProblem(f"the file has {len(data)} bytes, more than {MAX_BYTES}")
    try:
        return parse_yaml(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise YamlProblem(f"byte {error.start} is not UTF-8; save the file as UTF-8") from error


def parse_yaml(text: str) -> Any:
    """The content of YAML text."""
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise YamlProblem(f"{line}{error.problem or error.context}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise YamlProblem(str(error) or "nested too deeply") from error
