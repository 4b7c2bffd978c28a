"""YAML files that take over another one and change it.

`extends: NAME` takes over a file; the fields that follow replace its fields, mappings are merged key by key, and a key
that ends in `+` appends to the list under its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from vbench_env.errors import ConfigError
from vbench_env.strict_yaml import YamlProblem, read_yaml

Find = Callable[[str, Path], Path]
"""From the name after `extends` and the folder of the file that says it to a path; raises for an unknown name."""


def read_layers(kind: str, path: Path, find: Find, own: Callable[[Path], Mapping[str, Any]] = lambda path: {},
                seen: tuple[Path, ...] = ()) -> dict[str, Any]:  # fmt: skip
    """The fields of a file and of all that it extends.

    Args:
        kind: what the file is, for messages.
        path: the file.
        find: where a name after `extends` is.
        own: fields that a file has, unless it says otherwise.
        seen: files that led here.

    Raises:
        ConfigError: a file cannot be read, is no mapping, or extends itself.
    """
    if path.resolve() in seen:
        raise ConfigError(f"{kind} {path} extends itself; break the circle")
    try:
        data = read_yaml(path)
    except (OSError, YamlProblem) as error:
        raise ConfigError(f"{kind} {path} cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise ConfigError(f"{kind} {path} must be a mapping of fields")
    data = {**own(path), **data}
    parent = data.pop("extends", None)
    if parent is None:
        return data
    return merge(read_layers(kind, find(str(parent), path.parent), find, own, (*seen, path.resolve())), data)


def merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with `changes`, as a file that extends another changes it."""
    merged = dict(base)
    for key, value in changes.items():
        if key.endswith("+"):
            merged[key[:-1]] = [*merged.get(key[:-1], []), *value]
        elif isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = merge(merged[key], value)
        else:
            merged[key] = value
    return merged
