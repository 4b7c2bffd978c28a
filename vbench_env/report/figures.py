"""Figures as files: SVG from our own template, PNG through the renderer."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from vbench_env.render import Renderer, RenderFailure, RenderRequest
from vbench_env.report import words
from vbench_env.report.pages import template
from vbench_env.report.pictures import packed
from vbench_env.report.plots import Plot
from vbench_env.svg.parse import parse
from vbench_env.svg.values import parse_number

WIDTH_PX = 880
SCALE = 2
"""Pixels of a PNG per pixel of the SVG."""


def figure_svg(plot: Plot) -> str:
    """A figure as a document of its own, without script and without anything from outside."""
    return template("plot.svg").render(
        plot=plot, kind=type(plot).__name__, width=WIDTH_PX, about=textwrap.wrap(plot.about, 108), words=words
    ).strip()  # fmt: skip


def write_figures(plots: Sequence[Plot], folder: Path, renderer: Renderer) -> list[str]:
    """Write `NAME.svg` and `NAME.png` of every figure; the names."""
    folder.mkdir(parents=True, exist_ok=True)
    for plot in plots:
        svg = figure_svg(plot)
        (folder / f"{plot.name}.svg").write_text(svg, encoding="utf-8")
        png = _png(svg, renderer)
        if png is not None:
            (folder / f"{plot.name}.png").write_bytes(png)
    return [plot.name for plot in plots]


def _png(svg: str, renderer: Renderer) -> bytes | None:
    root = parse(svg).root
    height = parse_number(root.attrs.get("height", "")) if root is not None else None
    request = RenderRequest(svg, SCALE * WIDTH_PX, SCALE * round(height or WIDTH_PX))
    picture = renderer.render(request)
    return None if isinstance(picture, RenderFailure) else packed(picture)
