"""Scenes: one module a genre; every module of this package is loaded.

A module defines a function that draws with a `Brush` and registers it: `@SCENES.register("bar-chart")`.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from vbench_env.generate.scenes.base import SCENES, Scene

for _module in sorted(module.name for module in iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")

__all__ = ["SCENES", "Scene"]
