"""Endless tasks: composed scenes and foreign drawings, corrupted so that a sentence can ask for the repair.

    from vbench_env.generate import generate_task
    task = generate_task(7, level=3, split="train")

A scene (`scenes`) or a foreign file (`files`) gives a `Sketch`: a clean drawing, words for its parts, and relations
that anybody can see. A corruption (`corruptions`) breaks one relation, so the rest of the drawing or the instruction
still determines the right value. Same seed, same task, in every process.
"""

from __future__ import annotations

from vbench_env.generate.levels import LEVELS, SPLITS
from vbench_env.generate.make import Generated, generate, generate_task

__all__ = ["LEVELS", "SPLITS", "Generated", "generate", "generate_task"]
