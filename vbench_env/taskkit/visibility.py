"""Can a defect be seen? Pictures of the corrupted drawing, with one repair done or one object hidden."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from vbench_env.protected import drawn_nodes, find_object
from vbench_env.render import Renderer, RenderFailure, RenderRequest, get_renderer
from vbench_env.render.compare import changed_pixels
from vbench_env.repair import Repair
from vbench_env.svg.parse import parse
from vbench_env.svg.values import parse_viewbox
from vbench_env.task import Task
from vbench_env.taskkit.build import derive, put_value, without_canary

WIDTH_PX = 800
LEAST_SHARE = 0.0015
"""Share of the pixels at `WIDTH_PX` that a defect must change."""
LEAST_SEEN_PX = 12
"""Pixels of the repaired object that must show in the corrupted drawing."""

Mask = NDArray[np.bool_]


class Unseen(ValueError):
    """A drawing that cannot be rendered; the message says why."""


def picture_size(svg: str, width_px: int = WIDTH_PX) -> tuple[int, int]:
    """Pixels of a picture `width_px` wide that shows the whole drawing without borders."""
    root = parse(svg).root
    view = parse_viewbox(root.attrs.get("viewBox", "")) if root is not None else None
    if view is None:
        return width_px, width_px
    return width_px, max(1, min(4096, round(width_px * view.height / view.width)))


def pixels(svg: str, renderer: Renderer, size: tuple[int, int]) -> NDArray[np.uint8]:
    """The drawing as pixels, shape (height, width, 3)."""
    picture = renderer.render(RenderRequest(svg, *size))
    if isinstance(picture, RenderFailure):
        raise Unseen(str(picture))
    return picture.array()


def defect_masks(task: Task, renderer: Renderer | None = None, width_px: int = WIDTH_PX) -> Iterator[Mask]:
    """For each repair, which pixels of the corrupted picture it changes, shape (height, width)."""
    renderer = renderer or get_renderer("resvg")
    size = picture_size(task.target_svg, width_px)
    target = without_canary(task.target_svg, task.canary)
    shown = pixels(task.corrupted_svg, renderer, size)
    for place in range(len(task.repairs)):
        others = [repair for i, repair in enumerate(task.repairs) if i != place]
        yield changed_pixels(shown, pixels(derive(target, others), renderer, size))


def seen_pixels(task: Task, repair: Repair, renderer: Renderer | None = None) -> int | None:
    """Pixels of the repaired object that show in the corrupted drawing; None where that says nothing.

    It says nothing of objects that are missing there, of parts of definitions, and of parts of a text.
    """
    renderer = renderer or get_renderer("resvg")
    document = parse(task.corrupted_svg)
    node = find_object(document, repair.object)
    if repair.operation == "insert" or node is None:
        return None
    drawn = set(drawn_nodes(document))
    if not any(part in drawn for part in node.iter()):
        return None
    size = picture_size(task.target_svg)
    hidden = put_value(task.corrupted_svg, repair.object, "display", "none")
    mask = changed_pixels(pixels(task.corrupted_svg, renderer, size), pixels(hidden, renderer, size))
    return int(mask.sum())
