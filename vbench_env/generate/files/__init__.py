"""Tasks of foreign drawings: any folder of SVG files.

    for made in generate_from(Path("drawings"), seed=7, level=2, operations=None, tally=tally): ...

Each file gives one task, or a reason why it gives none; where a number is asked for, files are drawn by lot, again
and again.
"""

from __future__ import annotations

from vbench_env.generate.files.folder import SHARES, generate_from, split_of, svg_files
from vbench_env.generate.files.one import LARGEST, generate_of

__all__ = ["LARGEST", "SHARES", "generate_from", "generate_of", "split_of", "svg_files"]
