"""The content of a `task.yaml` as text that the strict reader reads back the same."""

from __future__ import annotations

from typing import Any

import yaml

from vbench_env.strict_yaml import YamlProblem, parse_yaml

WIDTH = 118


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def yaml_text(data: dict[str, Any]) -> str:
    """YAML with the keys in their order; strings are quoted where the reader would take them for something else."""
    text = _dumped(data)
    try:
        if parse_yaml(text) == data:
            return text
    except YamlProblem:
        pass
    return _dumped(data, default_style='"')


def _dumped(data: dict[str, Any], **style: Any) -> str:
    return str(
        yaml.dump(
            data,
            Dumper=_Dumper,
            sort_keys=False,
            allow_unicode=True,
            width=WIDTH,
            default_flow_style=False,
            **style,
        )
    )
