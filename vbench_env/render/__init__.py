"""Pictures of documents: safe, bounded, the same bytes every time.

    from vbench_env.render import render_picture
    picture = render_picture(svg, 512)          # Picture, or RenderFailure with the reason

Scoring never looks at a picture. `vbench_env.render.compare` measures how far two of them differ.
"""

from vbench_env.render.base import (
    MAX_SIDE_PX,
    RENDERERS,
    Engine,
    EngineFactory,
    FailureKind,
    Picture,
    Renderer,
    RenderFailure,
    RenderLimits,
    RenderRequest,
)
from vbench_env.render.renderer import (
    SafeRenderer,
    close_renderers,
    get_renderer,
    render_picture,
    unavailable,
)
from vbench_env.render.screen import Prepared, prepare
from vbench_env.render.viewport import Frame, frame_of


def _resvg(limits: RenderLimits) -> Engine:
    from vbench_env.render.resvg import ResvgEngine

    return ResvgEngine(limits)


def _cairosvg(limits: RenderLimits) -> Engine:
    from vbench_env.render.worker import IsolatedEngine

    return IsolatedEngine("cairosvg", "vbench_env.render.cairosvg:draw", limits)


RENDERERS.add("resvg", _resvg)
RENDERERS.add("cairosvg", _cairosvg)

__all__ = [
    "MAX_SIDE_PX",
    "RENDERERS",
    "Engine",
    "EngineFactory",
    "FailureKind",
    "Frame",
    "Picture",
    "Prepared",
    "RenderFailure",
    "RenderLimits",
    "RenderRequest",
    "Renderer",
    "SafeRenderer",
    "close_renderers",
    "frame_of",
    "get_renderer",
    "prepare",
    "render_picture",
    "unavailable",
]
