"""Recorded results that the corpus page shows, as they stand in files: blind attempts, engines, variants."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from vbench_env.errors import ConfigError

BLIND_NAME, ENGINES_NAME, VARIANTS_NAME = "corpus-blind.json", "corpus-engines.json", "corpus-variants.json"


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Reached(_Record):
    """What an attempt made of one repair."""

    passed: bool
    progress: float = Field(ge=0, le=1)


class Attempt(_Record):
    """One blind attempt at a task: instruction, corrupted source and corrupted picture were all that was given."""

    task: str
    attempt: int
    solver: str
    repairs: dict[str, Reached]
    """By `object.property`."""
    reward: float | None = None
    valid: bool | None = None
    preserved: bool | None = None


class EngineDifference(_Record):
    """How far the picture of one engine is from the default engine's; see `taskkit.engines.compare`."""

    engine: str
    changed: float | None
    changed_without_text: float | None
    apart: float | None
    lacks: tuple[str, ...]
    reason: str = ""


class EngineRow(_Record):
    """One drawing in all engines; `lacks` is for the default one."""

    task_id: str
    lacks: tuple[str, ...]
    differences: tuple[EngineDifference, ...]


class Engines(_Record):
    """What `vbench-env tasks engines` found."""

    corpus: str
    width_px: int
    engines: tuple[str, ...]
    missing: dict[str, str]
    rows: tuple[EngineRow, ...]


class VariantRow(_Record):
    """One variant that was tried."""

    task: str
    seed: int
    ok: bool
    changes: dict[str, str] = {}
    left_out: dict[str, str] = {}
    reason: str = ""


_ATTEMPTS: TypeAdapter[tuple[Attempt, ...]] = TypeAdapter(tuple[Attempt, ...])
_ENGINES: TypeAdapter[Engines] = TypeAdapter(Engines)
_VARIANTS: TypeAdapter[tuple[VariantRow, ...]] = TypeAdapter(tuple[VariantRow, ...])
T = TypeVar("T")


def read_attempts(path: Path) -> tuple[Attempt, ...]:
    """Blind attempts; none when there is no file."""
    return _read(path, _ATTEMPTS) or ()


def read_engines(path: Path) -> Engines | None:
    """The agreement of engines; None when there is no file."""
    return _read(path, _ENGINES)


def read_variants(path: Path) -> tuple[VariantRow, ...]:
    """Variants that were tried; none when there is no file."""
    return _read(path, _VARIANTS) or ()


def _read(path: Path, adapter: TypeAdapter[T]) -> T | None:
    if not path.is_file():
        return None
    try:
        return adapter.validate_python(json.loads(path.read_text(encoding="utf-8")))
    except (json.JSONDecodeError, ValidationError) as error:
        raise ConfigError(f"{path}: cannot be used ({str(error).splitlines()[0]}); write it anew") from error
