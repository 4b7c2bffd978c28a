"""Corruptions: one module an operation, each registered under the operation's name.

A module here defines a function `(sketch, random) -> Iterator[Defect]` and registers it with
`@CORRUPTIONS.register("recolor")`; every module of this package is loaded.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from vbench_env.generate.corruptions.base import CORRUPTIONS, Corruption, Defect

for _module in sorted(module.name for module in iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")

__all__ = ["CORRUPTIONS", "Corruption", "Defect"]
