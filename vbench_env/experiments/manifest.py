"""`manifest.json`: what a run folder is a run of, and whether another command means the same run."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from vbench_env.errors import ConfigError
from vbench_env.experiments.config import RunConfig, settings_of
from vbench_env.experiments.plan import Plan
from vbench_env.scoring.rules import RULE_SETS


class Manifest(BaseModel):
    """The resolved configuration of a run and fingerprints of all that its results depend on."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    schema_version: Literal[1] = Field(default=1, alias="schema")
    run_id: str
    """Hash of everything below that decides results."""
    created_at: str
    """UTC, ISO 8601."""
    config: RunConfig
    """As resolved, less secrets."""
    settings: dict[str, Any]
    """The part of the configuration that must not change on resume."""
    corpus: dict[str, Any]
    """Name, hash, and the hash of every task by id."""
    protocols: dict[str, dict[str, Any]]
    """Digest and whole text of every protocol, prompts included."""
    rules: dict[str, str]
    """SHA-256 of every rule set."""
    episodes: int
    """Episodes of the plan."""
    versions: dict[str, str]

    def fingerprint(self) -> dict[str, Any]:
        """All that two parts of one run must have in common."""
        return {
            "corpus": self.corpus,
            "protocols": self.protocols,
            "rules": self.rules,
            "settings": self.settings,
        }


def make_manifest(plan: Plan) -> Manifest:
    """The manifest of a plan, dated now."""
    tasks = {task.task_id: task.hash for task in plan.corpus}
    manifest = Manifest(
        run_id="", created_at=datetime.now(UTC).isoformat(timespec="seconds"), config=plan.config.public(),
        settings=settings_of(plan.config), episodes=len(plan.units), versions=software_versions(),
        corpus={"name": plan.corpus.name, "hash": plan.corpus.hash, "tasks": tasks},
        protocols={p.name: {"digest": p.digest, **p.model_dump(mode="json")} for p in plan.protocols},
        rules={name: _digest(rules.model_dump(mode="json")) for name, rules in RULE_SETS.items()},
    )  # fmt: skip
    manifest.run_id = _digest(manifest.fingerprint())[:16]
    return manifest


def software_versions() -> dict[str, str]:
    """Versions of Python, of this package and of what decides a verdict or a request."""
    found = {"python": platform.python_version()}
    for name in ("vbench-env", "litellm", "numpy", "lxml"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def refuse_differences(old: Manifest, new: Manifest) -> None:
    """Raise `ConfigError` when two manifests are not of one run, naming what differs."""
    differing = list(_differences(old.fingerprint(), new.fingerprint()))
    if not differing:
        return
    more = f"; and {len(differing) - 6} more" if len(differing) > 6 else ""
    advice = "start a new run in another folder, or resume with the settings it began with"
    raise ConfigError(f"this run was made with other settings ({'; '.join(differing[:6])}{more}); {advice}")


_NAMED = ("settings.models", "protocols", "corpus.tasks")
"""Mappings by name: where the names differ, they say more than what stands under each."""


def _differences(before: Any, after: Any, name: str = "") -> Iterator[str]:
    if before == after:
        return
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        yield f"{name}: {_short(before)} -> {_short(after)}"
    elif name in _NAMED and before.keys() != after.keys():
        yield f"{name}: {_names(before)} -> {_names(after)}"
    else:
        for key in sorted({*before, *after}):
            yield from _differences(before.get(key), after.get(key), f"{name}.{key}" if name else key)


def _names(named: Mapping[str, Any]) -> str:
    return ", ".join(named) if len(named) <= 3 else f"{len(named)} of them"


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
