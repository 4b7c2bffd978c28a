"""Variants: re-skinned equals of tasks, against contamination.

A variant has other ids, colours, coordinates and corrupted values than its task, and asks for the same repairs. It
is made from a seed and validated like any task, so that a team can keep a private split that nobody has seen.
"""

from __future__ import annotations

from vbench_env.taskkit.variant.make import Variant, make_variant

__all__ = ["Variant", "make_variant"]
