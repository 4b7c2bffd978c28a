"""Where the drawing goes: from the root's size and viewBox to a rectangle of the picture.

Three spaces: user units of the root, CSS pixels of its viewport (its own `width` and `height`), pixels of the
picture. `Viewport` maps the first to the second (SVG 2 section 8.2), `Frame` maps both to the third.
"""

from __future__ import annotations

from dataclasses import dataclass

from vbench_env.render.base import RenderFailure, RenderRequest
from vbench_env.svg.parse import Node
from vbench_env.svg.values import ViewBox, parse_length, parse_viewbox

DEFAULT_SIZE = (300.0, 150.0)
"""Of a drawing with neither size nor viewBox, CSS 2 section 10.3.2."""
_ALIGN = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_HUGE = 1e9

Box = tuple[float, float, float, float]
"""x, y, width, height."""


@dataclass(frozen=True, slots=True)
class Viewport:
    """The root's own size in CSS pixels and the mapping `pixel = user * scale + offset` inside it."""

    width: float
    height: float
    view_box: ViewBox | None
    scale: tuple[float, float]
    offset: tuple[float, float]

    @property
    def user_box(self) -> Box:
        """The whole viewport in user units."""
        (scale_x, scale_y), (x, y) = self.scale, self.offset
        return (-x / scale_x, -y / scale_y, self.width / scale_x, self.height / scale_y)


@dataclass(frozen=True, slots=True)
class Frame:
    """The rectangle `box` (x, y, width, height in whole pixels) of the picture that shows `region`.

    `whole` is true when the region is the whole drawing and fills the picture without borders.
    """

    width_px: int
    height_px: int
    box: tuple[int, int, int, int]
    region: Box
    viewport: Viewport
    whole: bool

    def to_px(self, x: float, y: float) -> tuple[float, float]:
        """A point in user units of the root, in pixels of the picture."""
        left, top, width, height = self.box
        region_x, region_y, region_width, region_height = self.region
        return (
            left + (x - region_x) * width / region_width,
            top + (y - region_y) * height / region_height,
        )

    @property
    def root_px(self) -> Box:
        """The root's whole viewport, in pixels of the picture; it may reach outside it."""
        x, y, width, height = self.viewport.user_box
        (left, top), (right, bottom) = self.to_px(x, y), self.to_px(x + width, y + height)
        return (left, top, right - left, bottom - top)

    @property
    def shown_px(self) -> Box:
        """The part of `box` that the root covers; all else of the picture is white."""
        left, top, width, height = self.root_px
        x, y = max(left, self.box[0]), max(top, self.box[1])
        right = min(left + width, self.box[0] + self.box[2])
        bottom = min(top + height, self.box[1] + self.box[3])
        return (x, y, max(0.0, right - x), max(0.0, bottom - y))


def viewport_of(root: Node) -> Viewport | RenderFailure:
    """The viewport that the root element asks for."""
    view_box = parse_viewbox(root.attrs.get("viewBox", ""))
    sides = [_side(root, "width"), _side(root, "height")]
    for name, side in zip(("width", "height"), sides, strict=True):
        if side is not None and not 0 < side < _HUGE:
            return RenderFailure("malformed", f"{name} of the root draws nothing; give it a positive length")
    if view_box is not None and not all(abs(value) < _HUGE for value in view_box):
        return RenderFailure("malformed", "viewBox of the root is too large to draw; use smaller numbers")
    width, height = _sized(sides[0], sides[1], view_box)
    if view_box is None:
        return Viewport(width, height, None, (1.0, 1.0), (0.0, 0.0))
    scale, offset = _fit(view_box, width, height, root.attrs.get("preserveAspectRatio", ""))
    return Viewport(width, height, view_box, scale, offset)


def frame_of(root: Node, request: RenderRequest) -> Frame | RenderFailure:
    """Where a request shows the drawing with this root."""
    viewport = viewport_of(root)
    if isinstance(viewport, RenderFailure):
        return viewport
    region = request.region or viewport.user_box
    if not all(abs(value) < _HUGE for value in region) or region[2] <= 0 or region[3] <= 0:
        return RenderFailure(
            "refused", "the region needs a positive width and height in user units of the root"
        )
    width, height = region[2] * viewport.scale[0], region[3] * viewport.scale[1]
    factor = min(request.width_px / width, request.height_px / height)
    box_width = max(1, round(width * factor))
    box_height = max(1, round(height * factor))
    left, top = (request.width_px - box_width) // 2, (request.height_px - box_height) // 2
    full = (box_width, box_height) == (request.width_px, request.height_px)
    return Frame(
        request.width_px, request.height_px, (left, top, box_width, box_height), region, viewport,
        full and request.region is None,
    )  # fmt: skip


def _side(root: Node, name: str) -> float | None:
    length = parse_length(root.attrs.get(name, ""))
    return None if length is None else length.to_px(font_size=16.0)


def _sized(width: float | None, height: float | None, view_box: ViewBox | None) -> tuple[float, float]:
    if width is not None and height is not None:
        return width, height
    if view_box is None:
        return width or DEFAULT_SIZE[0], height or DEFAULT_SIZE[1]
    if width is not None:
        return width, width * view_box.height / view_box.width
    if height is not None:
        return height * view_box.width / view_box.height, height
    return view_box.width, view_box.height


def _fit(
    view_box: ViewBox, width: float, height: float, aspect: str
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Scale and offset of `preserveAspectRatio` (SVG 2 section 8.7)."""
    scale_x, scale_y = width / view_box.width, height / view_box.height
    words = aspect.split() or ["xMidYMid"]
    align = words[0]
    if align == "none":
        return (scale_x, scale_y), (-view_box.x * scale_x, -view_box.y * scale_y)
    scale = max(scale_x, scale_y) if "slice" in words else min(scale_x, scale_y)
    across, down = _ALIGN.get(align[1:4], 0.5), _ALIGN.get(align[5:8], 0.5)
    x = (width - view_box.width * scale) * across - view_box.x * scale
    y = (height - view_box.height * scale) * down - view_box.y * scale
    return (scale, scale), (x, y)
