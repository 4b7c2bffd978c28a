"""Contact sheets: the corrupted picture beside the target, each defect ringed and numbered."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from vbench_env.errors import InfrastructureError
from vbench_env.render import Renderer, RenderFailure, RenderRequest, get_renderer
from vbench_env.svg.parse import parse
from vbench_env.task import Task
from vbench_env.taskkit.build import without_canary
from vbench_env.taskkit.mends import without_mends
from vbench_env.taskkit.visibility import Mask, defect_masks, picture_size, pixels

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont
    from PIL.ImageFont import ImageFont as BaseImageFont

MARGIN_PX = 16
HEAD_PX = 30
LINE_PX = 18
_RING = (214, 0, 122)
_INK = (34, 38, 46)
_PAPER = (246, 246, 244)
_BLANK = (228, 226, 222)
_PAD = 7.0
_OUTLIERS = 0.2
"""Percent of a defect's pixels left aside at each side when its ring is drawn."""


def task_sheet(task: Task, width_px: int = 800, *, words: bool = True, rings: bool = True) -> bytes:
    """A PNG with the corrupted picture (left) and the target (right), each `width_px` wide.

    Args:
        task: the task to show.
        width_px: of one picture.
        words: write instruction and repairs below.
        rings: ring the defects; without, the sheet shows what an agent sees, and no target.
    """
    return _png(_sheet(task, width_px, words=words, rings=rings))


def write_sheet(task: Task, path: Path, width_px: int = 800) -> None:
    """Write the sheet of a task as a PNG file."""
    path.write_bytes(task_sheet(task, width_px))


def task_picture(
    task: Task, what: Literal["corrupted", "target", "both"] = "corrupted", size_px: int = 1024
) -> bytes:
    """A PNG of one drawing, or of both side by side with rings; `size_px` is the longer side of one drawing.

    Raises:
        InfrastructureError: the renderer cannot draw it; the message says why.
    """
    target = without_canary(task.target_svg, task.canary)
    width, height = picture_size(task.target_svg, size_px)
    if height > size_px:
        width, height = max(1, round(width * size_px / height)), size_px
    if what == "both":
        return task_sheet(task, width, words=False)
    svg = target if what == "target" else task.corrupted_svg
    picture = get_renderer("resvg").render(RenderRequest(svg, width, height))
    if isinstance(picture, RenderFailure):
        raise InfrastructureError(str(picture))
    return picture.png


def corpus_sheet(tasks: Iterable[Task], width_px: int = 420, columns: int = 2) -> bytes:
    """A PNG with the sheets of several tasks in columns, without words."""
    from PIL import Image

    sheets = [_sheet(task, width_px, words=False, rings=True) for task in tasks]
    rows = [sheets[start : start + columns] for start in range(0, len(sheets), columns)]
    heights = [max(sheet.height for sheet in row) for row in rows]
    width = max((sum(sheet.width for sheet in row) for row in rows), default=1)
    page = Image.new("RGB", (width, max(1, sum(heights))), _PAPER)
    top = 0
    for row, height in zip(rows, heights, strict=True):
        left = 0
        for sheet in row:
            page.paste(sheet, (left, top))
            left += sheet.width
        top += height
    return _png(page)


def _sheet(task: Task, width_px: int, *, words: bool, rings: bool) -> Image:
    from PIL import Image, ImageDraw

    pictures = _pictures(task, width_px, rings=rings)
    height = pictures[0].height
    width = MARGIN_PX + len(pictures) * (width_px + MARGIN_PX)
    lines = _lines(task, rings, width) if words else []
    page = Image.new("RGB", (width, HEAD_PX + height + MARGIN_PX + LINE_PX * len(lines)), _PAPER)
    draw = ImageDraw.Draw(page)
    head = f"{task.title or task.task_id}  ({task.corpus}/{task.task_id})"
    draw.text((MARGIN_PX, 8), head, fill=_INK, font=_font(15))
    for place, picture in enumerate(pictures):
        page.paste(picture, (MARGIN_PX + place * (width_px + MARGIN_PX), HEAD_PX))
    for row, line in enumerate(lines):
        draw.text((MARGIN_PX, HEAD_PX + height + 8 + LINE_PX * row), line, fill=_INK, font=_font(13))
    return page


def _pictures(task: Task, width_px: int, *, rings: bool) -> list[Image]:
    from PIL import Image, ImageDraw

    renderer, size = get_renderer("resvg"), picture_size(task.target_svg, width_px)
    seen = without_mends(task)
    pictures = [_start(task, renderer, size)]
    if not rings:
        return pictures
    pictures.append(Image.fromarray(pixels(without_canary(task.target_svg, task.canary), renderer, size)))
    numbers = [number for number, item in enumerate(task.repairs, start=1) if item.operation != "mend"]
    for number, mask in zip(numbers, defect_masks(seen, renderer, width_px), strict=True):
        for picture in pictures:
            if mask.any():
                _ring(ImageDraw.Draw(picture), extent(mask), str(number))
    return pictures


def _start(task: Task, renderer: Renderer, size: tuple[int, int]) -> Image:
    """The picture of the start; of one that is not well-formed, the reason in words."""
    from PIL import Image, ImageDraw

    fault = parse(task.corrupted_svg).faults
    if not fault or task.goal.well_formed:
        return Image.fromarray(pixels(task.corrupted_svg, renderer, size))
    picture = Image.new("RGB", size, _BLANK)
    words = textwrap.fill(f"not well-formed: {fault[0].message}", max(10, size[0] // 10))
    ImageDraw.Draw(picture).multiline_text(
        (size[0] / 2, size[1] / 2), words, fill=_INK, font=_font(15), anchor="mm", align="center"
    )
    return picture


def _ring(draw: ImageDraw, box: tuple[float, float, float, float], text: str) -> None:
    radius = min(16.0, (box[2] - box[0]) / 2 - 1, (box[3] - box[1]) / 2 - 1)
    draw.rounded_rectangle(box, radius, outline=(255, 255, 255), width=4)
    draw.rounded_rectangle(box, radius, outline=_RING, width=2)
    x, y = max(1.0, box[0] - 4), max(1.0, box[1] - 6)
    draw.ellipse((x, y, x + 18, y + 18), fill=_RING)
    draw.text((x + 9, y + 9), text, fill=(255, 255, 255), font=_font(12), anchor="mm")


def extent(mask: Mask) -> tuple[float, float, float, float]:
    """Left, top, right, bottom in pixels of a ring round the true part of a mask, outliers left aside."""
    rows, columns = np.nonzero(mask)
    left, right = np.percentile(columns, (_OUTLIERS, 100 - _OUTLIERS))
    top, bottom = np.percentile(rows, (_OUTLIERS, 100 - _OUTLIERS))
    return float(left) - _PAD, float(top) - _PAD, float(right) + _PAD, float(bottom) + _PAD


def _lines(task: Task, rings: bool, width: int) -> list[str]:
    letters = max(20, width // 7)
    lines = textwrap.wrap(task.instruction, letters)
    if not rings:
        return lines
    for number, repair in enumerate(task.repairs, start=1):
        kind = (repair.evidence or {}).get("kind", "none")
        text = f"{number}  {repair.operation} {repair.property} of {repair.object}  ({kind})"
        lines += textwrap.wrap(text, letters)
    return lines


def _font(size: int) -> FreeTypeFont | BaseImageFont:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _png(page: Image) -> bytes:
    buffer = BytesIO()
    page.save(buffer, format="PNG", optimize=True)
    return buffer.getvalue()
