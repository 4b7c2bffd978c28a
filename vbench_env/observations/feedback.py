"""Public checks after a call. They compare the document with its start and know nothing of the target."""

from __future__ import annotations

from vbench_env.observations.base import OBSERVATIONS, View


@OBSERVATIONS.register("validity")
def validity(view: View) -> str:
    """Whether the document is valid SVG, and what is wrong with it."""
    return f"validity: {view.look('validate')}"


@OBSERVATIONS.register("changes")
def changes(view: View) -> str:
    """What differs from the start of the episode."""
    if view.document.text == view.start.text:
        return "changed since the start: nothing"
    return f"changed since the start: {view.look('diff')}"


@OBSERVATIONS.register("renders")
def renders(view: View) -> str:
    """Whether the document can be drawn."""
    preview = view.preview()
    return "rendering: ok" if preview.ok else f"rendering: failed ({preview.reason})"
