"""A run from a YAML file, from options, and from single settings.

extends: base.yaml            # fields of another file, beside this one
models+: [openai/gpt-5-mini]  # appends to its list
retry: {timeout_s: 120}       # replaces one field of a mapping
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vbench_env.errors import ConfigError
from vbench_env.experiments.config import RunConfig, make_config
from vbench_env.layers import merge, read_layers
from vbench_env.strict_yaml import YamlProblem, parse_yaml


def load_config(
    path: str | Path, overrides: Mapping[str, Any] | None = None, settings: Sequence[str] = ()
) -> RunConfig:
    """A run from a YAML file.

    Args:
        path: the file; `extends: NAME` in it names another one, relative to its folder.
        overrides: fields on top, merged as a file that extends another one would be.
        settings: `NAME=VALUE` on top of those, see `with_settings`.

    Raises:
        ConfigError: a file cannot be read or a field is wrong; the message names it.
    """
    data = merge(read_layers("configuration", Path(path), _beside), overrides or {})
    return make_config(with_settings(data, settings), str(path))


def _beside(name: str, folder: Path) -> Path:
    path = folder / name
    return path if path.suffix in {".yaml", ".yml"} else path.with_name(f"{path.name}.yaml")


def with_settings(data: Mapping[str, Any], settings: Sequence[str]) -> dict[str, Any]:
    """`data` with single fields set.

    Args:
        data: a configuration as plain data.
        settings: `NAME=VALUE`, where NAME leads through mappings and lists by dots (`retry.timeout_s`,
            `models.0.temperature`) and VALUE is YAML.

    Raises:
        ConfigError: a setting that has no such form, or whose name leads nowhere.
    """
    changed = dict(data)
    if settings and isinstance(changed.get("models"), list | tuple):
        changed["models"] = [{"name": m} if isinstance(m, str) else m for m in changed["models"]]
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or not name:
            raise ConfigError(f"--set {setting}: write it as NAME=VALUE, such as retry.timeout_s=120")
        try:
            value = parse_yaml(text)
        except YamlProblem as error:
            raise ConfigError(f"--set {setting}: the value is no YAML ({error})") from error
        changed = _put(changed, name.split("."), value, setting)
    return changed


def _put(data: Any, names: Sequence[str], value: Any, setting: str) -> Any:
    """A copy of `data` with the value under the path of `names`."""
    if not names:
        return value
    name, rest = names[0], names[1:]
    if isinstance(data, list | tuple):
        if not name.isdecimal() or int(name) >= len(data):
            raise ConfigError(f"--set {setting}: {name!r} is no place in a list of {len(data)}")
        items = list(data)
        items[int(name)] = _put(items[int(name)], rest, value, setting)
        return items
    if data is not None and not isinstance(data, Mapping):
        raise ConfigError(f"--set {setting}: there is no field {name!r} in the plain value {data!r}")
    fields = dict(data or {})
    return {**fields, name: _put(fields.get(name), rest, value, setting)}
