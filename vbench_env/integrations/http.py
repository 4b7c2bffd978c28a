"""Serving an ASGI application from the command line."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from vbench_env.errors import ConfigError


def serve(app: Any, host: str, port: int, told: Callable[[str], None]) -> None:
    """Serve until interrupted or terminated. In the main thread only.

    Args:
        app: the ASGI application.
        host: address to listen on.
        port: port; 0 takes a free one.
        told: gets the address once connections are taken.

    Raises:
        ConfigError: the address cannot be had.
    """
    import uvicorn

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise ConfigError(
            f"cannot listen on {host}:{port}: {error.strerror}; choose another --port"
        ) from error
    listener.listen(1024)
    told(f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}")
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=3)
    with contextlib.suppress(KeyboardInterrupt), _stoppable():
        uvicorn.Server(config).run(sockets=[listener])


@contextlib.contextmanager
def _stoppable() -> Iterator[None]:
    """SIGTERM ends what is done in here as an interrupt does; uvicorn hands it on when it has shut down."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
