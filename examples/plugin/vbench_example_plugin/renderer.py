"""An engine: pictures of the default one without their colours."""

from __future__ import annotations

import io

from PIL import Image

from vbench_env.render import RENDERERS, Engine, Picture, RenderFailure, RenderLimits


class GreyEngine:
    """Draws with resvg and keeps the brightness."""

    name = "grey"

    def __init__(self, limits: RenderLimits) -> None:
        self._inner: Engine = RENDERERS.get("resvg")(limits)

    def draw(self, svg: bytes, width_px: int, height_px: int) -> Picture | RenderFailure:
        drawn = self._inner.draw(svg, width_px, height_px)
        if isinstance(drawn, RenderFailure):
            return drawn
        out = io.BytesIO()
        Image.open(io.BytesIO(drawn.png)).convert("L").convert("RGB").save(out, format="PNG")
        return Picture(out.getvalue(), drawn.width_px, drawn.height_px, drawn.notes)

    def close(self) -> None:
        self._inner.close()


def grey(limits: RenderLimits) -> GreyEngine:
    """Made anew for each set of limits."""
    return GreyEngine(limits)
