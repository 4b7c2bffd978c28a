"""The way to a picture: cache, screening, engine, check; one shared renderer per engine and process.

request -> known picture? -> prepare (screen, write anew) -> engine in its own process -> check -> keep
"""

from __future__ import annotations

import atexit
import os
import threading
from typing import Any

from vbench_env.render.base import (
    RENDERERS,
    Engine,
    Picture,
    Renderer,
    RenderFailure,
    RenderLimits,
    RenderRequest,
    checked,
)
from vbench_env.render.cache import PictureCache
from vbench_env.render.screen import prepare

CACHE_BYTES = 64 << 20
_STRIPES = 64


class SafeRenderer:
    """Draws any text with one engine, each distinct request once."""

    def __init__(self, engine: Engine, limits: RenderLimits, cache_bytes: int = CACHE_BYTES) -> None:
        self.name = engine.name
        self.engine, self.limits = engine, limits
        self.drawn = 0
        self.cache = PictureCache(cache_bytes)
        self.renew_locks()

    def renew_locks(self) -> None:
        """Fresh locks, for a forked process: a thread that no longer exists may have held the old ones."""
        self._turns = [threading.Lock() for _ in range(_STRIPES)]
        self._slots = threading.BoundedSemaphore(os.cpu_count() or 1)

    def render(self, request: RenderRequest) -> Picture | RenderFailure:
        """A picture, or the reason for none. Equal requests give the same object while it is in the cache."""
        key = request.key(self.name)
        found = self.cache.get(key)
        if found is not None:
            return found
        with self._turns[int(key[:8], 16) % _STRIPES]:
            found = self.cache.get(key)
            if found is None:
                found = self._draw(request)
                if not (isinstance(found, RenderFailure) and found.kind == "unavailable"):
                    self.cache.put(key, found)
        return found

    def _draw(self, request: RenderRequest) -> Picture | RenderFailure:
        prepared = prepare(request, self.limits)
        if isinstance(prepared, RenderFailure):
            return prepared
        with self._slots:
            self.drawn += 1
            result = self._guarded(prepared.svg, request.width_px, request.height_px)
        if isinstance(result, RenderFailure):
            return result
        return Picture(result.png, result.width_px, result.height_px, (*prepared.notes, *result.notes))

    def _guarded(self, svg: bytes, width_px: int, height_px: int) -> Picture | RenderFailure:
        """One drawing. A binding may raise outside `Exception` (a Rust panic does)."""
        try:
            return checked(self.engine.draw(svg, width_px, height_px), self.name, width_px, height_px)
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:
            cause = f"{type(error).__name__}: {str(error)[:200]}"
            return RenderFailure("crashed", f"{self.name} broke down ({cause}); undo the last edit")

    def close(self) -> None:
        """End waiting processes; the renderer stays usable."""
        self.engine.close()

    def __deepcopy__(self, memo: dict[int, Any]) -> SafeRenderer:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return get_renderer, (self.name, self.limits)


_shared: dict[tuple[str, RenderLimits], SafeRenderer] = {}
_lock = threading.Lock()


def get_renderer(name: str = "resvg", limits: RenderLimits | None = None) -> Renderer:
    """The renderer of this process with that engine; `UnknownName` for one that no engine has."""
    key = (name, limits or RenderLimits())
    with _lock:
        if key not in _shared:
            _shared[key] = SafeRenderer(RENDERERS.get(name)(key[1]), key[1])
        return _shared[key]


def render_picture(
    svg: str | bytes,
    size_px: int | tuple[int, int] = 512,
    region: tuple[float, float, float, float] | None = None,
    *,
    renderer: str = "resvg",
) -> Picture | RenderFailure:
    """Draw a document.

    Args:
        svg: any text; what it holds never raises.
        size_px: side of the square picture, or its width and height.
        region: part to show: x, y, width, height in user units of the root.
        renderer: name of the engine.
    """
    width, height = (size_px, size_px) if isinstance(size_px, int) else size_px
    return get_renderer(renderer).render(RenderRequest(svg, width, height, region))


def unavailable(name: str) -> str | None:
    """Why an engine cannot draw on this machine; None when it can."""
    probe = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
    result = get_renderer(name).render(RenderRequest(probe, 1, 1))
    return result.message if isinstance(result, RenderFailure) else None


def close_renderers() -> None:
    """End every process that waits for work."""
    for shared in list(_shared.values()):
        shared.close()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    for shared in _shared.values():
        shared.renew_locks()


atexit.register(close_renderers)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
