"""The document as a picture of a fixed size."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from vbench_env.observations.base import Preview

if TYPE_CHECKING:
    from vbench_env.render import Picture, Renderer

Pixels = npt.NDArray[np.uint8]
"""Shape `(height, width, 3)`, sRGB."""


def draw(renderer: Renderer, svg: str, size: tuple[int, int]) -> Preview:
    """The picture of a document, letterboxed into `size` (width, height in pixels), or why there is none.

    A renderer that raises is a crash of the renderer: no verdict on the document follows from it.
    """
    from vbench_env.render import Picture, RenderRequest

    try:
        result = renderer.render(RenderRequest(svg, *size))
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a panic in a native renderer is no Exception
        return Preview(reason=f"the renderer crashed ({type(error).__name__}: {error})", crashed=True)
    if isinstance(result, Picture):
        return Preview(picture=result)
    return Preview(reason=f"{result.kind}: {result.message}")


def pixels(preview: Preview | None, size: tuple[int, int]) -> Pixels:
    """A new array of the picture at exactly `size` (width, height in pixels); white where there is none."""
    width, height = size
    if preview is None or preview.picture is None:
        return np.full((height, width, 3), 255, np.uint8)
    array = preview.picture.array()
    if array.shape == (height, width, 3):
        return np.array(array, np.uint8)
    return _letterboxed(array, size)


def _letterboxed(array: Pixels, size: tuple[int, int]) -> Pixels:
    from PIL import Image

    picture = Image.fromarray(array)
    picture.thumbnail(size)
    board = Image.new("RGB", size, "white")
    board.paste(picture, ((size[0] - picture.width) // 2, (size[1] - picture.height) // 2))
    return np.array(board, np.uint8)


def image_part(picture: Picture) -> dict[str, Any]:
    """The picture as a part of an OpenAI-style user message."""
    data = base64.b64encode(picture.png).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}


def side_by_side(left: Pixels, right: Pixels, gap_px: int = 8) -> Pixels:
    """Two pictures of equal height with a grey line between them."""
    line = np.full((left.shape[0], gap_px, 3), 160, np.uint8)
    return np.concatenate([left, line, right], axis=1)
