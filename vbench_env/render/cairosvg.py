"""The second engine: CairoSVG, where libcairo is installed. Imported only in the child processes that draw.

It draws no filters and little CSS; its use is a second opinion.
"""

from __future__ import annotations

import base64

try:
    from cairosvg.surface import PNGSurface
except OSError as error:
    raise ImportError(
        "libcairo is missing (Debian: apt install libcairo2, macOS: brew install cairo)"
    ) from error


def draw(svg: bytes, width_px: int, height_px: int) -> bytes:
    """A PNG on white; raises what CairoSVG raises."""
    png: bytes = PNGSurface.convert(
        bytestring=svg, output_width=width_px, output_height=height_px, background_color="white",
        url_fetcher=_embedded_only,
    )  # fmt: skip
    return png


def _embedded_only(url: str, resource_type: str) -> bytes:
    """The bytes of a `data:` picture; nothing for any other address."""
    label, _, body = url.partition(";base64,")
    return base64.b64decode(body) if label.startswith("data:image/") else b""
