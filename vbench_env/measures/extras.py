"""Libraries and weights that only some measures need."""

from __future__ import annotations

import importlib
from typing import Any

from vbench_env.errors import ConfigError

EXTRAS = {"ssim": "metrics", "lpips": "perceptual", "dino": "perceptual", "clip": "perceptual"}


def require(module: str, measure: str, name: str = "") -> Any:
    """A module of an optional extra, or what it calls `name`.

    Raises:
        ConfigError: it is not installed, or broken; the message names the extra.
    """
    try:
        found = importlib.import_module(module)
        return getattr(found, name) if name else found
    except (ImportError, RuntimeError, OSError) as error:
        extra = EXTRAS[measure]
        raise ConfigError(
            f"measure {measure} needs {module.partition('.')[0]}: pip install 'vbench-env[{extra}]' ({error})"
        ) from error
