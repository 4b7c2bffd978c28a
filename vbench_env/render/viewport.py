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
Matrix = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f of an SVG transform."""


@dataclass(frozen=True, slots=True)
class Viewport:
    """The root's own size in CSS pixels and the mapping `pixel = user * scale + offset` inside it."""

    width: float
    height: float
    view_box: ViewBox | None
    scale: tuple[float, float]
    offset: tuple[float, float]

    @property
    def view(self) -> Box:
        """The viewBox, or the one that having none amounts to."""
        return self.view_box or (0.0, 0.0, self.width, self.height)

    @property
    def user_box(self) -> Box:
        """The whole viewport in user units."""
        (scale_x, scale_y), (x, y) = self.scale, self.offset
        return (-x / scale_x, -y / scale_y, self.width / scale_x, self.height / scale_y)


@dataclass(frozen=True, slots=True)
class Frame:
    """The rectangle `box` of the picture, in its pixels, that shows `region` of the drawing."""

    width_px: int
    height_px: int
    box: Box
    region: Box
    viewport: Viewport

    def to_px(self, x: float, y: float) -> tuple[float, float]:
        """A point in user units of the root, in pixels of the picture."""
        left, top, width, height = self.box
        region_x, region_y, region_width, region_height = self.region
        return (
            left + (x - region_x) * width / region_width,
            top + (y - region_y) * height / region_height,
        )

    @property
    def shown_px(self) -> Box:
        """The part of the picture where drawing may show; all else is white."""
        x, y, width, height = self.viewport.user_box
        (left, top), (right, bottom) = self.to_px(x, y), self.to_px(x + width, y + height)
        left, top = max(left, self.box[0]), max(top, self.box[1])
        right = min(right, self.box[0] + self.box[2])
        bottom = min(bottom, self.box[1] + self.box[3])
        return (left, top, max(0.0, right - left), max(0.0, bottom - top))

    @property
    def plain(self) -> bool:
        """Whether the viewBox alone, fitted into the picture, shows the region."""
        view = self.viewport.view
        slack = 1e-6 * max(view[2], view[3])
        across, down = self.viewport.scale
        fits = all(abs(one - other) <= slack for one, other in zip(self.region, view, strict=True))
        return fits and abs(across - down) <= 1e-6 * across

    @property
    def matrix(self) -> Matrix:
        """From user units of the root to those that its viewBox gives when stretched over the whole picture."""
        (x0, y0), (x1, y1) = self.to_px(0.0, 0.0), self.to_px(1.0, 1.0)
        x, y, width, height = self.stretched(x0, y0, x1 - x0, y1 - y0)
        return (width, 0.0, 0.0, height, x, y)

    def fitted(self, x: float, y: float, width: float, height: float) -> Box:
        """A rectangle in pixels, in user units of the root."""
        across, down = self.region[2] / self.box[2], self.region[3] / self.box[3]
        left, top = self.region[0] - self.box[0] * across, self.region[1] - self.box[1] * down
        return (left + x * across, top + y * down, width * across, height * down)

    def stretched(self, x: float, y: float, width: float, height: float) -> Box:
        """A rectangle in pixels, in the units that the viewBox gives when stretched over the whole picture."""
        view = self.viewport.view
        across, down = view[2] / self.width_px, view[3] / self.height_px
        return (view[0] + x * across, view[1] + y * down, width * across, height * down)


def viewport_of(root: Node) -> Viewport | RenderFailure:
    """The viewport that the root element asks for."""
    view_box = parse_viewbox(root.attrs.get("viewBox", ""))
    sides = [_side(root, "width"), _side(root, "height")]
    for name, side in zip(("width", "height"), sides, strict=True):
        if side is not None and not 0 < side < _HUGE:
            return RenderFailure(
                "malformed", f"{name} of the root is {side:g} px; make it positive and below 1e9"
            )
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
    width, height = width * factor, height * factor
    box = ((request.width_px - width) / 2, (request.height_px - height) / 2, width, height)
    return Frame(request.width_px, request.height_px, box, region, viewport)


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
