"""What a picture request is, what comes back, and how a rendering engine is added.

An `Engine` turns one prepared document into pixels and knows nothing else. Preparing it (no reference that
leaves the document, size written out), limits, caching and turning every failure into a `RenderFailure`
belong to `SafeRenderer`, the only way to engines that the rest of the package has. A new engine is a factory
in `RENDERERS`, or an entry point of the group `vbench_env.renderers`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal, Protocol

from vbench_env.errors import ConfigError
from vbench_env.registry import Registry
from vbench_env.svg.parse import Limits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FailureKind = Literal["timeout", "memory", "refused", "malformed", "crashed", "unavailable"]

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_SIDE_PX = 4096


@dataclass(frozen=True, slots=True)
class RenderLimits:
    """Bounds of one render. Processor time decides before wall time, so that a busy machine changes nothing.

    Attributes:
        cpu_s: processor seconds of the engine.
        wall_s: seconds until the engine is killed whatever it does.
        memory_bytes: address space of the engine's process.
        document: bounds of the document's text and tree.
        instances: elements after following `use`, patterns, masks, markers and clips.
        reference_depth: references through references.
        text_length: characters of drawn text.
        image_pixels: pixels of all embedded pictures together.
    """

    cpu_s: int = 5
    wall_s: float = 20.0
    memory_bytes: int = 1 << 30
    document: Limits = field(default_factory=Limits)
    instances: int = 100_000
    reference_depth: int = 64
    text_length: int = 50_000
    image_pixels: int = 32_000_000


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """A document and the picture wanted of it, always sRGB on white and exactly `width_px` by `height_px`.

    The drawing (or `region` of it: x, y, width, height in user units of the root element) keeps its aspect
    ratio and is centred; what is left over stays white.
    """

    svg: str | bytes
    width_px: int
    height_px: int
    region: tuple[float, float, float, float] | None = None

    def __post_init__(self) -> None:
        for side in (self.width_px, self.height_px):
            if not 1 <= side <= MAX_SIDE_PX:
                raise ConfigError(
                    f"a picture side of {side} px is outside 1 to {MAX_SIDE_PX}; choose another size"
                )

    def key(self, engine: str) -> str:
        """Content address of the picture: the same key means the same picture."""
        data, form = (self.svg, "b") if isinstance(self.svg, bytes) else (_utf8(self.svg), "s")
        head = f"{engine} {form} {self.width_px} {self.height_px} {self.region!r}\n"
        return hashlib.sha256(head.encode() + data).hexdigest()


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG. `notes` say what differs from the document: a reference left out, a font or letter missing."""

    png: bytes
    width_px: int
    height_px: int
    notes: tuple[str, ...] = ()

    def array(self) -> NDArray[np.uint8]:
        """Pixels, shape (height_px, width_px, 3), dtype uint8, sRGB."""
        import numpy as np
        from PIL import Image

        with Image.open(BytesIO(self.png), formats=["PNG"]) as image:
            plain = image if image.mode in {"RGB", "RGBA"} else image.convert("RGB")
            data = plain.tobytes("raw", "RGB")
        return np.frombuffer(data, np.uint8).reshape(plain.height, plain.width, 3)

    @property
    def digest(self) -> str:
        """SHA-256 of the PNG in hexadecimal."""
        return hashlib.sha256(self.png).hexdigest()


@dataclass(frozen=True, slots=True)
class RenderFailure:
    """Why there is no picture. `message` says what to do; it never quotes anything outside the document."""

    kind: FailureKind
    message: str

    def __str__(self) -> str:
        return f"preview unavailable ({self.kind}): {self.message}"


class Engine(Protocol):
    """Draws prepared documents; may be called from several threads at once."""

    name: str

    def draw(self, svg: bytes, width_px: int, height_px: int) -> Picture | RenderFailure:
        """An opaque PNG on white of exactly that size.

        `svg` is UTF-8, has `width` and `height` of the same size in pixels on its root and refers to nothing
        outside itself.
        """
        ...

    def close(self) -> None:
        """End processes that wait for work; drawing afterwards starts them again."""
        ...


class Renderer(Protocol):
    """Turns any document into a picture or a stated reason; never raises for what the document holds."""

    name: str

    def render(self, request: RenderRequest) -> Picture | RenderFailure: ...

    def close(self) -> None: ...


EngineFactory = Callable[[RenderLimits], Engine]

RENDERERS: Registry[EngineFactory] = Registry("renderer", "vbench_env.renderers")


def checked(result: Any, name: str, width_px: int, height_px: int) -> Picture | RenderFailure:
    """What an engine gave back, held against its contract."""
    if isinstance(result, RenderFailure):
        return result
    png = getattr(result, "png", b"")
    if not png.startswith(PNG_SIGNATURE):
        return RenderFailure("crashed", f"{name} gave back no picture ({len(png)} bytes); undo the last edit")
    size = (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big"))
    if size != (width_px, height_px):
        return RenderFailure("crashed", f"{name} drew {size[0]}x{size[1]} px, not {width_px}x{height_px}")
    return Picture(png, width_px, height_px, tuple(result.notes))
