"""The render tool: the whole drawing or a part of it, with rings round objects, beside the start."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from vbench_env.svg.document import Refusal, SourceDocument
from vbench_env.svg.frames import Box
from vbench_env.tools.address import resolve
from vbench_env.tools.attributes import Address, named
from vbench_env.tools.base import Arguments, Coordinate, ToolContext, ToolResult, tool
from vbench_env.tools.boxes import canvas_box, short

if TYPE_CHECKING:
    from PIL.Image import Image

    from vbench_env.render import Picture

Region = tuple[float, float, float, float]
_MARGIN = 0.15
_GAP_PX = 8
_RINGS = ((255, 0, 255), (0, 140, 255), (255, 120, 0), (0, 170, 80))
_HALO = (255, 255, 255)


class RenderArgs(Arguments):
    object: Address | None = None
    """Id, structural path or CSS selector of an element to show close up; null shows the whole drawing."""
    region: Annotated[list[Coordinate], Field(min_length=4, max_length=4)] | None = None
    """Part to show: [x, y, width, height] in user units of the root. Not together with object."""
    zoom: float = Field(default=1.0, ge=0.1, le=100.0)
    """Magnification about the middle of what is shown; 2 shows half the width and height."""
    highlight: list[Address] = Field(default=[], max_length=20)
    """Objects to put a coloured ring round, in the picture only."""
    side_by_side: bool = False
    """Show the document that the episode started with on the left and the present one on the right."""


@tool("render", "look", RenderArgs)
def render(context: ToolContext, args: RenderArgs) -> ToolResult:
    """Draw the document as it is now and look at the picture: all of it, a region, or one object close up."""
    region = _region(context, args)
    documents = [context.start, context.document] if args.side_by_side else [context.document]
    width, height = context.picture_size
    side = (width - _GAP_PX * (len(documents) - 1)) // len(documents)
    pictures = [_picture(context, document, (side, height), region) for document in documents]
    lines = [_caption(args, region)]
    if args.highlight:
        boxes = _boxes(context, args.highlight, lines)
        pictures[-1] = _ringed(context, pictures[-1], boxes, region)
    picture = pictures[0] if len(pictures) == 1 else _beside(pictures, width)
    notes = dict.fromkeys(note for item in pictures for note in item.notes)
    return ToolResult(
        "\n".join([*lines, *(f"note: {note}" for note in notes)]), context.document, pictures=(picture,)
    )


def _caption(args: RenderArgs, region: Region | None) -> str:
    what = "the whole drawing" if region is None else f"region {', '.join(map(short, region))} in user units"
    return f"picture of {what}" + (": the start on the left, now on the right" if args.side_by_side else "")


def _region(context: ToolContext, args: RenderArgs) -> Region | None:
    if args.object is not None and args.region is not None:
        raise Refusal("bad_arguments", "give object or region, not both", "region")
    if args.object is not None:
        region = _around(context, args.object)
    elif args.region is not None:
        region = (args.region[0], args.region[1], args.region[2], args.region[3])
        if region[2] <= 0 or region[3] <= 0:
            raise Refusal("bad_arguments", "the width and height of a region must be positive", "region")
    elif args.zoom == 1.0:
        return None
    else:
        region = _whole(context)
    x, y, width, height = region
    shown = (width / args.zoom, height / args.zoom)
    return x + (width - shown[0]) / 2, y + (height - shown[1]) / 2, *shown


def _around(context: ToolContext, address: str) -> Region:
    element = resolve(context.document, address)
    placed = canvas_box(element)
    if placed is None:
        raise Refusal("unavailable", f"the box of {named(element)} is not known; give a region", "object")
    margin = max(*placed.size, 1.0) * _MARGIN
    box = placed.box.enlarged(margin)
    return box.left, box.top, box.right - box.left, box.bottom - box.top


def _whole(context: ToolContext) -> Region:
    from vbench_env.render.base import RenderFailure
    from vbench_env.render.viewport import viewport_of

    viewport = viewport_of(context.document.root.node)
    if isinstance(viewport, RenderFailure):
        raise Refusal("unavailable", str(viewport))
    return viewport.user_box


def _picture(
    context: ToolContext, document: SourceDocument, size: tuple[int, int], region: Region | None
) -> Picture:
    from vbench_env.render.base import RenderFailure, RenderRequest

    if context.renderer is None:
        raise Refusal("unavailable", "there is no renderer in this episode")
    result = context.renderer.render(RenderRequest(document.text, max(1, size[0]), size[1], region))
    if isinstance(result, RenderFailure):
        raise Refusal("unavailable", str(result))
    return result


def _boxes(context: ToolContext, addresses: list[str], lines: list[str]) -> list[Box]:
    """Boxes of the highlighted objects; a line for each says which ring is whose."""
    names = ("magenta", "blue", "orange", "green")
    boxes: list[Box] = []
    for number, address in enumerate(addresses):
        element = resolve(context.document, address, f"highlight.{number}")
        placed = canvas_box(element)
        if placed is None:
            lines.append(f"no ring: the box of {named(element)} is not known")
            continue
        lines.append(f"{names[len(boxes) % len(names)]} ring: {named(element)} box={placed.text()}")
        boxes.append(placed.box)
    return boxes


def _ringed(context: ToolContext, picture: Picture, boxes: list[Box], region: Region | None) -> Picture:
    from PIL import ImageDraw

    from vbench_env.render.base import RenderFailure, RenderRequest
    from vbench_env.render.viewport import frame_of

    size = (picture.width_px, picture.height_px)
    frame = frame_of(context.document.root.node, RenderRequest("", *size, region))
    if isinstance(frame, RenderFailure):
        raise Refusal("unavailable", str(frame))
    image = _opened(picture)
    pen = ImageDraw.Draw(image)
    for number, box in enumerate(boxes):
        left, top = frame.to_px(box.left, box.top)
        right, bottom = frame.to_px(box.right, box.bottom)
        for grow, color in ((6, _HALO), (5, _RINGS[number % len(_RINGS)]), (2, _HALO)):
            edges = _clamped((left - grow, top - grow, right + grow, bottom + grow), size)
            pen.rectangle(edges, outline=color, width=1 if color == _HALO else 3)
    return _saved(image, picture.notes)


def _clamped(edges: tuple[float, float, float, float], size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Pixel edges kept near the picture, so that a huge box costs nothing."""
    width, height = size
    left, right = (round(min(max(value, -9.0), width + 9.0)) for value in (edges[0], edges[2]))
    top, bottom = (round(min(max(value, -9.0), height + 9.0)) for value in (edges[1], edges[3]))
    return left, top, right, bottom


def _beside(pictures: list[Picture], width: int) -> Picture:
    from PIL import Image

    whole = Image.new("RGB", (width, pictures[0].height_px), (128, 128, 128))
    for picture, left in zip(pictures, (0, width - pictures[-1].width_px), strict=True):
        whole.paste(_opened(picture), (left, 0))
    return _saved(whole, ())


def _opened(picture: Picture) -> Image:
    from PIL import Image

    with Image.open(BytesIO(picture.png), formats=["PNG"]) as image:
        return image.convert("RGB")


def _saved(image: Image, notes: tuple[str, ...]) -> Picture:
    from vbench_env.render.base import Picture

    out = BytesIO()
    image.save(out, format="PNG")
    return Picture(out.getvalue(), image.width, image.height, notes)
