"""Lines through the middle of a foreign drawing, or of something in it that has a name."""

from __future__ import annotations

from vbench_env.evidence import DRAWING, Axis
from vbench_env.generate.files.known import Known, box_of

_NEAR = 0.002
"""Share of the drawing's width or height by which a line may be off."""
_WORDS = {"x": "the vertical line through the middle of", "y": "the horizontal line through the middle of"}


def middle_line(known: Known, axis: Axis, at: float, *without: str) -> tuple[str, str] | None:
    """An object with its centre at `at` along an axis, and words for the line across there; None when there is none."""
    frame = known.view.frame
    low, high = (frame.left, frame.right) if axis == "x" else (frame.top, frame.bottom)
    near = _NEAR * (high - low)
    if abs((low + high) / 2 - at) <= near:
        return DRAWING, f"{_WORDS[axis]} the drawing"
    for seen in known.named:
        box = box_of(known.view, seen) if seen.node.tag != "text" and seen.key not in without else None
        if box is not None and abs(box.measure(f"center-{axis}") - at) <= near:
            return seen.key, f"{_WORDS[axis]} {known.names[seen.key]}"
    return None
