"""Libraries and weights that only some measures need."""

from __future__ import annotations

import importlib
from typing import Any

from vbench_env.errors import ConfigError

EXTRAS = {"ssim": "metrics", "lpips": "perceptual", "dino": "perceptual", "clip": "perceptual"}


def require(module: str, measure: str) -> Any:
    """A module of an optional extra.

    Raises:
        ConfigError: it is not installed; the message names the extra.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        extra = EXTRAS[measure]
        raise ConfigError(
            f"measure {measure} needs {module.partition('.')[0]}: pip install 'vbench-env[{extra}]' ({error})"
        ) from error
